// CREATE TYPE, CREATE DOMAIN and their ALTER statements.

import { canonicalTokens } from './canonical.ts'
import { readType } from './column-type.ts'
import type { SqlContext } from './context.ts'
import { readConstraintName } from './constraint.ts'
import { readInlineClauses } from './constraint-clauses.ts'
import { isElementEnd, skipElement } from './element.ts'
import type { SqlCursor } from './cursor.ts'
import type { UserType } from './script-types.ts'

type Attributes = NonNullable<UserType['attributes']>

/** Reads what follows CREATE TYPE. */
export function createType(cursor: SqlCursor, context: SqlContext): void {
  cursor.take('if', 'not', 'exists')
  const parts = cursor.parts(false)
  const { types } = context
  if (cursor.take('from')) {
    const type = types.define(parts, {})
    readBase(cursor, type, context)
  } else if (cursor.take('as', 'enum')) {
    const { tokens } = cursor.group()
    const words = tokens.flatMap(({ kind, text }) => (kind === 'text' ? [text] : []))
    types.define(parts, { words })
  } else if (cursor.take('as', 'object') || cursor.take('as')) {
    if (cursor.isSign('(')) types.define(parts, { attributes: readAttributes(cursor, context) })
    else if (cursor.word() === 'range') defineUnread(cursor, parts, context)
    else if (cursor.word() !== 'table') {
      const type = types.define(parts, {})
      readBase(cursor, type, context)
    }
  } else defineUnread(cursor, parts, context)
}

function readAttributes(cursor: SqlCursor, context: SqlContext): Attributes {
  const attributes: Attributes = []
  cursor.expectSign('(')
  while (!cursor.takeSign(')')) {
    attributes.push(readAttribute(cursor, context))
    if (!cursor.takeSign(',') && !cursor.isSign(')')) cursor.fail('"," or ")"')
  }
  return attributes
}

function readAttribute(cursor: SqlCursor, context: SqlContext): Attributes[number] {
  const name = cursor.name()
  const type = readType(cursor, context) ?? { native: context.types.readNative('') }
  skipElement(cursor)
  return { name, type }
}

// Ranges, and types whose values only functions know.
function defineUnread(cursor: SqlCursor, parts: string[], { types }: SqlContext): void {
  const text = canonicalTokens(cursor.tokens.slice(cursor.at))
  types.define(parts, { unread: text === '' ? [] : [text] })
}

/** Reads what follows CREATE DOMAIN. */
export function createDomain(cursor: SqlCursor, context: SqlContext): void {
  const parts = cursor.parts(false)
  cursor.take('as')
  readBase(cursor, context.types.define(parts, {}), context)
}

function readBase(cursor: SqlCursor, type: UserType, context: SqlContext): void {
  const base = readType(cursor, context)
  if (base !== undefined) type.base = base
  while (!cursor.isAtEnd()) readDomainClause(cursor, type, context)
}

function readDomainClause(cursor: SqlCursor, type: UserType, context: SqlContext): void {
  const name = readConstraintName(cursor)
  if (cursor.take('not', 'null')) type.isRequired = true
  else if (cursor.word() === 'check' && cursor.isSign('(', 1)) {
    cursor.at += 1
    const { start, end, tokens } = cursor.group()
    const text = context.text.slice(start, end)
    type.checks.push({ name, text, tokens, start, clauses: readInlineClauses(cursor, context) })
  } else if (cursor.take('default')) {
    do cursor.skip()
    while (!cursor.isAtEnd() && !/^(?:constraint|not|null|check|collate)$/.test(cursor.word()))
  } else if (!cursor.take('null') && !cursor.isAtEnd()) {
    const from = cursor.at
    do cursor.skip()
    while (!cursor.isAtEnd() && !/^(?:constraint|not|null|check|default)$/.test(cursor.word()))
    type.unread.push(canonicalTokens(cursor.tokens.slice(from, cursor.at)))
  }
}

/** Reads what follows ALTER TYPE and ALTER DOMAIN. */
export function alterType(cursor: SqlCursor, context: SqlContext): void {
  const from = cursor.at
  const type = context.types.find(cursor.parts(false))
  if (type === undefined) {
    cursor.at = from
    cursor.reject('The script does not create this type before it changes it.')
  }
  if (cursor.take('rename')) rename(cursor, type, context)
  else if (cursor.take('add', 'value')) addValue(cursor, type)
  else if (cursor.word(1) === 'attribute') {
    do alterAttribute(cursor, type, context)
    while (cursor.takeSign(','))
  } else if (cursor.take('set', 'not', 'null')) type.isRequired = true
  else if (cursor.take('drop', 'not', 'null')) type.isRequired = false
  else if (cursor.take('add')) readDomainClause(cursor, type, context)
  else if (cursor.take('drop', 'constraint')) dropCheck(cursor, type)
  else if (cursor.take('validate', 'constraint')) validateCheck(type, cursor.name())
  else if (!/^(?:owner|set|drop)$/.test(cursor.word())) {
    cursor.reject('This change of a type is not read.')
  }
}

function rename(cursor: SqlCursor, type: UserType, { types }: SqlContext): void {
  if (cursor.take('to')) types.rename(type, cursor.name())
  else if (cursor.take('value')) {
    const before = cursor.takeText()
    if (!cursor.take('to')) cursor.fail('TO')
    const after = cursor.takeText()
    type.words = type.words?.map((word) => (word === before ? (after ?? word) : word)) ?? []
  } else if (cursor.take('attribute')) {
    const before = cursor.name()
    if (!cursor.take('to')) cursor.fail('TO')
    const attribute = type.attributes?.find(({ name }) => name === before)
    if (attribute !== undefined) attribute.name = cursor.name()
  }
}

function addValue(cursor: SqlCursor, type: UserType): void {
  cursor.take('if', 'not', 'exists')
  const word = cursor.takeText() ?? cursor.fail('a value')
  const words = (type.words ??= [])
  if (words.length > 0 && words.at(-1) === word) return
  words.push(word)
}

function alterAttribute(cursor: SqlCursor, type: UserType, context: SqlContext): void {
  const verb = cursor.word()
  cursor.at += 2
  if (!cursor.take('if', 'exists')) cursor.take('if', 'not', 'exists')
  const attributes = (type.attributes ??= [])
  if (verb === 'add') attributes.push(readAttribute(cursor, context))
  else {
    const name = cursor.name()
    const at = attributes.findIndex((attribute) => attribute.name === name)
    const attribute = attributes[at]
    if (attribute === undefined) cursor.reject('The type has no such attribute here.')
    if (verb === 'drop') attributes.splice(at, 1)
    else {
      cursor.take('set', 'data')
      cursor.take('type')
      attribute.type = readType(cursor, context) ?? attribute.type
    }
  }
  while (!isElementEnd(cursor)) cursor.skip()
}

function validateCheck({ checks }: UserType, name: string): void {
  for (const check of checks) {
    if (check.name === name) check.clauses = check.clauses.filter((one) => one !== 'not valid')
  }
}

function dropCheck(cursor: SqlCursor, type: UserType): void {
  const isOptional = cursor.take('if', 'exists')
  const name = cursor.name()
  const at = type.checks.findIndex((check) => check.name === name)
  if (at !== -1) type.checks.splice(at, 1)
  else if (!isOptional) {
    cursor.at -= 1
    cursor.reject('The domain has no such constraint here.')
  }
}
