import { sql } from 'kysely'
import { countHeld, type ChangeCounts, type Publication } from '../../catalog/assets/change.ts'
import { publishStaged, settleStatistics } from '../../catalog/assets/publish-service.ts'
import { describeLive } from '../../catalog/assets/live-service.ts'
import { StoreUnavailable } from '../../platform/kit/store-errors.ts'
import { withStatementCancel } from '../../platform/kit/statement-cancel.ts'
import type { Database } from '../../platform/tables.ts'
import type { ReadingEnd } from '../../reality/grants/grants.ts'
import { lockReality } from '../../ledger/promises/lock.ts'
import { publishGrants } from '../../reality/grants/staging-service.ts'
import { beat, closeRun } from './claim-store.ts'
import { ClaimLost, RunCancelled, RunFailed, type Attempt } from './engine.ts'
import { pathFilter, type FilterKind } from '../../connectors/filter.ts'
import type { LedgerEntry, MissingScope } from './ledger.ts'
import {
  isShown,
  isUnread,
  classifyUnlisted,
  newInclusion,
  parsePath,
  type Listing,
} from './listing.ts'
import { listInhabited, recordMissing } from './missing-store.ts'
import { createMessage, missingSentence, type Outcome } from './publish-message.ts'
import { rejectHeldAgain, supersedeHeld, wasHeldRejected } from './publish-store.ts'
import { countStaged, upsertScopes, withholdUpdates } from './staging-store.ts'
import { identifyReading } from './reading.ts'
import { listRejectedUnproven } from './unseen-store.ts'

/**
 * Publishes the staged assets and ends the run in one transaction: readers see the assets either
 * before or after it, and a worker that has lost its run changes nothing. Errors: RunFailed if the
 * listing proves nothing, ClaimLost, RunCancelled.
 */
export async function publishRun(attempt: Attempt, listing: Listing): Promise<ChangeCounts> {
  const { engine, claim, connector, setup, signal } = attempt
  const { organizationId, integrationId } = claim
  const { db, clock } = engine
  const live = await describeLive(db, organizationId, integrationId)
  assertNotEmpty(attempt, listing, live.tableCount)
  const isIncluded = pathFilter({
    filters: setup.filters,
    levels: connector.description.levels,
    systemNames: connector.description.systemNames,
  })
  const unlisted = Map.groupBy(
    live.scopes.filter((scope) => !listing.ledger.has(scope)),
    (scope) => classifyUnlisted(listing, scope, isIncluded),
  )
  const publication: Publication = {
    organizationId,
    integrationId,
    runId: claim.runId,
    fence: claim.fence,
    principal: claim.principal,
    source: connector.source,
    reading: identifyReading(connector, setup),
  }
  const published = await db.transaction().execute((transaction) =>
    withStatementCancel(transaction, engine.beatDb, signal, async () => {
      // A worker that hangs here must not keep its locks.
      await sql`set local idle_in_transaction_session_timeout = '30s'`.execute(transaction)
      await requireAllStaged(attempt, transaction, listing)
      await withholdUpdates(transaction, claim, scopesIn(listing, 'denied'), [...listing.whole])
      const { missing, gone, unproven } = await settleMissing(
        attempt,
        transaction,
        listing,
        unlisted.get('missing') ?? [],
      )
      const held = new Set(unproven.map(({ scope }) => scope))
      const counts = await publishStaged(transaction, clock, publication, {
        scopes: {
          proven: [...scopesIn(listing, 'complete'), ...gone.map(({ scope }) => scope)],
          filtered: [...scopesIn(listing, 'skipped'), ...(unlisted.get('filtered') ?? [])],
        },
        isIncluded: newInclusion(attempt),
        isUnproven: (path) => held.has(path),
        isPreview: claim.kind === 'preview',
        proceed: () => signal.throwIfAborted(),
      })
      const kept = missing.filter((scope) => !gone.includes(scope))
      await closePublished(attempt, transaction, listing, live.scopes, {
        counts,
        missing: kept,
        unproven,
      })
      return counts
    }),
  )
  await settleStatistics(db, published)
  return published
}

interface MissingVerdicts {
  /** Scopes that are not listed. */
  missing: MissingScope[]
  /** Those of them whose assets are gone. */
  gone: MissingScope[]
  /** Tables that the source may only hide. */
  unproven: MissingScope[]
}

/**
 * Records what complete listings do not show, and releases what they have not shown for the grace period. Tables of a
 * scope in which the source hides tables are only released by a person.
 */
async function settleMissing(
  { engine, claim, connector }: Attempt,
  transaction: Database,
  listing: Listing,
  unlistedScopes: readonly string[],
): Promise<MissingVerdicts> {
  const { scopeLevel } = connector.description
  const rejected = await listRejectedUnproven(transaction, claim)
  const recorded = await recordMissing(transaction, engine.clock, claim, {
    missing: [...unlistedScopes, ...listing.unproven.keys()],
    kept: [...rejected, ...listing.hiddenTables],
    isUnread: (path) => isUnread(listing, scopeLevel, path),
  })
  const unlisted = new Set(unlistedScopes)
  const missing = recorded.filter(({ scope }) => unlisted.has(scope))
  return {
    missing,
    // Forcing a run confirms that unlisted scopes are gone.
    gone: missing.filter(({ isExpired }) => isExpired || claim.forced),
    unproven: recorded.filter(({ scope, isExpired }) => listing.unproven.has(scope) && !isExpired),
  }
}

/** Ends the run within its transaction, and records kept scopes in ledger and message. */
async function closePublished(
  attempt: Attempt,
  transaction: Database,
  listing: Listing,
  liveScopes: readonly string[],
  { counts, missing, unproven }: Pick<Outcome, 'counts' | 'missing' | 'unproven'>,
): Promise<void> {
  const { claim } = attempt
  const isPreview = claim.kind === 'preview'
  const names = missing.map(({ scope }) => scope)
  const inhabited = new Set(await listInhabited(transaction, claim, names))
  const kept = missing.filter(({ scope }) => inhabited.has(scope))
  const { levels, scopeLevel } = attempt.connector.description
  const excluded = [...listing.ledger.values()].filter(
    (entry) => !isShown(entry, scopeLevel, []) && isShown(entry, scopeLevel, liveScopes),
  )
  const entries = kept.map((scope) => missingEntry(scope, levels))
  await upsertScopes(transaction, claim, [...excluded, ...entries])
  // Forcing a run requires a new decision.
  const isHeldRejected = !isPreview && !claim.forced && (await wasHeldRejected(transaction, claim))
  if (!isPreview) await supersedeHeld(transaction, claim)
  const message = createMessage(attempt, listing, {
    counts,
    missing: kept,
    unproven,
    isHeldRejected,
  })
  if (!isPreview) await settle(attempt, transaction, listing.grants)
  await close(attempt, transaction, listing.processedCount, counts, message)
  if (isHeldRejected) await rejectHeldAgain(transaction, claim)
}

// The scopes of the run are complete: they decide whether what a contract promises is missing or was not read.
async function settle(
  { engine, claim }: Attempt,
  transaction: Database,
  grants: ReadingEnd | undefined,
): Promise<void> {
  const { organizationId, integrationId, runId, principal } = claim
  if (grants !== undefined) {
    // Grants change the signals of trust, whose lock must follow this one: another order can deadlock with a PUT.
    await lockReality(transaction, organizationId, 'shared')
    await publishGrants(transaction, engine.clock, claim, grants)
  }
  const origin = { organizationId, principal, requestId: runId }
  const change = { ...origin, kind: 'run' as const, runId, integrationId }
  await engine.settleReality(transaction, engine.clock, change)
}

function missingEntry(missing: MissingScope, levels: readonly FilterKind[]): LedgerEntry {
  const { scope } = missing
  const kind = levels[parsePath(scope).length - 1] ?? 'scope'
  return { scope, kind, state: 'missing', objects: 0, message: missingSentence(missing) }
}

// A crashed store has lost staged assets, which would otherwise look as if they were gone from the
// source.
async function requireAllStaged(
  { engine, claim }: Attempt,
  transaction: Database,
  { stagedCount }: Listing,
): Promise<void> {
  const count = await countStaged(transaction, claim)
  if (count === stagedCount) return
  const still = await beat(transaction, engine.clock, claim)
  if (still === undefined) throw new ClaimLost('another worker has the run')
  throw new StoreUnavailable(
    `the store has ${count} of ${stagedCount} staged assets: it crashed during the run`,
  )
}

async function close(
  { engine, claim }: Attempt,
  transaction: typeof engine.db,
  processed: number,
  counts: ChangeCounts,
  message: string,
): Promise<void> {
  const held = countHeld(counts)
  const closed = await closeRun(transaction, engine.clock, claim, {
    status: 'SUCCESS',
    message,
    counts: { processed, held, ...counts },
  })
  if (closed) return
  const still = await beat(transaction, engine.clock, claim)
  if (still?.isCancelled === true) throw new RunCancelled('cancelled before it was published')
  throw new ClaimLost('another worker has the run')
}

// A misconfigured source, or one with fewer privileges, must not look like an empty one.
function assertNotEmpty(
  { claim, connector }: Attempt,
  listing: Listing,
  liveTableCount: number,
): void {
  const { scopeLevel } = connector.description
  const scopes = [...listing.ledger.values()].filter(
    ({ kind, state }) => kind === scopeLevel && state !== 'skipped',
  )
  const isNothingComplete = scopes.every(({ state }) => state !== 'complete')
  if (isNothingComplete && (scopes.length > 0 || !claim.forced)) {
    throw new RunFailed(`${explainEmptiness(listing, scopeLevel)} Nothing was published.`)
  }
  if (listing.tableCount === 0 && liveTableCount > 0 && !claim.forced) {
    throw new RunFailed(
      `The source now shows no tables, but the catalog has ${liveTableCount} of it. Check the privileges and the database. Nothing was published; force a run if the source is really empty.`,
    )
  }
}

// If no scope is listed, its container may explain it: a database that rejects the log-in.
function explainEmptiness({ ledger }: Listing, scopeLevel: FilterKind): string {
  const unread = [...ledger.values()].filter(
    ({ kind, state }) =>
      state === 'denied' || state === 'failed' || (kind === scopeLevel && state === 'pending'),
  )
  const first = unread.find(({ kind }) => kind === scopeLevel) ?? unread[0]
  return first === undefined
    ? `The source shows no ${scopeLevel} that the filters include. Check the privileges and the filters.`
    : `Nothing could be read: ${first.message ?? 'the source gave no reason.'}`
}

function scopesIn({ ledger }: Listing, wanted: LedgerEntry['state']): string[] {
  return [...ledger.values()].filter(({ state }) => state === wanted).map(({ scope }) => scope)
}
