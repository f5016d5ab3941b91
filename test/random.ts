/** Returns a number from 0 (inclusive) to 1, which depends only on the seed and on earlier calls. */
export type Random = () => number

/** Creates a random generator (mulberry32). */
export function newRandom(seed: number): Random {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let value = Math.imul(state ^ (state >>> 15), 1 | state)
    value = (value + Math.imul(value ^ (value >>> 7), 61 | value)) ^ value
    return ((value ^ (value >>> 14)) >>> 0) / 2 ** 32
  }
}

/** Returns some of the values, without repetitions, in their order. */
export function sample<T>(values: readonly T[], count: number, random: Random): T[] {
  const ranks = new Map(values.map((value) => [value, random()]))
  const chosen = new Set(
    values.toSorted((a, b) => (ranks.get(a) ?? 0) - (ranks.get(b) ?? 0)).slice(0, count),
  )
  return values.filter((value) => chosen.has(value))
}
