import { newRecord } from '../../../formats/name/table.ts'
import { invalidValue } from './scim.ts'

// The names of attributes are compared in any letter case (RFC 7643, section 2.1).

/** An object whose members are read by name in lower case. */
export type Attributes = Readonly<Record<string, unknown>>

const SCHEMA_PREFIX = /^urn:ietf:params:scim:schemas:core:2\.0:(?:user|group)[:.]?/

/**
 * Returns the members of an object by their names in lower case, without the URN of their schema; undefined if the value
 * is not an object.
 */
export function readAttributes(value: unknown): Attributes | undefined {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined
  const attributes = newRecord<unknown>()
  for (const [name, member] of Object.entries(value)) attributes[toAttributeName(name)] = member
  return attributes
}

/** Returns the name of an attribute in lower case, without the URN of its schema. */
export function toAttributeName(name: string): string {
  return name.trim().toLowerCase().replace(SCHEMA_PREFIX, '')
}

/**
 * Reads a text. Null, an empty text and an empty list are no value (RFC 7643, section 2.5). Errors: scim_value_invalid.
 */
export function readText(value: unknown, name: string, charactersMax: number): string | null {
  const plain = readPlain(value)
  if (plain === null || plain === undefined) return null
  if (typeof plain !== 'string') throw invalidValue(`"${name}" must be a text.`)
  const text = plain.trim()
  if (text.length > charactersMax) {
    throw invalidValue(`"${name}" may have ${charactersMax} characters at most.`)
  }
  if (/\p{Cc}/u.test(text)) throw invalidValue(`"${name}" must not contain control characters.`)
  return text === '' ? null : text
}

/** Reads a truth value, also as the text that Entra ID sends. Errors: scim_value_invalid. */
export function readBoolean(value: unknown, name: string): boolean {
  const plain = readPlain(value)
  const word = typeof plain === 'string' ? plain.trim().toLowerCase() : plain
  if (word === true || word === 'true') return true
  if (word === false || word === 'false') return false
  throw invalidValue(`"${name}" must be true or false.`)
}

/** Returns a value as a list: a list as it is, one value as a list with one element, null as an empty list. */
export function toList(value: unknown): readonly unknown[] {
  if (value === null || value === undefined) return []
  return Array.isArray(value) ? value : [value]
}

// Some directories send one value as a list, or as an object with a value.
function readPlain(value: unknown): unknown {
  const list = Array.isArray(value) && value.length <= 1 ? toList(value) : [value]
  const [single] = list
  return readAttributes(single)?.value ?? single
}
