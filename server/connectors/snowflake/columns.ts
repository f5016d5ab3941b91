import { omitEmpty } from '../asset-parts.ts'
import type { SourceColumn } from '../connector.ts'
import type { ResultRow } from './result-row.ts'

/** The columns of a view COLUMNS that toColumn needs. */
export const COLUMN_FIELDS = [
  'column_name',
  'ordinal_position',
  'data_type',
  'character_maximum_length',
  'numeric_precision',
  'numeric_scale',
  'datetime_precision',
  'is_nullable',
  'column_default',
  'is_identity',
  'identity_start',
  'identity_increment',
  'comment',
] as const

/** Converts a row of a view COLUMNS. Errors: SourceFailure protocol. */
export function toColumn(row: ResultRow): SourceColumn {
  const isIdentity = row.isTrue('is_identity')
  return {
    name: row.require('column_name'),
    type: toTypeText(row),
    ...omitEmpty({
      description: row.get('comment'),
      required: /^no$/i.test(row.get('is_nullable') ?? ''),
      default: !isIdentity && row.get('column_default'),
      generated: isIdentity && toIdentityText(row),
    }),
  }
}

/** Writes a type as DESCRIBE TABLE does; an unknown type is kept as it is. */
function toTypeText(row: ResultRow): string {
  const type = row.require('data_type')
  switch (type) {
    case 'TEXT':
      return withParameters('VARCHAR', row.get('character_maximum_length'))
    case 'BINARY':
      return withParameters(type, row.get('character_maximum_length'))
    case 'NUMBER':
      return withParameters(type, row.get('numeric_precision'), row.get('numeric_scale'))
    case 'TIME':
    case 'TIMESTAMP_NTZ':
    case 'TIMESTAMP_LTZ':
    case 'TIMESTAMP_TZ':
      return withParameters(type, row.get('datetime_precision'))
    default:
      return type
  }
}

function withParameters(type: string, ...parameters: readonly (string | undefined)[]): string {
  const given = parameters.filter((parameter) => parameter !== undefined)
  return given.length === parameters.length ? `${type}(${given.join(',')})` : type
}

function toIdentityText(row: ResultRow): string {
  return `identity start ${row.get('identity_start') ?? '1'} increment ${row.get('identity_increment') ?? '1'}`
}
