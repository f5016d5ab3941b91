import { setTimeout as sleep } from 'node:timers/promises'
import {
  SourceFailure,
  type Batch,
  type KnownVersions,
  type Scope,
  type SourceSession,
} from '../../connectors/connector.ts'
import { CONTAINER_KINDS } from '../../connectors/description.ts'
import { RunCancelled, RunPostponed, type Attempt } from './engine.ts'
import { toLedgerEntry, type LedgerEntry } from './ledger.ts'
import { isShown, newHiddenPathFilter, newInclusion, parsePath, type Listing } from './listing.ts'
import { findUnproven, type UnprovenTables } from './proving-service.ts'
import { identifyReading } from './reading.ts'
import { getDelayMs, isTemporary, toFailure } from './source-failure.ts'
import { getKnownVersions } from '../../catalog/assets/live-service.ts'
import { stageBatch } from './staging-service.ts'
import { analyzeStaged, deleteScopes, deleteStagedScopes, upsertScopes } from './staging-store.ts'
import { listUnseen } from './unseen-store.ts'
import { untilAborted, untilAbortedEach } from '../../platform/kit/signals.ts'

const SCOPES_MAX = 100_000
const DETAILS_CHARACTERS_MAX = 50_000_000
// Fewer staged rows are compared quickly with any plan.
const ANALYZED_ROWS_MIN = 1000
const OBJECTS_MAX = 2_000_000
const LEDGER_ROWS_MAX = 1000
const CLOSE_MS_MAX = 2000

const NONE_UNPROVEN: UnprovenTables = { reasons: new Map(), hidden: new Set() }

/**
 * Reads a source completely and stages its assets. A scope that cannot be read is recorded and does
 * not stop the others. Errors: SourceFailure if nothing more can be read, and the reason of the
 * attempt's signal.
 */
export async function listSource(attempt: Attempt): Promise<Listing> {
  const reader = new Reader(attempt)
  try {
    return await reader.read()
  } finally {
    await reader.close()
  }
}

/** A reading of a source. */
class Reader {
  readonly #attempt: Attempt
  readonly #ledger = new Map<string, LedgerEntry>()
  #session: SourceSession | undefined
  #isHidden: Listing['isHidden'] = () => false
  readonly #whole = new Set<string>()
  #processedCount = 0
  #tableCount = 0
  #stagedCount = 0
  // Words that the search vocabulary contains already, so that they are not added again.
  readonly #addedWords = new Set<string>()

  constructor(attempt: Attempt) {
    this.#attempt = attempt
  }

  async read(): Promise<Listing> {
    const { engine, claim } = this.#attempt
    await deleteScopes(engine.db, claim)
    const scopes = await this.#listScopesOrPostpone()
    await this.#keep([...this.#ledger.values()].filter((entry) => this.#isShown(entry)))
    const readings = Map.groupBy(scopes, ({ reading }) => reading)
    let at = 0
    for (const [reading, group] of readings) {
      at += 1
      const place = readings.size === 1 ? reading : `${at} of ${readings.size}: ${reading}`
      await this.#readScopes(group, place)
    }
    if (this.#stagedCount >= ANALYZED_ROWS_MIN) {
      await untilAborted(analyzeStaged(engine.db), this.#attempt.signal)
    }
    const unproven = await this.#findUnproven()
    return {
      unproven: unproven.reasons,
      hiddenTables: unproven.hidden,
      ledger: this.#ledger,
      scopes,
      processedCount: this.#processedCount,
      tableCount: this.#tableCount,
      stagedCount: this.#stagedCount,
      isHidden: this.#isHidden,
      whole: this.#whole,
    }
  }

  /** Asks the source for missing tables. A forced run skips this: its user has decided. */
  async #findUnproven(): Promise<UnprovenTables> {
    const { engine, claim, connector, signal } = this.#attempt
    if (claim.forced || connector.description.hidesTables !== true) return NONE_UNPROVEN
    const complete = [...this.#ledger.values()].filter(({ state }) => state === 'complete')
    const scopes = complete.map(({ scope }) => scope)
    const isIncluded = newInclusion(this.#attempt)
    const unseen = await listUnseen(engine.db, claim, scopes)
    const candidates = unseen.filter(({ path, kind }) => isIncluded(parsePath(path), kind))
    return await findUnproven(candidates, async (tables) => {
      this.#session ??= await this.#open()
      const proving = this.#session.prove?.(tables) ?? Promise.resolve([])
      return await this.#waitFor(untilAborted(proving, signal))
    })
  }

  async close(): Promise<void> {
    const session = this.#session
    this.#session = undefined
    if (session === undefined) return
    if (this.#attempt.signal.reason instanceof RunCancelled) {
      // The run ends at once; its statements are cancelled at the same time.
      void session.close().catch(() => undefined)
      return
    }
    const late = new AbortController()
    await Promise.race([
      session.close().catch(() => undefined),
      sleep(CLOSE_MS_MAX, undefined, { signal: late.signal }).catch(() => undefined),
    ])
    late.abort()
  }

  // Excluded entries that have assets are shown when the run is published.
  #isShown(entry: LedgerEntry): boolean {
    return isShown(entry, this.#attempt.connector.description.scopeLevel, [])
  }

  async #open(): Promise<SourceSession> {
    const { connector, setup, signal, wait } = this.#attempt
    let isOpening = true
    // Until the process has started, the run uses this machine and does not wait for the source.
    const onStarted = (): void => {
      if (isOpening) wait.begin()
    }
    const opening = connector.open({ ...setup, onStarted })
    // A session that opens after the abort is closed.
    opening.then((session) => (signal.aborted ? session.close() : undefined)).catch(() => undefined)
    try {
      return await untilAborted(opening, signal)
    } finally {
      isOpening = false
      wait.end()
    }
  }

  async #waitFor<T>(promise: Promise<T>): Promise<T> {
    const { wait } = this.#attempt
    wait.begin()
    try {
      return await promise
    } finally {
      wait.end()
    }
  }

  async *#each<T>(items: AsyncIterable<T>): AsyncGenerator<T> {
    const { wait, signal } = this.#attempt
    wait.begin()
    try {
      for await (const item of untilAbortedEach(items, signal)) {
        wait.end()
        yield item
        wait.begin()
      }
    } finally {
      wait.end()
    }
  }

  /** Before anything was read, a retry later loses nothing, and no worker has to wait. */
  async #listScopesOrPostpone(): Promise<Scope[]> {
    const { engine, claim, signal } = this.#attempt
    try {
      return await this.#listScopes()
    } catch (error) {
      const failure = toFailure(error, signal)
      const delayMs = engine.timing.retryMs[claim.sourceFailures]
      if (!isTemporary(failure) || delayMs === undefined) throw failure
      throw new RunPostponed(failure.message, getDelayMs(failure, delayMs), failure)
    }
  }

  async #listScopes(): Promise<Scope[]> {
    this.#session ??= await this.#open()
    this.#ledger.clear()
    const included: Scope[] = []
    let characters = 0
    for await (const scope of this.#each(this.#session.scopes())) {
      const key = JSON.stringify(scope.path)
      if (this.#ledger.has(key)) continue
      if (this.#ledger.size >= SCOPES_MAX) {
        throw new SourceFailure('too_large', `The source lists more than ${SCOPES_MAX} scopes.`)
      }
      this.#ledger.set(key, toLedgerEntry(scope, key))
      if (scope.decision !== 'included') continue
      characters += countDetailCharacters(scope)
      if (characters > DETAILS_CHARACTERS_MAX) {
        const message = `The source describes its schemas with more than ${DETAILS_CHARACTERS_MAX} characters.`
        throw new SourceFailure('too_large', message)
      }
      included.push(scope)
    }
    this.#isHidden = newHiddenPathFilter(this.#attempt.connector, this.#session)
    return included
  }

  /** Reads scopes together, and again if the source closed the connection. */
  async #readScopes(scopes: readonly Scope[], place: string): Promise<void> {
    const { engine, claim, signal } = this.#attempt
    const keys = scopes.map(({ path }) => JSON.stringify(path))
    const [processedBefore, tablesBefore] = [this.#processedCount, this.#tableCount]
    try {
      await this.#retry(async () => {
        const isSecond = this.#processedCount > processedBefore
        if (isSecond) this.#stagedCount -= await deleteStagedScopes(engine.db, claim, keys)
        this.#processedCount = processedBefore
        this.#tableCount = tablesBefore
        for (const key of keys) this.#note(key, { state: 'pending', objects: 0, message: null })
        await this.#readOnce(scopes, place)
      })
    } catch (error) {
      const failure = toFailure(error, signal)
      if (failure.kind === 'auth' || failure.kind === 'crashed') throw failure
      this.#attempt.setup.log('warn', `${place}: ${failure.message}`)
      // A session without a connection, or with statements that still run, must not affect the next reading.
      await this.close()
      for (const key of keys) this.#fail(key, failure)
    }
    for (const key of keys)
      this.#fail(key, new SourceFailure('protocol', 'The source ended early.'))
    await this.#keep(keys.flatMap((key) => this.#ledger.get(key) ?? []))
  }

  async #readOnce(scopes: readonly Scope[], place: string): Promise<void> {
    this.#session ??= await this.#open()
    const known = await this.#getKnownVersions(scopes)
    // The next batch is read while the previous one is staged.
    let staging: Promise<void> = Promise.resolve()
    try {
      for await (const batch of this.#each(this.#session.read(scopes, known))) {
        await staging
        assertKnown(batch, known)
        staging = this.#stage(batch, place)
        // Errors are handled where it is awaited.
        staging.catch(() => undefined)
      }
    } finally {
      // Also after an error: no staging of this reading may continue later.
      await staging
    }
  }

  /** A forced run reads everything. */
  async #getKnownVersions(scopes: readonly Scope[]): Promise<KnownVersions> {
    const { engine, claim, connector, setup } = this.#attempt
    if (claim.forced || connector.description.readingVersion === undefined) return new Map()
    const { organizationId, integrationId } = claim
    return await getKnownVersions(engine.db, engine.clock, {
      organizationId,
      integrationId,
      scopes: scopes.map(({ path }) => JSON.stringify(path)),
      reading: identifyReading(connector, setup),
    })
  }

  async #stage(batch: Batch, place: string): Promise<void> {
    const { engine, claim, origin, setup } = this.#attempt
    for (const { path, message } of batch.unreadable ?? []) {
      setup.log('warn', `${path.join('.')} could not be read and stays unchanged: ${message}`)
    }
    const { seen, stagedCount } = await stageBatch(
      engine.db,
      claim,
      origin,
      batch,
      this.#addedWords,
    )
    this.#stagedCount += stagedCount
    for (const [scope, count] of seen) {
      const entry = this.#ledger.get(scope)
      if (entry !== undefined) entry.objects += count
      this.#processedCount += count
    }
    if (this.#processedCount > OBJECTS_MAX) {
      throw new SourceFailure('too_large', `The source has more than ${OBJECTS_MAX} tables.`)
    }
    const tables = [...batch.assets, ...(batch.unreadable ?? []), ...(batch.unchanged ?? [])]
    this.#tableCount += tables.filter(({ kind }) => !CONTAINER_KINDS.includes(kind)).length
    for (const { path, failure, whole = [] } of batch.outcomes ?? []) {
      const key = JSON.stringify(path)
      for (const asset of whole) this.#whole.add(JSON.stringify(asset))
      if (failure === undefined) this.#note(key, { state: 'complete' })
      else this.#fail(key, failure)
    }
    await this.#attempt.progress(place, this.#processedCount)
  }

  /** Retries a few times if the source cannot be reached or requests a delay. */
  async #retry<T>(work: () => Promise<T>): Promise<T> {
    const { engine, setup, signal } = this.#attempt
    for (const delayMs of engine.timing.retryMs) {
      try {
        return await work()
      } catch (error) {
        const failure = toFailure(error, signal)
        if (!isTemporary(failure)) throw failure
        setup.log('warn', `${failure.message} Retrying.`)
        await this.close()
        const pause = sleep(getDelayMs(failure, delayMs), undefined, { ref: false })
        await this.#waitFor(untilAborted(pause, signal))
      }
    }
    return await work()
  }

  #note(key: string, change: Partial<LedgerEntry>): void {
    const entry = this.#ledger.get(key)
    if (entry !== undefined) Object.assign(entry, change)
  }

  #fail(key: string, failure: SourceFailure): void {
    if (this.#ledger.get(key)?.state !== 'pending') return
    const state = failure.kind === 'permission' ? 'denied' : 'failed'
    this.#note(key, { state, message: failure.message })
  }

  async #keep(entries: readonly LedgerEntry[]): Promise<void> {
    const { engine, claim } = this.#attempt
    for (let at = 0; at < entries.length; at += LEDGER_ROWS_MAX) {
      await upsertScopes(engine.db, claim, entries.slice(at, at + LEDGER_ROWS_MAX))
    }
  }
}

// An asset that the catalog does not have must not be reported as unchanged.
function assertKnown({ unchanged = [] }: Batch, known: KnownVersions): void {
  const unknown = unchanged.find(({ path }) => !known.has(JSON.stringify(path)))
  if (unknown === undefined) return
  throw new SourceFailure('protocol', `${unknown.path.join('.')} has no known version.`)
}

function countDetailCharacters({ details = {} }: Scope): number {
  return Object.values(details).reduce((sum, text) => sum + text.length, 0)
}
