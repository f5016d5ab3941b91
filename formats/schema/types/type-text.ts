// Writes nested types in the spelling of each platform.

import type { NativeType, Platform } from './native-type.ts'

const PLAIN_NAME = /^[\p{L}_][\p{L}\p{N}_]*$/u

/** Writes the parameters of a type, `(10,2)`; an empty text if there are none. */
export function parametersText(parameters: readonly string[]): string {
  return parameters.length === 0 ? '' : `(${parameters.join(',')})`
}

/** Writes a name inside a type, in quotes if necessary. */
export function innerName(name: string, platform: Platform | undefined): string {
  if (PLAIN_NAME.test(name)) return name
  return platform === 'snowflake'
    ? `"${name.replaceAll('"', '""')}"`
    : `\`${(platform === 'bigquery' ? name.replaceAll(/[\\`\p{Cc}]/gu, '_') : name).replaceAll('`', '``')}\``
}

/**
 * Writes a type that contains others: `ARRAY<INT64>`, `integer[]`, `struct<a:int>`, `OBJECT(a VARCHAR
 * NOT NULL)`.
 */
export function nestedText(
  name: string,
  { items, keys, values, fields }: Omit<NativeType, 'text'>,
  platform: Platform | undefined,
): string {
  if (platform === 'postgresql' && items !== undefined) return `${items.text}[]`
  const [open, close] = platform === 'snowflake' ? ['(', ')'] : ['<', '>']
  if (items !== undefined) return `${name}${open}${items.text}${close}`
  if (keys !== undefined && values !== undefined) {
    const between = platform === 'snowflake' ? ', ' : ','
    return `${name}${open}${keys.text}${between}${values.text}${close}`
  }
  const isSpaced = platform === 'snowflake' || platform === 'bigquery'
  const written = (fields ?? []).map((field) => {
    const required = field.required ? ' NOT NULL' : ''
    return `${innerName(field.name, platform)}${isSpaced ? ' ' : ':'}${field.type.text}${required}`
  })
  return `${name}${open}${written.join(isSpaced ? ', ' : ',')}${close}`
}
