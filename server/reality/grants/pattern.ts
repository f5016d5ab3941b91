/** A pattern of the names that a platform gives to consumers: `dp_{product}_reader`. */
export interface NamePattern {
  /** The text before and after the id. */
  before: string
  after: string
  subject: 'team' | 'data-product' | 'user'
}

const SUBJECTS = { team: 'team', product: 'data-product', email: 'user' } as const

/** The maximum length of a pattern. */
export const PATTERN_CHARACTERS_MAX = 200

/** The advice for an invalid pattern. */
export const PATTERN_ADVICE =
  'must contain {product}, {team} or {email} exactly once, and no other braces'

/** Parses a pattern; undefined if it has no placeholder, or several. */
export function parsePattern(text: string): NamePattern | undefined {
  const match = /^([^{}]*)\{(team|product|email)\}([^{}]*)$/.exec(text)
  if (match === null) return undefined
  const [, before = '', name = '', after = ''] = match
  const subject = Object.entries(SUBJECTS).find(([key]) => key === name)?.[1]
  return subject === undefined ? undefined : { before, after, subject }
}
