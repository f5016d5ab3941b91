import type { Clock } from '../../platform/kit/clock.ts'
import type { Log } from '../../platform/kit/log.ts'
import type { SourceDialers } from '../../platform/kit/own-source.ts'
import type { SecretBox } from '../../platform/kit/secret-box.ts'
import type { Signals } from '../../platform/kit/signals.ts'
import type { Tracer } from '../../platform/kit/tracing.ts'
import type { WorkObserver } from '../../platform/kit/work-observer.ts'
import type { SettleReality } from '../../platform/reality-change.ts'
import type { Database } from '../../platform/tables.ts'
import type { Offload } from '../../requests/http/offload.ts'
import type { AssetOrigin } from './asset-document.ts'
import type { Claim } from './claim.ts'
import type { Connector, Setup } from '../../connectors/connector.ts'

/** The services of workers, created once per process. */
export interface Engine extends SourceDialers {
  /** For statements of any length. */
  db: Database
  /** Only for beats, so that none waits behind a long statement. */
  beatDb: Database
  clock: Clock
  /** Returns the time of log lines; undefined = this machine's clock. */
  getLogTime?: () => Temporal.Instant
  log: Log
  secretBox: SecretBox
  connectors: ReadonlyMap<string, Connector>
  signals: Signals
  observer?: WorkObserver | undefined
  /** Whether the disk is too full to start a run. */
  isDiskFull: () => boolean
  /** Whether the store accepts no writes, or has the schema of another version of this program. */
  isPaused: () => boolean
  /** Undefined = no traces are recorded. */
  tracer?: Tracer | undefined
  /** Brings links, findings and trust up to date after a publication. */
  settleReality: SettleReality
  /** Compares what runs stage with what contracts promise; undefined = publications and the upkeep compare. */
  offload?: Offload | undefined
  timing: Timing
}

/** Intervals and limits in milliseconds. */
interface Timing {
  beatMs: number
  /** The polling interval of a worker without notifications. */
  pollMs: number
  /** The delays before each retry of a source that cannot be reached or closed the connection. */
  retryMs: readonly number[]
  /** The time for which a run may wait for its source before another one may start beside it. */
  patienceMs: number
}

/** The default timing. */
export const USUAL_TIMING: Timing = {
  beatMs: 5000,
  pollMs: 5000,
  retryMs: [1000, 5000, 15_000],
  patienceMs: 250,
}

/** An attempt at a run. */
export interface Attempt {
  engine: Engine
  claim: Claim
  connector: Connector
  setup: Setup
  origin: AssetOrigin
  /** Aborts with the reason for the end of the attempt. */
  signal: AbortSignal
  /** Records when the attempt waits for its source. */
  wait: SourceWait
  /** Reports the progress; throttled. */
  progress(message: string, processedCount: number): Promise<void>
}

/**
 * Detects whether an attempt has waited for its source for so long that its worker is free for
 * another run.
 */
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

/** The run was claimed by another worker: this one writes nothing more. */
export class ClaimLost extends Error {
  override readonly name = 'ClaimLost'
}

/** The run was cancelled. */
export class RunCancelled extends Error {
  override readonly name = 'RunCancelled'
}

/** The process ends: another worker takes over the run. */
export class HandedBack extends Error {
  override readonly name = 'HandedBack'
}

/** The source cannot be reached at the moment: the run returns to the queue. */
export class RunPostponed extends Error {
  override readonly name = 'RunPostponed'
  readonly delayMs: number

  constructor(message: string, delayMs: number, cause: Error) {
    super(message, { cause })
    this.delayMs = delayMs
  }
}

/** The run fails; the message is in our wording. */
export class RunFailed extends Error {
  override readonly name = 'RunFailed'
}
