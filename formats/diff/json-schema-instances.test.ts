// Levels of JSON Schema against generated data: a change must be breaking if a valid instance was not valid before.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Ajv2020 } from 'ajv/dist/2020.js'
import * as fc from 'fast-check'
import { readIn } from '../../test/specification.ts'
import { readJsonSchema } from '../schema/json-schema/read.ts'
import { isObject, type ObjectValue, type Value } from '../text/value.ts'
import { highestLevel } from './level.ts'
import { diffModels } from './models.ts'

const RUNS = Number(process.env['LEVEL_RUNS'] ?? 150)
const SEED = Number(process.env['LEVEL_SEED'] ?? 1)

const TYPES = ['string', 'integer', 'number', 'boolean', 'null', 'object', 'array']
const NAMES = ['a', 'b', 'x1']
const SMALL = fc.integer({ min: 0, max: 4 })
const CONSTANTS: Value[] = ['a', 'b', 'xx', 1, 2, 2.5, true, null]

const { schema } = fc.letrec<{ schema: Value }>((tie) => {
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
})

function pair(name: string, value: fc.Arbitrary<Value>): fc.Arbitrary<[string, Value]> {
  return value.map((value) => [name, value])
}

/** A schema and a copy of it in which one part is replaced, removed or moved. */
const pairs = fc
  .tuple(schema, schema, schema, fc.array(fc.nat(), { minLength: 4, maxLength: 4 }))
  .map(([before, other, definition, choices]) => ({
    before: document(before, definition),
    after: document(mutate(before, other, choices), definition),
  }))

function document(field: Value, definition: Value): ObjectValue {
  return {
    title: 'T',
    type: 'object',
    properties: { f: field },
    required: ['f'],
    $defs: { d: definition, r: { anyOf: [{ type: 'string' }, { items: { $ref: '#/$defs/r' } }] } },
  }
}

// The choices determine the path to a part, and the change of this part.
function mutate(value: Value, other: Value, [step = 0, ...choices]: readonly number[]): Value {
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
  if (typeof value === 'string') return TYPES.includes(value) ? (TYPES[step % 7] ?? value) : value
  if (Array.isArray(value) && typeof value[0] === 'string')
    return value.slice(value.length > 1 ? step % 2 : 0)
  return isObject(value) && isObject(other) && step % 2 === 0 ? { ...value, ...other } : other
}

const INSTANCES: Value[] = createInstances()

function createInstances(): Value[] {
  const simple: Value[] = [
    null,
    true,
    false,
    0,
    1,
    2,
    3,
    4,
    6,
    0.5,
    2.5,
    -1,
    '',
    'a',
    'b',
    'xx',
    'ab',
    'axxxxx',
  ]
  const inner: Value[] = [null, true, 1, 2.5, 'a', 'xx', {}, [], { a: 1 }, ['a']]
  const lists: Value[] = [
    [],
    ...inner.map((one) => [one]),
    ...inner.flatMap((one) => [1, 'a', null].map((two) => [one, two])),
  ]
  const objects = NAMES.flatMap((name) => inner.map((one): Value => ({ [name]: one })))
  const more = inner.flatMap((one): Value[] => [
    { a: one, b: 1 },
    { a: 'a', b: one },
    { b: 2, x1: one },
    { a: 1, b: one, x1: 'a' },
  ])
  const all = [
    ...simple,
    ...lists,
    [1, 2, 3, 4, 5],
    ['a', 'a', 'a'],
    [[['a']]],
    [[1]],
    {},
    ...objects,
    ...more,
    { q: 1 },
    { q: 'a', xz: 1 },
  ]
  return [{}, ...all.map((one): Value => ({ f: one }))]
}

const META = new Ajv2020({ strict: false })

// Undefined if the schema is invalid. A schema that contains itself infinitely accepts nothing.
function compile(schema: Value): ((instance: Value) => boolean) | undefined {
  if (META.validateSchema(Object(schema)) !== true) return undefined
  const options = { strict: false, validateFormats: false, meta: false, validateSchema: false }
  const validate = new Ajv2020(options).compile(Object(schema))
  return (instance) => {
    try {
      return validate(instance)
    } catch {
      return false
    }
  }
}

function getLevel(before: Value, after: Value): string {
  const [older, newer] = [before, after].map((schema) => readIn(schema, readJsonSchema).models)
  return highestLevel(diffModels(older ?? [], newer ?? []))
}

// Properties that are added to an object are additive whether its content was open or closed, because consumers
// ignore them. Models are matched by name, so nothing is expected at the top level.
function hasNewField(before: Value, after: Value): boolean {
  const [older, newer] = [before, after].map((schema) => readIn(schema, readJsonSchema).models)
  return diffModels(older ?? [], newer ?? []).some(
    ({ kind, message }) =>
      kind === 'added' && message.startsWith('Field ') && message.includes(' was added ('),
  )
}

test('JSON Schema › a change that allows new instances is breaking', () => {
  let witnesses = 0
  fc.assert(
    fc.property(pairs, ({ before, after }) => {
      const [wasValid, isValid] = [compile(before), compile(after)]
      if (wasValid === undefined || isValid === undefined) return
      const witness = INSTANCES.find((instance) => isValid(instance) && !wasValid(instance))
      if (witness === undefined) return
      const level = getLevel(before, after)
      if (level !== 'breaking' && hasNewField(before, after)) return
      witnesses += 1
      assert.equal(level, 'breaking', JSON.stringify(witness))
    }),
    { seed: SEED, numRuns: RUNS },
  )
  assert.ok(witnesses > RUNS / 20, `${witnesses} changes let new instances in`)
})
