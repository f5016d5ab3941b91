const COLLATOR = new Intl.Collator('en', { numeric: true })

/** Compares texts as people count: `t_3` comes before `t_22`. */
export function compareNaturally(a: string, b: string): number {
  return COLLATOR.compare(a, b)
}
