// All schema languages. To add one, create its folder with a `language.ts`, and add it here.

import { avro } from './avro/language.ts'
import { bigquery } from './bigquery/language.ts'
import { dbt } from './dbt/language.ts'
import { jsonSchema } from './json-schema/language.ts'
import type { SchemaLanguage } from './schema-language.ts'
import { protobuf } from './protobuf/language.ts'
import { sql } from './sql/language.ts'
import type { Value } from '../text/value.ts'

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
