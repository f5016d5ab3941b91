import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Log } from '../kit/log.ts'
import type { ClusterPaths } from './cluster.ts'
import { describeDamage, reportsDamage, LocalPostgresError } from './local-postgres-error.ts'
import { watchDiskSpace, type DiskSpace } from './disk-space.ts'
import type { PostgresEndpoint } from './endpoint.ts'
import { killOrphanedSessions, readPostmasterPid, removeStaleLockFiles } from './leftovers.ts'
import type { OsUser } from './os-user.ts'
import { startPostmaster, type Postmaster } from './postmaster.ts'
import type { Programs } from './programs.ts'
import { ensureCatalog, isLocked, openSession, tryLock, type KeeperSession } from './session.ts'

/** The use of the server by a process. Only one process can be `serving` a data directory. */
export type Purpose = 'serving' | 'working' | 'command'

/** A server that a keeper keeps running. */
interface KeptServer {
  dataDirectory: string
  paths: ClusterPaths
  programs: Programs
  user: OsUser | undefined
  endpoint: PostgresEndpoint
  password: string
  purpose: Purpose
  /** The maximum number of connections if this process starts the server. */
  connectionsMax: number
  log: Log
}

const START_MS_MAX = 60_000
const POLL_MS = 50
// A starting process takes less time from its first connection to its lock.
const OWNER_GRACE_MS = 1000
const BACKOFF_MS_MIN = 100
const BACKOFF_MS_MAX = 5000
const STABLE_MS = 30_000

/**
 * Keeps a server running for as long as this process uses it. Processes on one data directory share
 * the server: the one that starts it is its owner, and when the owner ends, another starts it again.
 */
export class Keeper {
  readonly #server: KeptServer
  readonly #disk: DiskSpace
  readonly #closing = new AbortController()
  #postmaster: Postmaster | undefined
  #session: KeeperSession | undefined
  #attachedAtMs = 0
  #backoffMs = BACKOFF_MS_MIN
  #recovering: Promise<void> = Promise.resolve()

  constructor(server: KeptServer) {
    this.#server = server
    this.#disk = watchDiskSpace(server.paths, server.purpose !== 'command', server.log)
  }

  /** Reports whether the disk is too full for writes. */
  isDiskFull(): boolean {
    return this.#disk.isLow()
  }

  /** Connects to the server, and starts it if it is not running. */
  async attach(): Promise<void> {
    const deadlineMs = performance.now() + START_MS_MAX
    for (;;) {
      const session = await openSession(this.#server.endpoint, this.#server.password)
      if (session === 'absent') await this.#ensureStarted()
      else if (session === 'busy') await sleep(POLL_MS)
      else if (await this.#adopt(session)) return
      if (this.#closing.signal.aborted) throw new LocalPostgresError('PostgreSQL is being stopped.')
      if (performance.now() > deadlineMs) {
        throw new LocalPostgresError(
          `PostgreSQL in ${this.#server.paths.root} did not become ready within ${START_MS_MAX / 1000} seconds.`,
        )
      }
    }
  }

  /** Ends the use of the server, and the server if this process started it. */
  async close(): Promise<void> {
    this.#closing.abort()
    this.#disk.stop()
    await this.#release()
    await this.#recovering
    // A recovery in progress may have started it again.
    await this.#release()
  }

  async #release(): Promise<void> {
    await this.#session?.end().catch(() => undefined)
    await this.#postmaster?.stop()
  }

  /** Starts the server unless it is starting. Returns when it is ready or the start must be retried. */
  async #ensureStarted(): Promise<void> {
    if (this.#postmaster?.hasEnded() !== false) {
      this.#postmaster = startPostmaster({
        ...this.#server,
        onLine: (line) => this.#record(line),
      })
    }
    const postmaster = this.#postmaster
    if (await postmaster.ready) return
    const { paths } = this.#server
    const log = postmaster.lastLines().join('\n')
    if (/lock file .* (already exists|is empty)/.test(log)) removeStaleLockFiles(paths)
    else if (log.includes('pre-existing shared memory')) killOrphanedSessions(paths)
    else if (!this.#disk.releaseReserve()) {
      throw new LocalPostgresError(this.#explainFailure(postmaster.lastLines()))
    }
    await sleep(POLL_MS)
  }

  #explainFailure(lines: readonly string[]): string {
    const { root, cluster } = this.#server.paths
    if (this.#disk.isLow()) return `PostgreSQL in ${root} did not start: the disk is full.`
    const reason = findReason(lines).replace('/proc/self/cwd', cluster)
    if (lines.some(reportsDamage)) return describeDamage(root, reason)
    return `PostgreSQL in ${root} did not start: ${reason}.`
  }

  /** Uses a session for this process. Returns false if the server must be started again. */
  async #adopt(session: KeeperSession): Promise<boolean> {
    const { purpose, dataDirectory, password, log } = this.#server
    const isOwner = this.#postmaster?.hasEnded() === false
    try {
      if (isOwner) await tryLock(session, 'owner')
      else if (!(await this.#hasOwner(session))) {
        await this.#stopAbandoned(session)
        return false
      }
      await ensureCatalog(session, password)
      if (purpose === 'serving' && !(await tryLock(session, 'serving'))) {
        throw new LocalPostgresError(
          `Another process is serving the data directory ${dataDirectory}. Stop it first, or run several processes on one PostgreSQL by setting DATABASE_URL.`,
        )
      }
    } catch (error) {
      void session.end().catch(() => undefined)
      if (error instanceof LocalPostgresError) throw error
      // The server ended in between.
      log.debug({ err: error }, 'PostgreSQL ended while a session was opened')
      await sleep(POLL_MS)
      return false
    }
    this.#session = session
    this.#attachedAtMs = performance.now()
    session.once('end', () => {
      if (!this.#closing.signal.aborted) this.#recovering = this.#recover()
    })
    return true
  }

  async #hasOwner(session: KeeperSession): Promise<boolean> {
    const deadlineMs = performance.now() + OWNER_GRACE_MS
    for (;;) {
      if (await isLocked(session, 'owner')) return true
      if (performance.now() > deadlineMs) return false
      await sleep(POLL_MS)
    }
  }

  /** Stops a server whose parent was killed together with its guard, which should have stopped it. */
  async #stopAbandoned(session: KeeperSession): Promise<void> {
    const pid = readPostmasterPid(this.#server.paths)
    this.#server.log.warn({ pid }, 'stopping a PostgreSQL that a killed process left behind')
    const ended = once(session, 'end')
    if (pid === undefined) await session.end()
    else process.kill(pid, 'SIGINT')
    await ended
  }

  /** Attaches again after the server has ended, and retries until it succeeds. */
  async #recover(): Promise<void> {
    const { log } = this.#server
    const { signal } = this.#closing
    this.#session = undefined
    log.error('PostgreSQL ended unexpectedly; restarting it')
    let isImmediate = performance.now() - this.#attachedAtMs > STABLE_MS
    if (isImmediate) this.#backoffMs = BACKOFF_MS_MIN
    while (!signal.aborted) {
      try {
        if (!isImmediate) await this.#backOff()
        isImmediate = false
        await this.attach()
        log.info('PostgreSQL accepts connections again')
        return
      } catch (error) {
        if (signal.aborted) return
        log.error({ err: error, retryMs: this.#backoffMs }, 'PostgreSQL could not be started')
      }
    }
  }

  async #backOff(): Promise<void> {
    const waitMs = this.#backoffMs
    this.#backoffMs = Math.min(waitMs * 2, BACKOFF_MS_MAX)
    await sleep(waitMs, undefined, { signal: this.#closing.signal })
  }

  #record(line: string): void {
    const isFailure = /^(PANIC|FATAL): /.test(line)
    // After SIGTERM, PostgreSQL accepts no new connections, but waits for existing ones to end.
    if (line.includes('received smart shutdown request')) void this.#postmaster?.stop()
    const isExpected = this.#closing.signal.aborted || / the database system is /.test(line)
    this.#server.log[isFailure && !isExpected ? 'warn' : 'debug']({ postgres: line }, 'PostgreSQL')
  }
}

function findReason(lines: readonly string[]): string {
  const line = lines.findLast((line) => /^(PANIC|FATAL): /.test(line)) ?? lines.at(-1) ?? ''
  return line.replace(/^(PANIC|FATAL):\s+|^but /, '')
}
