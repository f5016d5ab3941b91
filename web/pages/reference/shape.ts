import {
  getField,
  isObject,
  asText,
  type ObjectValue,
  type Value,
} from '../../../formats/text/value.ts'
import { newTable } from '../../../formats/name/table.ts'

/** A JSON Schema as a person reads it: one level, from which the next can be asked for. */
export interface Shape {
  /** Its type in a few words: `text (date-time)`, `list of Change`, `Team or null`. */
  type: string
  description: string
  /** Further facts: limits, the default, allowed values. */
  facts: readonly string[]
  /** The named fields, or those of a list's items. */
  fields: readonly NamedShape[]
  /** The shapes of which it has one, when they hold things with names and are several. */
  variants: readonly { title: string; schema: Value }[]
}

/** A named part of a shape. */
export interface NamedShape {
  name: string
  isRequired: boolean
  schema: Value
}

// A name that only leads to itself ends here.
const STEPS_MAX = 16
const VALUES_TOLD_MAX = 24

const TYPE_WORDS = newTable<string>({
  string: 'text',
  integer: 'integer',
  number: 'number',
  boolean: 'boolean',
  object: 'object',
  null: 'null',
})

/** Reads one level of a schema; `schemas` are the shapes with names. */
export function readSchemaShape(schema: Value, schemas: ObjectValue): Shape {
  const held = withoutNull(
    resolveReference(withoutNull(resolveReference(schema, schemas)), schemas),
  )
  const inner = innermost(held, schemas)
  const variants = getVariants(inner, schemas)
  return {
    type: typeText(schema),
    description:
      asText(getField(schema, 'description')) ?? asText(getField(held, 'description')) ?? '',
    facts: getFacts(held),
    fields: variants.length > 1 ? [] : listSchemaFields(variants[0]?.schema ?? inner, schemas),
    variants: variants.length > 1 ? variants : [],
  }
}

/** Resolves `$ref`; null for an invalid reference. */
export function resolveReference(schema: Value, schemas: ObjectValue): Value {
  let here = schema
  for (let step = 0; step < STEPS_MAX; step += 1) {
    const name = refName(here)
    if (name === undefined) return here
    here = getField(schemas, name) ?? null
  }
  return null
}

/** Returns the name of the referenced schema; undefined without a reference. */
export function refName(schema: Value): string | undefined {
  return asText(getField(schema, '$ref'))?.split('/').at(-1)
}

/** The schemas of which a value meets one (`anyOf`, `oneOf`); empty = there is no choice. */
export function listChoices(schema: Value): Value[] {
  return listAt(schema, 'anyOf') ?? listAt(schema, 'oneOf') ?? []
}

/** The names and schemas of what an object holds, those of all its parts (`allOf`) together. */
export function listSchemaFields(schema: Value, schemas: ObjectValue, step = 0): NamedShape[] {
  if (step > STEPS_MAX) return []
  const here = resolveReference(schema, schemas)
  const required = listAt(here, 'required') ?? []
  const properties = getField(here, 'properties')
  const own = isObject(properties) ? Object.entries(properties) : []
  const found = new Map(
    (listAt(here, 'allOf') ?? [])
      .flatMap((part) => listSchemaFields(part, schemas, step + 1))
      .map((field) => [field.name, field]),
  )
  for (const [name, field] of own) {
    found.set(name, { name, isRequired: required.includes(name), schema: field })
  }
  return [...found.values()]
}

function typeText(schema: Value, step = 0): string {
  const name = refName(schema)
  if (name !== undefined) return name
  if (step > STEPS_MAX) return 'anything'
  const next = (part: Value): string => typeText(part, step + 1)
  const choices = listChoices(schema)
  if (choices.length > 0) return joined(choices.map(next), ' or ')
  const parts = listAt(schema, 'allOf')
  if (parts !== undefined) return joined(parts.map(next), ' and ')
  if (isObject(schema) && 'const' in schema) return JSON.stringify(schema['const'])
  const type = getField(schema, 'type')
  if (Array.isArray(type)) {
    return joined(
      type.map((one) => next({ ...(isObject(schema) ? schema : {}), type: one })),
      ' or ',
    )
  }
  if (type === 'array') {
    const items = getField(schema, 'items')
    return items === undefined ? 'list' : `list of ${next(items)}`
  }
  const more = getField(schema, 'additionalProperties')
  if (type === 'object' && getField(schema, 'properties') === undefined && isSaying(more)) {
    return `object of ${next(more)} by name`
  }
  const word = TYPE_WORDS[asText(type) ?? ''] ?? 'anything'
  const format = asText(getField(schema, 'format'))
  return format === undefined || type === 'null' ? word : `${word} (${format})`
}

function isSaying(schema: Value | undefined): schema is ObjectValue {
  return isObject(schema) && Object.keys(schema).length > 0
}

function joined(texts: readonly string[], word: string): string {
  return [...new Set(texts)].join(word)
}

// What a list, or an object of things by name, holds in the end.
function innermost(schema: Value, schemas: ObjectValue): Value {
  let here = schema
  for (let step = 0; step < STEPS_MAX; step += 1) {
    const items = getField(here, 'items')
    const more = getField(here, 'additionalProperties')
    const next =
      items ?? (getField(here, 'properties') === undefined && isSaying(more) ? more : undefined)
    if (next === undefined) return here
    here = withoutNull(resolveReference(next, schemas))
  }
  return here
}

// A choice between one shape and null is that shape.
function withoutNull(schema: Value): Value {
  const choices = listChoices(schema).filter((one) => getField(one, 'type') !== 'null')
  const [only] = choices
  return choices.length === 1 && only !== undefined ? only : schema
}

function getVariants(schema: Value, schemas: ObjectValue): { title: string; schema: Value }[] {
  return listChoices(schema)
    .filter((one) => {
      const inner = innermost(resolveReference(one, schemas), schemas)
      return listSchemaFields(inner, schemas).length > 0
    })
    .map((one) => ({ title: typeText(one), schema: one }))
}

const LIMITS: readonly (readonly [string, string])[] = [
  ['minLength', 'at least $ characters'],
  ['maxLength', 'at most $ characters'],
  ['minItems', 'at least $ items'],
  ['maxItems', 'at most $ items'],
  ['minimum', 'from $'],
  ['maximum', 'up to $'],
  ['exclusiveMinimum', 'above $'],
  ['exclusiveMaximum', 'below $'],
  ['pattern', 'matches $'],
]

// JavaScript's largest integers are not meaningful to readers.
const IMPLICIT_BOUNDS = [Number.MAX_SAFE_INTEGER, Number.MIN_SAFE_INTEGER]

function getFacts(schema: Value): string[] {
  const facts: string[] = []
  const values = listAt(schema, 'enum') ?? listAt(getField(schema, 'items') ?? null, 'enum')
  if (values !== undefined) {
    const told = values.slice(0, VALUES_TOLD_MAX).map((one) => asText(one) ?? JSON.stringify(one))
    facts.push(`one of ${told.join(', ')}${values.length > told.length ? ', …' : ''}`)
  }
  for (const [word, text] of LIMITS) {
    const limit = getField(schema, word)
    if (limit === undefined || IMPLICIT_BOUNDS.some((one) => one === limit)) continue
    if (word === 'minLength' && limit === 1) continue
    facts.push(text.replace('$', () => asText(limit) ?? JSON.stringify(limit)))
  }
  const usual = getField(schema, 'default')
  if (usual !== undefined) facts.push(`default ${JSON.stringify(usual)}`)
  return facts
}

function listAt(schema: Value, name: string): Value[] | undefined {
  const found = getField(schema, name)
  return Array.isArray(found) ? found : undefined
}
