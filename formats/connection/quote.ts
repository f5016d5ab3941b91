// The quoting of values in what people paste. Values have no control characters when they are written.

/** Writes a word of a POSIX shell, in which nothing is expanded. */
export function shellWord(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`
}

/** Writes a text of Python. */
export function pythonText(text: string): string {
  return JSON.stringify(text)
}

/** Writes a text of SQL as DuckDB reads it. */
export function duckdbText(text: string): string {
  return `'${text.replaceAll("'", "''")}'`
}

/** Writes a value of a JDBC URL of SQL Server, where braces enclose other characters than those of names. */
export function bracedValue(text: string): string {
  return isPlain(text) ? text : `{${text.replaceAll('}', '}}')}}`
}

const PLAIN = /^[\w.~-]+$/

/** Returns whether a text has only characters that no part of an address escapes. */
export function isPlain(text: string): boolean {
  return PLAIN.test(text)
}

/** Encodes a part of an address. */
export function urlPart(text: string): string {
  return encodeURIComponent(text).replaceAll(/[!'()*]/g, (character) => {
    return `%${character.charCodeAt(0).toString(16).toUpperCase()}`
  })
}

/** Writes the query of an address, without values that are empty; '' if all are. */
export function urlQuery(values: Readonly<Record<string, string>>): string {
  const parts = Object.entries(values).filter(([, value]) => value !== '')
  if (parts.length === 0) return ''
  return `?${parts.map(([name, value]) => `${name}=${urlPart(value)}`).join('&')}`
}
