import { constants, fstatSync, openSync, write, writeSync } from 'node:fs'

/**
 * Writes the lines of a log to a file descriptor. A line that cannot be written, because the disk is full, an error
 * of the disk, or a reader that is gone or too slow, is dropped and counted: losing it must not stop the process.
 */
interface LogDestination {
  /** Buffers a line, which ends with a line break. It never throws. */
  write(line: string): void
  /** Writes what is buffered, in one attempt. It never throws and never waits. */
  flushSync(): void
  /** Waits until what is buffered is written or dropped, at most for a moment. */
  close(): Promise<void>
  /** The number of lines that were dropped so far. */
  countDropped(): number
}

const CHUNK_CHARS = 8 * 1024
const FLUSH_MS = 200
// What a reader has not taken yet. Beyond it, lines are dropped.
const BUFFER_CHARS_MAX = 4 * 1024 * 1024
const RETRY_MS = 100
const CLOSE_MS_MAX = 1000
const LINE_BREAK = '\n'.charCodeAt(0)

/** Opens a file descriptor. `onRecovered` gets the number of lines that were lost before the last successful write. */
export function openLogDestination(
  descriptor: number,
  onRecovered: (lostCount: number) => void,
): LogDestination {
  return new Destination(openWithoutBlocking(descriptor), onRecovered)
}

/**
 * Returns a descriptor of the same pipe whose writes fail instead of waiting for its reader: a thread that waits would
 * keep the process from exiting. Other files are returned unchanged.
 */
function openWithoutBlocking(descriptor: number): number {
  try {
    if (process.platform !== 'linux' || !fstatSync(descriptor).isFIFO()) return descriptor
    return openSync(`/proc/self/fd/${descriptor}`, constants.O_WRONLY | constants.O_NONBLOCK)
  } catch {
    return descriptor
  }
}

class Destination implements LogDestination {
  readonly #descriptor: number
  readonly #onRecovered: (lostCount: number) => void
  #lines: string[] = []
  #chars = 0
  /** Whether a chunk is being written, or waits until its reader has taken earlier ones. */
  #isWriting = false
  /** The chunk that waits. */
  #delayed: Buffer = Buffer.alloc(0)
  #timer: NodeJS.Timeout | undefined
  #droppedCount = 0
  /** The number of dropped lines that are not reported yet. */
  #lostCount = 0
  /** Whether only the beginning of the last line was written. */
  #isTorn = false
  /** The number of writes that have begun. */
  #writeCount = 0
  #whenIdle: (() => void)[] = []

  constructor(descriptor: number, onRecovered: (lostCount: number) => void) {
    this.#descriptor = descriptor
    this.#onRecovered = onRecovered
  }

  write(line: string): void {
    if (this.#chars + line.length > BUFFER_CHARS_MAX) {
      this.#countLost(1)
      return
    }
    this.#lines.push(line)
    this.#chars += line.length
    this.#goOn()
  }

  flushSync(): void {
    let rest: Buffer = Buffer.concat([this.#delayed, this.#takeLines()])
    this.#delayed = Buffer.alloc(0)
    this.#writeCount += 1
    try {
      while (rest.length > 0) {
        const writtenBytes = writeSync(this.#descriptor, rest)
        rest = rest.subarray(this.#note(rest, writtenBytes, this.#writeCount))
      }
    } catch {
      this.#countLost(countLines(rest))
    }
  }

  async close(): Promise<void> {
    const idle = new Promise<void>((done) => {
      this.#whenIdle.push(done)
      setTimeout(done, CLOSE_MS_MAX).unref()
    })
    this.#goOn()
    await idle
  }

  countDropped(): number {
    return this.#droppedCount
  }

  /** Writes the next chunk now, if there is enough for one, or else a little later. */
  #goOn(): void {
    if (this.#isWriting) return
    const isClosing = this.#whenIdle.length > 0
    if (this.#chars >= CHUNK_CHARS || isClosing) this.#flush()
    // A process that has nothing else to do ends, and writes the rest then.
    else if (this.#chars > 0) this.#timer ??= setTimeout(() => this.#flush(), FLUSH_MS).unref()
  }

  #flush(): void {
    if (this.#isWriting) return
    const chunk = this.#takeLines()
    if (chunk.length > 0) this.#writeChunk(chunk)
    else for (const done of this.#whenIdle.splice(0)) done()
  }

  #writeChunk(chunk: Buffer): void {
    this.#isWriting = true
    this.#writeCount += 1
    const writeNumber = this.#writeCount
    write(this.#descriptor, chunk, (error, writtenBytes) => {
      if (error?.code === 'EAGAIN') {
        this.#delayed = chunk
        setTimeout(() => this.#retry(), RETRY_MS).unref()
        return
      }
      const rest =
        error === null ? chunk.subarray(this.#note(chunk, writtenBytes, writeNumber)) : chunk
      if (error === null && rest.length > 0) {
        this.#writeChunk(rest)
        return
      }
      this.#isWriting = false
      if (error === null) this.#reportLost()
      else this.#countLost(countLines(rest))
      this.#goOn()
    })
  }

  #retry(): void {
    const chunk = this.#delayed
    this.#delayed = Buffer.alloc(0)
    this.#isWriting = false
    if (chunk.length > 0) this.#writeChunk(chunk)
    else this.#goOn()
  }

  /** Takes the buffered lines. They begin on a line of their own. */
  #takeLines(): Buffer {
    clearTimeout(this.#timer)
    this.#timer = undefined
    const text = this.#lines.join('')
    this.#lines = []
    this.#chars = 0
    return Buffer.from(this.#isTorn && text !== '' ? `\n${text}` : text)
  }

  #note(chunk: Buffer, writtenBytes: number, writeNumber: number): number {
    // The end of the file is that of the write that began last.
    if (writtenBytes > 0 && writeNumber === this.#writeCount)
      this.#isTorn = chunk[writtenBytes - 1] !== LINE_BREAK
    return writtenBytes
  }

  #countLost(count: number): void {
    this.#droppedCount += count
    this.#lostCount += count
  }

  #reportLost(): void {
    const count = this.#lostCount
    this.#lostCount = 0
    if (count > 0) this.#onRecovered(count)
  }
}

function countLines(bytes: Buffer): number {
  return bytes.reduce((count, byte) => (byte === LINE_BREAK ? count + 1 : count), 0)
}
