// Converts an ODCS 2.2 document to v3.1.0 without losses: fields that both versions have are mapped, all others
// become custom properties `odcs2.<path>`.

import { nonBlankText, listObjects } from '../../data-product/fields.ts'
import { ACCEPTED, conforms, NOWHERE } from '../../shape/inspect.ts'
import { Notes } from '../../text/problem.ts'
import { any, fieldShape, list, type Shape, shapeAt } from '../../shape/shape.ts'
import { getField, isObject, type ObjectValue, asText, type Value } from '../../text/value.ts'
import { findPlatform } from '../contract-fields.ts'
import { ODCS_2, Odcs2Tables } from './odcs-2-models.ts'
import { fitObject, fitObjects, keepNonObjects } from './odcs-2-parts.ts'
import { alignServer, serversFromOdcs2 } from './odcs-2-servers.ts'
import { Draft } from '../odcs/draft.ts'
import { odcsShape } from '../odcs/shape.ts'
import { WRITTEN_VERSION } from '../odcs/write.ts'
import { readOdcs } from '../odcs/read.ts'

const SHAPE = odcsShape(WRITTEN_VERSION)
const MEMBER = shapeAt(SHAPE, ['team', 'members', 0]) ?? any

// Candidates for the identifying texts; the first one with content is used.
const PLACES: readonly (readonly [name: string, ...from: string[]])[] = [
  ['name', 'name', 'quantumName', 'datasetName'],
  ['domain', 'domain', 'datasetDomain'],
]

const SERVICE_LEVEL_NAMES: ReadonlyMap<string, string> = new Map([['column', 'element']])

/**
 * Converts an ODCS 2.2 document to v3.1.0; `id` is the id that it is stored under, for documents without an id. The
 * result is valid under the official schema if the document is valid. Its models are the same, except their origins.
 */
export function odcs3FromOdcs2(value: Value, id: string): Value {
  const document = isObject(value) ? value : {}
  return new Conversion(document).result(id)
}

/** Converts like `odcs3FromOdcs2`, for a comparison with a later document: the server gets the same name as there. */
export function comparableOdcs3(value: Value, id: string, later: Value): Value {
  const converted = odcs3FromOdcs2(value, id)
  const isNamed = listObjects(getField(value, 'servers')).length > 0
  const servers = listObjects(getField(converted, 'servers'))
  if (isNamed || !isObject(converted) || servers.length === 0) return converted
  const others = listObjects(getField(later, 'servers')).map(({ item }) => item)
  return { ...converted, servers: servers.map(({ item }) => alignServer(item, others)) }
}

class Conversion {
  readonly #value: ObjectValue
  readonly #draft = new Draft()
  // The fields of the document that have been mapped.
  readonly #converted = new Set<string>()

  constructor(value: ObjectValue) {
    this.#value = value
  }

  result(id: string): ObjectValue {
    const draft = this.#draft
    draft.set('apiVersion', WRITTEN_VERSION)
    draft.set('kind', 'DataContract')
    if (getField(this.#value, 'kind') === 'DataContract') this.#converted.add('kind')
    const isText = (name: string) => asText(getField(this.#value, name)) !== undefined
    this.#text('id', ['id', 'uuid'].find(isText), id)
    for (const [name, ...from] of PLACES) {
      this.#text(
        name,
        from.find((one) => nonBlankText(getField(this.#value, one)) !== undefined),
      )
    }
    this.#text('version', 'version', '')
    this.#text('status', 'status', 'unknown')
    this.#serversAndModels()
    for (const name of Object.keys(this.#value)) {
      if (!this.#converted.has(name)) this.#section(name, this.#value[name] ?? null)
    }
    this.#team()
    return draft.result()
  }

  readonly #keep = (path: string, value: Value): void => this.#draft.add(`${ODCS_2}${path}`, value)

  #text(name: string, from: string | undefined, otherwise?: string): void {
    const text = from === undefined ? undefined : asText(getField(this.#value, from))
    if (from !== undefined && text !== undefined) this.#converted.add(from)
    this.#draft.set(name, text ?? otherwise)
  }

  #serversAndModels(): void {
    const { servers, converted } = serversFromOdcs2(this.#value)
    for (const name of converted) this.#converted.add(name)
    if (servers.length > 0) this.#draft.set('servers', servers)
    const dataset = getField(this.#value, 'dataset')
    if (!Array.isArray(dataset)) return
    this.#converted.add('dataset')
    keepNonObjects(dataset, 'dataset', this.#keep)
    // The servers of the result determine how its types are interpreted.
    const read = readOdcs({ servers }, ACCEPTED, new Notes(NOWHERE))
    const tables = new Odcs2Tables(findPlatform(read.servers).platform)
    const schema = listObjects(dataset).map(({ item, at }) => tables.table(item, at))
    this.#draft.set('schema', schema)
  }

  #section(name: string, value: Value): void {
    const shape = shapeIn(name)
    switch (name) {
      case 'description':
      case 'price':
        if (isObject(value))
          this.#draft.set(name, fitObject(value, shape, { path: name }, this.#keep))
        else this.#keep(name, value)
        break
      case 'roles':
        this.#list(name, value, new Map())
        break
      case 'slaProperties':
        this.#list(name, value, SERVICE_LEVEL_NAMES)
        break
      case 'slaDefaultColumn':
        this.#defaultElement(name, value)
        break
      case 'customProperties':
        this.#customProperties(value)
        break
      case 'team':
      case 'stakeholders':
        break
      default:
        this.#other(name, value)
    }
  }

  #list(name: string, value: Value, names: ReadonlyMap<string, string>): void {
    const items = fitObjects(value, itemIn(name), { path: name, names }, this.#keep)
    this.#draft.set(name, items)
  }

  #defaultElement(name: string, value: Value): void {
    const isFree = getField(this.#value, 'slaDefaultElement') === undefined
    if (isFree && typeof value === 'string') this.#draft.set('slaDefaultElement', value)
    else this.#keep(name, value)
  }

  // A document may already have fields of later versions.
  #other(name: string, value: Value): void {
    const isLater = SHAPE.fields.has(name) && !HELD.has(name) && !this.#draft.has(name)
    if (isLater && conforms(value, shapeIn(name))) this.#draft.set(name, value)
    else if (this.#isChannel(name, value)) this.#draft.set('support', this.#support())
    else this.#keep(name, value)
  }

  #isChannel(name: string, value: Value): boolean {
    const isFree = getField(this.#value, 'support') === undefined
    return isFree && SUPPORT.has(name) && typeof value === 'string'
  }

  #support(): Value[] {
    return [...SUPPORT].flatMap(([name, channel]): Value[] => {
      const text = asText(getField(this.#value, name))
      return text === undefined ? [] : [channel(text)]
    })
  }

  // The owner may be in this field, so each value is placed before the next.
  #customProperties(value: Value): void {
    if (!Array.isArray(value)) {
      this.#keep('customProperties', value)
      return
    }
    keepNonObjects(value, 'customProperties', this.#keep)
    for (const { item, at } of listObjects(value)) {
      const property = asText(getField(item, 'property'))
      if (property === undefined) {
        this.#keep(`customProperties[${at}]`, item)
        continue
      }
      this.#draft.add(property, getField(item, 'value') ?? null)
      for (const [name, member] of Object.entries(item)) {
        if (name === 'property' || name === 'value') continue
        this.#keep(`customProperties[${at}].${name}`, member)
      }
    }
  }

  // Stakeholders are the members of a team since v3.
  #team(): void {
    const given = getField(this.#value, 'team')
    const stakeholders = getField(this.#value, 'stakeholders')
    const team = isObject(given)
      ? fitObject(given, shapeIn('team'), { path: 'team' }, this.#keep)
      : undefined
    const isList = Array.isArray(given) && conforms(given, list(MEMBER))
    if (isList) this.#draft.set('team', given)
    else if (given !== undefined && !isObject(given)) this.#keep('team', given)
    const hasMembers = isList || getField(team, 'members') !== undefined
    if (hasMembers && stakeholders !== undefined) this.#keep('stakeholders', stakeholders)
    const members =
      hasMembers || stakeholders === undefined
        ? undefined
        : fitObjects(stakeholders, MEMBER, { path: 'stakeholders' }, this.#keep)
    const whole = members === undefined ? team : { ...team, members }
    if (whole !== undefined) this.#draft.set('team', whole)
  }
}

// Fields whose meaning in a 2.2 document is converted separately or differs from v3.
const HELD = new Set(['apiVersion', 'kind', 'id', 'schema', 'servers'])

const SUPPORT: ReadonlyMap<string, (text: string) => Value> = new Map([
  ['productSlackChannel', (channel: string): Value => ({ channel, tool: 'slack' })],
  ['productFeedbackUrl', (url: string): Value => ({ channel: 'feedback', url, scope: 'issues' })],
  ['productDl', (channel: string): Value => ({ channel, tool: 'email' })],
])

function shapeIn(name: string): Shape {
  return fieldShape(SHAPE, name) ?? any
}

function itemIn(name: string): Shape {
  return shapeAt(SHAPE, [name, 0]) ?? any
}
