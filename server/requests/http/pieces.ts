import { takeLoopTurn } from '../../platform/kit/loop-turn.ts'

/** Texts of this size or more are large: they are written in pieces, and as bodies they take the lane `bulk`. */
export const LARGE_CHARS_MIN = 256 * 1024

const PIECE_CHARS = 128 * 1024

/**
 * Encodes a text in chunks as they are read, each in a turn of the event loop. Encoding and sending megabytes at once
 * would block it for tens of milliseconds: a local socket takes them all in one turn.
 */
export function inPieces(text: string): ReadableStream<Uint8Array> {
  let start = 0
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        await takeLoopTurn()
        const end = pieceEnd(text, start)
        controller.enqueue(Buffer.from(text.slice(start, end)))
        start = end
        if (start === text.length) controller.close()
      },
    },
    { highWaterMark: 0 },
  )
}

// Keeps surrogate pairs together.
function pieceEnd(text: string, start: number): number {
  const end = Math.min(start + PIECE_CHARS, text.length)
  const isCut = end < text.length && (text.codePointAt(end - 1) ?? 0) > 0xffff
  return isCut ? end - 1 : end
}
