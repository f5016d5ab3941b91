// Caches the native types of two versions, so that each is parsed once and each pair is compared once. A contract has
// few types that many fields use, and the text of a nested type is part of the text of every type around it.

import { compareNativeTypes } from '../schema/types/compare-types.ts'
import type { NativeType, Platform } from '../schema/types/native-type.ts'
import { readNativeType } from '../schema/types/read-type.ts'
import { matchNamed } from './match.ts'
import type { Verdict } from './model-changes.ts'
import { compareFlags, combineVerdicts } from './verdict.ts'

// If no platform is given, the word means the smaller of the sizes that platforms give it, so that no growth is
// missed.
const DEFAULT_PLATFORMS: ReadonlyMap<string, Platform> = new Map([['float', 'databricks']])

const CONTAINERS: ReadonlySet<string> = new Set(['array', 'map', 'object'])

type InnerFields = NonNullable<NativeType['fields']>

/** Parses and compares the types of two versions. */
export class KnownTypes {
  readonly #read = new Map<string, NativeType>()
  readonly #verdicts = new Map<NativeType, Map<NativeType, Verdict>>()

  /**
   * Parses a type; a type that the table of the platform does not contain is looked up in those of all other
   * platforms.
   */
  read(text: string, platform: Platform | undefined): NativeType {
    const cached = this.#read.get(`${platform} ${text}`)
    if (cached !== undefined) return cached
    const own = readNativeType(text, platform ?? DEFAULT_PLATFORMS.get(text.trim().toLowerCase()))
    const native = own.logicalType === 'unknown' ? readNativeType(text) : own
    this.#read.set(`${platform} ${text}`, native)
    if (native === own) this.#keepParts(native, platform)
    return native
  }

  /**
   * Compares two types by their values. Types that contain others differ as much as these do: an added field of a
   * structure is an added promise, and the order of its fields has no meaning.
   */
  compare(before: NativeType, after: NativeType): Verdict {
    if (!isSameContainer(before, after)) return compareNativeTypes(before, after)
    if (before === after) return 'same'
    const verdicts = this.#verdicts.get(before) ?? new Map<NativeType, Verdict>()
    const cached = verdicts.get(after)
    if (cached !== undefined) return cached
    const verdict = combineVerdicts([
      this.#compareParts(before.items, after.items),
      this.#compareParts(before.keys, after.keys),
      this.#compareParts(before.values, after.values),
      this.#compareFields(before.fields, after.fields),
    ])
    this.#verdicts.set(before, verdicts.set(after, verdict))
    return verdict
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

  #compareParts(before: NativeType | undefined, after: NativeType | undefined): Verdict {
    if (before === undefined || after === undefined) return comparePresence(before, after)
    return this.compare(before, after)
  }

  #compareFields(before: InnerFields | undefined, after: InnerFields | undefined): Verdict {
    if (before === undefined || after === undefined) return comparePresence(before, after)
    const { pairs, removed, added } = matchNamed(before, after, () => '')
    const verdicts = pairs.flatMap(({ before: one, after: other, renamed }): Verdict[] =>
      renamed
        ? ['different']
        : [this.compare(one.type, other.type), compareFlags(one.required, other.required)],
    )
    if (removed.length > 0) verdicts.push('wider')
    if (added.length > 0) verdicts.push('narrower')
    return combineVerdicts(verdicts)
  }
}

// A detail that is added promises more.
function comparePresence(before: object | undefined, after: object | undefined): Verdict {
  return compareFlags(before !== undefined, after !== undefined)
}

function isSameContainer(before: NativeType, after: NativeType): boolean {
  return (
    CONTAINERS.has(before.logicalType) &&
    before.logicalType === after.logicalType &&
    before.format === after.format
  )
}
