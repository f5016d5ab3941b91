// Matches the members of two versions of a list whose order has no meaning.

import { canonicalText } from '../shape/canonical.ts'
import { compareText } from '../text/problem.ts'
import { any, fieldShape, resolveShape, type Shape } from '../shape/shape.ts'
import { getField, isObject, asText, type Value } from '../text/value.ts'

/** A member of a list and its position. */
interface ListMember {
  at: number
  item: Value
}

/** A member before and after; one of them is missing if the member was added or removed. */
export interface Pair {
  before: ListMember | undefined
  after: ListMember | undefined
  /** Whether the name changed. */
  renamed: boolean
}

/** Returns the key of a member; undefined or '' if it has none. */
export type KeySelector = (item: Value) => string | undefined

/** A way to match the members that have no partner yet. */
export interface Recognition {
  getKey: KeySelector
  /** Whether only members with a unique key match; otherwise members with the same key are matched in order. */
  single?: boolean
  /** Whether members that match in this way were renamed. */
  renamed?: boolean
  accept?: (before: Value, after: Value) => boolean
}

/**
 * Matches the members of two lists in each of the given ways in turn; equal members are left out. `textOfItem`
 * returns a text of all properties of a member.
 */
export function pairMembers(
  before: readonly Value[],
  after: readonly Value[],
  textOfItem: (item: Value) => string,
  ways: readonly Recognition[],
): Pair[] {
  const open = new OpenMembers(before, after, textOfItem)
  return [...ways.flatMap((way) => open.pair(way)), ...open.rest()]
}

// The members that have no partner yet.
class OpenMembers {
  #before: ListMember[]
  #after: ListMember[]

  constructor(
    before: readonly Value[],
    after: readonly Value[],
    textOfItem: (item: Value) => string,
  ) {
    const beforeTexts = indexByText(before, textOfItem)
    const afterTexts = indexByText(after, textOfItem)
    this.#before = [...beforeTexts].flatMap(([text, one]) => (afterTexts.has(text) ? [] : [one]))
    this.#after = [...afterTexts].flatMap(([text, one]) => (beforeTexts.has(text) ? [] : [one]))
  }

  /** Matches members in one way. */
  pair({ getKey, single = false, renamed = false, accept = () => true }: Recognition): Pair[] {
    return single ? this.#pairSingles(getKey, renamed, accept) : this.#pairBy(getKey)
  }

  #pairBy(getKey: KeySelector): Pair[] {
    const groups = groupByKey(this.#before.toReversed(), getKey)
    return this.#paired(false, (after) => groups.get(getKey(after.item) ?? '')?.pop())
  }

  #pairSingles(getKey: KeySelector, renamed: boolean, accept: Accept): Pair[] {
    const keys = new Map(this.#after.map(({ item }) => [item, getKey(item)]))
    const befores = groupByKey(this.#before, getKey)
    const afters = groupByKey(this.#after, (item) => keys.get(item))
    return this.#paired(renamed, ({ item }) => {
      const key = keys.get(item) ?? ''
      const [before, ...others] = befores.get(key) ?? []
      const isSingle = others.length === 0 && afters.get(key)?.length === 1
      return before !== undefined && isSingle && accept(before.item, item) ? before : undefined
    })
  }

  /** Returns the remaining members, which were removed or added. */
  rest(): Pair[] {
    return [
      ...this.#before.map((before) => ({ before, after: undefined, renamed: false })),
      ...this.#after.map((after) => ({ before: undefined, after, renamed: false })),
    ]
  }

  #paired(renamed: boolean, getPartner: (after: ListMember) => ListMember | undefined): Pair[] {
    const pairs: Pair[] = []
    const taken = new Set<ListMember>()
    const open: ListMember[] = []
    for (const after of this.#after) {
      const before = getPartner(after)
      if (before === undefined) {
        open.push(after)
      } else {
        pairs.push({ before, after, renamed })
        taken.add(before)
      }
    }
    this.#after = open
    this.#before = this.#before.filter((member) => !taken.has(member))
    return pairs
  }
}

type Accept = (before: Value, after: Value) => boolean

// Members by their text, in the order of the texts; repeated texts are numbered.
function indexByText(
  items: readonly Value[],
  textOfItem: (item: Value) => string,
): ReadonlyMap<string, ListMember> {
  const times = new Map<string, number>()
  const members = items.map((item, at): [string, ListMember] => {
    const text = textOfItem(item)
    const time = (times.get(text) ?? 0) + 1
    times.set(text, time)
    return [`${text} ${time}`, { at, item }]
  })
  return new Map(members.toSorted(([a], [b]) => compareText(a, b)))
}

function groupByKey(
  members: readonly ListMember[],
  getKey: KeySelector,
): ReadonlyMap<string, ListMember[]> {
  const groups = new Map<string, ListMember[]>()
  for (const member of members) {
    const key = getKey(member.item)
    if (key === undefined || key === '') continue
    const group = groups.get(key)
    if (group === undefined) groups.set(key, [member])
    else group.push(member)
  }
  return groups
}

/** Joins several texts of a member to one key; undefined if one of them is missing. */
export function joinTexts(item: Value, fields: readonly string[]): string | undefined {
  const texts = fields.map((field) => asText(getField(item, field)))
  return texts.includes(undefined) ? undefined : JSON.stringify(texts)
}

/** Returns an object without some of its fields. */
export function omitFields(item: Value, fields: readonly string[]): Value {
  if (!isObject(item)) return item
  return Object.fromEntries(Object.entries(item).filter(([name]) => !fields.includes(name)))
}

/**
 * Returns the canonical text of an object without some of its fields; equal for all objects that mean the same under
 * a shape.
 */
export function toTextWithout(item: Value, fields: readonly string[], shape: Shape): string {
  if (!isObject(item)) return canonicalText(item, shape)
  const rule = resolveShape(shape, item)
  const names = Object.keys(item).filter((name) => !fields.includes(name))
  const texts = names
    .toSorted(compareText)
    .flatMap((name) => [name, canonicalText(item[name] ?? null, fieldShape(rule, name) ?? any)])
  return JSON.stringify(texts)
}
