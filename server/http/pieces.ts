const PIECE_CHARS = 128 * 1024

/**
 * Encodes a text in pieces as its reader asks for them: encoding and sending megabytes at once keeps the loop of events
 * busy for tens of milliseconds.
 */
export function inPieces(text: string): ReadableStream<Uint8Array> {
  let start = 0
  return new ReadableStream<Uint8Array>(
    {
      pull(controller) {
        const end = pieceEnd(text, start)
        controller.enqueue(Buffer.from(text.slice(start, end)))
        start = end
        if (start === text.length) controller.close()
      },
    },
    { highWaterMark: 0 },
  )
}

// The two halves of a character beyond the basic plane belong to the same piece.
function pieceEnd(text: string, start: number): number {
  const end = Math.min(start + PIECE_CHARS, text.length)
  const isCut = end < text.length && (text.codePointAt(end - 1) ?? 0) > 0xffff
  return isCut ? end - 1 : end
}
