// Which member of a list is which in the next version of it, when the order of the list means nothing.

import { canonicalText } from '../shape/canonical.ts'
import { compareText } from '../text/problem.ts'
import { chosen, type Shape } from '../shape/shape.ts'
import { fieldOf, isObject, textOf, type Value } from '../text/value.ts'
import { shapeOfField } from './same.ts'

/** A member of a list and its position. */
export interface Member {
  at: number
  item: Value
}

/** A member before and after; one of them is missing where it was added or removed. */
export interface Pair {
  before: Member | undefined
  after: Member | undefined
  /** It is called something else now. */
  renamed: boolean
}

/** Gives what a member is called by; undefined or '' when it has no such name. */
export type KeyOf = (item: Value) => string | undefined

/** One way to find the partner of a member among those that have none yet. */
export interface Recognition {
  keyOf: KeyOf
  /** Only members whose key no other open member has; else the first is paired with the first, and so on. */
  single?: boolean
  /** Partners that are found in this way were renamed. */
  renamed?: boolean
  accept?: (before: Value, after: Value) => boolean
}

/**
 * Pairs the members of a list by one identifier after the other, leaving out equal members. `textOfItem`
 * returns the full text of a member.
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
  #before: Member[]
  #after: Member[]

  constructor(
    before: readonly Value[],
    after: readonly Value[],
    textOfItem: (item: Value) => string,
  ) {
    const beforeTexts = byText(before, textOfItem)
    const afterTexts = byText(after, textOfItem)
    this.#before = [...beforeTexts].flatMap(([text, one]) => (afterTexts.has(text) ? [] : [one]))
    this.#after = [...afterTexts].flatMap(([text, one]) => (beforeTexts.has(text) ? [] : [one]))
  }

  /** Pairs members in one way. */
  pair({ keyOf, single = false, renamed = false, accept = () => true }: Recognition): Pair[] {
    return single ? this.#pairSingles(keyOf, renamed, accept) : this.#pairBy(keyOf)
  }

  #pairBy(keyOf: KeyOf): Pair[] {
    const groups = grouped(this.#before.toReversed(), keyOf)
    return this.#paired(false, (after) => groups.get(keyOf(after.item) ?? '')?.pop())
  }

  #pairSingles(keyOf: KeyOf, renamed: boolean, accept: Accept): Pair[] {
    const keys = new Map(this.#after.map(({ item }) => [item, keyOf(item)]))
    const befores = grouped(this.#before, keyOf)
    const afters = grouped(this.#after, (item) => keys.get(item))
    return this.#paired(renamed, ({ item }) => {
      const key = keys.get(item) ?? ''
      const [before, ...others] = befores.get(key) ?? []
      const isSingle = others.length === 0 && afters.get(key)?.length === 1
      return before !== undefined && isSingle && accept(before.item, item) ? before : undefined
    })
  }

  /** Gives what is left: what was removed and what was added. */
  rest(): Pair[] {
    return [
      ...this.#before.map((before) => ({ before, after: undefined, renamed: false })),
      ...this.#after.map((after) => ({ before: undefined, after, renamed: false })),
    ]
  }

  #paired(renamed: boolean, partnerOf: (after: Member) => Member | undefined): Pair[] {
    const pairs: Pair[] = []
    const taken = new Set<Member>()
    const open: Member[] = []
    for (const after of this.#after) {
      const before = partnerOf(after)
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

// Members by text, in order; of two equal ones the second is distinct.
function byText(
  items: readonly Value[],
  textOfItem: (item: Value) => string,
): ReadonlyMap<string, Member> {
  const times = new Map<string, number>()
  const members = items.map((item, at): [string, Member] => {
    const text = textOfItem(item)
    const time = (times.get(text) ?? 0) + 1
    times.set(text, time)
    return [`${text} ${time}`, { at, item }]
  })
  return new Map(members.toSorted(([a], [b]) => compareText(a, b)))
}

function grouped(members: readonly Member[], keyOf: KeyOf): ReadonlyMap<string, Member[]> {
  const groups = new Map<string, Member[]>()
  for (const member of members) {
    const key = keyOf(member.item)
    if (key === undefined || key === '') continue
    const group = groups.get(key)
    if (group === undefined) groups.set(key, [member])
    else group.push(member)
  }
  return groups
}

/** Joins several texts of a member to one key; undefined when one of them is missing. */
export function joined(item: Value, fields: readonly string[]): string | undefined {
  const texts = fields.map((field) => textOf(fieldOf(item, field)))
  return texts.includes(undefined) ? undefined : JSON.stringify(texts)
}

/** Gives an object without some of its fields. */
export function without(item: Value, fields: readonly string[]): Value {
  if (!isObject(item)) return item
  return Object.fromEntries(Object.entries(item).filter(([name]) => !fields.includes(name)))
}

/** Returns the text of an object without some of its fields, equal for equal meaning by a shape. */
export function textWithout(item: Value, fields: readonly string[], shape: Shape): string {
  if (!isObject(item)) return canonicalText(item, shape)
  const rule = chosen(shape, item)
  const names = Object.keys(item).filter((name) => !fields.includes(name))
  const texts = names
    .toSorted(compareText)
    .flatMap((name) => [name, canonicalText(item[name] ?? null, shapeOfField(rule, name))])
  return JSON.stringify(texts)
}
