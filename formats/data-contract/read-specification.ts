// Reads the schema of an older DCS document: `schema: {type, specification}`, in one of seven languages.

import { NOWHERE } from '../shape/inspect.ts'
import { Notes } from '../text/problem.ts'
import { readAvro } from '../schema/avro/read.ts'
import { readBigQuery } from '../schema/bigquery/read.ts'
import { readDbt } from '../schema/dbt/read.ts'
import { readJsonSchema } from '../schema/json-schema/read.ts'
import type { Model } from '../schema/model.ts'
import { readEveryMessage, readProtobuf } from '../schema/protobuf/read.ts'
import { readSqlDdl } from '../schema/sql/read.ts'
import { detectPlatform } from '../schema/sql/dialect.ts'
import { Specification } from '../schema/specification.ts'
import type { Platform } from '../schema/types/native-type.ts'
import { getSchemaType } from './schema-type.ts'
import { clip, getField, type ObjectValue, asText, type Value } from '../text/value.ts'

type Read = (specification: Specification, options: { platform?: Platform }) => Model[]

const READERS: ReadonlyMap<string, Read> = new Map<string, Read>([
  ['json-schema', readJsonSchema],
  // The spelling in older documentation.
  ['jsonschema', readJsonSchema],
  ['avro', readAvro],
  ['dbt', readDbt],
  ['bigquery', readBigQuery],
  ['protobuf', readProtobuf],
  ['sql-ddl', readSqlDdl],
])

/** Returns the platform of a document's specification: that of its servers, or else the dialect of its SQL. */
export function specificationPlatform(
  value: Value,
  platform: Platform | undefined,
): Platform | undefined {
  const schema = getField(value, 'schema')
  if (platform !== undefined || asText(getField(schema, 'type')) !== 'sql-ddl') return platform
  const text = asText(getField(schema, 'specification'))
  return text === undefined ? undefined : detectPlatform(text)
}

/** Reads the models of a document's specification; reports a warning if it cannot be read. */
export function specificationModels(
  value: ObjectValue,
  platform: Platform | undefined,
  notes: Notes,
): Model[] {
  const schema = getField(value, 'schema')
  const given = getField(schema, 'specification') ?? null
  const type = getSchemaType(value)
  // The meaning of a custom specification is up to its author.
  if (given === null || type === undefined || type === 'custom') return []
  const read = READERS.get(type.toLowerCase())
  if (read === undefined) {
    const languages = [...READERS.keys(), 'custom'].join(', ')
    const message = `“${clip(type)}” is not a supported schema language; use one of ${languages}.`
    notes.warning(['schema', 'type'], message)
    return []
  }
  const path = ['schema', 'specification']
  return read(new Specification(given, path, notes), platform === undefined ? {} : { platform })
}

const COMPARABLE_READERS: ReadonlyMap<string, Read> = new Map([['protobuf', readEveryMessage]])

/**
 * Returns a reader of the definitions of two specifications for a comparison; undefined if the language has no such
 * reader, so that the models are compared. `read` returns the definitions of one document.
 */
export function findComparableReader(
  before: ObjectValue,
  after: ObjectValue,
): ((value: ObjectValue) => Model[]) | undefined {
  const type = getSchemaType(after)?.toLowerCase()
  const read = COMPARABLE_READERS.get(type ?? '')
  if (read === undefined || getSchemaType(before)?.toLowerCase() !== type) return undefined
  return (value) => {
    const given = getField(getField(value, 'schema'), 'specification') ?? null
    return read(new Specification(given, ['schema', 'specification'], new Notes(NOWHERE)), {})
  }
}
