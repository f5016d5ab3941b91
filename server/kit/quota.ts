/** Units that may be in use at once: requests, or bytes. */
export interface QuotaLimits {
  /** Units in use altogether. */
  totalMax: number
  /** Units in use under one name. */
  perNameMax: number
}

/** The limit that a request for units would exceed. */
export type ExceededLimit = 'total' | 'name'

/** Counts units in use, altogether and by name, such as an API key or a client address. */
export interface Quota {
  /** Takes units under all names, or none, and returns the limit that they would exceed. */
  take(names: readonly string[], units: number): ExceededLimit | undefined
  /** Returns units that were taken under the same names. */
  release(names: readonly string[], units: number): void
  /** Returns the limit that one more unit would exceed; undefined if it would be granted. */
  findExceeded(names: readonly string[]): ExceededLimit | undefined
  /** Units in use altogether. */
  readonly inUse: number
}

/** Creates an unused quota. */
export function newQuota({ totalMax, perNameMax }: QuotaLimits): Quota {
  const byName = new Map<string, number>()
  let total = 0

  function check(names: readonly string[], units: number): ExceededLimit | undefined {
    // The name is checked first, so that a caller above its own limit gets that error regardless of others.
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
