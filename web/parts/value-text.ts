/** Returns any value of a document as text: texts as they are, all else as JSON; undefined = none. */
export function valueText(value: unknown): string | undefined {
  if (value === undefined) return undefined
  return typeof value === 'string' ? value : JSON.stringify(value)
}
