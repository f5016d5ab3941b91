/** A new password has at least this many characters. */
export const PASSWORD_CHARACTERS_MIN = 12

const STRONG_CHARACTERS_MIN = 16
const DIFFERENT_CHARACTERS_MIN = 6
const TOLD_CHARACTERS_MIN = 4

/** The strength of a password, with advice. */
export interface PasswordAdvice {
  level: 'short' | 'weak' | 'good' | 'strong'
  /** A sentence for the person. */
  text: string
}

const COMMON =
  /password|passwort|qwerty|qwertz|asdf|letmein|welcome|iloveyou|admin|portbook|12345|23456|34567|45678|56789|abcdef/i

/**
 * Rates a new password. `known` are texts that others know about the person: name, address, organization.
 * The server only requires the length; the rest is advice.
 */
export function passwordAdvice(password: string, known: readonly string[] = []): PasswordAdvice {
  const length = Array.from(password).length
  if (length < PASSWORD_CHARACTERS_MIN) return tooShort(length)
  const lower = password.toLowerCase()
  const different = new Set(lower).size
  if (different < DIFFERENT_CHARACTERS_MIN) {
    return { level: 'weak', text: `Weak: it repeats ${different} characters. Use several words.` }
  }
  if (getWords(known).some((word) => lower.includes(word))) {
    return { level: 'weak', text: 'Weak: it contains your name, address or organization.' }
  }
  if (COMMON.test(password)) {
    return {
      level: 'weak',
      text: 'Weak: it contains a common password. Use several unrelated words.',
    }
  }
  return length < STRONG_CHARACTERS_MIN
    ? { level: 'good', text: 'Good. Another word makes it stronger.' }
    : { level: 'strong', text: 'Strong.' }
}

function tooShort(length: number): PasswordAdvice {
  if (length === 0) {
    return {
      level: 'short',
      text: `At least ${PASSWORD_CHARACTERS_MIN} characters. Four unrelated words are easy to remember.`,
    }
  }
  const missing = PASSWORD_CHARACTERS_MIN - length
  return { level: 'short', text: `${missing} more ${missing === 1 ? 'character' : 'characters'}.` }
}

function getWords(known: readonly string[]): string[] {
  const words = known.flatMap((text) => text.toLowerCase().split(/[^\p{L}\p{N}]+/u))
  return words.filter((word) => word.length >= TOLD_CHARACTERS_MIN)
}
