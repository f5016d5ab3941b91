/** A part of a text, and whether it is marked. */
interface Piece {
  text: string
  isMarked: boolean
}

/**
 * Splits a text at ranges to mark, each a start and an end in UTF-16 units. Ranges may be unordered, overlap
 * or exceed the text; every character is in exactly one piece.
 */
export function splitIntoPieces(text: string, ranges: readonly (readonly number[])[]): Piece[] {
  const pieces: Piece[] = []
  let at = 0
  const sorted = ranges
    .map(([start = 0, end = start]) => ({ start, end }))
    .toSorted((a, b) => a.start - b.start)
  for (const range of sorted) {
    const start = Math.max(range.start, at)
    const end = Math.min(range.end, text.length)
    if (start >= end) continue
    if (start > at) pieces.push({ text: text.slice(at, start), isMarked: false })
    pieces.push({ text: text.slice(start, end), isMarked: true })
    at = end
  }
  if (at < text.length) pieces.push({ text: text.slice(at), isMarked: false })
  return pieces
}
