import type { Clock } from '../kit/clock.ts'
import type { Dialer } from '../kit/dialer.ts'
import type { Log } from '../kit/log.ts'
import type { SecretBox } from '../kit/secret-box.ts'
import type { Signals } from '../kit/signals.ts'
import type { Database } from '../tables.ts'
import type { AssetOrigin } from './asset-document.ts'
import type { Claim } from './claim.ts'
import type { Connector, Setup } from './connectors/connector.ts'

/** What workers work with: opened once a process. */
export interface Engine {
  /** For statements of any length. */
  db: Database
  /** For beats alone, so that none waits behind a long statement. */
  beatDb: Database
  clock: Clock
  log: Log
  secretBox: SecretBox
  dialer: Dialer
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
  /** Before each further try of a source that broke off. */
  retryMs: readonly number[]
}

/** The usual timing. */
export const USUAL_TIMING: Timing = { beatMs: 5000, pollMs: 5000, retryMs: [1000, 5000, 15_000] }

/** One attempt at one run. */
export interface Attempt {
  engine: Engine
  claim: Claim
  connector: Connector
  setup: Setup
  origin: AssetOrigin
  /** Aborts with a reason that says how the attempt ends. */
  signal: AbortSignal
  /** Tells how far it is; not at every call. */
  progress(message: string, processedCount: number): Promise<void>
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

/** The run cannot end well; the message is our own sentence. */
export class RunFailed extends Error {
  override readonly name = 'RunFailed'
}
