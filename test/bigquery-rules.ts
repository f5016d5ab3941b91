/**
 * The published rules for BigQuery's table resources.
 * https://cloud.google.com/bigquery/docs/reference/rest/v2/tables and https://cloud.google.com/bigquery/docs/schemas
 */

import { getField, isObject, asText, type Value } from '../formats/text/value.ts'

const TYPES = new Set(
  (
    'STRING BYTES INTEGER INT64 FLOAT FLOAT64 BOOLEAN BOOL TIMESTAMP DATE TIME DATETIME GEOGRAPHY NUMERIC ' +
    'BIGNUMERIC JSON INTERVAL RECORD STRUCT RANGE'
  ).split(' '),
)
const MODES = new Set(['NULLABLE', 'REQUIRED', 'REPEATED'])
const RESERVED = /^(?:_TABLE_|_FILE_|_PARTITION|_ROW_TIMESTAMP|__ROOT__|_COLIDENTIFIER)/i
const DEPTH_MAX = 15

/** Lists the problems for which BigQuery's API would reject a table. */
export function findBigQueryProblems(table: Value): string[] {
  const reference = getField(table, 'tableReference')
  const id = asText(getField(reference, 'tableId')) ?? ''
  const dataset = asText(getField(reference, 'datasetId')) ?? 'd'
  const fields = getField(getField(table, 'schema'), 'fields')
  return [
    ...(/^[\p{L}\p{M}\p{N}\p{Pc}\p{Pd} ]{1,1024}$/u.test(id) ? [] : [`table id ${id}`]),
    ...(/^\w{1,1024}$/.test(dataset) ? [] : [`dataset id ${dataset}`]),
    ...findFieldProblems(fields, 1),
  ]
}

function findFieldProblems(fields: Value | undefined, depth: number): string[] {
  if (!Array.isArray(fields)) return ['no fields']
  if (depth > DEPTH_MAX) return ['too deep']
  const names = fields.map((field) => (asText(getField(field, 'name')) ?? '').toLowerCase())
  const isDistinct = new Set(names).size === names.length
  return [
    ...(isDistinct ? [] : [`equal names: ${names.join(', ')}`]),
    ...fields.flatMap((field) => findProblems(field, depth)),
  ]
}

function findProblems(field: Value, depth: number): string[] {
  const name = asText(getField(field, 'name')) ?? ''
  const type = asText(getField(field, 'type')) ?? ''
  const problems: string[] = []
  if (!/^[\p{L}_][\p{L}\p{M}\p{N}\p{Pc}\p{Pd} ]{0,299}$/u.test(name) || RESERVED.test(name)) {
    problems.push(`name ${name}`)
  }
  if (!TYPES.has(type)) problems.push(`type ${type} of ${name}`)
  if (!MODES.has(asText(getField(field, 'mode')) ?? '')) problems.push(`mode of ${name}`)
  if ((asText(getField(field, 'description')) ?? '').length > 1024) {
    problems.push(`description of ${name}`)
  }
  const inner = getField(field, 'fields')
  const isRecord = type === 'RECORD' || type === 'STRUCT'
  if (isRecord !== Array.isArray(inner)) problems.push(`fields of ${name}`)
  if (Array.isArray(inner)) {
    if (inner.length === 0) problems.push(`empty record ${name}`)
    problems.push(...findFieldProblems(inner, depth + 1))
  }
  if (type === 'RANGE' && !isObject(getField(field, 'rangeElementType'))) {
    problems.push(`range ${name}`)
  }
  return [...problems, ...findDigitProblems(field, type, name)]
}

function findDigitProblems(field: Value, type: string, name: string): string[] {
  const precision = getField(field, 'precision')
  if (precision === undefined) return []
  const [digits, scale] = [Number(precision), Number(getField(field, 'scale') ?? 0)]
  const [whole, scaleMax] = type === 'NUMERIC' ? [29, 9] : [38, 38]
  const isValid = scale <= scaleMax && digits >= Math.max(1, scale) && digits <= scale + whole
  const isDecimal = type === 'NUMERIC' || type === 'BIGNUMERIC'
  return isValid && isDecimal ? [] : [`digits of ${name}`]
}
