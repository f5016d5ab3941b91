/** Colours that distinguish neighbours; `theme.css` has two shades of each with sufficient contrast. */
export const HUES = [
  'blue',
  'teal',
  'green',
  'olive',
  'orange',
  'rose',
  'purple',
  'indigo',
] as const

/** One of them. */
export type Hue = (typeof HUES)[number]

/** Returns the colour of a person, team or domain: always the same for the same id. */
export function getHue(id: string): Hue {
  // FNV-1a, whose last bits differ for ids that differ in their last letter only.
  let hash = 0x811c9dc5
  for (const character of id) {
    hash = Math.imul(hash ^ (character.codePointAt(0) ?? 0), 0x01000193)
  }
  return HUES[(hash >>> 0) % HUES.length] ?? 'indigo'
}

const SEPARATORS = /[\s._\-/@]+/u

/** Returns up to two letters for a name: `AL` of Ada Lindqvist, `WF` of wagon-fleet. */
export function getInitials(name: string): string {
  const local = /^[^@\s]+@/u.test(name) ? name.slice(0, name.indexOf('@')) : name
  const words = local.split(SEPARATORS).filter((word) => /[\p{L}\p{N}]/u.test(word))
  const [first, last] = [words[0], words.length > 1 ? words.at(-1) : undefined]
  const letters = [first, last].map((word) => /[\p{L}\p{N}]/u.exec(word ?? '')?.[0] ?? '')
  return letters.join('').toUpperCase() || '?'
}
