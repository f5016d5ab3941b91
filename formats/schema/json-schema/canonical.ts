// The canonical form of a JSON Schema: without annotations, with one spelling for what has several, and with references
// replaced by what they refer to. Two schemas of one form allow the same instances.

import { canonicalText } from '../../shape/canonical.ts'
import { any } from '../../shape/shape.ts'
import {
  ExactNumber,
  getField,
  isObject,
  type ObjectValue,
  asText,
  type Value,
} from '../../text/value.ts'
import { digestReference, type Form, FormBuilder, leaf, sortForms, UNRESTRICTED } from './form.ts'
import { type SchemaPart, partsIn, type References } from './references.ts'
import { HOLDERS, isIneffective, REFERENCES } from './keywords.ts'
import { FormMerger } from './merge.ts'
import { sortedSet } from './sets.ts'

/** All forms of one document together; further ones are digests. */
const DOCUMENT_CHARS_MAX = 1_000_000
/** Visits of schemas, because a recursive one may have to be visited several times. */
const VISITS_MAX = 50_000
const DEPTH_MAX = 100

/** Computes canonical forms of the schemas of one document. */
export class CanonicalForms {
  /** Some schema was too deep, or there were too many: a change of it is not seen. */
  isIncomplete = false
  readonly #references: References
  readonly #forms = new Map<Value, Form>()
  // The schemas on the way to the current one, with their depths.
  readonly #path = new Map<Value, number>()
  readonly #merger = new FormMerger()
  #visitsLeft = VISITS_MAX
  #charsLeft = DOCUMENT_CHARS_MAX

  constructor(references: References) {
    this.#references = references
  }

  /** Returns the canonical form of a schema. */
  toCanonical(part: SchemaPart): Value {
    const { value, size, digest } = this.#form(part)
    if (size > this.#charsLeft) return digestReference(digest)
    this.#charsLeft -= size
    return value
  }

  #form(part: SchemaPart): Form {
    const { schema } = part
    if (schema === true) return UNRESTRICTED
    if (!isObject(schema)) return leaf(schema)
    const known = this.#forms.get(schema)
    if (known !== undefined) return known
    const depth = this.#path.size
    const outer = this.#path.get(schema)
    if (outer !== undefined) return { ...leaf({ $ref: `^${depth - outer}` }), outermost: outer }
    this.#visitsLeft -= 1
    if (this.#visitsLeft < 0 || depth >= DEPTH_MAX) {
      this.isIncomplete = true
      return leaf({ $ref: '^' })
    }
    this.#path.set(schema, depth)
    const form = this.#compute(part, schema)
    this.#path.delete(schema)
    if (form.outermost < depth) return form
    const closed = { ...form, outermost: Infinity, isRecursive: form.outermost === depth }
    this.#forms.set(schema, closed)
    return closed
  }

  #compute(part: SchemaPart, schema: ObjectValue): Form {
    const builder = new FormBuilder()
    const conjuncts = this.#referred(part)
    for (const [name, member] of partsIn(part)) {
      if (isIneffective(name) || REFERENCES.includes(name)) continue
      if (member.schema === true && this.#isDefault(name)) continue
      if (name === 'allOf') conjuncts.push(...this.#list(member))
      else this.#keyword(builder, schema, name, member)
    }
    if (conjuncts.length === 0) return builder.form()
    return this.#merger.merge(builder, conjuncts)
  }

  // What is explicitly allowed also counts as evaluated.
  #isDefault(name: string): boolean {
    const isDefault = ['additionalProperties', 'additionalItems', 'items'].includes(name)
    return isDefault && !this.#references.usesUnevaluated
  }

  #referred(part: SchemaPart): Form[] {
    return REFERENCES.flatMap((keyword) => {
      const reference = asText(getField(part.schema, keyword))
      if (reference === undefined) return []
      const target = this.#references.find(reference, part.base)
      return [target === undefined ? leaf({ $ref: reference }) : this.#form(target)]
    })
  }

  #list(part: SchemaPart): Form[] {
    return partsIn(part).map(([, member]) => this.#form(member))
  }

  #keyword(builder: FormBuilder, schema: ObjectValue, name: string, member: SchemaPart): void {
    const isTuple = Array.isArray(getField(schema, 'items'))
    if (name === 'items' && isTuple) builder.addList('prefixItems', this.#list(member))
    else if (name === 'additionalItems') {
      if (isTuple) builder.add('items', this.#form(member))
    } else if (name === 'anyOf' || name === 'oneOf') {
      builder.addList(name, sortForms(this.#list(member), name === 'anyOf'))
    } else if (name === 'dependencies') this.#dependencies(builder, member)
    else if (name === 'properties') {
      builder.addMap(name, this.#map(member))
      const required = requiredByThemselves(member)
      if (required.length > 0) builder.addPlain('required', required)
    } else {
      const holds =
        Array.isArray(member.schema) && name !== 'prefixItems' ? undefined : HOLDERS.get(name)
      if (holds === 'schema') builder.add(name, this.#form(member))
      else if (holds === 'list') builder.addList(name, this.#list(member))
      else if (holds === 'map') builder.addMap(name, this.#map(member))
      else addPlain(builder, schema, name, member.schema)
    }
  }

  #map(part: SchemaPart): [string, Form][] {
    return partsIn(part).map(([name, member]) => [name, this.#form(member)])
  }

  // Up to draft-07 one keyword held both kinds of dependencies.
  #dependencies(builder: FormBuilder, part: SchemaPart): void {
    const all = partsIn(part)
    const names = all.filter(([, { schema }]) => Array.isArray(schema))
    const schemas = all.filter(([, { schema }]) => !Array.isArray(schema))
    if (names.length > 0) {
      const lists = names.map(([name, { schema }]) => [name, sortedSet(schema)] as const)
      builder.addPlain('dependentRequired', Object.fromEntries(lists))
    }
    if (schemas.length > 0) {
      const forms = schemas.map(([name, member]): [string, Form] => [name, this.#form(member)])
      builder.addMap('dependentSchemas', forms)
    }
  }
}

// In draft-03, and by mistake later, a property itself is marked as required.
function requiredByThemselves(properties: SchemaPart): Value[] {
  return partsIn(properties)
    .filter(([, { schema }]) => getField(schema, 'required') === true)
    .map(([name]) => name)
}

function addPlain(builder: FormBuilder, schema: ObjectValue, name: string, value: Value): void {
  const plain = plainKeyword(schema, name, value)
  if (plain !== undefined) builder.addPlain(...plain)
}

/** Returns a keyword that holds no schema in its one spelling; undefined when it restricts nothing. */
export function plainKeyword(
  schema: Value,
  name: string,
  value: Value,
): [name: string, value: Value] | undefined {
  switch (name) {
    case 'type':
      return [name, typeList(value, getField(schema, 'nullable') === true)]
    case 'nullable':
      return typeof value === 'boolean' ? undefined : [name, value]
    case 'const':
      return ['enum', isListedIn(getField(schema, 'enum'), value) ? [value] : []]
    case 'enum':
      return getField(schema, 'const') === undefined ? [name, sortedSet(value)] : undefined
    case 'required':
      return typeof value === 'boolean' ? undefined : [name, sortedSet(value)]
    case 'dependentRequired':
      return [name, isObject(value) ? sortedLists(value) : value]
    case 'minimum':
    case 'maximum': {
      const open = name === 'minimum' ? 'exclusiveMinimum' : 'exclusiveMaximum'
      return [getField(schema, open) === true ? open : name, value]
    }
    case 'exclusiveMinimum':
    case 'exclusiveMaximum':
    case 'uniqueItems':
      return typeof value === 'boolean' && (name !== 'uniqueItems' || !value)
        ? undefined
        : [name, value]
    case 'minLength':
    case 'minItems':
    case 'minProperties':
      return value === 0 ? undefined : [name, value]
    default:
      return [name, value]
  }
}

function isListedIn(list: Value | undefined, value: Value): boolean {
  const text = canonicalText(value, any)
  return !Array.isArray(list) || list.some((item) => canonicalText(item, any) === text)
}

/** Returns the types that `type` lists, as one text or as an ordered list. */
export function typeList(value: Value, isNullable: boolean): Value {
  const given = Array.isArray(value) ? value : [value]
  const types = sortedSet([...given, ...(isNullable ? ['null'] : [])])
  return Array.isArray(types) && types.length === 1 ? (types[0] ?? null) : types
}

function sortedLists(value: ObjectValue): Value {
  return Object.fromEntries(Object.entries(value).map(([key, list]) => [key, sortedSet(list)]))
}

/** Returns whether a value is a number. */
export function isNumeric(value: Value | undefined): value is number | ExactNumber {
  return typeof value === 'number' || value instanceof ExactNumber
}
