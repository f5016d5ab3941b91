// Matches models or fields of two versions: by name, or, for renamed members, by being the only one that is otherwise
// equal.

interface Named {
  name: string
}

interface Match<T> {
  before: T
  after: T
  /** Whether the name changed. */
  renamed: boolean
}

interface Matches<T> {
  /** In the order of the newer version. */
  pairs: Match<T>[]
  removed: T[]
  added: T[]
  /** Whether the order of the matched members changed. */
  isReordered: boolean
}

/**
 * Matches the members of two lists by name; members with the same name are matched in order. `describe` returns a
 * text of all properties except the name; unmatched members whose text is unique and equal were renamed.
 */
export function matchNamed<T extends Named>(
  before: readonly T[],
  after: readonly T[],
  describe: (member: T) => string,
): Matches<T> {
  const aligned = alignedPairs(before, after)
  if (aligned !== undefined) return aligned
  const { partners, isTaken } = matchByName(before, after)
  matchRenamed(before, after, { partners, isTaken }, describe)
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

// Fast path: usually no member was added, removed or moved, so no table is needed.
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

// Matches by position. There may be many members, so no lists or tables of members are created.
interface Partners {
  /** The position of the older member for each newer member. */
  partners: Int32Array
  /** 1 for each older member that has a partner. */
  isTaken: Uint8Array
}

// Members with the same name form a chain from the first to the last.
function matchByName<T extends Named>(before: readonly T[], after: readonly T[]): Partners {
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

function matchRenamed<T>(
  before: readonly T[],
  after: readonly T[],
  { partners, isTaken }: Partners,
  describe: (member: T) => string,
): void {
  if (!isTaken.includes(0) || !partners.includes(NONE)) return
  const befores = findUnique(before, (at) => isTaken[at] === 0, describe)
  const afters = findUnique(after, (place) => partners[place] === NONE, describe)
  for (const [text, place] of afters) {
    const at = befores.get(text)
    if (at === undefined || at === NONE || place === NONE) continue
    partners[place] = at
    isTaken[at] = 1
  }
}

// The positions of unmatched members by their text; NONE if several members have the same text.
function findUnique<T>(
  members: readonly T[],
  isOpen: (at: number) => boolean,
  describe: (member: T) => string,
): ReadonlyMap<string, number> {
  const positions = new Map<string, number>()
  members.forEach((member, at) => {
    if (!isOpen(at)) return
    const text = describe(member)
    positions.set(text, positions.has(text) ? NONE : at)
  })
  return positions
}
