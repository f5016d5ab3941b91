// The canonical form of SQL: its tokens, without comments and layout.

import { scanSql, type SqlToken } from './scan.ts'
import type { Platform } from '../types/native-type.ts'

/** Writes tokens in canonical form: one blank between two, words in lower case, the rest in quotes of one kind. */
export function canonicalTokens(tokens: readonly SqlToken[]): string {
  return tokens.map(canonicalToken).join(' ')
}

function canonicalToken({ kind, text }: SqlToken): string {
  if (kind === 'word') return text.toLowerCase()
  if (kind === 'text') return `'${text.replaceAll("'", "''")}'`
  return kind === 'name' ? `"${text.replaceAll('"', '""')}"` : text
}

/**
 * Returns the canonical form of a SQL script, equal for equal meaning regardless of layout, comments and the
 * case of words. Descriptions (COMMENT ON statements and COMMENT clauses) are left out. The quotes of names
 * count.
 */
export function canonicalSql(text: string, platform?: Platform): string {
  const lines: string[] = []
  for (const { tokens } of scanSql(text, platform, { withTemplates: true })) {
    if (isWord(tokens[0], 'comment') && isWord(tokens[1], 'on')) continue
    const kept = withoutDescriptions(tokens)
    if (kept.length > 0) lines.push(canonicalTokens(kept))
  }
  return lines.join(' ;\n')
}

function withoutDescriptions(tokens: readonly SqlToken[]): SqlToken[] {
  const kept: SqlToken[] = []
  for (let at = 0; at < tokens.length; at += 1) {
    const token = tokens[at]
    if (token === undefined) continue
    const value = tokens[at + 1]?.text === '=' ? at + 2 : at + 1
    if (isWord(token, 'comment') && tokens[value]?.kind === 'text') at = value
    else kept.push(token)
  }
  return kept
}

function isWord(token: SqlToken | undefined, word: string): boolean {
  return token?.kind === 'word' && token.text.toLowerCase() === word
}
