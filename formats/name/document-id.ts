const ID_CHARACTERS_MAX = 256

// Bidirectional controls can make one id look like another.
const UNUSABLE_CHARACTER = /[\p{Cc}\p{Cs}\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069/]/u

/** Returns why a text cannot be an id that may have slashes, as `findIdProblem` does. */
export function findSlashIdProblem(id: string): string | undefined {
  const parts = id.split('/')
  if (parts.length > 1 && parts.includes('')) {
    return 'has an empty part; write one slash between two parts, and none at the ends'
  }
  const whole = findIdProblem(id.replaceAll('/', '_'))
  return whole ?? parts.map(findIdProblem).find((problem) => problem !== undefined)
}

/** Returns why a text cannot be an id, as the end of a sentence; undefined = it can. */
export function findIdProblem(id: string): string | undefined {
  if (id === '') return 'is empty'
  if (id === '.' || id === '..') return 'is a dot segment, which clients and proxies remove'
  // Counted as people and schemas count: a character beyond the basic plane is one, not two.
  if (id.length > ID_CHARACTERS_MAX && Array.from(id).length > ID_CHARACTERS_MAX)
    return `is longer than ${ID_CHARACTERS_MAX} characters`
  if (/^[a-z][a-z0-9+.-]*:\/\//i.test(id)) return 'is a URI; use its last part, or a URN'
  if (UNUSABLE_CHARACTER.test(id)) return 'has a slash, a control character or half a character'
  return undefined
}
