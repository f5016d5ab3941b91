// Which model or field is which in the next version: the one of the same name, or the only one that is the same in all
// but its name.

interface Named {
  name: string
}

export interface Match<T> {
  before: T
  after: T
  /** It is called something else now. */
  renamed: boolean
}

export interface Matches<T> {
  /** In the order of the newer version. */
  pairs: Match<T>[]
  removed: T[]
  added: T[]
  /** Whether the remaining members have another order. */
  isReordered: boolean
}

/**
 * Matches members of two lists by name; of equal names the first with the first, and so on. `describe`
 * returns everything but the name; unmatched members with a unique equal description were renamed.
 */
export function matchNamed<T extends Named>(
  before: readonly T[],
  after: readonly T[],
  describe: (member: T) => string,
): Matches<T> {
  const aligned = alignedPairs(before, after)
  if (aligned !== undefined) return aligned
  const { partners, isTaken } = byName(before, after)
  takeRenamed(before, after, { partners, isTaken }, describe)
  const pairs: Match<T>[] = []
  let last = NONE
  let isReordered = false
  for (let place = 0; place < after.length; place += 1) {
    const at = partners[place] ?? NONE
    const [one, other] = [before[at], after[place]]
    if (one === undefined || other === undefined) continue
    if (at < last) isReordered = true
    last = at
    pairs.push({ before: one, after: other, renamed: one.name !== other.name })
  }
  return {
    pairs,
    removed: before.filter((_, at) => isTaken[at] === 0),
    added: after.filter((_, place) => partners[place] === NONE),
    isReordered,
  }
}

// Nearly always nothing came, went or moved; then no table is needed.
function alignedPairs<T extends Named>(
  before: readonly T[],
  after: readonly T[],
): Matches<T> | undefined {
  if (before.length !== after.length) return undefined
  const pairs: Match<T>[] = []
  for (let at = 0; at < after.length; at += 1) {
    const [one, other] = [before[at], after[at]]
    if (one === undefined || other === undefined || one.name !== other.name) return undefined
    pairs.push({ before: one, after: other, renamed: false })
  }
  return { pairs, removed: [], added: [], isReordered: false }
}

const NONE = -1

// Which member is which, by their positions: no lists and tables of members are made, because there may be many of them.
interface Partners {
  /** For each newer member the position of the older one. */
  partners: Int32Array
  /** For each older member 1 when it has a partner. */
  isTaken: Uint8Array
}

// Members of one name are a chain, from the first to the last.
function byName<T extends Named>(before: readonly T[], after: readonly T[]): Partners {
  const first = new Map<string, number>()
  const next = new Int32Array(before.length)
  for (let at = before.length - 1; at >= 0; at -= 1) {
    const name = before[at]?.name ?? ''
    next[at] = first.get(name) ?? NONE
    first.set(name, at)
  }
  const isTaken = new Uint8Array(before.length)
  const partners = Int32Array.from(after, ({ name }) => {
    const at = first.get(name)
    if (at === undefined || isTaken[at] === 1) return NONE
    isTaken[at] = 1
    const another = next[at] ?? NONE
    if (another !== NONE) first.set(name, another)
    return at
  })
  return { partners, isTaken }
}

function takeRenamed<T>(
  before: readonly T[],
  after: readonly T[],
  { partners, isTaken }: Partners,
  describe: (member: T) => string,
): void {
  if (!isTaken.includes(0) || !partners.includes(NONE)) return
  const befores = singles(before, (at) => isTaken[at] === 0, describe)
  const afters = singles(after, (place) => partners[place] === NONE, describe)
  for (const [text, place] of afters) {
    const at = befores.get(text)
    if (at === undefined || at === NONE || place === NONE) continue
    partners[place] = at
    isTaken[at] = 1
  }
}

// The positions of open members by description; NONE for descriptions that are not unique.
function singles<T>(
  members: readonly T[],
  isOpen: (at: number) => boolean,
  describe: (member: T) => string,
): ReadonlyMap<string, number> {
  const found = new Map<string, number>()
  members.forEach((member, at) => {
    if (!isOpen(at)) return
    const text = describe(member)
    found.set(text, found.has(text) ? NONE : at)
  })
  return found
}
