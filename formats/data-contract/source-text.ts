// Returns the specification of a contract unchanged for exports to its own language: generating it from the models
// would lose details such as comments, and may change the encoding of the data.

import { findLanguage } from '../schema/languages.ts'
import type { Platform } from '../schema/types/native-type.ts'
import { readInnerText } from '../text/text.ts'
import { getField, jsonText, type Value } from '../text/value.ts'
import { yamlText } from '../text/yaml-write.ts'
import { findPlatform } from './contract-fields.ts'
import type { DataContract } from './data-contract.ts'

/**
 * Returns the specification of a contract if it is in the format of an export; undefined if it is in another format,
 * or if no model could be read. `dialect` is the requested dialect of SQL.
 */
export function sourceTextFor(
  { contract, value }: { contract: DataContract; value: Value },
  format: string,
  dialect?: Platform,
): string | undefined {
  const { schemaType, models, servers } = contract
  const language = findLanguage(schemaType)
  if (language?.name !== format || models.length === 0) return undefined
  const isOtherDialect = dialect !== undefined && dialect !== findPlatform(servers).platform
  if (format === 'sql' && isOtherDialect) return undefined
  const specification = getField(getField(value, 'schema'), 'specification')
  if (specification === undefined || specification === null) return undefined
  if (typeof specification !== 'string') {
    return format === 'dbt' ? yamlText(specification) : jsonText(specification)
  }
  return language.isJson === true ? toJson(specification) : specification
}

// A text in one of these formats may also be YAML; the export is JSON.
function toJson(text: string): string | undefined {
  if (readInnerText(text, 'application/json').ok) return text
  const source = readInnerText(text, 'application/yaml')
  return source.ok ? jsonText(source.value) : undefined
}
