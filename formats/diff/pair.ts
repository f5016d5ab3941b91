// Which member of a list is which in the next version of it, when the order of the list means nothing.

import { canonicalText } from '../canonical.ts'
import { portKey } from '../data-product/fields.ts'
import { compareText } from '../problem.ts'
import type { Shape } from '../shape.ts'
import { fieldOf, isObject, textOf, type Value } from '../value.ts'

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

type KeyOf = (item: Value) => string | undefined

// What the members of a list are recognized by; those of other lists by all that they say.
const KEYS: ReadonlyMap<string, KeyOf> = new Map([
  ['authoritativeDefinitions', (item: Value) => joined(item, ['type', 'url'])],
  ['customProperties', (item: Value) => joined(item, ['property'])],
  ['managementPorts', (item: Value) => joined(item, ['name'])],
])

/** Fields that a port is called by; a port that differs in no other field was renamed. */
export const PORT_NAME_FIELDS: readonly string[] = ['id', 'name', 'version']

/** Pairs the members of a list by what they are called; members that are equal are left out. */
export function pairMembers(
  list: string,
  before: readonly Value[],
  after: readonly Value[],
  options: { shape: Shape; isOdps: boolean },
): Pair[] {
  const textOfItem = (item: Value) => canonicalText(item, options.shape)
  const open = new OpenMembers(before, after, textOfItem)
  if (list !== 'inputPorts' && list !== 'outputPorts') {
    return [...open.pairBy(KEYS.get(list) ?? textOfItem), ...open.rest()]
  }
  const withoutName = (item: Value) => textOfItem(nameless(item))
  if (!options.isOdps) {
    return [...open.pairBy(idOf), ...open.pairSingles(withoutName, true), ...open.rest()]
  }
  return [
    ...open.pairBy(odpsKey),
    ...open.pairSingles(nameOf, false, (a, b) => isVersionless(a) !== isVersionless(b)),
    ...open.pairSingles(idOf, true),
    ...open.pairSingles(withoutName, true),
    ...open.rest(),
  ]
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

  /** Pairs members of one key, the first with the first and so on. */
  pairBy(keyOf: KeyOf): Pair[] {
    const groups = grouped(this.#before.toReversed(), keyOf)
    return this.#paired(false, (after) => groups.get(keyOf(after.item) ?? '')?.pop())
  }

  /** Pairs members whose key no other open member has. */
  pairSingles(keyOf: KeyOf, renamed: boolean, accept: Accept = () => true): Pair[] {
    const befores = grouped(this.#before, keyOf)
    const afters = grouped(this.#after, keyOf)
    return this.#paired(renamed, (after) => {
      const key = keyOf(after.item) ?? ''
      const [before, ...others] = befores.get(key) ?? []
      const isSingle = others.length === 0 && afters.get(key)?.length === 1
      return before !== undefined && isSingle && accept(before.item, after.item)
        ? before
        : undefined
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

// Members by what they say, in its order; the second of two that say the same is another one.
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

function joined(item: Value, fields: readonly string[]): string | undefined {
  const texts = fields.map((field) => textOf(fieldOf(item, field)))
  return texts.includes(undefined) ? undefined : JSON.stringify(texts)
}

function idOf(item: Value): string | undefined {
  return textOf(fieldOf(item, 'id'))
}

function nameOf(item: Value): string | undefined {
  return textOf(fieldOf(item, 'name'))
}

function odpsKey(item: Value): string | undefined {
  const name = nameOf(item)
  return name === undefined ? undefined : portKey(name, textOf(fieldOf(item, 'version')))
}

function isVersionless(item: Value): boolean {
  return (textOf(fieldOf(item, 'version')) ?? '') === ''
}

function nameless(item: Value): Value {
  if (!isObject(item)) return item
  return Object.fromEntries(
    Object.entries(item).filter(([name]) => !PORT_NAME_FIELDS.includes(name)),
  )
}
