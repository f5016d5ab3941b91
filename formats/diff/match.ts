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
  /** What stayed stands in another order. */
  isReordered: boolean
}

/**
 * Matches members of two lists by name; of several of one name the first with the first, and so on. `describe` says all
 * of a member but its name; two that are left over and alone in saying the same were renamed.
 */
export function matchNamed<T extends Named>(
  before: readonly T[],
  after: readonly T[],
  describe: (member: T) => string,
): Matches<T> {
  const aligned = alignedPairs(before, after)
  if (aligned !== undefined) return aligned
  const found = byName(before, after)
  const { open, added } = found
  const renames = renamesIn([...open], added, describe)
  for (const [one, other] of renames) {
    found.partners.set(other, one)
    open.delete(one)
  }
  const positions = new Map(before.map((member, at) => [member, at]))
  const pairs: Match<T>[] = []
  let last = -1
  let isReordered = false
  for (const one of after) {
    const partner = found.partners.get(one)
    if (partner === undefined) continue
    const at = positions.get(partner) ?? 0
    if (at < last) isReordered = true
    last = at
    pairs.push({ before: partner, after: one, renamed: partner.name !== one.name })
  }
  const gone = added.filter((one) => !found.partners.has(one))
  return { pairs, removed: [...open], added: gone, isReordered }
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

function byName<T extends Named>(before: readonly T[], after: readonly T[]) {
  const named = new Map<string, T[]>()
  for (const member of before.toReversed()) {
    const same = named.get(member.name)
    if (same === undefined) named.set(member.name, [member])
    else same.push(member)
  }
  const open = new Set(before)
  const partners = new Map<T, T>()
  const added: T[] = []
  for (const member of after) {
    const partner = named.get(member.name)?.pop()
    if (partner === undefined) {
      added.push(member)
    } else {
      partners.set(member, partner)
      open.delete(partner)
    }
  }
  return { open, partners, added }
}

function renamesIn<T>(
  removed: readonly T[],
  added: readonly T[],
  describe: (member: T) => string,
): [T, T][] {
  if (removed.length === 0 || added.length === 0) return []
  const [befores, afters] = [singles(removed, describe), singles(added, describe)]
  return [...afters].flatMap(([text, after]): [T, T][] => {
    const before = befores.get(text)
    return before === undefined || after === undefined ? [] : [[before, after]]
  })
}

// Members by what they say; undefined where several say the same.
function singles<T>(members: readonly T[], describe: (member: T) => string) {
  const found = new Map<string, T | undefined>()
  for (const member of members) {
    const text = describe(member)
    found.set(text, found.has(text) ? undefined : member)
  }
  return found
}
