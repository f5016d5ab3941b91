import { takeLoopTurn } from '../../platform/kit/loop-turn.ts'

/** Texts of this size or more are large: they are written in pieces, and as bodies they take the lane `bulk`. */
export const LARGE_CHARS_MIN = 256 * 1024

const PIECE_CHARS = 128 * 1024

/**
 * Encodes a text in chunks as they are read, each in a turn of the event loop. Encoding and sending megabytes at once
 * would block it for tens of milliseconds: a local socket takes them all in one turn.
 */
export function inPieces(text: string): ReadableStream<Uint8Array> {
  return streamTexts([text])
}

/**
 * Encodes texts in the same way, each when it is read: the next one is created only when the client has taken all pieces
 * of the one before. A stream that has begun cannot become an error of the API: it breaks off.
 */
export function streamTexts(
  texts: Iterable<string> | AsyncIterable<string>,
): ReadableStream<Uint8Array> {
  const pieces = splitTexts(texts)
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const { done, value } = await pieces.next().catch(breakOff)
        if (done === true) controller.close()
        else controller.enqueue(value)
      },
      async cancel() {
        await pieces.return()
      },
    },
    { highWaterMark: 0 },
  )
}

function breakOff(cause: unknown): never {
  throw new Error('an answer broke off after it had begun', { cause })
}

async function* splitTexts(
  texts: Iterable<string> | AsyncIterable<string>,
): AsyncGenerator<Uint8Array, void, void> {
  for await (const text of texts) {
    for (let start = 0; start < text.length;) {
      await takeLoopTurn()
      const end = pieceEnd(text, start)
      yield Buffer.from(text.slice(start, end))
      start = end
    }
  }
}

// Keeps surrogate pairs together.
function pieceEnd(text: string, start: number): number {
  const end = Math.min(start + PIECE_CHARS, text.length)
  const isCut = end < text.length && (text.codePointAt(end - 1) ?? 0) > 0xffff
  return isCut ? end - 1 : end
}
