// The meaning of a specification: a canonical form without annotations. Two specifications with equal models but unequal
// meanings differ in something that the models cannot express.

import { canonicalText } from '../shape/canonical.ts'
import { any } from '../shape/shape.ts'
import { readInnerText } from '../text/text.ts'
import { isObject, type Value } from '../text/value.ts'
import { canonicalizeAvro } from './avro/canonical.ts'
import { BIGQUERY_ANNOTATIONS } from './bigquery/traits.ts'
import { DBT_ANNOTATIONS } from './dbt/traits.ts'
import { canonicalizeJsonSchema } from './json-schema/meaning.ts'
import { canonicalProtobuf } from './protobuf/tokens.ts'

/** Returns the canonical form of a specification; undefined when it cannot be read. */
type Canonicalize = (specification: Value) => string | undefined

// Members whose names the author chooses.
const AUTHORS_NAMES: ReadonlySet<string> = new Set(['constraints', 'data_tests', 'labels', 'tests'])
const LANGUAGES: ReadonlyMap<string, Canonicalize> = new Map<string, Canonicalize>([
  ['avro', canonicalizeWith(canonicalizeAvro)],
  ['bigquery', canonicalizeValue(BIGQUERY_ANNOTATIONS)],
  ['dbt', canonicalizeValue([...DBT_ANNOTATIONS, 'version'])],
  ['json-schema', canonicalizeWith(canonicalizeJsonSchema)],
  ['jsonschema', canonicalizeWith(canonicalizeJsonSchema)],
  ['protobuf', (value) => (typeof value === 'string' ? canonicalProtobuf(value) : undefined)],
])

/**
 * Returns whether two specifications of one schema language (`schema.type` of a data contract) mean the same; undefined
 * when that cannot be decided.
 */
export function haveSameMeaning(
  language: string,
  before: Value,
  after: Value,
): boolean | undefined {
  const canonicalize = LANGUAGES.get(language.toLowerCase())
  const [older, newer] = [canonicalize?.(before), canonicalize?.(after)]
  return older === undefined || newer === undefined ? undefined : older === newer
}

function canonicalizeValue(annotations: readonly string[]): Canonicalize {
  const names = new Set(annotations)
  return canonicalizeWith((value) => canonicalText(removeNames(value, names), any))
}

function canonicalizeWith(canonicalize: (value: Value) => string): Canonicalize {
  return (specification) => {
    const value = typeof specification === 'string' ? parse(specification) : specification
    return value === undefined ? undefined : canonicalize(value)
  }
}

function parse(text: string): Value | undefined {
  const isJson = /^\s*[[{]/.test(text)
  const source = readInnerText(text, isJson ? 'application/json' : 'application/yaml')
  return source.ok ? source.value : undefined
}

function removeNames(value: Value, names: ReadonlySet<string>): Value {
  if (Array.isArray(value)) return value.map((item) => removeNames(item, names))
  if (!isObject(value)) return value
  const kept = Object.entries(value).filter(
    ([name, member]) => !names.has(name) && !isDefault(name, member),
  )
  return Object.fromEntries(
    kept.map(([name, member]) => [
      name,
      AUTHORS_NAMES.has(name) ? member : removeNames(member, names),
    ]),
  )
}

// BigQuery writes out the mode of every column or of none.
function isDefault(name: string, value: Value): boolean {
  return name === 'mode' && value === 'NULLABLE'
}
