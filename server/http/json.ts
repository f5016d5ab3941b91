/** Adds members, given as JSON text, to the JSON text of an object. */
export function withMembers(object: string, members: Readonly<Record<string, string>>): string {
  const texts = Object.entries(members).map(([name, text]) => `${JSON.stringify(name)}:${text}`)
  if (texts.length === 0) return object
  const separator = object === '{}' ? '' : ','
  return `${object.slice(0, -1)}${separator}${texts.join(',')}}`
}
