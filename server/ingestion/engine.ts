import type { Clock } from '../kit/clock.ts'
import type { Log } from '../kit/log.ts'
import type { SourceDialers } from '../kit/own-source.ts'
import type { SecretBox } from '../kit/secret-box.ts'
import type { Signals } from '../kit/signals.ts'
import type { Database } from '../tables.ts'
import type { AssetOrigin } from './asset-document.ts'
import type { Claim } from './claim.ts'
import type { Connector, Setup } from '../connectors/connector.ts'

/** What workers work with: opened once a process. */
export interface Engine extends SourceDialers {
  /** For statements of any length. */
  db: Database
  /** For beats alone, so that none waits behind a long statement. */
  beatDb: Database
  clock: Clock
  /** The time of lines in the logs of runs; undefined = this machine's. */
  getLogTime?: () => Temporal.Instant
  log: Log
  secretBox: SecretBox
  connectors: ReadonlyMap<string, Connector>
  signals: Signals
  /** Whether the disk is too full to begin a run. */
  isDiskFull: () => boolean
  /** Whether the store has the schema of another version of this program. */
  isOutdated: () => boolean
  timing: Timing
}

/** How often and how long, in milliseconds. */
export interface Timing {
  beatMs: number
  /** How often a worker that was not told looks for a run. */
  pollMs: number
  /** Before each further try of a source that cannot be reached or broke off. */
  retryMs: readonly number[]
  /** How long a run may wait for its source before another one may begin beside it. */
  patienceMs: number
}

/** The usual timing. */
export const USUAL_TIMING: Timing = {
  beatMs: 5000,
  pollMs: 5000,
  retryMs: [1000, 5000, 15_000],
  patienceMs: 250,
}

/** One attempt at one run. */
export interface Attempt {
  engine: Engine
  claim: Claim
  connector: Connector
  setup: Setup
  origin: AssetOrigin
  /** Aborts with a reason that says how the attempt ends. */
  signal: AbortSignal
  /** Notes when the attempt waits for its source. */
  wait: SourceWait
  /** Tells how far it is; not at every call. */
  progress(message: string, processedCount: number): Promise<void>
}

/** Whether an attempt has been waiting for its source for so long that it takes no worker's place. */
export class SourceWait {
  readonly #patienceMs: number
  readonly #onWaiting: () => void
  #timer: NodeJS.Timeout | undefined
  #isWaiting = false

  constructor(patienceMs: number, onWaiting: () => void) {
    this.#patienceMs = patienceMs
    this.#onWaiting = onWaiting
  }

  get isWaiting(): boolean {
    return this.#isWaiting
  }

  begin(): void {
    this.end()
    this.#timer = setTimeout(() => {
      this.#isWaiting = true
      this.#onWaiting()
    }, this.#patienceMs)
    this.#timer.unref()
  }

  end(): void {
    clearTimeout(this.#timer)
    this.#isWaiting = false
  }
}

/** The run is no longer this worker's: it writes nothing more. */
export class ClaimLost extends Error {
  override readonly name = 'ClaimLost'
}

/** Somebody asked for the end of the run. */
export class RunCancelled extends Error {
  override readonly name = 'RunCancelled'
}

/** The process ends: another worker shall take the run. */
export class HandedBack extends Error {
  override readonly name = 'HandedBack'
}

/** The source cannot be reached now: the run goes back to the queue. */
export class RunPostponed extends Error {
  override readonly name = 'RunPostponed'
  readonly delayMs: number

  constructor(message: string, delayMs: number, cause: Error) {
    super(message, { cause })
    this.delayMs = delayMs
  }
}

/** The run cannot end well; the message is our own sentence. */
export class RunFailed extends Error {
  override readonly name = 'RunFailed'
}
