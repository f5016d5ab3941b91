// Writes conditions on the values of fields, which `check.ts` reads.

import { ExactNumber, jsonText, type Value } from '../../text/value.ts'
import type { Attribute } from '../losses.ts'
import type { Field } from '../model.ts'
import { type SqlDialect, quotedText } from './quote.ts'
import { readNativeType } from '../types/read-type.ts'

/** The limits of values with their operators. */
const BOUNDS = [
  ['minimum', '>='],
  ['exclusiveMinimum', '>'],
  ['maximum', '<='],
  ['exclusiveMaximum', '<'],
] as const

/**
 * Writes the condition of a column (its quoted name and its type's text): its list of values, its limits, its
 * minimum length; undefined without any. Adds the represented properties to `covered`.
 */
export function writeCondition(
  field: Field,
  options: { column: string; type: string; dialect: SqlDialect; covered: Set<Attribute> },
): string | undefined {
  const { column, type, dialect, covered } = options
  const native = readNativeType(type, dialect.platform)
  const isSame = (words: readonly Value[]): boolean =>
    native.enum?.length === words.length && native.enum.every((word, at) => word === words[at])
  if (field.enum !== undefined && isSame(field.enum)) covered.add('enum')
  if (dialect.checks === 'none') return undefined
  const parts: string[] = []
  const isText = native.logicalType === 'string' && native.format === undefined
  const isNumber = native.logicalType === 'integer' || native.logicalType === 'number'
  if (field.enum !== undefined && field.enum.length > 0 && !covered.has('enum')) {
    const words = field.enum.map((word) => literal(word, { isText, isNumber, dialect }))
    if (words.every((word) => word !== undefined)) {
      parts.push(`${column} IN (${words.join(', ')})`)
      covered.add('enum')
    }
  }
  for (const [name, sign] of BOUNDS) {
    const bound = field[name]
    const written =
      bound === undefined ? undefined : literal(bound, { isText: false, isNumber, dialect })
    if (written === undefined) continue
    parts.push(`${column} ${sign} ${written}`)
    covered.add(name)
  }
  // Blanks at the end do not count in the LEN of SQL Server: another promise.
  if (field.minLength !== undefined && isText && dialect.platform !== 'sqlserver') {
    parts.push(`${dialect.lengthFunction}(${column}) >= ${field.minLength}`)
    covered.add('minLength')
  }
  return parts.length === 0 ? undefined : parts.join(' AND ')
}

function literal(
  value: Value,
  { isText, isNumber, dialect }: { isText: boolean; isNumber: boolean; dialect: SqlDialect },
): string | undefined {
  if (typeof value === 'string') {
    return isText && !value.includes('\0') && value.isWellFormed()
      ? quotedText(value, dialect)
      : undefined
  }
  const isANumber = typeof value === 'number' || value instanceof ExactNumber
  return isNumber && isANumber ? jsonText(value) : undefined
}
