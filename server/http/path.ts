import { Refusal } from '../errors.ts'

const ID_CHARACTERS_MAX = 256

// Bidirectional controls can make one id look like another.
const UNUSABLE_CHARACTER = /[\p{Cc}\p{Cs}\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069/]/u

/**
 * The path of a request exactly as it was sent, without the query. It must be taken before any URL
 * parser sees it: those remove dot segments, also percent-encoded ones, and so change what is meant.
 */
export function rawPath(target: string): string {
  const path = target.startsWith('/')
    ? target
    : target.replace(/^[a-z][a-z0-9+.-]*:\/\/[^/?#]*/i, '')
  const end = path.search(/[?#]/)
  const alone = end === -1 ? path : path.slice(0, end)
  return alone === '' ? '/' : alone
}

/**
 * Decodes an id out of one raw path segment. Ids are compared as they are, never normalised.
 * Errors: id_unusable.
 */
export function idOf(segment: string): string {
  const id = decoded(segment)
  const problem = problemOfId(id)
  if (problem !== undefined) throw new Refusal('id_unusable', `The id in the path ${problem}.`)
  return id
}

/** What keeps a text from being an id, as the end of a sentence; undefined when it can be one. */
export function problemOfId(id: string): string | undefined {
  if (id === '') return 'is empty'
  if (id === '.' || id === '..') return 'is a dot segment, which clients and proxies remove'
  // Counted as people and schemas count: a character beyond the basic plane is one, not two.
  if (id.length > ID_CHARACTERS_MAX && Array.from(id).length > ID_CHARACTERS_MAX)
    return `is longer than ${ID_CHARACTERS_MAX} characters`
  if (/^[a-z][a-z0-9+.-]*:\/\//i.test(id)) return 'is a URI; use its last part, or a URN'
  if (UNUSABLE_CHARACTER.test(id)) return 'has a slash, a control character or half a character'
  return undefined
}

function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment)
  } catch {
    throw new Refusal('id_unusable', 'The id in the path is not percent-encoded UTF-8.')
  }
}
