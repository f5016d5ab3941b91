/** Writes names and values in statements. */

/** Quotes a name exactly as it is stored. */
export function quoteName(name: string): string {
  return `"${name.replaceAll('"', '""')}"`
}

/** Quotes a text. Snowflake interprets backslashes in texts. */
export function quoteText(text: string): string {
  return `'${text.replaceAll('\\', '\\\\').replaceAll("'", "''")}'`
}

/**
 * Returns the stored name for an identifier that a person wrote: without quotes, Snowflake stores it in
 * upper case.
 */
export function toStoredName(identifier: string): string {
  const quoted = /^"(.+)"$/s.exec(identifier)?.[1]
  if (quoted !== undefined) return quoted.replaceAll('""', '"')
  return /^[A-Za-z_][\w$]*$/.test(identifier) ? identifier.toUpperCase() : identifier
}
