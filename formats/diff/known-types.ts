// The platforms' own types of two versions, each read once and each pair compared once. A contract has few types, each at
// many fields; and what is nested in a type stands in the text of every type around it.

import { compareNativeTypes } from '../schema/types/compare-types.ts'
import type { NativeType, Platform } from '../schema/types/native-type.ts'
import { readNativeType } from '../schema/types/read-type.ts'
import { matchNamed } from './match.ts'
import type { Verdict } from './model-changes.ts'
import { compareFlags, together } from './verdict.ts'

// Where no platform is told, the word means the smaller of two sizes that platforms give it; so no growth is missed.
const UNTOLD: ReadonlyMap<string, Platform> = new Map([['float', 'databricks']])

const CONTAINERS: ReadonlySet<string> = new Set(['array', 'map', 'object'])

type InnerFields = NonNullable<NativeType['fields']>

/** Reads and compares the types of two versions. */
export class KnownTypes {
  readonly #read = new Map<string, NativeType>()
  readonly #verdicts = new Map<NativeType, Map<NativeType, Verdict>>()

  /** Reads a type's text; what no table of the platform knows is looked for in those of all others. */
  read(text: string, platform: Platform | undefined): NativeType {
    const known = this.#read.get(`${platform} ${text}`)
    if (known !== undefined) return known
    const own = readNativeType(text, platform ?? UNTOLD.get(text.trim().toLowerCase()))
    const native = own.logicalType === 'unknown' ? readNativeType(text) : own
    this.#read.set(`${platform} ${text}`, native)
    if (native === own) this.#keepParts(native, platform)
    return native
  }

  /**
   * Compares two types by their values. Two that hold others differ as much as these do: one field more in a structure
   * is a promise more, and the order of its fields says nothing.
   */
  compare(before: NativeType, after: NativeType): Verdict {
    if (!isSameContainer(before, after)) return compareNativeTypes(before, after)
    if (before === after) return 'same'
    const verdicts = this.#verdicts.get(before) ?? new Map<NativeType, Verdict>()
    const known = verdicts.get(after)
    if (known !== undefined) return known
    const verdict = together([
      this.#compareParts(before.items, after.items),
      this.#compareParts(before.keys, after.keys),
      this.#compareParts(before.values, after.values),
      this.#compareFields(before.fields, after.fields),
    ])
    this.#verdicts.set(before, verdicts.set(after, verdict))
    return verdict
  }

  // The fields that were built from a type have its parts' texts; these need not be read again at each level.
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
    if (before === undefined || after === undefined) return compareTold(before, after)
    return this.compare(before, after)
  }

  #compareFields(before: InnerFields | undefined, after: InnerFields | undefined): Verdict {
    if (before === undefined || after === undefined) return compareTold(before, after)
    const { pairs, removed, added } = matchNamed(before, after, () => '')
    const verdicts = pairs.flatMap(({ before: one, after: other, renamed }): Verdict[] =>
      renamed
        ? ['different']
        : [this.compare(one.type, other.type), compareFlags(one.required, other.required)],
    )
    if (removed.length > 0) verdicts.push('wider')
    if (added.length > 0) verdicts.push('narrower')
    return together(verdicts)
  }
}

// What is told for the first time promises more.
function compareTold(before: object | undefined, after: object | undefined): Verdict {
  return compareFlags(before !== undefined, after !== undefined)
}

function isSameContainer(before: NativeType, after: NativeType): boolean {
  return (
    CONTAINERS.has(before.logicalType) &&
    before.logicalType === after.logicalType &&
    before.format === after.format
  )
}
