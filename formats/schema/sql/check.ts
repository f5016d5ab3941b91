// Conditions on the values of a field: `status IN ('NEW', 'PAID')`, `total >= 0 AND total < 100`. Any other
// condition remains a SQL rule, which is never executed here.

import { parseNumber } from '../../text/number.ts'
import type { Field } from '../model.ts'
import { put, type Value } from '../../text/value.ts'
import { SqlCursor, Unreadable } from './cursor.ts'
import { scanSql, type SqlToken } from './scan.ts'

/** A condition as the script states it; `start` is the offset of `text`. */
export interface SqlCondition {
  text: string
  tokens: readonly SqlToken[]
  start: number
}

/** The facts of a condition about one field. */
interface Condition {
  field: string
  constraints: Pick<
    Partial<Field>,
    | 'enum'
    | 'minimum'
    | 'maximum'
    | 'exclusiveMinimum'
    | 'exclusiveMaximum'
    | 'minLength'
    | 'maxLength'
  >
}

const LENGTHS = new Set(['char_length', 'character_length', 'length', 'len', 'octet_length'])

/** Parses the text of a condition on the values of one field; undefined for other conditions. */
export function parseCondition(text: string): Condition | undefined {
  return readCondition(scanSql(text, undefined).flatMap(({ tokens }) => tokens))
}

/** Parses a condition on the values of one field; undefined for other conditions. */
export function readCondition(tokens: readonly SqlToken[]): Condition | undefined {
  try {
    return readConditions(new SqlCursor(tokens))
  } catch (error) {
    if (error instanceof Unreadable) return undefined
    throw error
  }
}

function readConditions(cursor: SqlCursor): Condition | undefined {
  let merged: Condition | undefined
  do {
    const constraints: Condition['constraints'] = {}
    const name = readComparison(cursor, constraints)
    if (name === undefined || (merged !== undefined && merged.field !== name)) return undefined
    const isRepeated = Object.keys(constraints).some(
      (key) => merged !== undefined && key in merged.constraints,
    )
    if (isRepeated) return undefined
    merged = { field: name, constraints: { ...merged?.constraints, ...constraints } }
  } while (cursor.take('and'))
  return cursor.isAtEnd() ? merged : undefined
}

function readComparison(
  cursor: SqlCursor,
  constraints: Condition['constraints'],
): string | undefined {
  const isLength = LENGTHS.has(cursor.word()) && cursor.isSign('(', 1)
  if (isLength) cursor.at += 2
  const name = cursor.name()
  if (isLength) cursor.expectSign(')')
  if (!isLength && cursor.take('in')) return putWords(cursor, constraints) ? name : undefined
  const operator = `${takeOne(cursor, '<>=')}${takeOne(cursor, '=')}`
  const value = literal(cursor)
  if (isLength) {
    if (typeof value !== 'number' || value < 0) return undefined
    if (operator === '>=') constraints.minLength = value
    else if (operator === '<=') constraints.maxLength = value
    else return undefined
    return name
  }
  if (value === undefined || typeof value === 'string') return undefined
  return putBound(operator, value, constraints) ? name : undefined
}

function putBound(operator: string, value: Value, constraints: Condition['constraints']): boolean {
  if (operator === '>=') put(constraints, 'minimum', value)
  else if (operator === '<=') put(constraints, 'maximum', value)
  else if (operator === '>') put(constraints, 'exclusiveMinimum', value)
  else if (operator === '<') put(constraints, 'exclusiveMaximum', value)
  else return false
  return true
}

function putWords(cursor: SqlCursor, constraints: Condition['constraints']): boolean {
  const words: Value[] = []
  cursor.expectSign('(')
  do {
    const word = literal(cursor)
    if (word === undefined) return false
    words.push(word)
  } while (cursor.takeSign(','))
  cursor.expectSign(')')
  constraints.enum = words
  return true
}

function takeOne(cursor: SqlCursor, signs: string): string {
  const token = cursor.token()
  if (token?.kind !== 'sign' || !signs.includes(token.text)) return ''
  cursor.at += 1
  return token.text
}

function literal(cursor: SqlCursor): Value | undefined {
  const text = cursor.takeText()
  if (text !== undefined) return text
  const isNegative = cursor.takeSign('-')
  const token = cursor.token()
  if (token?.kind !== 'number' || !/^\d+(?:\.\d+)?(?:e[-+]?\d+)?$/i.test(token.text)) {
    return undefined
  }
  cursor.at += 1
  return parseNumber(`${isNegative ? '-' : ''}${token.text}`)
}
