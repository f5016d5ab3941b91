const CHARACTERS_MAX = 100

/** Proposes an id for a name: lower-case letters, digits and dashes. Empty if the name has neither. */
export function proposeId(name: string): string {
  const plain = name.normalize('NFKD').replaceAll(/\p{M}/gu, '').toLowerCase()
  return plain
    .replaceAll(/[^a-z0-9]+/g, '-')
    .slice(0, CHARACTERS_MAX)
    .replaceAll(/^-+|-+$/g, '')
}
