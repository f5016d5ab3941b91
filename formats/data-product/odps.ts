// Reads ODPS documents, the Open Data Product Standard of bitol.io. Properties that the standard has no field for
// (the status and server of a port, the maturity of the product) are custom properties with agreed names.

import type { ReadOptions } from '../shape/inspect.ts'
import type { Notes } from '../text/problem.ts'
import { clip, getField, isObject, put, asText, valueAt } from '../text/value.ts'
import type { ObjectValue, Value } from '../text/value.ts'
import { ARCHETYPES, MATURITIES } from './data-product.ts'
import type { DataProduct, InputPort, OutputPort } from './data-product.ts'
import { agreedText, checkId, nonBlankText, noteRepeatedKeys, listObjects } from './fields.ts'
import { readContext, readDeprecation, readSynonyms } from './guidance.ts'
import { portKey, readProductOwner, listTexts } from './fields.ts'

// v1.1.0 has archetypes in camel case; the catalog uses hyphens.
const ARCHETYPE_OF_TYPE: ReadonlyMap<string, string> = new Map([
  ['sourceAligned', 'source-aligned'],
  ['consumerAligned', 'consumer-aligned'],
])

/** Returns the archetype that the member `type` of a document names. */
export function toArchetype(type: string): string {
  return ARCHETYPE_OF_TYPE.get(type) ?? type
}

/** Reads an ODPS document; reports problems that its shape does not cover. Values of a wrong type are ignored. */
export function readOdps(value: ObjectValue, options: ReadOptions, notes: Notes): DataProduct {
  const { id } = options
  checkId(agreedText(value, [['id']], notes), ['id'], id, notes)
  const custom = new CustomProperties(value)
  const product: DataProduct = {
    format: 'odps',
    formatVersion: asText(getField(value, 'apiVersion')),
    id,
    name: agreedText(value, [['name']], notes, 'give the data product a name') ?? '',
    tags: listTexts(getField(value, 'tags')),
    links: readLinks(value),
    custom: custom.all,
    inputPorts: listObjects(getField(value, 'inputPorts')).map(inputPort),
    outputPorts: listObjects(getField(value, 'outputPorts')).map(outputPort),
  }
  const type = nonBlankText(getField(value, 'type')) ?? custom.text('type')
  put(product, 'ownerTeamId', readProductOwner(value, [['team', 'name']], notes, options))
  put(product, 'description', nonBlankText(valueAt(value, ['description', 'purpose'])))
  put(product, 'status', nonBlankText(getField(value, 'status')))
  put(product, 'archetype', type === undefined ? type : toArchetype(type))
  put(product, 'maturity', custom.text('maturity'))
  put(product, 'domain', nonBlankText(getField(value, 'domain')))
  put(product, 'version', nonBlankText(getField(value, 'version')))
  guide(product, value)
  custom.noteUnusual('type', [...ARCHETYPES, ...ARCHETYPE_OF_TYPE.keys()], notes)
  custom.noteUnusual('maturity', MATURITIES, notes)
  noteRepeatedKeys(product.inputPorts, 'inputPorts', value, notes)
  noteRepeatedKeys(product.outputPorts, 'outputPorts', value, notes)
  return product
}

// Input ports have neither synonyms nor a context.
function guide(described: DataProduct | OutputPort, raw: ObjectValue): void {
  Object.assign(described, readDeprecation(raw))
  put(described, 'synonyms', readSynonyms(getField(raw, 'synonyms')))
  put(described, 'context', readContext(getField(raw, 'context')))
}

function inputPort({ item, at }: { item: ObjectValue; at: number }): InputPort {
  const custom = new CustomProperties(item)
  const version = nonBlankText(getField(item, 'version'))
  const name = nonBlankText(getField(item, 'name')) ?? `inputPorts[${at}]`
  const port: InputPort = {
    key: portKey(name, version),
    id: nonBlankText(getField(item, 'id')) ?? name,
    name: custom.text('displayName') ?? name,
    tags: listTexts(getField(item, 'tags')),
    ...readDeprecation(item),
  }
  put(port, 'version', version)
  put(port, 'description', custom.text('description'))
  put(port, 'type', custom.text('type'))
  put(port, 'contractId', getContractId(item, custom))
  put(port, 'sourceSystemId', custom.text('sourceSystemId'))
  put(port, 'location', custom.text('location'))
  return port
}

function outputPort({ item, at }: { item: ObjectValue; at: number }): OutputPort {
  const custom = new CustomProperties(item)
  const version = nonBlankText(getField(item, 'version'))
  const name = nonBlankText(getField(item, 'name')) ?? `outputPorts[${at}]`
  const server = custom.value('server')
  const port: OutputPort = {
    key: portKey(name, version),
    id: nonBlankText(getField(item, 'id')) ?? name,
    name: custom.text('displayName') ?? name,
    tags: listTexts(getField(item, 'tags')),
  }
  put(port, 'version', version)
  put(port, 'description', nonBlankText(getField(item, 'description')))
  put(port, 'type', nonBlankText(getField(item, 'type')))
  put(port, 'status', custom.text('status'))
  put(port, 'contractId', getContractId(item, custom))
  put(port, 'location', custom.text('location'))
  put(port, 'server', isObject(server) ? server : undefined)
  put(port, 'containsPii', custom.flag('containsPii'))
  put(port, 'autoApprove', custom.flag('autoApprove'))
  guide(port, item)
  return port
}

function getContractId(port: ObjectValue, custom: CustomProperties): string | undefined {
  return (
    nonBlankText(getField(port, 'contractId')) ??
    nonBlankText(getField(port, 'dataContractId')) ??
    custom.text('contractId')
  )
}

function readLinks(value: ObjectValue): DataProduct['links'] {
  return listObjects(getField(value, 'authoritativeDefinitions')).flatMap(({ item }) => {
    const type = asText(getField(item, 'type'))
    const url = asText(getField(item, 'url'))
    return type === undefined || url === undefined ? [] : [{ type, url }]
  })
}

// The custom properties of a product or port: a list of names with values. If a name is repeated, the first one
// applies.
class CustomProperties {
  readonly all: { property: string; value: Value }[] = []
  readonly #positions = new Map<string, number>()
  readonly #values = new Map<string, Value>()

  constructor(owner: ObjectValue) {
    for (const { item, at } of listObjects(getField(owner, 'customProperties'))) {
      const property = asText(getField(item, 'property'))
      if (property === undefined) continue
      const value = getField(item, 'value') ?? null
      this.all.push({ property, value })
      if (this.#values.has(property)) continue
      this.#values.set(property, value)
      this.#positions.set(property, at)
    }
  }

  value(property: string): Value | undefined {
    return this.#values.get(property)
  }

  text(property: string): string | undefined {
    return nonBlankText(this.value(property))
  }

  // Tools that only support text write "true".
  flag(property: string): boolean | undefined {
    const value = this.value(property)
    if (typeof value === 'boolean') return value
    return value === 'true' || value === 'false' ? value === 'true' : undefined
  }

  noteUnusual(property: string, customary: readonly string[], notes: Notes): void {
    const value = this.text(property)
    if (value === undefined || customary.includes(value)) return
    const place = ['customProperties', this.#positions.get(property) ?? 0, 'value']
    const values = customary.join(', ')
    notes.warning(place, `"${clip(value)}" is unusual; common values are ${values}.`)
  }
}
