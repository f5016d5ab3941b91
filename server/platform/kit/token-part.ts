/** A header or payload of a token: a JSON object in base64url. */

/** The members of a JSON object, without inherited ones. */
export type Members = Readonly<Record<string, unknown>>

/** A decoded part, or what is wrong with it. */
type TokenPart =
  | { kind: 'members'; members: Members }
  | { kind: 'malformed' }
  | { kind: 'repeated' }

/**
 * Decodes a part of a token. A member that appears twice in any object is `repeated`, because two readers could see
 * different values (RFC 8725, section 2.4, RFC 7519, section 4). A text that the database cannot store is malformed.
 */
export function parseTokenPart(text: string): TokenPart {
  try {
    const bytes = Buffer.from(text, 'base64url')
    const json = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
    const value: unknown = JSON.parse(json, rejectUnstorable)
    if (typeof value !== 'object' || value === null || Array.isArray(value)) {
      return { kind: 'malformed' }
    }
    if (hasRepeatedMember(json)) return { kind: 'repeated' }
    return { kind: 'members', members: Object.assign(Object.create(null), value) }
  } catch {
    return { kind: 'malformed' }
  }
}

/** Throws for a text that is not Unicode or contains NUL, and for the name of a prototype. */
function rejectUnstorable(name: string, value: unknown): unknown {
  for (const text of [name, value]) {
    if (typeof text === 'string' && (text.includes('\0') || !text.isWellFormed())) {
      throw new SyntaxError('A text is not Unicode, or contains NUL')
    }
  }
  if (name === '__proto__') throw new SyntaxError('A member has the name of a prototype')
  return value
}

// The texts and signs of a JSON text that has been parsed before.
const TOKENS = /"(?:[^"\\]|\\.)*"|[{}[\]:,]/g

/** Returns whether an object of a valid JSON text has a member twice, however their names are written. */
function hasRepeatedMember(json: string): boolean {
  const open: (Set<string> | undefined)[] = []
  let text = ''
  for (const [token] of json.matchAll(TOKENS)) {
    if (token === '{') open.push(new Set())
    else if (token === '[') open.push(undefined)
    else if (token === '}' || token === ']') open.pop()
    else if (token === ':') {
      const names = open.at(-1)
      const name: unknown = JSON.parse(text)
      if (typeof name !== 'string' || names === undefined || names.has(name)) return true
      names.add(name)
    } else if (token !== ',') text = token
  }
  return false
}
