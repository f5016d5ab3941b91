import { requireGrants } from '../../connectors/access.ts'
import { ASSET_KINDS, type AssetKind } from '../../connectors/description.ts'
import {
  SourceFailure,
  type AssetPlace,
  type Scope,
  type SourceSession,
} from '../../connectors/connector.ts'
import type { GrantBatch, GrantRules } from '../../connectors/grant.ts'
import { readTime, type Instant } from '../../platform/kit/clock.ts'
import { untilAborted, untilAbortedEach } from '../../platform/kit/signals.ts'
import type { ReadingEnd } from '../../reality/grants/grants.ts'
import { findGrantState, listGrantTables } from '../../reality/grants/service.ts'
import * as staging from '../../reality/grants/staging-service.ts'
import type { Attempt } from './engine.ts'
import { parsePath, type Listing } from './listing.ts'
import { toFailure } from './source-failure.ts'

/** The maximum number of grants and memberships that one run reads. */
const ROWS_MAX = 1_000_000
/** The maximum number of tables for which a platform is asked one by one. */
const TABLES_MAX = 5000

const TOO_MANY = `The source has more than ${ROWS_MAX} grants; further ones were not read.`

/**
 * Reads the grants of a source in a session of its own and stages them, if the integration allows it. A failure does not end the
 * run: what could not be read stays as it was. Undefined = grants are not read. Errors: the reason of the attempt's signal.
 */
export async function readGrants(
  attempt: Attempt,
  listing: Listing,
): Promise<ReadingEnd | undefined> {
  const { engine, claim, connector, setup, signal, wait } = attempt
  const rules = connector.description.grants
  if (claim.kind === 'preview' || rules === undefined) return undefined
  const state = await findGrantState(engine.db, claim)
  if (state?.enabled !== true) return undefined
  const reading = new GrantReading(attempt, rules, await readTime(engine.db, engine.clock))
  let session: SourceSession | undefined
  try {
    const tables = (await listGrantTables(engine.db, claim)).slice(0, TABLES_MAX)
    wait.begin()
    session = await untilAborted(connector.open(setup), signal)
    await reading.read(session, listing.scopes, tables.map(toPlace))
  } catch (error) {
    signal.throwIfAborted()
    if (!(error instanceof SourceFailure)) throw error
    reading.fail(toFailure(error, signal))
  } finally {
    wait.end()
    await session?.close().catch(() => undefined)
  }
  return reading.end()
}

function toPlace({
  path,
  scope,
  kind,
}: {
  path: string
  scope: string | null
  kind: string | null
}): AssetPlace {
  const own: AssetKind | undefined = ASSET_KINDS.find((one) => one === kind)
  const parts = parsePath(path)
  return {
    path: parts,
    scope: scope === null ? parts.slice(0, -1) : parsePath(scope),
    kind: own ?? 'table',
  }
}

/** The reading of a source's grants. */
class GrantReading {
  readonly #attempt: Attempt
  readonly #rules: GrantRules
  #count = 0
  #hasRead = false
  readonly #beganAt: Instant
  #membersBecause: string | null | undefined
  #incompleteBecause: string | undefined

  constructor(attempt: Attempt, rules: GrantRules, beganAt: Instant) {
    this.#attempt = attempt
    this.#rules = rules
    this.#beganAt = beganAt
    this.#incompleteBecause = rules.limit
  }

  async read(
    session: SourceSession,
    scopes: readonly Scope[],
    tables: readonly AssetPlace[],
  ): Promise<void> {
    const { signal, setup, wait } = this.#attempt
    const grants = requireGrants(session)(scopes, tables)
    for await (const batch of untilAbortedEach(grants, signal)) {
      this.#count += (batch.grants?.length ?? 0) + (batch.members?.length ?? 0)
      // What follows has no outcome: it counts as not read.
      if (this.#count > ROWS_MAX) throw new SourceFailure('too_large', TOO_MANY)
      wait.end()
      await this.#stage(batch)
      wait.begin()
    }
    setup.log('info', `Read ${this.#count} grants and memberships.`)
  }

  async #stage(batch: GrantBatch): Promise<void> {
    const { engine, claim } = this.#attempt
    for (const { message } of batch.outcomes ?? []) this.#incompleteBecause ??= message
    if (batch.membership !== undefined) {
      this.#membersBecause = batch.membership.message ?? null
      this.#incompleteBecause ??= batch.membership.message
    }
    this.#hasRead ||= batch.outcomes?.some(({ isWhole }) => isWhole) === true
    await staging.stageGrants(engine.db, claim, batch)
  }

  /** Records a failure: the last reading of what has no outcome stays. */
  fail({ kind, message }: SourceFailure): void {
    const advice = kind === 'permission' ? ` ${this.#rules.right}` : ''
    this.#incompleteBecause = `${message}${advice}`
    this.#attempt.setup.log('warn', `Grants could not be read completely: ${message}${advice}`)
  }

  end(): ReadingEnd {
    const { gates, delayHours } = this.#rules
    return {
      incompleteBecause: this.#incompleteBecause ?? null,
      hasRead: this.#hasRead,
      beganAt: this.#beganAt,
      membersBecause: this.#membersBecause,
      gates,
      delayHours,
    }
  }
}
