/**
 * Builds an id of lower-case letters, digits and hyphens from a name: `Sales, Köln` becomes `sales-koln`.
 * Empty if the name has no letter or digit of the Latin alphabet.
 */
export function toSlug(name: string, charactersMax: number): string {
  return name
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll(/\p{M}/gu, '')
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-+/g, '')
    .slice(0, charactersMax)
    .replaceAll(/-+$/g, '')
}
