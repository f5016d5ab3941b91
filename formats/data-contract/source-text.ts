// Returns the specification of a contract unchanged for exports to its own language: generating it from the models
// would lose details such as comments, and may change the encoding of the data.

import type { Platform } from '../schema/types/native-type.ts'
import { readInnerText } from '../text/text.ts'
import { getField, jsonText, type Value } from '../text/value.ts'
import { yamlText } from '../text/yaml-write.ts'
import { findPlatform } from './contract-fields.ts'
import type { DataContract } from './data-contract.ts'

// The export format of each schema language, by `schema.type`.
const FORMATS: ReadonlyMap<string, string> = new Map([
  ['avro', 'avro'],
  ['bigquery', 'bigquery'],
  ['dbt', 'dbt'],
  ['json-schema', 'json-schema'],
  ['jsonschema', 'json-schema'],
  ['protobuf', 'protobuf'],
  ['sql-ddl', 'sql'],
])

/**
 * Returns the specification of a contract if it is in the format of an export; undefined if it is in another format,
 * or if no model could be read. `dialect` is the requested dialect of SQL.
 */
export function sourceTextFor(
  { contract, value }: { contract: DataContract; value: Value },
  format: string,
  dialect?: Platform,
): string | undefined {
  const { schemaType = '', models, servers } = contract
  if (FORMATS.get(schemaType.toLowerCase()) !== format || models.length === 0) return undefined
  const isOtherDialect = dialect !== undefined && dialect !== findPlatform(servers).platform
  if (format === 'sql' && isOtherDialect) return undefined
  const specification = getField(getField(value, 'schema'), 'specification')
  if (specification === undefined || specification === null) return undefined
  if (typeof specification !== 'string') {
    return format === 'dbt' ? yamlText(specification) : jsonText(specification)
  }
  return JSON_FORMATS.has(format) ? toJson(specification) : specification
}

const JSON_FORMATS: ReadonlySet<string> = new Set(['avro', 'bigquery', 'json-schema'])

// A text in one of these formats may also be YAML; the export is JSON.
function toJson(text: string): string | undefined {
  if (readInnerText(text, 'application/json').ok) return text
  const source = readInnerText(text, 'application/yaml')
  return source.ok ? jsonText(source.value) : undefined
}
