/** One value that a combobox offers. */
export interface Choice {
  value: string
  label: string
  /** A second text that is searched too, such as an id. */
  detail?: string | undefined
  /** The depth in a tree, from 0; search results are not indented. */
  depth?: number
  /** The heading above it; choices of one group follow each other. */
  group?: string
  /** Why it cannot be chosen; undefined = it can. */
  reason?: string | undefined
}

/**
 * Returns values as choices, each with its title or as it is. `any` is the title of an empty value that comes
 * first, for filters.
 */
export function toChoices(
  values: readonly (string | readonly [value: string, title: string])[],
  any?: string,
): Choice[] {
  const choices = values.map((one) => {
    const [value, label] = typeof one === 'string' ? [one, one] : one
    return { value, label }
  })
  return any === undefined ? choices : [{ value: '', label: any }, ...choices]
}

/** The most rows that a list shows; typing narrows it down. */
export const CHOICES_SHOWN_MAX = 200

/**
 * Returns the choices that contain every word of a text in their label, detail or group, in any case
 * and with any accents. Those that begin with the text come first. An empty text matches all.
 */
export function filterChoices(choices: readonly Choice[], text: string): readonly Choice[] {
  const words = fold(text).split(/\s+/).filter(Boolean)
  if (words.length === 0) return choices
  const query = words.join(' ')
  const matches = choices.flatMap((choice) => {
    const texts = [choice.label, choice.detail ?? '', choice.group ?? ''].map(fold)
    const all = texts.join(' ')
    if (!words.every((word) => all.includes(word))) return []
    return [{ choice, isStart: texts.some((one) => one.startsWith(query)) }]
  })
  return matches
    .toSorted((a, b) => Number(b.isStart) - Number(a.isStart))
    .map(({ choice }) => choice)
}

/**
 * Returns the choice that a typed text selects: the only one whose label or value equals it, or the
 * only one that matches it at all; undefined = none or several.
 */
export function resolveChoice(choices: readonly Choice[], text: string): Choice | undefined {
  const query = fold(text).trim()
  if (query === '') return undefined
  const open = choices.filter(({ reason }) => reason === undefined)
  const equal = open.filter(({ label, value }) => fold(label) === query || fold(value) === query)
  const matches = equal.length > 0 ? equal : filterChoices(open, text)
  return matches.length === 1 ? matches[0] : undefined
}

/** A move of the active row: by steps, or to the first or the last one. */
export type Move = number | 'first' | 'last'

/**
 * Returns the index of the row that becomes active; -1 = none. Steps of one wrap around, longer ones
 * stop at the ends. From no row, a step forward leads to the first, a step back to the last.
 */
export function moveActive(count: number, active: number, move: Move): number {
  if (count === 0) return -1
  if (move === 'first') return 0
  if (move === 'last') return count - 1
  if (active === -1) return move > 0 ? 0 : count - 1
  const next = active + move
  if (Math.abs(move) === 1) return (next + count) % count
  return Math.min(Math.max(next, 0), count - 1)
}

/** Returns the index of the next choice after `active` whose label begins with a text; -1 = none. */
export function findByPrefix(choices: readonly Choice[], active: number, text: string): number {
  const query = fold(text)
  // A text that grows may still mean the active row; a single letter means the next one.
  const start = text.length > 1 ? Math.max(active, 0) : active + 1
  for (let step = 0; step < choices.length; step += 1) {
    const at = (start + step) % choices.length
    if (fold(choices[at]?.label ?? '').startsWith(query)) return at
  }
  return -1
}

function fold(text: string): string {
  return text.normalize('NFKD').replaceAll(/\p{M}/gu, '').replaceAll('_', ' ').toLowerCase()
}
