// Mutations of real JSON Schemas, those of the standards, and instances that are made from their properties.

import { readdirSync, readFileSync } from 'node:fs'
import { Ajv2020 } from 'ajv/dist/2020.js'
import * as fc from 'fast-check'
import {
  getField,
  isObject,
  type ObjectValue,
  type Path,
  valueAt,
  type Value,
} from '../formats/text/value.ts'
import type { SchemaPair } from './json-schema-pairs.ts'

const FOLDER = new URL('../formats/standards/', import.meta.url)
const INSTANCES_MAX = 400
const DEPTH_MAX = 8
const REPAIRS_MAX = 60
const OTHERS: readonly Value[] = [null, true, 0, 'x', 'a@b.example', [], ['x'], {}, { other: 1 }]
const KEYWORDS: ReadonlySet<string> = new Set(
  `type required enum const pattern format items properties patternProperties additionalProperties minItems $ref oneOf
  anyOf allOf not if then else minimum maximum minLength maxLength unevaluatedProperties`.split(
    /\s+/,
  ),
)

/** A real schema, the paths of its keywords, and instances. */
interface RealSchema {
  schema: ObjectValue
  keywords: readonly Path[]
  instances: readonly Value[]
}

function readSchemas(): RealSchema[] {
  const names = readdirSync(FOLDER).filter((name) => name.endsWith('.schema.json'))
  return names.toSorted().flatMap((name): RealSchema[] => {
    const schema: Value = JSON.parse(readFileSync(new URL(name, FOLDER), 'utf8'))
    if (!isObject(schema)) return []
    return [{ schema, keywords: listKeywords(schema, []), instances: createInstances(schema) }]
  })
}

function listKeywords(value: Value, path: Path): Path[] {
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([name, inner]): Path[] => {
    const here = [...path, Array.isArray(value) ? Number(name) : name]
    const isKeyword = !Array.isArray(value) && KEYWORDS.has(name)
    return [...(isKeyword ? [here] : []), ...listKeywords(inner, here)]
  })
}

// A complete instance, and copies of it in which one part is missing or something else.
function createInstances(root: ObjectValue): Value[] {
  const whole = repair(sample(root, root, 0), root)
  const instances: Value[] = [...OTHERS, whole]
  const visit = (
    value: Value,
    replace: (part: Value | undefined) => Value,
    depth: number,
  ): void => {
    for (const other of OTHERS) instances.push(replace(other))
    if (!isObject(value) || depth > 2) return
    for (const [name, inner] of Object.entries(value)) {
      visit(inner, (part) => replace(withMember(value, name, part)), depth + 1)
      instances.push(replace(withMember(value, name, undefined)))
    }
  }
  if (isObject(whole)) visit(whole, (part) => part ?? null, 0)
  return instances.filter((_, at) => at % Math.ceil(instances.length / INSTANCES_MAX) === 0)
}

// Removes the members that are not valid: some have patterns or depend on others.
function repair(value: Value, root: ObjectValue): Value {
  const options = { strict: false, validateFormats: false, validateSchema: false }
  const validate = new Ajv2020(options).compile(root)
  let repaired = value
  for (let left = REPAIRS_MAX; left > 0 && !validate(repaired); left -= 1) {
    const path = validate.errors?.[0]?.instancePath.split('/').slice(1) ?? []
    repaired = replaceAt(repaired, path.slice(0, Math.max(1, path.length - 1)), undefined)
  }
  return repaired
}

function withMember(object: ObjectValue, name: string, value: Value | undefined): ObjectValue {
  const rest = Object.entries(object).filter(([one]) => one !== name)
  return Object.fromEntries(value === undefined ? rest : [...rest, [name, value]])
}

function sample(schema: Value | undefined, root: ObjectValue, depth: number): Value {
  if (!isObject(schema) || depth > DEPTH_MAX) return 'x'
  const reference = getField(schema, '$ref')
  if (typeof reference === 'string') {
    const path = reference.split('/').slice(1)
    return sample(valueAt(root, path), root, depth + 1)
  }
  const {
    const: constant,
    enum: values,
    examples,
    items,
    properties,
    additionalProperties,
  } = schema
  if (constant !== undefined) return constant
  for (const list of [values, examples]) if (Array.isArray(list)) return list[0] ?? null
  const { oneOf, anyOf = oneOf, allOf = anyOf } = schema
  if (properties === undefined && Array.isArray(allOf)) return sample(allOf[0], root, depth + 1)
  const [type] = [schema['type'] ?? (properties === undefined ? 'string' : 'object')].flat()
  if (type === 'array') return [sample(items, root, depth + 1)]
  if (type === 'boolean') return true
  if (type === 'integer' || type === 'number') return 1
  if (type !== 'object') return 'x'
  const members = Object.entries(isObject(properties) ? properties : {}).map(
    ([name, inner]): [string, Value] => [name, sample(inner, root, depth + 1)],
  )
  if (isObject(additionalProperties))
    members.push(['x', sample(additionalProperties, root, depth + 1)])
  return Object.fromEntries(members)
}

/** Generates pairs of a real schema and a copy in which one keyword is removed or has another value. */
export function createRealPairs(): fc.Arbitrary<SchemaPair> {
  const choice = fc.record({
    real: fc.constantFrom(...readSchemas()),
    at: fc.nat(),
    value: fc.constantFrom<(Value | undefined)[]>(
      undefined,
      undefined,
      'x',
      ['string', 'null'],
      {},
      true,
      false,
      3,
    ),
  })
  return choice.map(({ real, at, value }): SchemaPair => {
    const path = real.keywords[at % real.keywords.length] ?? []
    const after = replaceAt(real.schema, path, value)
    return { before: real.schema, after, model: '', isField: false, instances: real.instances }
  })
}

function replaceAt(value: Value, path: Path, replacement: Value | undefined): Value {
  const [step, ...rest] = path
  if (step === undefined) return replacement ?? true
  if (Array.isArray(value)) {
    return value.map((item, at) =>
      at === Number(step) ? replaceAt(item, rest, replacement) : item,
    )
  }
  if (!isObject(value)) return value
  const isRemoved = rest.length === 0 && replacement === undefined
  const entries = Object.entries(value).flatMap(([name, inner]): [string, Value][] => {
    if (name !== step) return [[name, inner]]
    return isRemoved ? [] : [[name, replaceAt(inner, rest, replacement)]]
  })
  return Object.fromEntries(entries)
}
