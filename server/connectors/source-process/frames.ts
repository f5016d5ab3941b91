/**
 * Frames on a pipe between this process and one that reads a source: four bytes with the length of
 * the body (big-endian), then the body as JSON in UTF-8. The reader of a frame checks the length
 * before it buffers the body, which Node's IPC channel does not.
 */

const HEAD_BYTES = 4

/** The maximum length of a frame: thirty times the batch size that connectors aim for. */
export const FRAME_BYTES_MAX = 32 * 1024 * 1024

/** The other side violates the frame format. */
class FrameError extends Error {
  override readonly name = 'FrameError'
}

/** Encodes a message as one frame. Errors: FrameError if it is too long. */
export function encodeFrame(message: unknown): Buffer {
  const text = JSON.stringify(message)
  const bodyBytes = Buffer.byteLength(text)
  if (bodyBytes > FRAME_BYTES_MAX) throw new FrameError(`a frame of ${bodyBytes} bytes is too long`)
  const frame = Buffer.allocUnsafe(HEAD_BYTES + bodyBytes)
  frame.writeUInt32BE(bodyBytes, 0)
  frame.write(text, HEAD_BYTES)
  return frame
}

/** Splits the bytes of a pipe into messages. It buffers at most one frame. */
export class FrameReader {
  #chunks: Buffer[] = []
  #bytes = 0
  #frameBytes: number | undefined

  /** Returns the messages that these bytes complete. Errors: FrameError. */
  push(chunk: Buffer): unknown[] {
    this.#chunks.push(chunk)
    this.#bytes += chunk.length
    const messages: unknown[] = []
    for (;;) {
      this.#frameBytes ??= this.#readHead()
      if (this.#frameBytes === undefined || this.#bytes < this.#frameBytes) return messages
      messages.push(this.#readBody(this.#frameBytes))
      this.#frameBytes = undefined
    }
  }

  #readHead(): number | undefined {
    if (this.#bytes < HEAD_BYTES) return undefined
    const bodyBytes = this.#merged().readUInt32BE(0)
    if (bodyBytes > FRAME_BYTES_MAX) throw new FrameError(`a frame announces ${bodyBytes} bytes`)
    return HEAD_BYTES + bodyBytes
  }

  #readBody(frameBytes: number): unknown {
    const merged = this.#merged()
    const text = merged.toString('utf8', HEAD_BYTES, frameBytes)
    const rest = merged.subarray(frameBytes)
    this.#chunks = rest.length === 0 ? [] : [rest]
    this.#bytes = rest.length
    try {
      return JSON.parse(text)
    } catch (error) {
      throw new FrameError('a frame is not JSON', { cause: error })
    }
  }

  #merged(): Buffer {
    const [only] = this.#chunks
    if (this.#chunks.length === 1 && only !== undefined) return only
    const merged = Buffer.concat(this.#chunks)
    this.#chunks = [merged]
    return merged
  }
}
