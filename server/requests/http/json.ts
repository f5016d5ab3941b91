import { mapInLoopTurns, type TurnSize } from '../../platform/kit/loop-turn.ts'

/** Adds members, given as JSON text, to the JSON text of an object. */
export function withMembers(object: string, members: Readonly<Record<string, string>>): string {
  const texts = Object.entries(members).map(([name, text]) => `${JSON.stringify(name)}:${text}`)
  if (texts.length === 0) return object
  const end = object.lastIndexOf('}')
  const start = object.slice(0, end).trimEnd()
  const separator = start.endsWith('{') ? '' : ','
  return `${start}${separator}${texts.join(',')}${object.slice(end)}`
}

// Documents with more characters in front of their id are listed as they are.
const SCANNED_CHARS_MAX = 64 * 1024

// A few milliseconds.
const LISTED_IN_A_TURN: TurnSize<{ id: string; document: string }> = {
  measure: ({ document }) => Math.min(document.length, SCANNED_CHARS_MAX),
  sizeMax: 128 * 1024,
}

/**
 * Returns the JSON texts of the documents of a list. Adds the id to documents without one, because clients of lists
 * read it only there. `name`: the field of the id.
 */
export async function withIds(
  documents: readonly { id: string; document: string }[],
  name = 'id',
): Promise<string[]> {
  return await mapInLoopTurns(documents, LISTED_IN_A_TURN, ({ id, document }) =>
    withId(document, id, name),
  )
}

/** Returns the JSON text of an object with a field in front, unless it has the field. */
export function withId(document: string, id: string, name = 'id'): string {
  if (hasField(document, name)) return document
  const start = document.indexOf('{') + 1
  const rest = document.slice(start)
  const separator = rest.trimStart().startsWith('}') ? '' : ','
  const member = `${JSON.stringify(name)}:${JSON.stringify(id)}`
  return `${document.slice(0, start)}${member}${separator}${rest}`
}

const TOKEN = /"[^"\\]*(?:\\.[^"\\]*)*"|[{}[\]]/gs
const IS_NAME = /\s*:/y

function hasField(document: string, name: string): boolean {
  const quoted = JSON.stringify(name)
  if (!document.includes(quoted)) return false
  let depth = 0
  for (const { 0: token, index } of document.matchAll(TOKEN)) {
    if (index > SCANNED_CHARS_MAX) return true
    if (token === '{' || token === '[') depth += 1
    else if (token === '}' || token === ']') depth -= 1
    else if (depth === 1 && token === quoted) {
      IS_NAME.lastIndex = index + token.length
      if (IS_NAME.test(document)) return true
    }
  }
  return false
}
