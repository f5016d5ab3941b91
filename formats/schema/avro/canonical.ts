// The canonical form of an Avro schema. It has everything that Avro gives a meaning to: names are full names, each named
// type is defined once, and the order of union branches and enum symbols does not show. Documentation, the sort order of
// fields and attributes that the specification does not define are annotations and left out.

import { canonicalText } from '../../shape/canonical.ts'
import { NOWHERE } from '../../shape/inspect.ts'
import { compareText, Notes } from '../../text/problem.ts'
import { any } from '../../shape/shape.ts'
import { getField, isObject, type ObjectValue, asText, type Value } from '../../text/value.ts'
import { getFullName, isNamedType, NamedTypes, getNamespace } from './names.ts'
import { Specification } from '../specification.ts'
import { Spot } from '../spot.ts'

/** Attributes with a meaning that hold no types; those of SETS are lists whose order has none. */
const TYPE_ATTRIBUTES = ['logicalType', 'precision', 'scale', 'size', 'default']
const FIELD_ATTRIBUTES = ['default']
const SETS = ['symbols', 'aliases']

/** Returns the canonical form of a schema, of a list of schemas, or of a protocol. */
export function canonicalizeAvro(value: Value): string {
  const types = getField(value, 'types')
  const isProtocol = getField(value, 'protocol') !== undefined && Array.isArray(types)
  const namespace = isProtocol ? asText(getField(value, 'namespace')) : undefined
  const canonical = new Canonical(isProtocol ? types : value, namespace)
  const messages = isProtocol ? getField(value, 'messages') : undefined
  return canonicalText({ ...canonical.schema(), messages: canonical.messages(messages) }, any)
}

class Canonical {
  readonly #schema: Value
  readonly #namespace: string | undefined
  readonly #types: NamedTypes
  readonly #definitions = new Map<string, Value[]>()

  constructor(schema: Value, namespace: string | undefined) {
    this.#schema = schema
    this.#namespace = namespace
    const specification = new Specification(schema, [], new Notes(NOWHERE))
    this.#types = new NamedTypes(schema, Spot.top(specification), namespace)
  }

  schema(): ObjectValue {
    const schemas = Array.isArray(this.#schema) ? this.#schema : [this.#schema]
    // An enum or a fixed in a list is only defined there; where is of no interest.
    const top = sortValues(
      schemas
        .map((schema) => this.#type(schema, this.#namespace))
        .filter((type, at) => !isNamedType(schemas[at]) || this.#isRecord(type)),
    )
    const names = [...this.#definitions.keys()].toSorted(compareText)
    return { top, types: names.map((name) => [name, this.#definitions.get(name) ?? []]) }
  }

  #isRecord(type: Value): boolean {
    const [definition] = this.#definitions.get(asText(type) ?? '') ?? []
    return getField(definition, 'fields') !== undefined
  }

  messages(messages: Value | undefined): Value {
    if (!isObject(messages)) return messages ?? null
    return Object.entries(messages).map(([name, message]) => {
      const { request, response = null, errors = [], 'one-way': oneWay = false } = toObject(message)
      return [
        name,
        this.#fields(request, this.#namespace),
        this.#type(response, this.#namespace),
        this.#type(errors, this.#namespace),
        oneWay,
      ]
    })
  }

  // The calls nest as deep as the document does, because a named type is only defined where it is.
  #type(schema: Value, outer: string | undefined): Value {
    if (typeof schema === 'string') return this.#types.find(schema, outer)?.fullName ?? schema
    if (Array.isArray(schema)) return sortValues(schema.map((branch) => this.#type(branch, outer)))
    if (!isObject(schema)) return schema
    if (!isNamedType(schema)) return this.#unnamed(schema, outer, TYPE_ATTRIBUTES)
    const fullName = getFullName(schema, outer)
    const definition = readAttributes(schema, TYPE_ATTRIBUTES)
    definition['type'] = schema['type'] ?? null
    const known = this.#definitions.get(fullName)
    if (known === undefined) this.#definitions.set(fullName, [definition])
    else known.push(definition)
    const fields = this.#fields(schema['fields'], getNamespace(fullName))
    if (fields !== null) definition['fields'] = fields
    return fullName
  }

  #unnamed(schema: ObjectValue, outer: string | undefined, names: readonly string[]): Value {
    const type = this.#type(schema['type'] ?? null, outer)
    const attributes = readAttributes(schema, names)
    for (const part of ['items', 'values'] as const) {
      const inner = schema[part]
      if (inner !== undefined) attributes[part] = this.#type(inner, outer)
    }
    return Object.keys(attributes).length === 0 ? type : { type, ...attributes }
  }

  #fields(fields: Value | undefined, namespace: string | undefined): Value {
    if (!Array.isArray(fields)) return fields ?? null
    return fields.map((field) => {
      if (!isObject(field)) return field
      const { name = null } = field
      return isNamedType(field)
        ? [name, this.#type(field, namespace)]
        : [name, this.#unnamed(field, namespace, FIELD_ATTRIBUTES)]
    })
  }
}

function readAttributes(schema: ObjectValue, names: readonly string[]): ObjectValue {
  const attributes: ObjectValue = {}
  for (const name of names) {
    const value = schema[name]
    if (value !== undefined) attributes[name] = value
  }
  for (const name of SETS) {
    const value = schema[name]
    if (value !== undefined) attributes[name] = Array.isArray(value) ? sortValues(value) : value
  }
  return attributes
}

function toObject(value: Value): ObjectValue {
  return isObject(value) ? value : {}
}

function sortValues(values: readonly Value[]): Value[] {
  return values.toSorted((a, b) => compareText(canonicalText(a, any), canonicalText(b, any)))
}
