// Maps offsets in a string value to offsets in its JSON text, where escapes take several characters.

/**
 * Gives the offset of each character (UTF-16 code unit) of the string that begins at `start`, and of its closing
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

// Half of a pair of surrogates has an escape of its own, so each escape is one code unit.
function behindUnit(text: string, at: number): number {
  if (text[at] !== '\\') return at + 1
  return at + (text[at + 1] === 'u' ? 6 : 2)
}
