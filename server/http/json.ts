/** Adds members, given as JSON text, to the JSON text of an object. */
export function withMembers(object: string, members: Readonly<Record<string, string>>): string {
  const texts = Object.entries(members).map(([name, text]) => `${JSON.stringify(name)}:${text}`)
  if (texts.length === 0) return object
  const separator = object === '{}' ? '' : ','
  return `${object.slice(0, -1)}${separator}${texts.join(',')}}`
}

/**
 * Returns the JSON text of a document with its id, which is added in front if the document has none: clients of lists
 * know no other place of it. `name`: the field of the id. Texts with an id near their beginning are not read further.
 */
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
  let depth = 0
  for (const { 0: token, index } of document.matchAll(TOKEN)) {
    if (token === '{' || token === '[') depth += 1
    else if (token === '}' || token === ']') depth -= 1
    else if (depth === 1 && token === quoted) {
      IS_NAME.lastIndex = index + token.length
      if (IS_NAME.test(document)) return true
    }
  }
  return false
}
