// Which instances are valid under a generated schema, by ajv.

import { Ajv } from 'ajv'
import { Ajv2019 } from 'ajv/dist/2019.js'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { getField, isObject, type Value } from '../formats/text/value.ts'
import { type Draft, FIELD_INSTANCES, INSTANCES, type SchemaPair } from './json-schema-pairs.ts'

/** The drafts that ajv supports. */
export const AJV_DRAFTS = ['draft-07', '2019-09', '2020-12'] as const

const META = new Map<Draft, Ajv>([
  ['draft-07', new Ajv({ strict: false })],
  ['2019-09', new Ajv2019({ strict: false })],
  ['2020-12', new Ajv2020({ strict: false })],
])

/**
 * Returns an instance that the newer schema of a pair allows and the older one does not; undefined if there is none
 * among the known instances, or a schema is invalid.
 */
export function findWitness(pair: SchemaPair): Value | undefined {
  const { before, after, model, isField, drafts } = pair
  const [older, newer] = drafts ?? ['2020-12', '2020-12']
  const wasValid = compile(before, model, older)
  const isValid = wasValid && compile(after, model, newer)
  if (wasValid === undefined || isValid === undefined) return undefined
  const instances = pair.instances ?? (isField ? FIELD_INSTANCES : INSTANCES)
  return instances.find((one) => isValid(one) === true && wasValid(one) === false)
}

type Validate = (instance: Value) => boolean | undefined

const ID = 'https://document.invalid/'

// Compiles the schema at a pointer of a document; undefined if it is invalid.
function compile(document: Value, pointer: string, draft: Draft): Validate | undefined {
  const [whole, inner] = Array.isArray(document)
    ? [document[Number(pointer.slice(1))] ?? null, '']
    : [document, pointer]
  const parts = [whole, ...inner.split('/').slice(1).reduce(step, [whole]).slice(1)]
  const meta = META.get(draft)
  if (!parts.every((part) => meta?.validateSchema(Object(part)) === true)) return undefined
  const ajv = createAjv(draft).addSchema(Object(separateContains(whole)), ID)
  const validate = ignoreFailure(() => ajv.compile({ $ref: `${ID}#${inner}` }))
  return validate && ((instance) => ignoreFailure(() => validate(instance)))
}

function createAjv(draft: Draft): Ajv {
  const options = { strict: false, validateFormats: false, meta: false, validateSchema: false }
  if (draft === '2020-12') return new Ajv2020(options)
  return draft === '2019-09' ? new Ajv2019(options) : new Ajv(options)
}

function step(path: Value[], name: string): Value[] {
  return [...path, getField(path.at(-1), name) ?? null]
}

// Undefined for a schema that contains itself infinitely, and for one that ajv cannot compile.
function ignoreFailure<Result>(work: () => Result): Result | undefined {
  try {
    return work()
  } catch {
    return undefined
  }
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
