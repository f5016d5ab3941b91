// Writing of descriptions as comments of SQL.

import type { Losses } from '../losses.ts'
import { truncate } from '../../text/value.ts'
import { type SqlDialect, quotedText } from './quote.ts'

/** Writes the description of a table or column where it follows the definition; empty where it does not. */
export function inlineComment(
  what: 'table' | 'column',
  { description }: { description?: string },
  path: string,
  dialect: SqlDialect,
  losses: Losses,
): string {
  if (description === undefined || description === '') return ''
  if (dialect.comments === 'none') {
    losses.add(path, 'The description cannot be expressed.')
    return ''
  }
  if (dialect.comments === 'statement') return ''
  const max = dialect.commentMax[what]
  const clean = cleanText(description)
  const cut = truncate(clean, max)
  if (cut !== clean) losses.add(path, `The description is cut after ${max} characters.`)
  const text = quotedText(cut, dialect)
  if (dialect.comments === 'options') return ` OPTIONS (description = ${text})`
  return ` ${what === 'table' ? dialect.tableComment : 'COMMENT'} ${text}`
}

/** Writes the description of a table or column as its own statement, in dialects that have one. */
export function statementComment(
  what: 'TABLE' | 'COLUMN',
  name: string,
  description: string | undefined,
  dialect: SqlDialect,
): string[] {
  if (description === undefined || description === '' || dialect.comments !== 'statement') return []
  return [`COMMENT ON ${what} ${name} IS ${quotedText(cleanText(description), dialect)}`]
}

function cleanText(text: string): string {
  return text.replaceAll('\0', '').toWellFormed()
}
