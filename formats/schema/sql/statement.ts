// What a single statement is about.

import type { SqlCursor } from './cursor.ts'
import type { SqlToken } from './scan.ts'
import { isStart } from './split-statements.ts'

/**
 * Skips what encloses a statement, `IF OBJECT_ID('t') IS NULL CREATE TABLE …` or `BEGIN CREATE TABLE …`; true if the
 * statement is conditional.
 */
export function skipGuard(cursor: SqlCursor): boolean {
  if (!/^(?:if|begin|end|else|delimiter)$/.test(cursor.word())) return false
  const isGuarded = cursor.word() === 'if'
  const { tokens } = cursor
  for (let at = 1; at < tokens.length; at += 1) {
    cursor.at = at
    if (isStart(cursor)) return isGuarded
  }
  cursor.at = 0
  return isGuarded
}

/** Returns true for a call of SQL Server's `sp_rename`. */
export function isRename(cursor: SqlCursor): boolean {
  let at = 0
  if (/^exec(?:ute)?$/.test(cursor.word())) at = 1
  while (at < 6 && cursor.isSign('.', at + 1)) at += 2
  const token = cursor.token(at)
  return token?.text.toLowerCase() === 'sp_rename'
}

/** The object that a CREATE statement creates. */
export interface CreatedObject {
  kind: 'table' | 'view' | 'type' | 'domain' | 'index' | 'other'
  isReplacing: boolean
  isUnique: boolean
  isTemporary: boolean
  /** With whose rights a view reads, `secure`, `sql security invoker`; '' for the default. */
  security: string
}

/** Reads what CREATE creates; before TABLE there may be OR REPLACE, TEMPORARY, EXTERNAL and more. */
export function takeObject(cursor: SqlCursor): CreatedObject {
  const object: CreatedObject = {
    kind: 'other',
    isReplacing: false,
    isUnique: false,
    isTemporary: false,
    security: '',
  }
  for (let words = 0; words < 12; words += 1) {
    const word = cursor.word()
    cursor.at += 1
    if (word === 'or') object.isReplacing = true
    if (word === 'unique') object.isUnique = true
    if (word === 'temp' || word === 'temporary') object.isTemporary = true
    if (word === 'secure' || word === 'invoker') object.security = word
    switch (word) {
      case 'table':
      case 'view':
      case 'type':
      case 'domain':
      case 'index':
        return { ...object, kind: word }
      case 'function':
      case 'procedure':
      case 'trigger':
      case 'policy':
      case 'schema':
      case 'database':
      case 'sequence':
        return object
      default:
    }
    // MySQL: `create definer = u@h sql security invoker view v`
    if (
      word === '' &&
      !cursor.isSign('=', -1) &&
      !cursor.isSign('@', -1) &&
      cursor.token(-1)?.kind === 'sign'
    )
      return object
  }
  return object
}

// Statements that change no definition: they handle data, sessions, rights and storage, or are commands of clients. Code
// that is executed counts by what it seems to do.
const HARMLESS =
  /^(?:create|alter|drop|comment|select|insert|update|delete|merge|replace|upsert|copy|load|unload|truncate|with|values|table|analyze|vacuum|explain|describe|desc|show|set|reset|use|begin|start|commit|end|abort|rollback|save|savepoint|release|prepare|execute|exec|call|do|deallocate|declare|fetch|open|close|if|else|while|return|print|raiserror|throw|waitfor|go|delimiter|lock|unlock|notify|listen|unlisten|refresh|checkpoint|cluster|reindex|discard|flush|optimize|repair|msck|check|kill|grant|revoke|deny|security|import|export|backup|restore|put|get|list|ls|add|cache|uncache|clear|connect|disconnect|prompt|spool|whenever|define|undefine|column|exit|quit|pause|host|accept|rem|remark|pragma|source|assert|export|suspend|resume)?$/

/** Returns true for a statement that is not executed here and may change what tables promise. */
export function mayChangePromises({ tokens }: SqlCursor): boolean {
  const [first] = tokens
  if (first?.kind !== 'word') return false
  return !HARMLESS.test(first.text.toLowerCase())
}

const CHANGES_TABLES =
  /\b(?:create|alter|drop|rename)\s+(?:\w+\s+){0,3}?(?:table|view|type|domain|column)\b/i

const RUNNERS = /^(?:do|exec|execute|call|begin|declare|prepare|set|if)$/

/** Returns true for code that a statement executes and that seems to change tables: `DO $$ … $$`, `EXEC('…')`. */
export function runsHiddenChange(tokens: readonly SqlToken[]): boolean {
  if (!RUNNERS.test(tokens[0]?.text.toLowerCase() ?? '')) return false
  return tokens.some(({ kind, text }) => kind === 'text' && CHANGES_TABLES.test(text))
}
