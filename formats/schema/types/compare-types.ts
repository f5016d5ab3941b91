// Orders types by their values. A contract promises values, so a type with more of them breaks it.
//
// The order is a relation between two types that depends on nothing else: `holds` is true of a type and itself, and if
// it is true of two steps, it is true of both together. So no sequence of harmless changes adds up to a breaking one.
// A test checks this for all types of all platforms.

import type { NativeType } from './native-type.ts'
import { holdsNumber, isNumeric } from './number-order.ts'

/**
 * `narrower`: every value of the later type is one of the earlier type; `wider`: the other way round.
 */
export type TypeChange = 'same' | 'narrower' | 'wider' | 'different'

/** Compares two types by their values, regardless of their names. Undefined is not a type at all, which allows any value. */
export function compareNativeTypes(
  before: NativeType | undefined,
  after: NativeType | undefined,
  order: TypeOrder = new TypeOrder(),
): TypeChange {
  const isHeld = order.holds(before, after)
  const isHolding = order.holds(after, before)
  if (isHeld) return isHolding ? 'same' : 'narrower'
  return isHolding ? 'wider' : 'different'
}

// A search compares a vector with all others, so one of another length or elements has no place there.
function isSameVector(outer: NativeType, inner: NativeType): boolean {
  const { dimensions, elementType } = outer.vector ?? {}
  if (elementType === undefined || dimensions === undefined) {
    return isSameText(outer.text, inner.text)
  }
  return inner.vector?.dimensions === dimensions && inner.vector.elementType === elementType
}

/** Returns whether nothing is known about the values of a type: its text is in no table, or that of its contents. */
export function isUnread({ logicalType, items, keys, values }: NativeType): boolean {
  if (logicalType === 'unknown') return true
  return [items, keys, values].some((part) => part !== undefined && isUnread(part))
}

/** The type of a member of a structure that has none: it allows any value. */
export const ANY_TYPE: NativeType = { text: '', logicalType: 'unknown' }

type InnerFields = NonNullable<NativeType['fields']>

/**
 * The order of types, which decides each pair of types with contents once: a nested type is compared again with each
 * field that it describes.
 */
export class TypeOrder {
  readonly #decided = new WeakMap<NativeType, WeakMap<NativeType, boolean>>()

  /**
   * Returns whether the values of `inner` are all values of `outer`. A type that is not read only holds itself, and
   * nothing is known to hold it, not even the absence of a type.
   */
  holds(outer: NativeType | undefined, inner: NativeType | undefined): boolean {
    if (outer === inner) return true
    if (inner === undefined || outer === undefined) return inner !== undefined && !isUnread(inner)
    const isWhole = !hasParts(outer) && !hasParts(inner)
    if (isWhole) return this.#decide(outer, inner)
    const decided = this.#decided.get(outer) ?? new WeakMap<NativeType, boolean>()
    const before = decided.get(inner)
    if (before !== undefined) return before
    const isHeld = this.#decide(outer, inner)
    this.#decided.set(outer, decided.set(inner, isHeld))
    return isHeld
  }

  #decide(outer: NativeType, inner: NativeType): boolean {
    const { readings: one } = outer
    const { readings: other } = inner
    if (one === undefined && other === undefined) return this.#holdsRead(outer, inner)
    // A word that platforms disagree about means the same platform on both sides, but any of them.
    const at = [...(one ?? other ?? []).keys()]
    return at.every((index) => this.#holdsRead(one?.[index] ?? outer, other?.[index] ?? inner))
  }

  #holdsRead(outer: NativeType, inner: NativeType): boolean {
    if (outer.logicalType === 'unknown' || inner.logicalType === 'unknown') {
      return outer.logicalType === inner.logicalType && isSameText(outer.text, inner.text)
    }
    if (isNumeric(outer) && isNumeric(inner)) return holdsNumber(outer, inner)
    if (outer.logicalType !== inner.logicalType || outer.format !== inner.format) return false
    if (outer.logicalType === 'vector') return isSameVector(outer, inner)
    if (outer.detail !== undefined && outer.detail !== inner.detail) return false
    return holdsScalar(outer, inner) && this.#holdsParts(outer, inner)
  }

  #holdsParts(outer: NativeType, inner: NativeType): boolean {
    return (
      this.holds(outer.items, inner.items) &&
      this.holds(outer.keys, inner.keys) &&
      this.holds(outer.values, inner.values) &&
      this.#holdsFields(outer.fields, inner.fields)
    )
  }

  // An added field of a structure is an added promise, and the order of its fields has no meaning.
  #holdsFields(outer: InnerFields | undefined, inner: InnerFields | undefined): boolean {
    if (outer === undefined) return true
    if (inner === undefined) return false
    const named = new Map<string, InnerFields>()
    for (const field of inner.toReversed()) {
      const same = named.get(field.name)
      if (same === undefined) named.set(field.name, [field])
      else same.push(field)
    }
    return outer.every(({ name, type, required }) => {
      const partner = named.get(name)?.pop()
      if (partner === undefined || (required && !partner.required)) return false
      return this.holds(getDefined(type), getDefined(partner.type))
    })
  }
}

function getDefined(type: NativeType): NativeType | undefined {
  return type === ANY_TYPE ? undefined : type
}

function hasParts({ items, keys, values, fields }: NativeType): boolean {
  return (items ?? keys ?? values ?? fields) !== undefined
}

function isSameText(a: string, b: string): boolean {
  return a === b || normalizeText(a) === normalizeText(b)
}

function normalizeText(text: string): string {
  return text.trim().toLowerCase().replaceAll(/\s+/g, ' ')
}

function holdsScalar(outer: NativeType, inner: NativeType): boolean {
  const { logicalType } = outer
  if (logicalType === 'string' || logicalType === 'binary') return holdsText(outer, inner)
  const isMoment = logicalType === 'time' || logicalType === 'timestamp'
  return !isMoment || holdsMoment(outer, inner)
}

// With and without a time zone, the same text has two meanings; a type that does not define it may have either.
function holdsMoment(outer: NativeType, inner: NativeType): boolean {
  const isSameZone = outer.withTimeZone === undefined || outer.withTimeZone === inner.withTimeZone
  return isSameZone && (inner.scale ?? Infinity) <= (outer.scale ?? Infinity)
}

function holdsText(outer: NativeType, inner: NativeType): boolean {
  // A `char(10)` is padded to its length: it has fewer texts than a `varchar(10)`.
  if (isPadded(outer) && !isPadded(inner)) return false
  // An `nvarchar` of SQL Server has all characters, a `varchar` those of its code page.
  if (isNational(inner) && !isNational(outer)) return false
  if (outer.isBasic === true && inner.isBasic === undefined) return false
  if (outer.isExact === true) return inner.isExact === true && outer.maxLength === inner.maxLength
  return holdsLength(outer, inner) && holdsWords(outer.enum, inner.enum)
}

// A character has at most four bytes.
const CHARACTER_BYTES_MAX = 4

function holdsLength(outer: NativeType, inner: NativeType): boolean {
  const isCountedInBytes = outer.inBytes === true && inner.inBytes !== true
  const length = (inner.maxLength ?? Infinity) * (isCountedInBytes ? CHARACTER_BYTES_MAX : 1)
  return length <= (outer.maxLength ?? Infinity)
}

/** Returns whether shorter texts of a type are filled with blanks. */
export function isPadded({ text }: NativeType): boolean {
  return /^(?:n?char|bpchar|binary)\b(?! varying)/.test(text) || /^CHAR\b/.test(text)
}

/** Returns whether the texts of a type have all characters, on a platform with types that do not. */
export function isNational({ text, isBasic }: NativeType): boolean {
  return isBasic === undefined && /^n(?:var)?char\b|^(?:ntext|sysname)$/.test(text)
}

function holdsWords(outer: string[] | undefined, inner: string[] | undefined): boolean {
  if (outer === undefined) return true
  return inner !== undefined && new Set(inner).isSubsetOf(new Set(outer))
}
