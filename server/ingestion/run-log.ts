import type { NewLogLine } from './claim.ts'
import { LOG_LINES_MAX } from '../integrations/run.ts'

const SLOWEST_SHOWN = 5
const TEXT_CHARACTERS_MAX = 2000

/**
 * The log of a run while it is worked on: lines wait here until they are written, and no secret gets
 * through.
 */
export class RunLog {
  /** Hides secrets in a text. */
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

  /** Statements and requests that the source was sent. */
  get sentCount(): number {
    return this.#sentCount
  }

  /** Adds a line; past the limit nothing is kept, and the last line says so. */
  add(level: NewLogLine['level'], text: string): void {
    this.#count += 1
    if (this.#count > LOG_LINES_MAX) return
    const isLast = this.#count === LOG_LINES_MAX
    const shown = isLast ? 'There is more; it is not kept.' : this.hide(text)
    const at = this.#getTime().toString()
    this.#waiting.push({ at, level, text: cleanText(shown) })
  }

  /** Accounts for a statement. */
  sent(statement: string, durationMs: number): void {
    this.#sentCount += 1
    this.#sentMs += durationMs
    this.#slowest.push({ statement, durationMs })
    if (this.#slowest.length > SLOWEST_SHOWN * 10) this.#sortSlowest()
  }

  /** Adds what was sent in all, and the slowest of it. */
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

  /** Hands over the lines that wait. */
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

// No store can hold a NUL, nor half of a character.
function cleanText(text: string): string {
  return text.slice(0, TEXT_CHARACTERS_MAX).replaceAll('\0', '').toWellFormed()
}
