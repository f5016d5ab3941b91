/**
 * The processes of an installation. Each records itself in the database, so that owners see which ones are there, and so
 * that each job of the upkeep is done by one of them.
 */

/** `serving`: answers requests only. `working`: the command `work`. `both`: the default. */
export type ProcessRole = 'serving' | 'working' | 'both'

/** `paused`: it writes nothing, because the database has the schema of another version. */
export type ProcessState = 'running' | 'paused' | 'stopping'

/** The time between two beats. */
export const BEAT_MS = 5000

/** The time after which a process without a beat is gone: three beats are missing. */
export const GONE_MS = 3 * BEAT_MS

/** The time after which the row of a process that is gone is deleted. */
export const FORGOTTEN_MS = 60 * 60_000

/** A process, when it starts. */
export interface NewProcess {
  id: string
  version: string
  /** The name of its newest migration. */
  schemaVersion: string
  role: ProcessRole
  /** The name of its machine, container or pod. */
  host: string
}
