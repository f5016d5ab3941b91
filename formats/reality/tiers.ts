// Classifications: a contract names the tier of a field, and tags of a column may name another tier of the same scheme.

/** The classification schemes of an organization, each as the names and ids of its tiers. */
export type ClassificationTiers = readonly (readonly ClassificationTier[])[]

interface ClassificationTier {
  id: string
  name: string
}

/**
 * Returns the tag that names another tier of the scheme that a classification belongs to. Undefined if none does, or one
 * names the same tier: an absent tag proves nothing.
 */
export function findOtherTier(
  classification: string,
  tags: readonly string[],
  schemes: ClassificationTiers,
): string | undefined {
  if (tags.length === 0) return undefined
  const scheme = schemes.find((tiers) => findTier(classification, tiers) !== undefined)
  if (scheme === undefined) return undefined
  const wanted = findTier(classification, scheme)
  let other: string | undefined
  for (const tag of tags) {
    const tier = findTier(tag, scheme) ?? findTier(getTagValue(tag), scheme)
    if (tier === wanted && tier !== undefined) return undefined
    if (tier !== undefined) other ??= tag
  }
  return other
}

function findTier(word: string, tiers: readonly ClassificationTier[]) {
  const folded = word.trim().toLowerCase()
  return tiers.find(({ id, name }) => id.toLowerCase() === folded || name.toLowerCase() === folded)
}

// The tags of platforms are pairs: `sensitivity:confidential`, `governance.tier=secret`.
function getTagValue(tag: string): string {
  return tag.slice(Math.max(tag.lastIndexOf(':'), tag.lastIndexOf('=')) + 1)
}
