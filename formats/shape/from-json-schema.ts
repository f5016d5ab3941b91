// Compiles the JSON Schema of a standard to a shape. It supports the parts of JSON Schema that the standards use. An
// overlay adds what a schema cannot express: lists without an order, fields that are common in practice, and advice.

import { getField, isObject, type ObjectValue, asText, type Value } from '../text/value.ts'
import {
  absorb,
  addFields,
  classify,
  joinAddress,
  listAllowed,
  listFields,
  listObjects,
  listTexts,
  type Merged,
  type Part,
  toConditions,
  toTest,
} from './json-schema-parts.ts'
import { any, choice, flag, integer, map, nothing, number, object, oneOf, text } from './shape.ts'
import type { ListShape, ObjectShape, Shape } from './shape.ts'
import { findPattern, TEXT_FORMATS } from './text-format.ts'

/** Adapts the official shape of a part; `find` returns the shape of a definition (`CustomProperties`). */
export type Adapt = (official: Shape, find: (definition: string) => Shape) => Shape

/** The differences between a standard and its JSON Schema. */
export interface Overlay {
  /** Names of fields whose lists have no order. */
  sets: readonly string[]
  /**
   * Adapts parts by their addresses. An address has field names, `[]` for the items of a list, `*` for the values of a
   * map and `|` for an alternative, from the root or from a definition: `info.status`, `Team.members`, `models.*`.
   */
  parts: { readonly [address: string]: Adapt }
  /** The message if a value does not have exactly one of several fields. */
  exactlyOne?: string
}

/**
 * Compiles the JSON Schema of a document, without annotations, to its shape. Parts may have conditions, the document
 * itself may not.
 */
export function fromJsonSchema(schema: ObjectValue, overlay: Overlay): ObjectShape {
  return chooseObject(new Compiler(schema, overlay).compile({ node: schema, address: '' }), {})
}

const NOTHING_ACTIVE: ReadonlySet<ObjectValue> = new Set()

// The order of types in messages.
const TYPES = ['string', 'number', 'integer', 'boolean', 'null', 'array', 'object']

class Compiler {
  readonly #root: ObjectValue
  readonly #overlay: Overlay
  readonly #lists = new Map<ObjectValue, Shape>()
  readonly #sets = new Map<ObjectValue, Shape>()

  constructor(root: ObjectValue, overlay: Overlay) {
    this.#root = root
    this.#overlay = overlay
  }

  compile(from: Part, isSet = false): Shape {
    const part = this.#follow(from)
    const memo = isSet ? this.#sets : this.#lists
    const before = memo.get(part.node)
    if (before !== undefined) return before
    // A part may contain itself.
    const self = choice((value) => chooseObject(memo.get(part.node) ?? any, value))
    memo.set(part.node, self)
    const official = this.#compile(part, isSet)
    const find = (name: string) => this.compile(this.#find(`#/$defs/${name}`), true)
    const shape = this.#overlay.parts[part.address]?.(official, find) ?? official
    memo.set(part.node, shape)
    return shape
  }

  #compile({ node, address }: Part, isSet: boolean): Shape {
    const alternatives = listObjects(node['oneOf'] ?? node['anyOf'])
    if (alternatives.length === 0 || 'type' in node) {
      const types = Array.isArray(node['type']) ? node['type'] : [node['type'] ?? null]
      if (types.length === 1) return this.#plain({ node, address }, types[0], isSet)
      const ordered = TYPES.filter((type) => types.includes(type))
      return combine(ordered.map((type) => this.#plain({ node, address }, type, false)))
    }
    const byType = toConditions(alternatives)
    if (byType !== undefined) return this.#object({ node: byType, address })
    return combine(alternatives.map((one) => this.compile({ node: one, address: `${address}|` })))
  }

  #plain({ node, address }: Part, type: Value | undefined, isSet: boolean): Shape {
    const { minimum, exclusiveMinimum } = node
    const least = typeof minimum === 'number' ? { minimum } : {}
    const above = typeof exclusiveMinimum === 'number' ? { above: exclusiveMinimum } : {}
    if (type === 'string') return toText(node)
    if (type === 'boolean') return flag
    if (type === 'null') return nothing
    if (type === 'integer') return integer(least)
    if (type === 'number') return number({ ...least, ...above })
    if (type === 'array') return this.#list({ node, address }, isSet)
    const isObjectType = type === 'object' || '$ref' in node || 'allOf' in node
    if (!isObjectType) return any
    const values = node['additionalProperties']
    return isObject(values)
      ? this.#map({ node, address }, { node: values, address: `${address}.*` })
      : this.#object({ node, address })
  }

  #list({ node, address }: Part, isSet: boolean): ListShape {
    const { items, minItems: itemsMin, maxItems: itemsMax } = node
    return {
      kind: 'list',
      items: isObject(items) ? this.compile({ node: items, address: `${address}[]` }) : any,
      set: isSet,
      ...(typeof itemsMin === 'number' ? { itemsMin } : {}),
      ...(typeof itemsMax === 'number' ? { itemsMax } : {}),
      ...(node['uniqueItems'] === true ? { unique: true } : {}),
    }
  }

  #map(part: Part, values: Part): Shape {
    const names = findPattern(asText(getField(part.node['propertyNames'], 'pattern')))
    const known = [...listFields(part)].map(([name, parts]) => [name, this.#field(name, parts)])
    return map(this.compile(values), {
      ...(names === undefined ? {} : { names }),
      ...(part.node['minProperties'] === 1 ? { filled: true } : {}),
      ...(known.length === 0 ? {} : { known: Object.fromEntries(known) }),
    })
  }

  // If parts of an object are conditional, its shape depends on the value.
  #object(part: Part): Shape {
    const conditions = this.#listConditions(part)
    if (conditions.length === 0) return this.#objectWith(part, NOTHING_ACTIVE)
    const { required } = this.#merge(part, NOTHING_ACTIVE)
    const tests = conditions.map((one) => toTest(one['if'], required))
    const getClass = classify(conditions.map((one) => one['if']))
    const shapes = new Map<number, ObjectShape>()
    return choice((value) => {
      const key = getClass(value)
      const before = shapes.get(key)
      if (before !== undefined) return before
      const active = conditions.filter((_, at) => tests[at]?.(value) === true)
      const shape = this.#objectWith(part, new Set(active))
      shapes.set(key, shape)
      return shape
    })
  }

  #objectWith(part: Part, active: ReadonlySet<ObjectValue>): ObjectShape {
    const { fields, required, limits, rules, forbidden } = this.#merge(part, active)
    const allowed = [...fields].filter(([name]) => {
      return !forbidden.has(name) && limits.every((names) => names.has(name))
    })
    return object({
      fields: Object.fromEntries(allowed.map(([name, parts]) => [name, this.#field(name, parts)])),
      required: [...required],
      closed: limits.length > 0,
      rules: [...rules.values()],
    })
  }

  #field(name: string, parts: readonly Part[]): Shape {
    const isSet = this.#overlay.sets.includes(name)
    const [first = { node: {}, address: '' }, ...others] = parts.map((part) => this.#follow(part))
    if (others.length === 0) return this.compile(first, isSet)
    const nodes = [first.node, ...others.map((other) => other.node)]
    const node: ObjectValue = nodes.some((one) => 'properties' in one)
      ? { type: 'object', allOf: nodes }
      : Object.assign({}, ...nodes.toReversed())
    return this.compile({ node, address: first.address }, isSet)
  }

  #merge(part: Part, active: ReadonlySet<ObjectValue>): Merged {
    const { node, address } = part
    const merged: Merged = {
      fields: listFields(part),
      required: new Set(listTexts(node['required'])),
      limits: [],
      rules: new Map(),
      forbidden: new Set(listTexts(getField(node['not'], 'required'))),
    }
    if (node['additionalProperties'] === false) merged.limits.push(new Set(merged.fields.keys()))
    for (const inner of this.#listIncluded(part)) {
      const { if: condition, then } = inner.node
      if (condition === undefined) absorb(merged, this.#merge(inner, active))
      else if (active.has(inner.node)) {
        const conditional = isObject(then) ? { node: then, address } : inner
        absorb(merged, this.#merge(conditional, active))
      }
    }
    this.#addExclusive(part, merged)
    if (node['unevaluatedProperties'] === false) merged.limits.push(new Set(merged.fields.keys()))
    return merged
  }

  // Alternatives that only differ in their required field mean that exactly one of these fields is given.
  #addExclusive({ node, address }: Part, merged: Merged): void {
    const alternatives = listObjects(node['oneOf'])
    const names = alternatives.flatMap((one) => listTexts(one['required']))
    if (names.length === 0 || names.length !== alternatives.length) return
    for (const one of alternatives) addFields(merged, listFields({ node: one, address }))
    const message =
      this.#overlay.exactlyOne ?? `Exactly one field is required: ${names.join(', ')}.`
    merged.rules.set(message, {
      field: names[0] ?? '',
      holds: (value) => names.filter((name) => Object.hasOwn(value, name)).length === 1,
      message,
    })
  }

  #listConditions(part: Part): ObjectValue[] {
    return this.#listIncluded(part).flatMap((inner) =>
      'if' in inner.node ? [inner.node] : this.#listConditions(inner),
    )
  }

  // The parts that apply to the same value as a part.
  #listIncluded({ node, address }: Part): Part[] {
    const target = asText(node['$ref'])
    const all = listObjects(node['allOf']).map((one) => ({ node: one, address }))
    return target === undefined ? all : [this.#find(target), ...all]
  }

  #follow(part: Part): Part {
    const target = asText(part.node['$ref'])
    const isReference = target !== undefined && Object.keys(part.node).length === 1
    return isReference ? this.#follow(this.#find(target)) : part
  }

  #find(pointer: string): Part {
    let node: Value | undefined = this.#root
    let address = ''
    for (const step of pointer.split('/').slice(1)) {
      node = getField(node, step)
      if (step === 'additionalProperties') address += '.*'
      else if (pointer.startsWith('#/$defs/')) address = step
      else if (step !== 'properties') address = joinAddress(address, step)
    }
    return { node: isObject(node) ? node : {}, address }
  }
}

function toText(node: ObjectValue): Shape {
  const allowed = listAllowed(node)
  const stated = asText(node['format'])
  const format = findPattern(asText(node['pattern'])) ?? TEXT_FORMATS.find((one) => one === stated)
  return text({
    ...(allowed.length === 0 ? {} : { allowed }),
    ...(format === undefined ? {} : { format }),
  })
}

// Alternatives of the same kind count as one.
function combine(shapes: readonly Shape[]): Shape {
  const byKind = new Map(shapes.toReversed().map((shape) => [shape.kind, shape]))
  const [only, ...others] = shapes.filter((shape) => byKind.get(shape.kind) === shape)
  if (only === undefined || byKind.size === KINDS_MAX) return any
  return others.length === 0 ? only : oneOf(only, ...others)
}

// Text, number, true or false, null, list, object.
const KINDS_MAX = 6

function chooseObject(shape: Shape, value: ObjectValue): ObjectShape {
  if (shape.kind === 'object') return shape
  return shape.kind === 'choice' ? shape.choose(value) : object({ fields: {} })
}
