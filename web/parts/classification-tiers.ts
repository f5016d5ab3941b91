/** A tier of a classification scheme, such as `Confidential`. */
export interface ClassificationTier {
  id: string
  name: string
  /** Higher tiers need more protection. */
  level: number | undefined
  color: string | undefined
  description: string | undefined
  /** The name of its scheme. */
  scheme: string
}

/** Finds the tier that a document names by its name or id, in any letter case. */
export function findTier(
  tiers: readonly ClassificationTier[],
  name: string,
): ClassificationTier | undefined {
  const key = name.trim().toLowerCase()
  return tiers.find((tier) => tier.name.toLowerCase() === key || tier.id.toLowerCase() === key)
}

/**
 * Returns the classification with the highest level. Names without a tier count only if no name has one; then the first
 * is returned.
 */
export function findHighest(
  tiers: readonly ClassificationTier[],
  names: readonly string[],
): string | undefined {
  let highest: { name: string; level: number } | undefined
  for (const name of names) {
    const tier = findTier(tiers, name)
    const level = tier?.level ?? -1
    if (tier !== undefined && (highest === undefined || level > highest.level)) {
      highest = { name, level }
    }
  }
  return highest?.name ?? names[0]
}
