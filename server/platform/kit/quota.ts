/** The maximum units in use at a time, such as requests or bytes. */
export interface QuotaLimits {
  /** Units in use in total. */
  totalMax: number
  /** Units in use under one name. */
  perNameMax: number
}

/** The limit that a request would exceed. */
type ExceededLimit = 'total' | 'name'

/** Counts units in use, in total and by name, such as an API key or a client address. */
export interface Quota {
  /** Takes units under all of the names. If that would exceed a limit, takes none and returns the limit. */
  take(names: readonly string[], units: number): ExceededLimit | undefined
  /** Returns units that were taken under the same names. */
  release(names: readonly string[], units: number): void
  /** Returns the limit that one more unit would exceed; undefined if it would be granted. */
  findExceeded(names: readonly string[]): ExceededLimit | undefined
  /** Units in use in total. */
  readonly inUse: number
}

/** Creates an unused quota. */
export function newQuota({ totalMax, perNameMax }: QuotaLimits): Quota {
  const byName = new Map<string, number>()
  let total = 0

  function check(names: readonly string[], units: number): ExceededLimit | undefined {
    // Names are checked first, so that a client over its own limit sees that error even if the total is exceeded.
    for (const name of names) if ((byName.get(name) ?? 0) + units > perNameMax) return 'name'
    return total + units > totalMax ? 'total' : undefined
  }

  return {
    take(names, units) {
      const exceeded = check(names, units)
      if (exceeded !== undefined) return exceeded
      total += units
      for (const name of names) byName.set(name, (byName.get(name) ?? 0) + units)
      return undefined
    },
    release(names, units) {
      total -= units
      for (const name of names) {
        const left = (byName.get(name) ?? 0) - units
        if (left > 0) byName.set(name, left)
        else byName.delete(name)
      }
    },
    findExceeded: (names) => check(names, 1),
    get inUse() {
      return total
    },
  }
}
