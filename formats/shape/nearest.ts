// Suggests the intended field for a misspelt name.

const DISTANCE_MAX = 2
const NAME_CHARS_MAX = 40

/** Returns the known name that differs from a name in at most two letters (one if it is short), or only in case. */
export function nearestName(name: string, known: Iterable<string>): string | undefined {
  if (name.length > NAME_CHARS_MAX) return undefined
  let nearest: string | undefined
  let best = name.length <= 4 ? 1 : DISTANCE_MAX
  for (const candidate of known) {
    if (Math.abs(candidate.length - name.length) > best) continue
    const distance = editDistance(name.toLowerCase(), candidate.toLowerCase())
    if (distance > best || (distance === best && nearest !== undefined)) continue
    nearest = candidate
    best = distance
  }
  return nearest
}

/**
 * Returns the minimum number of letters to add, remove, replace or swap to turn one text into the other. The caller
 * limits the length of both.
 */
export function editDistance(a: string, b: string): number {
  let twoBack: number[] = []
  let previous = Array.from({ length: b.length + 1 }, (_, at) => at)
  for (let row = 1; row <= a.length; row += 1) {
    const current = [row]
    for (let at = 1; at <= b.length; at += 1) {
      const same = a[row - 1] === b[at - 1]
      const swapped = row > 1 && at > 1 && a[row - 1] === b[at - 2] && a[row - 2] === b[at - 1]
      current[at] = Math.min(
        (previous[at] ?? 0) + 1,
        (current[at - 1] ?? 0) + 1,
        (previous[at - 1] ?? 0) + (same ? 0 : 1),
        swapped ? (twoBack[at - 2] ?? 0) + 1 : Number.POSITIVE_INFINITY,
      )
    }
    twoBack = previous
    previous = current
  }
  return previous[b.length] ?? 0
}
