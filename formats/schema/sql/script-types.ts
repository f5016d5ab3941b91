// The types of columns: those of the platform, and those that the script defines with CREATE TYPE and CREATE DOMAIN.

import type { SqlCondition } from './check.ts'
import type { NativeType, Platform } from '../types/native-type.ts'
import { readNativeType } from '../types/read-type.ts'

/** A type that the script defines. It can change after columns use it. */
export interface UserType {
  name: string
  /** The values of an enumeration. */
  words?: string[]
  /** The attributes of a composite type. */
  attributes?: { name: string; type: ColumnType }[]
  /** The type under a domain or an alias. */
  base?: ColumnType
  isRequired: boolean
  /** The conditions of a domain, which call the value `value`. */
  checks: (SqlCondition & { name: string | undefined; clauses: string[] })[]
}

/** The type of a column: a type of the platform, or one that the script defines, with the depth of its array. */
export type ColumnType =
  | { native: NativeType }
  | { text: string; userType: UserType; arrays: number }

/** Composite types contain each other at most this deep. */
const DEPTH_MAX = 16

/** Reads the types of a script. */
export class SqlTypes {
  readonly #platform: Platform | undefined
  readonly #isFlat: boolean
  readonly #userTypes = new Map<string, UserType>()
  /** Types of the platform by their text: a script has many columns of few types. */
  readonly #natives = new Map<string, NativeType>()

  /** `isFlat`: the number of dimensions of an array has no meaning, as in PostgreSQL. */
  constructor(platform: Platform | undefined, isFlat = platform === 'postgresql') {
    this.#platform = platform
    this.#isFlat = isFlat
  }

  /** Adds a type that the script defines. */
  define(parts: readonly string[], type: Partial<UserType>): UserType {
    const name = parts.at(-1) ?? ''
    const defined: UserType = { name, isRequired: false, checks: [], ...type }
    this.#userTypes.set(name.toLowerCase(), defined)
    return defined
  }

  /** Finds a type that the script defines by its name, with or without a schema. */
  find(parts: readonly string[]): UserType | undefined {
    return this.#userTypes.get(parts.at(-1)?.toLowerCase() ?? '')
  }

  rename(type: UserType, name: string): void {
    this.#userTypes.delete(type.name.toLowerCase())
    type.name = name
    this.#userTypes.set(name.toLowerCase(), type)
  }

  read(text: string): ColumnType {
    const userType = this.#userTypes.size === 0 ? undefined : this.#readUserType(text)
    return userType ?? { native: this.readNative(text) }
  }

  /** Reads a type of the platform; unknown if the platform has no such type. */
  readNative(text: string): NativeType {
    let native = this.#natives.get(text)
    if (native === undefined) {
      native = readNativeType(this.#isFlat ? toOneDimension(text) : text, this.#platform)
      this.#natives.set(text, native)
    }
    return native
  }

  isKnown(text: string): boolean {
    if (this.#userTypes.size > 0 && this.#readUserType(text) !== undefined) return true
    return this.readNative(text).logicalType !== 'unknown'
  }

  #readUserType(text: string): ColumnType | undefined {
    if (text.length > 500) return undefined
    const bare = text.replace(/(?:\s*\[\d*\])+$/, '')
    const dimensions = text.slice(bare.length).split('[').length - 1
    const arrays = this.#isFlat ? Math.min(dimensions, 1) : dimensions
    const name = (bare.trim().split('.').at(-1) ?? bare).replaceAll(/["[\]`]/g, '')
    const userType = this.#userTypes.get(name.toLowerCase())
    if (userType === undefined) return undefined
    return { text: arrays === 0 ? name : `${name}${'[]'.repeat(arrays)}`, userType, arrays }
  }
}

// Only the end of the text can be the dimensions of an array.
function toOneDimension(text: string): string {
  return text.length > 500 ? text : text.replace(/(?:\[\d*\]\s*)+$/, '[]')
}

/**
 * Returns what the values of a type are, as the script defines it at its end. `takePart` counts the parts of types that
 * the script defines: a few lines could define millions of them.
 */
export function resolveType(type: ColumnType, takePart: () => boolean): NativeType {
  return resolve(type, 0, takePart)
}

/** Returns the domains that a type is based on, outermost first. */
export function listDomains(type: ColumnType | undefined): UserType[] {
  const domains: UserType[] = []
  let at = type
  while (at !== undefined && 'userType' in at && at.arrays === 0 && domains.length < DEPTH_MAX) {
    domains.push(at.userType)
    at = at.userType.base
  }
  return domains
}

function resolve(type: ColumnType, depth: number, takePart: () => boolean): NativeType {
  if ('native' in type) return type.native
  const { text, userType, arrays } = type
  let native: NativeType
  if (depth > DEPTH_MAX || !takePart()) native = { text: userType.name, logicalType: 'unknown' }
  else if (userType.words !== undefined) {
    native = { text: userType.name, logicalType: 'string', enum: [...userType.words] }
  } else if (userType.attributes !== undefined) {
    native = { text: userType.name, logicalType: 'object', fields: [] }
    for (const { name, type: inner } of userType.attributes) {
      if (!takePart()) break
      native.fields?.push({ name, type: resolve(inner, depth + 1, takePart), required: false })
    }
  } else if (userType.base !== undefined) native = resolve(userType.base, depth + 1, takePart)
  else native = { text: userType.name, logicalType: 'unknown' }
  for (let level = 1; level <= arrays; level += 1) {
    const isLast = level === arrays && userType.base === undefined
    native = {
      text: isLast ? text : `${native.text}[]`,
      logicalType: 'array',
      items: native,
    }
  }
  return native
}
