import type { NewLogLine } from './claim.ts'
import { LOG_LINES_MAX } from '../integrations/run.ts'

const SLOWEST_SHOWN = 5
const TEXT_CHARACTERS_MAX = 2000

/** The log of a run in progress: buffers lines until they are written, and redacts secrets. */
export class RunLog {
  /** Redacts secrets in a text. */
  readonly hide: (text: string) => string
  readonly #getTime: () => Temporal.Instant
  #waiting: NewLogLine[] = []
  #count = 0
  #slowest: { statement: string; durationMs: number }[] = []
  #sentCount = 0
  #sentMs = 0

  /** `getTime` returns the instant of a new line. */
  constructor(hide: (text: string) => string, getTime = () => Temporal.Now.instant()) {
    this.hide = hide
    this.#getTime = getTime
  }

  /** The number of statements and requests sent to the source. */
  get sentCount(): number {
    return this.#sentCount
  }

  /** Adds a line; above the limit lines are dropped, and the last line reports this. */
  add(level: NewLogLine['level'], text: string): void {
    this.#count += 1
    if (this.#count > LOG_LINES_MAX) return
    const isLast = this.#count === LOG_LINES_MAX
    const line = isLast ? 'Further lines are not stored.' : this.hide(text)
    const at = this.#getTime().toString()
    this.#waiting.push({ at, level, text: cleanText(line) })
  }

  /** Records a statement. */
  sent(statement: string, durationMs: number): void {
    this.#sentCount += 1
    this.#sentMs += durationMs
    this.#slowest.push({ statement, durationMs })
    if (this.#slowest.length > SLOWEST_SHOWN * 10) this.#sortSlowest()
  }

  /** Adds a line with the total of the statements and the slowest ones. */
  addSlowest(): void {
    if (this.#sentCount === 0) return
    this.#sortSlowest()
    this.add(
      'info',
      `${this.#sentCount} statements took ${Math.round(this.#sentMs)} ms; the slowest:`,
    )
    for (const { statement, durationMs } of this.#slowest) {
      this.add('info', `${Math.round(durationMs)} ms: ${statement}`)
    }
  }

  /** Removes and returns the buffered lines. */
  take(): NewLogLine[] {
    const lines = this.#waiting
    this.#waiting = []
    return lines
  }

  #sortSlowest(): void {
    this.#slowest.sort((a, b) => b.durationMs - a.durationMs)
    this.#slowest.length = Math.min(this.#slowest.length, SLOWEST_SHOWN)
  }
}

// The store accepts neither NUL nor half of a surrogate pair.
function cleanText(text: string): string {
  return text.slice(0, TEXT_CHARACTERS_MAX).replaceAll('\0', '').toWellFormed()
}
