// What the statements of a script are about: where each one begins, and what only looks like a statement.

import { SqlCursor } from './cursor.ts'
import type { SqlStatement, SqlToken } from './scan.ts'

const CREATE_OBJECTS =
  /^(?:or|table|temp|temporary|global|local|unlogged|external|transient|view|materialized|type|domain|unique|foreign|dynamic|procedure|function|trigger|event)$/
const ALTER_OBJECTS = /^(?:table|view|materialized|foreign|external|type|domain|schema)$/
const DROP_OBJECTS = /^(?:table|view|materialized|foreign|external|type|domain|schema)$/

const ROUTINE = /^(?:function|procedure|proc|trigger|event|package|macro|aggregate)$/

/** Splits a script into single statements of SQL; a function or procedure with its body is one. */
export function* splitStatements(
  statements: readonly SqlStatement[],
  text: string,
): Generator<SqlStatement> {
  const hasBatches = statements.some(({ endsBatch }) => endsBatch === true)
  let depth = 0
  let isBody = false
  let body: SqlToken[] = []
  for (const statement of statements) {
    const { tokens, endsBatch } = statement
    if (!isBody && isRoutine(tokens)) {
      isBody = true
      body = []
    }
    if (isBody) {
      depth += getDepth(tokens)
      isBody = hasBatches ? endsBatch !== true : depth > 0
      if (!isBody) depth = 0
      if (statement.openQuote !== undefined) yield { tokens: [], openQuote: statement.openQuote }
      for (const token of tokens) body.push(token)
      if (!isBody) yield { tokens: body }
    } else yield* splitStatement(statement, text)
  }
  if (isBody) yield hasBatches ? { tokens: body } : { tokens: body, isOpen: true }
}

// T-SQL needs no semicolon between statements, and people forget it elsewhere.
function* splitStatement(statement: SqlStatement, text: string): Generator<SqlStatement> {
  const { tokens } = statement
  const cursor = new SqlCursor(tokens)
  const schema = readCreatedSchema(tokens)
  const element = schema === undefined ? {} : { schema }
  let from = 0
  let depth = 0
  // Behind IF and CATCH, `commit` and `rollback` may not be executed.
  let isConditional = CONDITIONS.test(tokens[0]?.text ?? '')
  for (cursor.at = 1; cursor.at < tokens.length; cursor.at += 1) {
    if (cursor.isSign('(')) depth += 1
    else if (cursor.isSign(')')) depth -= 1
    else if (CONDITIONS.test(cursor.word())) isConditional = true
    else if (depth === 0 && isBoundary(cursor, text, { schema, isConditional })) {
      yield { tokens: tokens.slice(from, cursor.at), ...element }
      from = cursor.at
      isConditional = false
    }
  }
  const rest = from === 0 ? tokens : tokens.slice(from)
  yield statement.openQuote === undefined
    ? { tokens: rest, ...element }
    : { tokens: rest, openQuote: statement.openQuote }
}

const CONDITIONS = /^(?:if|catch|else|while)$/i

function isBoundary(
  cursor: SqlCursor,
  text: string,
  { schema, isConditional }: { schema: string | undefined; isConditional: boolean },
): boolean {
  if (!cursor.isOnNewLine(text)) return schema !== undefined && isStart(cursor)
  return isStart(cursor) || (!isConditional && isTransactionEnd(cursor))
}

// `commit` and `rollback` without a semicolon before them.
function isTransactionEnd(cursor: SqlCursor): boolean {
  if (!/^(?:commit|rollback)$/.test(cursor.word())) return false
  return /^(?:tran|transaction|work)$/.test(cursor.word(1)) || cursor.token(1) === undefined
}

// `create schema s create table t (…)`, `create schema authorization s create table t (…)`
function readCreatedSchema(tokens: readonly SqlToken[]): string | undefined {
  const cursor = new SqlCursor(tokens)
  if (!cursor.take('create', 'schema')) return undefined
  cursor.take('if', 'not', 'exists')
  cursor.take('authorization')
  return cursor.token()?.text
}

/** Returns true if a statement that defines something begins at the cursor. */
export function isStart(cursor: SqlCursor): boolean {
  const word = cursor.word()
  if (word === 'create') return CREATE_OBJECTS.test(cursor.word(1))
  if (word === 'alter') return ALTER_OBJECTS.test(cursor.word(1))
  if (word === 'drop') return DROP_OBJECTS.test(cursor.word(1))
  if (word === 'exec' || word === 'execute') return cursor.token(1)?.kind === 'word'
  return word === 'comment' && cursor.word(1) === 'on'
}

function isRoutine(tokens: readonly SqlToken[]): boolean {
  const words = tokens.slice(0, 16).map(({ text }) => text.toLowerCase())
  const at = words[0] === 'delimiter' ? words.findIndex((word) => word === 'create') : 0
  if (at < 0 || (words[at] !== 'create' && words[at] !== 'alter')) return false
  const object = words.findIndex((word, index) => index > at && ROUTINE.test(word))
  const table = words.findIndex((word) => word === 'table' || word === 'view' || word === 'type')
  return object !== -1 && (table === -1 || object < table)
}

// BEGIN and CASE open a block, END closes it; `end if` and `end loop` close what opens without either.
function getDepth(tokens: readonly SqlToken[]): number {
  const cursor = new SqlCursor(tokens)
  let depth = 0
  for (; !cursor.isAtEnd(); cursor.at += 1) {
    const word = cursor.word()
    const next = cursor.word(1)
    if (word === 'begin' && !next.startsWith('tran')) depth += 1
    else if (word === 'case') depth += 1
    else if (word === 'end' && !/^(?:if|loop|while|repeat|for)$/.test(next)) {
      depth -= 1
      if (next === 'case') cursor.at += 1
    }
  }
  return depth
}
