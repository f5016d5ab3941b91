// Caches the native types of two versions, so that each is parsed once and each pair is compared once. A contract has
// few types that many fields use, and the text of a nested type is part of the text of every type around it.

import type { Field } from '../schema/model.ts'
import { compareNativeTypes, TypeOrder } from '../schema/types/compare-types.ts'
import type { NativeType, Platform } from '../schema/types/native-type.ts'
import { readNativeType } from '../schema/types/read-type.ts'
import { getTypePlatform } from '../schema/types/type-platform.ts'
import { findRow } from '../schema/types/tables.ts'
import type { Verdict } from './model-changes.ts'

const CONTAINERS: ReadonlySet<string> = new Set(['array', 'map', 'object'])

/** Parses and compares the types of two versions. */
export class KnownTypes {
  readonly #read = new Map<string, NativeType>()
  readonly #fields = new Map<Platform | undefined, WeakMap<Field, NativeType>>()
  readonly #order = new TypeOrder()
  readonly #own: Platform | undefined

  /** `own` is the language of types that the format of the documents defines, if it has one. */
  constructor(own?: Platform) {
    this.#own = own
  }

  /** Parses the type of a field as the reader of its model does; undefined if it has no text. */
  readField(field: Field, platform: Platform | undefined): NativeType | undefined {
    const { physicalType } = field
    if (physicalType === undefined) return undefined
    if (this.#own === undefined) return this.#parse(physicalType, platform)
    const typePlatform = getTypePlatform(field)
    const isOwn =
      typePlatform === undefined &&
      findRow(physicalType.trim().toLowerCase(), this.#own) !== undefined
    return this.#parse(physicalType, isOwn ? this.#own : (typePlatform ?? platform))
  }

  #parse(text: string, platform: Platform | undefined): NativeType {
    const cached = this.#read.get(`${platform} ${text}`)
    if (cached !== undefined) return cached
    const native = readNativeType(text, platform)
    this.#read.set(`${platform} ${text}`, native)
    this.#keepParts(native, platform)
    return native
  }

  /** Returns what `create` returns for a field of a version on a platform, which it is called for once. */
  cacheField(
    field: Field,
    platform: Platform | undefined,
    create: () => NativeType | undefined,
  ): NativeType | undefined {
    const fields = this.#fields.get(platform) ?? new WeakMap<Field, NativeType>()
    const cached = fields.get(field)
    if (cached !== undefined) return cached
    const native = create()
    if (native !== undefined) this.#fields.set(platform, fields.set(field, native))
    return native
  }

  /** Compares two types by their values; undefined is not a type. */
  compare(before: NativeType | undefined, after: NativeType | undefined): Verdict {
    return compareNativeTypes(before, after, this.#order)
  }

  // Fields that were created from a type contain the texts of its parts, which are not parsed again at each level.
  #keepParts({ items, keys, values, fields = [] }: NativeType, platform: Platform | undefined) {
    for (const part of [items, keys, values, ...fields.map(({ type }) => type)]) {
      if (part === undefined || !CONTAINERS.has(part.logicalType)) continue
      const key = `${platform} ${part.text}`
      if (this.#read.has(key)) continue
      this.#read.set(key, part)
      this.#keepParts(part, platform)
    }
  }
}
