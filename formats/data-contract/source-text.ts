// The specification of a contract as it was sent, for exports in its own language: writing the models again would lose
// what they cannot hold, such as comments, and may change the form of the data.

import type { Platform } from '../schema/types/native-type.ts'
import { readInnerText } from '../text/text.ts'
import { fieldOf, jsonText, type Value } from '../text/value.ts'
import { yamlText } from '../text/yaml-write.ts'
import { platformAmong } from './contract-fields.ts'
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
 * Returns the specification of a contract when it is in the format of an export; undefined when it is in another one,
 * or no model could be read. `dialect` is that of SQL which the export asks for.
 */
export function sourceTextFor(
  { contract, value }: { contract: DataContract; value: Value },
  format: string,
  dialect?: Platform,
): string | undefined {
  const { schemaType = '', models, servers } = contract
  if (FORMATS.get(schemaType.toLowerCase()) !== format || models.length === 0) return undefined
  const isOtherDialect = dialect !== undefined && dialect !== platformAmong(servers).platform
  if (format === 'sql' && isOtherDialect) return undefined
  const specification = fieldOf(fieldOf(value, 'schema'), 'specification')
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
