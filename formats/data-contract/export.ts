// A data contract in another language: its models for a schema registry, a warehouse or a tool, or the whole of it in
// the newer standard. What the language cannot say is told, never dropped silently.

import { writeAvro } from '../schema/avro-write.ts'
import { writeBigQuery } from '../schema/bigquery-write.ts'
import { writeDbt } from '../schema/dbt-write.ts'
import { writeJsonSchema } from '../schema/json-schema-write.ts'
import type { Loss, Model, Written } from '../schema/model.ts'
import { writeProtobuf } from '../schema/protobuf-write.ts'
import { writeSqlDdl } from '../schema/sql-ddl-write.ts'
import type { Platform } from '../schema/types/native-type.ts'
import { isObject, jsonText, type Value } from '../value.ts'
import { platformAmong } from './contract-fields.ts'
import { odcsFromDcs } from './convert.ts'
import type { DataContract } from './data-contract.ts'

/** What a contract can be exported to. */
export const EXPORT_FORMATS = [
  'odcs',
  'json-schema',
  'avro',
  'protobuf',
  'sql',
  'dbt',
  'bigquery',
] as const

export type ExportFormat = (typeof EXPORT_FORMATS)[number]

/** The dialects of SQL. */
export const DIALECTS = [
  'postgresql',
  'mysql',
  'sqlserver',
  'snowflake',
  'bigquery',
  'databricks',
  'hive',
] as const satisfies readonly Platform[]

/** An export: `mediaType` is what the text is served as. */
export interface Exported extends Written {
  mediaType: string
}

type Write = (
  models: readonly Model[],
  options: { dialect?: Platform; name: string; id: string },
) => Written

const WRITERS: { readonly [format in Exclude<ExportFormat, 'odcs'>]: readonly [Write, string] } = {
  'json-schema': [writeJsonSchema, 'application/schema+json'],
  avro: [writeAvro, 'application/json'],
  protobuf: [writeProtobuf, 'text/plain'],
  sql: [writeSqlDdl, 'application/sql'],
  dbt: [writeDbt, 'application/yaml'],
  bigquery: [writeBigQuery, 'application/json'],
}

/** All the media types that exports have; ODCS that was sent as YAML comes as YAML. */
export const EXPORT_MEDIA_TYPES: readonly string[] = [
  ...new Set(['application/json', ...Object.values(WRITERS).map(([, mediaType]) => mediaType)]),
]

/**
 * Writes a contract in a format. `dialect` is that of SQL and of a tool that asks for one; absent = that of the
 * contract's first known server. ODCS comes as it is, DCS is converted to it.
 */
export function exportContract(
  { contract, value }: { contract: DataContract; value: Value },
  { format, dialect }: { format: ExportFormat; dialect?: Platform | undefined },
): Exported {
  if (format === 'odcs') {
    const odcs = contract.format === 'dcs' ? odcsFromDcs(value, contract.id) : value
    return { text: jsonText(odcs), mediaType: 'application/json', losses: [] }
  }
  const [write, mediaType] = WRITERS[format]
  const platform = dialect ?? sqlPlatform(contract)
  const { name, id } = contract
  const options = platform === undefined ? { name, id } : { name, id, dialect: platform }
  const { text, losses } = write(contract.models, options)
  return { text, mediaType, losses: [...schemaLosses(contract, value), ...losses] }
}

/** What a format cannot say of a contract: how many things, and the first of them. */
export interface ExportLosses {
  format: ExportFormat
  lossCount: number
  losses: Loss[]
}

const LOSSES_SHOWN_MAX = 100

/** Tells for each format what of a contract it cannot say; formats that say everything are left out, so ODCS is. */
export function exportLosses(read: { contract: DataContract; value: Value }): ExportLosses[] {
  return EXPORT_FORMATS.flatMap((format) => {
    if (format === 'odcs') return []
    const { losses } = exportContract(read, { format })
    const shown = losses.slice(0, LOSSES_SHOWN_MAX)
    return losses.length === 0 ? [] : [{ format, lossCount: losses.length, losses: shown }]
  })
}

function sqlPlatform({ servers }: DataContract): Platform | undefined {
  return platformAmong(servers).platform
}

// Where nothing of the schema could be read, an empty export is no export.
function schemaLosses({ models, schemaType }: DataContract, value: Value): Loss[] {
  if (models.length > 0 || schemaType === undefined || !isObject(value)) return []
  const message = `The schema (${schemaType}) could not be read, so that no model is written.`
  return [{ path: 'schema', message }]
}
