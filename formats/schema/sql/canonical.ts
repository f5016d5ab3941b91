// The canonical form of parts of SQL: their tokens, without comments and layout.

import { scanSql, type SqlToken } from './scan.ts'

/** Writes the text of a part of a statement in canonical form. */
export function canonicalSql(text: string): string {
  return canonicalTokens(scanSql(text, undefined).flatMap(({ tokens }) => tokens))
}

/** Writes tokens in canonical form: one blank between two, words in lower case, the rest in quotes of one kind. */
export function canonicalTokens(tokens: readonly SqlToken[]): string {
  return tokens.map(canonicalToken).join(' ')
}

function canonicalToken({ kind, text }: SqlToken): string {
  if (kind === 'word') return text.toLowerCase()
  if (kind === 'text') return `'${text.replaceAll("'", "''")}'`
  return kind === 'name' ? `"${text.replaceAll('"', '""')}"` : text
}
