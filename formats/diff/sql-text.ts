// Compares SQL texts by their tokens, as far as that is safe without knowing their dialect.

// In comments a line break has a meaning, and after a backslash or a dollar sign the end of a text depends on the
// dialect.
const DIALECT_SPECIFIC = /--|\/\*|\/\/|#|\\|\$/

// Quoted texts and names stay as they are.
const QUOTED_OR_SPACE = /'[^']*'|"[^"]*"|`[^`]*`|\s+/g

/** Returns a text that is equal for SQL texts that differ only in white space between their tokens. */
export function normalizeSql(text: string): string {
  if (DIALECT_SPECIFIC.test(text)) return text
  const trimmed = text.trim()
  return trimmed.replaceAll(QUOTED_OR_SPACE, (part) => (/^\s/.test(part) ? ' ' : part))
}
