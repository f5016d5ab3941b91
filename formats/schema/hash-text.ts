// A short digest that detects accidental changes of large texts. It does not withstand
// attacks.

/** Returns a digest of 64 bits, in hexadecimal. */
export function hashText(text: string): string {
  let high = 0x811c9dc5
  let low = 0x9e3779b9
  for (let at = 0; at < text.length; at += 1) {
    const unit = text.charCodeAt(at)
    high = Math.imul(high ^ unit, 0x01000193)
    low = Math.imul(low ^ unit, 0x5bd1e995)
    low ^= low >>> 15
  }
  return hex(high) + hex(low)
}

function hex(bits: number): string {
  return (bits >>> 0).toString(16).padStart(8, '0')
}
