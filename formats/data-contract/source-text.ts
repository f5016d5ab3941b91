// Returns the specification of a contract unchanged for exports to its own language: generating it from the models
// would lose details such as comments, and may change the encoding of the data.

import { findLanguage } from '../schema/languages.ts'
import type { Loss } from '../schema/model.ts'
import { withoutClientCommands } from '../schema/sql/client-commands.ts'
import type { Platform } from '../schema/types/native-type.ts'
import { isNamesake } from '../schema/types/platform.ts'
import { readInnerText } from '../text/text.ts'
import { getField, jsonText, type Value } from '../text/value.ts'
import { yamlText } from '../text/yaml-write.ts'
import { findPlatform } from './contract-fields.ts'
import type { DataContract } from './data-contract.ts'

/**
 * Returns the specification of a contract if it is in the format of an export; undefined if it is in another format,
 * or if no model could be read. `dialect` is the requested dialect of SQL; other products that share its types, such as
 * Redshift, have clauses that it rejects. SQL comes without the commands of psql.
 */
export function sourceTextFor(
  { contract, value }: { contract: DataContract; value: Value },
  format: string,
  dialect?: Platform,
): string | undefined {
  const { schemaType, models, servers } = contract
  const language = findLanguage(schemaType)
  if (language?.name !== format || models.length === 0) return undefined
  if (dialect !== undefined && HAS_DIALECTS.has(format)) {
    if (!isNamesake(findPlatform(servers).serverType, dialect)) return undefined
  }
  const specification = getField(getField(value, 'schema'), 'specification')
  if (specification === undefined || specification === null) return undefined
  if (typeof specification !== 'string') {
    return format === 'dbt' ? yamlText(specification) : jsonText(specification)
  }
  if (format === 'sql') return withoutClientCommands(specification)
  return language.isJson === true ? toJson(specification) : specification
}

// The types of a dbt project are those of its database.
const HAS_DIALECTS: ReadonlySet<string> = new Set(['sql', 'dbt'])

/**
 * Lists what an export of a SQL script leaves out, whose text is `written`: the commands of a client, or everything
 * that models do not contain, such as indexes and functions.
 */
export function sourceLosses(
  { contract, value }: { contract: DataContract; value: Value },
  written: string,
  isAsSent: boolean,
): Loss[] {
  const specification = getField(getField(value, 'schema'), 'specification')
  const language = findLanguage(contract.schemaType)?.name
  if (language !== 'sql' || specification === written || contract.models.length === 0) return []
  const message = isAsSent
    ? 'The commands of psql, and the rows of COPY, are left out: only psql reads them.'
    : `The script is of ${findPlatform(contract.servers).serverType ?? 'an unknown product'}, so it is written from its tables. Other statements, comments and clauses that only the product has are left out.`
  return [{ path: 'schema', message }]
}

// A text in one of these formats may also be YAML; the export is JSON.
function toJson(text: string): string | undefined {
  if (readInnerText(text, 'application/json').ok) return text
  const source = readInnerText(text, 'application/yaml')
  return source.ok ? jsonText(source.value) : undefined
}
