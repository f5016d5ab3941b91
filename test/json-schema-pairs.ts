// Random pairs of JSON Schemas, the older one first, and instances that distinguish them. The newer schema is a copy of
// the older one in which one part is replaced, removed or moved.

import * as fc from 'fast-check'
import { isObject, jsonText, type ObjectValue, type Value } from '../formats/text/value.ts'

const TYPES = ['string', 'integer', 'number', 'boolean', 'null', 'object', 'array']
const NAMES = ['a', 'b', 'x1']
const SMALL = fc.integer({ min: 0, max: 4 })
const CONSTANTS: Value[] = ['a', 'b', 'xx', 1, 2, 2.5, true, null]

type Arbitrary = fc.Arbitrary<Value>

/** Generates schemas of draft 2020-12. */
export const schemas: Arbitrary = createSchemas(() => [])
// With the keywords of older drafts.
const schemaOfAnyDraft = createSchemas((inner, names, branches) => [
  pair(
    'dependencies',
    names.map((list): Value => ({ a: list })),
  ),
  pair(
    'dependencies',
    inner.map((one): Value => ({ b: one })),
  ),
  pair('items', branches),
  pair('additionalItems', inner),
  pair('const', fc.constantFrom(...CONSTANTS)),
  pair('prefixItems', branches),
  pair('if', inner),
])

function createSchemas(
  listOthers: (
    inner: Arbitrary,
    names: Arbitrary,
    branches: Arbitrary,
  ) => fc.Arbitrary<[string, Value]>[],
): Arbitrary {
  return fc.letrec<{ schema: Value }>((tie) => {
    const inner = tie('schema')
    const branches = fc.array(inner, { minLength: 1, maxLength: 3 })
    const names = fc.uniqueArray(fc.constantFrom(...NAMES), { minLength: 1, maxLength: 2 })
    const properties = fc.dictionary(fc.constantFrom(...NAMES), inner, { maxKeys: 2 })
    const patterned = fc.dictionary(fc.constantFrom('^x', '^a'), inner, { minKeys: 1, maxKeys: 2 })
    const type = fc.oneof(
      { weight: 3, arbitrary: fc.constantFrom<Value[]>(...TYPES) },
      fc.uniqueArray(fc.constantFrom(...TYPES), { minLength: 1, maxLength: 3 }),
    )
    const keyword: fc.Arbitrary<[string, Value]> = fc.oneof(
      pair('enum', fc.uniqueArray(fc.constantFrom(...CONSTANTS), { minLength: 1, maxLength: 3 })),
      pair('const', fc.constantFrom(...CONSTANTS)),
      pair('minimum', SMALL),
      pair('maximum', SMALL),
      pair('exclusiveMinimum', SMALL),
      pair('multipleOf', fc.constantFrom(1, 2, 3, 4, 0.5, 6)),
      pair('minLength', SMALL),
      pair('maxLength', SMALL),
      pair('pattern', fc.constantFrom('^a', '^x', 'b$')),
      pair('minItems', SMALL),
      pair('maxItems', SMALL),
      pair('uniqueItems', fc.boolean()),
      pair('contains', inner),
      pair('minContains', SMALL),
      pair('maxContains', SMALL),
      pair('prefixItems', branches),
      pair('items', inner),
      pair('properties', properties),
      pair('patternProperties', patterned),
      pair('additionalProperties', fc.oneof(fc.boolean(), inner)),
      pair('propertyNames', fc.constantFrom<Value[]>({ pattern: '^a' }, { maxLength: 1 }, false)),
      pair('required', names),
      pair('minProperties', SMALL),
      pair('maxProperties', SMALL),
      pair(
        'dependentRequired',
        names.map((list): Value => ({ a: list })),
      ),
      pair(
        'dependentSchemas',
        inner.map((one): Value => ({ a: one })),
      ),
      pair('unevaluatedProperties', fc.boolean()),
      pair('unevaluatedItems', fc.boolean()),
      pair('anyOf', branches),
      pair('oneOf', branches),
      pair('allOf', branches),
      pair('not', inner),
      pair('if', inner),
      pair('then', inner),
      pair('else', inner),
      pair('$ref', fc.constantFrom('#/$defs/d', '#/$defs/r', '#')),
      ...listOthers(inner, names, branches),
    )
    const typed = fc
      .tuple(fc.option(type, { freq: 6 }), fc.array(keyword, { maxLength: 3 }))
      .map(([type, keywords]): Value => ({
        ...(type === null ? {} : { type }),
        ...Object.fromEntries(keywords),
      }))
    return {
      schema: fc.oneof(
        { maxDepth: 3, depthSize: 'medium' },
        fc.constantFrom<Value[]>({ type: 'string' }, { type: 'integer' }, true, {}),
        typed,
      ),
    }
  }).schema
}

function pair(name: string, value: fc.Arbitrary<Value>): fc.Arbitrary<[string, Value]> {
  return value.map((value) => [name, value])
}

/** Two versions of a document, and the pointer of a schema in it that is a model. */
export interface SchemaPair {
  before: Value
  after: Value
  /** The drafts of both versions; the documents name them in `$schema`. Without them the draft is 2020-12. */
  drafts?: readonly [before: Draft, after: Draft]
  model: string
  /** Whether instances of a model hold the generated value in the field `f`. */
  isField: boolean
  /** Other instances than those of this file. */
  instances?: readonly Value[]
}

/** A draft that validators in tests support. */
export type Draft = 'draft-04' | 'draft-06' | 'draft-07' | '2019-09' | '2020-12'

/** Returns the `$schema` of a draft. */
export function toAddress(draft: Draft): string {
  return draft.startsWith('draft')
    ? `http://json-schema.org/${draft}/schema#`
    : `https://json-schema.org/draft/${draft}/schema`
}

/** The place of a generated schema in a document. */
const PLACES: {
  [name: string]: Pick<SchemaPair, 'model' | 'isField'> & {
    document: (schema: Value, definitions: ObjectValue) => Value
  }
} = {
  field: {
    model: '',
    isField: true,
    document: (schema, definitions) => ({
      title: 'T',
      type: 'object',
      properties: { f: schema },
      required: ['f'],
      $defs: definitions,
    }),
  },
  root: { model: '', isField: false, document: toRoot },
  list: {
    model: '/0',
    isField: false,
    document: (schema, definitions) => [
      toRoot(schema, definitions),
      { title: 'U', type: 'object' },
    ],
  },
  map: {
    model: '/T',
    isField: false,
    document: (schema, definitions) =>
      withReferences({
        T: toObject(schema),
        d: toObject(definitions['d'] ?? true),
        r: definitions['r'] ?? true,
      }),
  },
  definition: {
    model: '/$defs/T',
    isField: false,
    document: (schema, definitions) => ({ $defs: { T: schema, ...definitions } }),
  },
}

// The members of a map of schemas refer to each other.
function withReferences(map: ObjectValue): Value {
  return JSON.parse(jsonText(map).replaceAll('#/$defs/', '#/'))
}

function toRoot(schema: Value, definitions: ObjectValue): ObjectValue {
  return { title: 'T', ...toObject(schema), $defs: definitions }
}

function toObject(schema: Value): ObjectValue {
  return isObject(schema) ? schema : { allOf: [schema] }
}

const places = fc.oneof(
  { weight: 3, arbitrary: fc.constant('field') },
  { weight: 3, arbitrary: fc.constant('root') },
  fc.constantFrom('list', 'map', 'definition'),
)

function toPairs(all: Arbitrary): fc.Arbitrary<SchemaPair> {
  const choices = fc.array(fc.nat(), { minLength: 4, maxLength: 4 })
  return fc
    .record({ before: all, other: all, definition: all, choices, place: places })
    .map(({ before, other, definition, choices, place }) => {
      const { document, model, isField } = PLACES[place] ?? assertPlace(place)
      const r = { anyOf: [{ type: 'string' }, { items: { $ref: '#/$defs/r' } }] }
      const definitions = { d: definition, r }
      return {
        before: document(before, definitions),
        after: document(mutate(before, other, choices), definitions),
        model,
        isField,
      }
    })
}

/** Generates pairs of schemas as a field, a root, a member of a list or of a map of schemas, and a definition. */
export const schemaPairs: fc.Arbitrary<SchemaPair> = toPairs(schemas)

/** Generates such pairs in which both versions have a draft, often another one, and often no other difference. */
export function draftPairs(drafts: readonly Draft[]): fc.Arbitrary<SchemaPair> {
  const draft = fc.constantFrom(...drafts)
  return fc
    .record({ pair: toPairs(schemaOfAnyDraft), isEqual: fc.boolean(), older: draft, newer: draft })
    .map(({ pair, isEqual, older, newer }) => ({
      ...pair,
      before: withDraft(pair.before, older),
      after: withDraft(isEqual ? pair.before : pair.after, newer),
      drafts: [older, newer],
    }))
}

function withDraft(document: Value, draft: Draft): Value {
  if (Array.isArray(document)) return document.map((schema) => withDraft(schema, draft))
  if (!isObject(document)) return document
  const isMap = document['T'] !== undefined && document['$defs'] === undefined
  if (!isMap) return { $schema: toAddress(draft), ...document }
  return Object.fromEntries(
    Object.entries(document).map(([name, schema]) => [name, withDraft(schema, draft)]),
  )
}

function assertPlace(place: string): never {
  throw new Error(`unknown place ${place}`)
}

/** Returns a copy in which one part is replaced. The choices determine the path to it, and its change. */
export function mutate(
  value: Value,
  other: Value,
  [step = 0, ...choices]: readonly number[],
): Value {
  const entries: [string, Value][] = Array.isArray(value)
    ? value.map((item, at) => [String(at), item])
    : isObject(value)
      ? Object.entries(value)
      : []
  const [chosen] = entries.slice(step % Math.max(1, entries.length))
  if (chosen === undefined || choices.length === 0 || step % 5 === 0)
    return replace(value, other, step)
  const changed = mutate(chosen[1], other, choices)
  const isRemoved = step % 7 === 0 && entries.length > 1
  const result = entries.flatMap(([name, inner]): [string, Value][] => {
    if (name !== chosen[0]) return [[name, inner]]
    return isRemoved ? [] : [[name, changed]]
  })
  return Array.isArray(value) ? result.map(([, inner]) => inner) : Object.fromEntries(result)
}

function replace(value: Value, other: Value, step: number): Value {
  if (typeof value === 'number') return step % 6
  if (typeof value === 'boolean') return !value
  if (typeof value === 'string') return TYPES.includes(value) ? replaceType(value, step) : value
  if (Array.isArray(value) && typeof value[0] === 'string')
    return value.slice(value.length > 1 ? step % 2 : 0)
  return isObject(value) && isObject(other) && step % 2 === 0 ? { ...value, ...other } : other
}

// Another type, or one more beside it.
function replaceType(value: string, step: number): Value {
  const other = TYPES[step % 7] ?? value
  return step % 3 === 0 && other !== value ? [value, other] : other
}

const NUMBERS = [0, 1, 2, 3, 4, 6, 0.5, 2.5, -1]
const TEXTS = ['', 'a', 'b', 'xx', 'ab', 'axxxxx']

/** Values that distinguish generated schemas. */
export const INSTANCES: readonly Value[] = createInstances()

function createInstances(): Value[] {
  const inner: Value[] = [null, true, 1, 2.5, 'a', 'xx', {}, [], { a: 1 }, ['a']]
  const lists: Value[] = [
    [],
    ...inner.map((one) => [one]),
    ...inner.flatMap((one) => [1, 'a', null].map((two) => [one, two])),
    [1, 2, 3, 4, 5],
    ['a', 'a', 'a'],
    [[['a']]],
    [[1]],
  ]
  const objects = NAMES.flatMap((name) => inner.map((one): Value => ({ [name]: one })))
  const more = inner.flatMap((one): Value[] => [
    { a: one, b: 1 },
    { a: 'a', b: one },
    { b: 2, x1: one },
    { a: 1, b: one, x1: 'a' },
  ])
  return [
    null,
    true,
    false,
    ...NUMBERS,
    ...TEXTS,
    ...lists,
    {},
    ...objects,
    ...more,
    { q: 1 },
    { q: 'a', xz: 1 },
  ]
}

/** The instances as the value of a field, and an object without the field. */
export const FIELD_INSTANCES: readonly Value[] = [
  {},
  ...INSTANCES.map((one): Value => ({ f: one })),
]
