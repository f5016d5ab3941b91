// All schema languages. To add one, create its folder with a `language.ts`, and add it here.

import { avro } from './avro/language.ts'
import { bigquery } from './bigquery/language.ts'
import { dbt } from './dbt/language.ts'
import { jsonSchema } from './json-schema/language.ts'
import type { SchemaLanguage } from './schema-language.ts'
import { protobuf } from './protobuf/language.ts'
import { sql } from './sql/language.ts'
import { NOWHERE } from '../shape/inspect.ts'
import { Notes } from '../text/problem.ts'
import type { Value } from '../text/value.ts'
import { Specification } from './specification.ts'

/** The languages, in the order of the exports. */
export const LANGUAGES = [jsonSchema, avro, protobuf, sql, dbt, bigquery] as const

const BY_TYPE: ReadonlyMap<string, SchemaLanguage> = new Map(
  LANGUAGES.flatMap((language: SchemaLanguage) =>
    language.types.map((type): [string, SchemaLanguage] => [type, language]),
  ),
)

/** The supported values of `schema.type`. */
export const LANGUAGE_TYPES: readonly string[] = [...BY_TYPE.keys()]

/** Returns the language of a `schema.type`, in any case. */
export function findLanguage(type: string | undefined): SchemaLanguage | undefined {
  return BY_TYPE.get(type?.toLowerCase() ?? '')
}

/**
 * Returns whether a specification without models has other parts: it cannot be read, or it contains something else than
 * models. `language` is the `schema.type` of its data contract.
 */
export function hasUnreadParts(language: string, specification: Value): boolean {
  const reader = findLanguage(language)
  if (reader === undefined) return true
  const notes = new Notes(NOWHERE)
  const source = new Specification(specification, [], notes)
  if (source.text?.trim() === '') return false
  if (TEXTS.has(reader.name)) {
    reader.read(source, {})
    return notes.warnings.length > 0
  }
  const value = source.value()
  return typeof value !== 'object' || value === null || Object.keys(value).length > 0
}

/** The languages that are not written in JSON or YAML. */
const TEXTS: ReadonlySet<string> = new Set([protobuf.name, sql.name])

/**
 * Returns whether two specifications of one schema language (`schema.type` of a data contract) mean the same; undefined
 * when that cannot be decided. Those with equal models may differ in something that models cannot express.
 */
export function haveSameMeaning(
  language: string,
  before: Value,
  after: Value,
): boolean | undefined {
  const canonicalize = findLanguage(language)?.canonicalize
  const [older, newer] = [canonicalize?.(before), canonicalize?.(after)]
  return older === undefined || newer === undefined ? undefined : older === newer
}
