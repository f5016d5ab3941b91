// Exports a data contract to another language: its models for a schema registry, a warehouse or a tool, or the whole
// contract in the newer standard. Everything that the target cannot express is reported as a loss.

import type { SchemaLanguage, WriteOptions } from '../schema/schema-language.ts'
import { LANGUAGES } from '../schema/languages.ts'
import { Losses } from '../schema/losses.ts'
import type { Loss, Numbering, Written } from '../schema/model.ts'
import type { Platform } from '../schema/types/native-type.ts'
import { isObject, jsonText, put, type Value } from '../text/value.ts'
import { findPlatform } from './contract-fields.ts'
import { toOdcsVersion } from './convert/versions.ts'
import type { DataContract } from './data-contract.ts'
import { prepareModels } from './export-models.ts'
import { type OdcsVersion, WRITTEN_VERSION } from './odcs/write.ts'
import { sourceLosses, sourceTextFor } from './source-text.ts'

export type ExportFormat = 'odcs' | (typeof LANGUAGES)[number]['name']

/** The export formats: ODCS, and every schema language. */
export const EXPORT_FORMATS: readonly ExportFormat[] = [
  'odcs',
  ...LANGUAGES.map(({ name }) => name),
]

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

/** An export with its media type. */
interface Exported extends Written {
  mediaType: string
}

/** The media types of all exports; ODCS that was sent as YAML is exported as YAML. */
export const EXPORT_MEDIA_TYPES: readonly string[] = [
  ...new Set(['application/json', ...LANGUAGES.map(({ mediaType }) => mediaType)]),
]

/** The target of an export. */
interface ExportOptions {
  format: ExportFormat
  dialect?: Platform | undefined
  history?: NumberHistory | undefined
  apiVersion?: OdcsVersion | undefined
}

/** The Protobuf field numbers in earlier versions of a contract, by model name. */
export interface NumberHistory {
  numbering: Numbering
  /** Whether older versions are missing. */
  isPartial: boolean
}

/**
 * Exports a contract to a format. `dialect` is the dialect of SQL, also for tools that need one; absent = that of the
 * contract's first supported server. ODCS is exported unchanged and DCS is converted to it; a specification in the
 * requested format is exported unchanged. Without `history`, Protobuf field numbers follow the order of the fields,
 * which is a loss. `apiVersion` is the version of ODCS; absent = that of the document, v3.1.0 for DCS.
 */
export function exportContract(
  read: { contract: DataContract; value: Value },
  { format, dialect, history, apiVersion }: ExportOptions,
): Exported {
  const { contract, value } = read
  if (format === 'odcs') {
    return exportOdcs(read, apiVersion)
  }
  const { write, mediaType } = getLanguage(format)
  const sourceText = sourceTextFor(read, format, dialect)
  if (sourceText !== undefined) {
    const losses = format === 'sql' ? sourceLosses(read, sourceText, true) : []
    return { text: sourceText, mediaType, losses }
  }
  const { name, id } = contract
  const options: WriteOptions = { name, id }
  put(options, 'dialect', dialect ?? sqlPlatform(contract))
  put(options, 'numbering', history?.numbering)
  const prepared = prepareModels(contract, targetPlatform(format, options.dialect))
  const { text, losses } = write(prepared.models, options)
  return {
    text,
    mediaType,
    losses: [
      ...schemaLosses(contract, value),
      ...(format === 'sql' ? sourceLosses(read, text, false) : []),
      ...(format === 'protobuf' ? numberLosses(contract, history) : []),
      ...prepared.losses,
      ...losses,
    ],
  }
}

// The platform of a format that declares tables.
function targetPlatform(format: ExportFormat, dialect: Platform | undefined): Platform | undefined {
  if (format === 'bigquery') return 'bigquery'
  return format === 'sql' || format === 'dbt' ? (dialect ?? 'postgresql') : undefined
}

function exportOdcs(
  { contract, value }: { contract: DataContract; value: Value },
  apiVersion: OdcsVersion | undefined,
): Exported {
  const { id, format } = contract
  const version = apiVersion ?? WRITTEN_VERSION
  const isAsSent = format === 'odcs' && apiVersion === undefined
  const odcs = isAsSent ? value : toOdcsVersion(value, { id, format, version })
  const losses = odcsLosses(contract, version)
  return { text: jsonText(odcs), mediaType: 'application/json', losses }
}

function getLanguage(format: ExportFormat): SchemaLanguage {
  const language = LANGUAGES.find(({ name }) => name === format)
  if (language === undefined) throw new Error(`No schema language is named ${format}.`)
  return language
}

// ODCS cannot express properties of the specification's own language.
function odcsLosses({ format, schemaType, models }: DataContract, version: OdcsVersion): Loss[] {
  if (format !== 'dcs' || schemaType === undefined) return []
  const losses = new Losses(`ODCS ${version}`, {}, version === WRITTEN_VERSION ? 'none' : 'all')
  for (const model of models) losses.addAllTraits(model)
  return losses.all
}

function numberLosses({ models }: DataContract, history: NumberHistory | undefined): Loss[] {
  if (models.length === 0 || history?.isPartial === false) return []
  const message =
    history === undefined
      ? 'Field numbers follow the order of the fields and may change in the next version.'
      : 'Some versions were not read, so the numbers of later fields follow their order and may change.'
  return [{ path: 'schema', message }]
}

/** The losses of an export format: their number, and the first of them. */
export interface ExportLosses {
  format: ExportFormat
  lossCount: number
  losses: Loss[]
}

const LOSSES_SHOWN_MAX = 100

/** Lists the losses of every export format; formats without losses are omitted. */
export function exportLosses(read: { contract: DataContract; value: Value }): ExportLosses[] {
  return EXPORT_FORMATS.flatMap((format) => {
    // The export of a registered contract has the numbers of its earlier versions.
    const history = { numbering: new Map(), isPartial: false }
    const { losses } = exportContract(read, { format, history })
    const shown = losses.slice(0, LOSSES_SHOWN_MAX)
    return losses.length === 0 ? [] : [{ format, lossCount: losses.length, losses: shown }]
  })
}

function sqlPlatform({ servers }: DataContract): Platform | undefined {
  return findPlatform(servers).platform
}

// If no model could be read, the export is empty, which is a loss.
function schemaLosses({ models, schemaType }: DataContract, value: Value): Loss[] {
  if (models.length > 0 || schemaType === undefined || !isObject(value)) return []
  const message = `The schema (${schemaType}) could not be read, so the export contains no models.`
  return [{ path: 'schema', message }]
}
