// Levels of JSON Schema against generated data: a change must be breaking if a valid instance was not valid before.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Ajv2020 } from 'ajv/dist/2020.js'
import * as fc from 'fast-check'
import { FIELD_INSTANCES, INSTANCES, schemaPairs } from '../../test/json-schema-pairs.ts'
import { readIn } from '../../test/specification.ts'
import { readJsonSchema } from '../schema/json-schema/read.ts'
import { getField, isObject, type Value } from '../text/value.ts'
import { highestLevel } from './level.ts'
import { diffModels } from './models.ts'

const RUNS = 300 * Number(process.env['LEVEL_RUNS'] ?? 1)
const SEED = Number(process.env['LEVEL_SEED'] ?? 1)

const META = new Ajv2020({ strict: false })

type Validate = (instance: Value) => boolean | undefined

const ID = 'https://document.invalid/'

/** Compiles the schema at a pointer of a document; undefined if it is invalid. */
function compile(document: Value, pointer: string): Validate | undefined {
  const [whole, inner] = Array.isArray(document)
    ? [document[Number(pointer.slice(1))] ?? null, '']
    : [document, pointer]
  const parts = [whole, ...inner.split('/').slice(1).reduce(step, [whole]).slice(1)]
  if (!parts.every((part) => META.validateSchema(Object(part)) === true)) return undefined
  const options = { strict: false, validateFormats: false, meta: false, validateSchema: false }
  const ajv = new Ajv2020(options).addSchema(Object(separateContains(whole)), ID)
  const validate = ignoreRecursion(() => ajv.compile({ $ref: `${ID}#${inner}` }))
  return validate && ((instance) => ignoreRecursion(() => validate(instance)))
}

// Undefined for a schema that contains itself infinitely.
function ignoreRecursion<Result>(work: () => Result): Result | undefined {
  try {
    return work()
  } catch (error) {
    if (error instanceof RangeError) return undefined
    throw error
  }
}

function step(path: Value[], name: string): Value[] {
  return [...path, getField(path.at(-1), name) ?? null]
}

// ajv 8.20 accepts an empty list for `contains` beside `prefixItems`.
function separateContains(schema: Value): Value {
  if (Array.isArray(schema)) return schema.map(separateContains)
  if (!isObject(schema)) return schema
  const plain = Object.fromEntries(
    Object.entries(schema).map(([name, value]) => [name, separateContains(value)]),
  )
  const { contains, minContains, maxContains, ...rest } = plain
  if (contains === undefined || rest['prefixItems'] === undefined) return plain
  const counts = Object.entries({ contains, minContains, maxContains }).filter(
    (entry): entry is [string, Value] => entry[1] !== undefined,
  )
  const allOf = Array.isArray(rest['allOf']) ? rest['allOf'] : []
  return { ...rest, allOf: [...allOf, Object.fromEntries(counts)] }
}

function diff(before: Value, after: Value) {
  const [older, newer] = [before, after].map((schema) => readIn(schema, readJsonSchema).models)
  return diffModels(older ?? [], newer ?? [])
}

test('JSON Schema › a change that allows new instances is breaking', () => {
  let witnesses = 0
  fc.assert(
    fc.property(schemaPairs, ({ before, after, models, isField }) => {
      const witness = models.flatMap((pointer) => {
        const [wasValid, isValid] = [compile(before, pointer), compile(after, pointer)]
        if (wasValid === undefined || isValid === undefined) return []
        const instances = isField ? FIELD_INSTANCES : INSTANCES
        const found = instances.find(
          (instance) => isValid(instance) === true && wasValid(instance) === false,
        )
        return found === undefined ? [] : [{ pointer, found }]
      })
      if (witness.length === 0) return
      const changes = diff(before, after)
      const level = highestLevel(changes)
      // Properties that are added to an object are additive whether its content was open or closed, because consumers
      // ignore them.
      const hasNewField = changes.some(
        ({ kind, message }) =>
          kind === 'added' && message.startsWith('Field ') && message.includes(' was added ('),
      )
      if (level !== 'breaking' && hasNewField) return
      witnesses += 1
      assert.equal(level, 'breaking', JSON.stringify(witness))
    }),
    { seed: SEED, numRuns: RUNS },
  )
  assert.ok(witnesses > RUNS / 20, `${witnesses} changes let new instances in`)
})
