// Converts a DCS contract to ODCS without losses: fields that both formats have are mapped, all others become custom
// properties `dcs.<path>`.

import { Notes } from '../../text/problem.ts'
import { NOWHERE } from '../../shape/inspect.ts'
import { getField, isObject, type ObjectValue, asText, type Value } from '../../text/value.ts'
import { extendField, extendModel, placeLinks } from './models.ts'
import { odcsPolicies, toOdcsServer, odcsServiceLevels } from './servers.ts'
import { DcsReader } from '../dcs/models.ts'
import { dcsPlatform, hasModels } from '../dcs/read.ts'
import { Draft } from '../odcs/draft.ts'
import { type OdcsVersion, OdcsWriter, WRITTEN_VERSION } from '../odcs/write.ts'
import type { Field, Model } from '../../schema/model.ts'
import { specificationModels } from '../read-specification.ts'

/**
 * Converts a DCS document to ODCS, v3.1.0 unless another version is given; `id` is the id that it is stored under, for documents without an id. The
 * result is valid under the official schema if the document is valid DCS. A contract without a status becomes a
 * `draft`.
 */
export function odcsFromDcs(value: Value, id: string, version = WRITTEN_VERSION): Value {
  return new Conversion(isObject(value) ? value : {}, version).result(id)
}

class Conversion {
  readonly #value: ObjectValue
  readonly #version: OdcsVersion
  readonly #draft = new Draft()
  readonly #description = new Draft()
  readonly #team = new Draft()

  constructor(value: ObjectValue, version: OdcsVersion) {
    this.#value = value
    this.#version = version
  }

  result(id: string): Value {
    const info = getField(this.#value, 'info')
    const draft = this.#draft
    draft.set('apiVersion', this.#version)
    draft.set('kind', 'DataContract')
    draft.set('id', asText(getField(this.#value, 'id')) ?? id)
    draft.set('name', asText(getField(info, 'title')))
    draft.set('version', asText(getField(info, 'version')) ?? '')
    draft.set('status', asText(getField(info, 'status')) ?? 'draft')
    for (const name of Object.keys(this.#value)) this.#section(name, this.#value[name] ?? null)
    this.#setIfFilled('description', this.#description)
    this.#setIfFilled('team', this.#team)
    return draft.result()
  }

  #setIfFilled(name: string, part: Draft): void {
    const result = part.result()
    if (Object.keys(result).length > 0) this.#draft.set(name, result)
  }

  #section(name: string, value: Value): void {
    const draft = this.#draft
    if (name === 'id' && typeof value === 'string') return
    if (name === 'info' && isObject(value)) this.#info(value)
    else if (name === 'terms' && isObject(value)) this.#terms(value)
    else if (name === 'servers' && isObject(value)) this.#servers(value)
    else if (name === 'models' && isObject(value)) this.#models(value)
    else if (name === 'servicelevels' && isObject(value)) this.#serviceLevels(value)
    else if (name === 'links' && isObject(value)) placeLinks(value, draft)
    else if (name === 'tags' && isTexts(value)) draft.set('tags', value)
    else {
      if (name === 'schema' && !hasModels(this.#value)) this.#specification()
      draft.add(`dcs.${name}`, value)
    }
  }

  #info(info: ObjectValue): void {
    for (const [name, value] of Object.entries(info)) {
      const isText = typeof value === 'string'
      if (isText && ['title', 'version', 'status'].includes(name)) continue
      if (isText && name === 'description') this.#description.set('purpose', value)
      else if (isText && name === 'owner') this.#team.set('name', value)
      else if (name === 'contact' && isObject(value)) this.#contact(value)
      else this.#draft.add(`dcs.info.${name}`, value)
    }
  }

  #contact(contact: ObjectValue): void {
    const names = new Map([
      ['name', 'contactName'],
      ['url', 'contactUrl'],
      ['email', 'contactEmail'],
    ])
    for (const [name, value] of Object.entries(contact)) {
      this.#team.add(names.get(name) ?? `dcs.info.contact.${name}`, value)
    }
  }

  #terms(terms: ObjectValue): void {
    for (const [name, value] of Object.entries(terms)) {
      const policies = name === 'policies' ? odcsPolicies(value) : undefined
      if ((name === 'usage' || name === 'limitations') && typeof value === 'string') {
        this.#description.set(name, value)
      } else if (name === 'billing' || name === 'noticePeriod') {
        this.#description.add(name, value)
      } else if (policies !== undefined) {
        for (const { type, url, description } of policies)
          this.#draft.define(type, url, description)
      } else {
        this.#draft.add(`dcs.terms.${name}`, value)
      }
    }
  }

  #servers(servers: ObjectValue): void {
    const converted: Value[] = []
    for (const [name, server] of Object.entries(servers)) {
      if (isObject(server)) converted.push(toOdcsServer(name, server, this.#version))
      else this.#draft.add(`dcs.servers.${name}`, server)
    }
    this.#draft.set('servers', converted)
  }

  #serviceLevels(given: ObjectValue): void {
    const { levels, rest } = odcsServiceLevels(given)
    this.#draft.set('slaProperties', levels)
    for (const [name, value] of rest) this.#draft.add(`dcs.servicelevels.${name}`, value)
  }

  #models(given: ObjectValue): void {
    const server = dcsPlatform(this.#value)
    const reader = new DcsReader(this.#value, server, new Notes(NOWHERE))
    const models = reader.models()
    const extend = (of: Model | Field, draft: Draft): void => {
      const raw = reader.sources.get(of) ?? {}
      if ('kind' in of) extendModel(of, raw, draft)
      else extendField(of, raw, draft)
    }
    const writer = new OdcsWriter(server.platform, extend, this.#version)
    this.#draft.set(
      'schema',
      models.map((model) => writer.model(model)),
    )
    for (const [name, model] of Object.entries(given)) {
      if (!isObject(model)) this.#draft.add(`dcs.models.${name}`, model)
    }
  }

  #specification(): void {
    const { platform } = dcsPlatform(this.#value)
    const models = specificationModels(this.#value, { platform }, new Notes(NOWHERE))
    const writer = new OdcsWriter(platform, () => {}, this.#version)
    this.#draft.set(
      'schema',
      models.map((model) => writer.model(model)),
    )
  }
}

function isTexts(value: Value): value is string[] {
  return Array.isArray(value) && value.every((item) => typeof item === 'string')
}
