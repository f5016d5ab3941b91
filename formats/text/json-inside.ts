// Locates the characters of a text value in a JSON text. Because of escapes, the value's tenth character may be the
// document's thirtieth.

/**
 * Returns the offset of each character (UTF-16 code unit) of the string that begins at `start`, and of its closing
 * quote. Only for texts that the scan has accepted.
 */
export function offsetsInString(text: string, start: number): Uint32Array {
  let units = 0
  for (let at = start + 1; text[at] !== '"'; at = behindUnit(text, at)) units += 1
  const offsets = new Uint32Array(units + 1)
  let at = start + 1
  for (let unit = 0; unit <= units; unit += 1) {
    offsets[unit] = at
    at = behindUnit(text, at)
  }
  return offsets
}

// Each half of a surrogate pair has a separate escape, so each escape is one code unit.
function behindUnit(text: string, at: number): number {
  if (text[at] !== '\\') return at + 1
  return at + (text[at + 1] === 'u' ? 6 : 2)
}
