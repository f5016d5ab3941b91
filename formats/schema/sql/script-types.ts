// The types of columns: those of the platform, and those that the script defines with CREATE TYPE and CREATE DOMAIN.

import type { SqlCondition } from './check.ts'
import type { NativeType, Platform } from '../types/native-type.ts'
import { hashText } from '../hash-text.ts'
import { readNativeType } from '../types/read-type.ts'

/** A type that the script defines. It can change after columns use it. */
export interface UserType {
  name: string
  /** The schema that its definition names. */
  schema: string | undefined
  /** The values of an enumeration. */
  words?: string[]
  /** The attributes of a composite type. */
  attributes?: { name: string; type: ColumnType }[]
  /** The type under a domain or an alias. */
  base?: ColumnType
  isRequired: boolean
  /** Clauses that a model cannot express, in canonical form. */
  unread: string[]
  /** The conditions of a domain, which call the value `value`. */
  checks: (SqlCondition & { name: string | undefined; clauses: string[] })[]
}

/** The type of a column: a type of the platform, or one that the script defines, with the depth of its array. */
export type ColumnType =
  | { native: NativeType }
  | { text: string; userType: UserType; arrays: number }

/** The types of a script when its models are built. */
export interface TypeContext {
  types: SqlTypes
  /** Counts the parts of types that the script defines; false if there were too many. */
  takePart: () => boolean
}

/** Composite types contain each other at most this deep. */
const DEPTH_MAX = 16

/** Reads the types of a script. */
export class SqlTypes {
  readonly #platform: Platform | undefined
  readonly #isFlat: boolean
  readonly #userTypes = new Map<string, UserType>()
  /** Types of the platform by their text: a script has many columns of few types. */
  readonly #natives = new Map<string, NativeType>()

  /** The rules of types that models do not contain, at the end of the script. */
  readonly #hidden = new Map<UserType, readonly string[]>()
  readonly #hiddenInArrays = new Map<UserType, readonly string[]>()
  #allRules: readonly string[] | undefined
  #listed = 0

  /** `isFlat`: the number of dimensions of an array has no meaning, as in PostgreSQL. */
  constructor(platform: Platform | undefined, isFlat = platform === 'postgresql') {
    this.#platform = platform
    this.#isFlat = isFlat
  }

  /** Adds a type that the script defines. */
  define(parts: readonly string[], type: Partial<UserType>): UserType {
    const name = parts.at(-1) ?? ''
    const defined: UserType = {
      name,
      schema: parts.at(-2),
      isRequired: false,
      unread: [],
      checks: [],
      ...type,
    }
    this.#userTypes.set(name.toLowerCase(), defined)
    return defined
  }

  /** Finds a type that the script defines by its name, with or without a schema. */
  find(parts: readonly string[]): UserType | undefined {
    return this.#userTypes.get(parts.at(-1)?.toLowerCase() ?? '')
  }

  /** Drops a type that the script defines; false if it defines none of this name. */
  drop(parts: readonly string[]): boolean {
    return this.#userTypes.delete(parts.at(-1)?.toLowerCase() ?? '')
  }

  /** Drops the types whose definitions name a schema, and returns their names. */
  dropSchema(schema: string): string[] {
    const folded = schema.toLowerCase()
    const dropped = [...this.#userTypes.values()].filter(
      (type) => type.schema?.toLowerCase() === folded,
    )
    return dropped.flatMap(({ name }) => (this.drop([name]) ? [name] : []))
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

  /**
   * Lists the rules of a type, as the script defines it at its end, that the model of a column does not contain: those of
   * types inside arrays and composite types, and clauses that are not read. In a script with very many, all rules of all
   * types are the rules of each.
   */
  listHiddenRules(type: ColumnType | undefined): readonly string[] {
    if (type === undefined || 'native' in type) return []
    const known = type.arrays > 0 ? this.#hiddenInArrays : this.#hidden
    const cached = known.get(type.userType) ?? this.#allRules
    if (cached !== undefined) return cached
    const types = listUserTypes([type], LISTED_MAX)
    this.#listed += types.size
    const rules = [...types].flatMap(([one, isInside]) => listRules(one, isInside))
    known.set(type.userType, rules)
    if (this.#listed <= LISTED_MAX) return rules
    const all = [...this.#userTypes.values()].flatMap((one) => listRules(one, true))
    this.#allRules = [hashText(all.join('\n'))]
    return this.#allRules
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

/** The types inside a type that are looked at for the texts of one column. */
const INNER_MAX = 256

/** The types inside types whose rules are listed, in all. */
const LISTED_MAX = 20_000

/** Lists the texts in which a type names other parts of the database: the names and conditions of types. */
export function listTypeTexts(type: ColumnType | undefined): string[] {
  return [...listUserTypes([type], INNER_MAX).keys()].flatMap(({ name, checks }) => [
    name,
    ...checks.map(({ text }) => text),
  ])
}

function listRules({ unread, checks, isRequired }: UserType, isInside: boolean): string[] {
  if (!isInside) return unread
  const conditions = checks.map(({ text, clauses }) => [text, ...clauses].join('; '))
  return [...unread, ...conditions, ...(isRequired ? ['not null'] : [])]
}

// The types that the script defines in types, and whether they are inside an array or a composite type.
function listUserTypes(
  types: readonly (ColumnType | undefined)[],
  max: number,
): Map<UserType, boolean> {
  const found = new Map<UserType, boolean>()
  const pending = types.map((type): [ColumnType | undefined, boolean] => [type, false])
  for (const [at, isInside] of pending) {
    if (at === undefined || 'native' in at || found.size > max) continue
    const { userType, arrays } = at
    if (found.has(userType)) continue
    found.set(userType, isInside || arrays > 0)
    pending.push([userType.base, isInside || arrays > 0])
    for (const attribute of userType.attributes ?? []) pending.push([attribute.type, true])
  }
  return found
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
