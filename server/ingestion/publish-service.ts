import { sql } from 'kysely'
import type { ChangeCounts, Publication } from '../assets/change.ts'
import { publishStaged, settleStatistics } from '../assets/publish-service.ts'
import { describeLive } from '../assets/live-service.ts'
import { StoreUnavailable } from '../kit/connection.ts'
import { withStatementCancel } from '../kit/statement-cancel.ts'
import type { Database } from '../tables.ts'
import { beat, closeRun } from './claim-store.ts'
import { ClaimLost, RunCancelled, RunFailed, type Attempt } from './engine.ts'
import { pathFilter } from './filter.ts'
import { describeListing, judgeUnlisted, namesOf, type Listing } from './listing.ts'
import { noteMissing, supersedeHeld } from './publish-store.ts'
import { analyzeStaged, countStaged } from './staging-store.ts'
import { untilAborted } from './until-aborted.ts'

/** Staged rows for which it is worth the time to count them. */
const ANALYZED_ROWS_MIN = 1000

/**
 * Publishes what an attempt has seen and ends the run, in one transaction: readers see the assets
 * before or those after, and a worker that has lost its run meanwhile changes nothing. Errors:
 * RunFailed when the listing proves nothing, ClaimLost, RunCancelled.
 */
export async function publishRun(attempt: Attempt, listing: Listing): Promise<ChangeCounts> {
  const { engine, claim, connector, setup, signal } = attempt
  const { organizationId, integrationId } = claim
  const { db, clock } = engine
  const live = await describeLive(db, organizationId, integrationId)
  refuseNothing(attempt, listing, live.tableCount)
  const isTakenIn = pathFilter({
    filters: setup.filters,
    levels: connector.description.levels,
    systemNames: connector.description.systemNames,
  })
  const leftOut: readonly string[] = connector.description.kindsLeftOut(setup.configuration)
  const unlisted = Map.groupBy(
    live.scopes.filter((scope) => !listing.ledger.has(scope)),
    (scope) => judgeUnlisted(listing, scope, isTakenIn),
  )
  const missing = unlisted.get('missing') ?? []
  const publication: Publication = {
    organizationId,
    integrationId,
    runId: claim.runId,
    fence: claim.fence,
    principal: claim.principal,
    source: connector.source,
  }
  if (listing.stagedCount >= ANALYZED_ROWS_MIN) await untilAborted(analyzeStaged(db), signal)
  const isPreview = claim.kind === 'preview'
  const published = await db.transaction().execute((transaction) =>
    withStatementCancel(transaction, engine.beatDb, signal, async () => {
      // A worker that is stopped here must not keep its locks.
      await sql`set local idle_in_transaction_session_timeout = '30s'`.execute(transaction)
      await requireAllStaged(attempt, transaction, listing)
      const expired = await noteMissing(transaction, clock, claim, missing)
      const scopes = {
        proven: [...scopesIn(listing, 'complete'), ...expired],
        filtered: [...scopesIn(listing, 'skipped'), ...(unlisted.get('filtered') ?? [])],
      }
      const counts = await publishStaged(transaction, clock, publication, {
        scopes,
        isTakenIn: (path, kind) => isTakenIn(path) && !leftOut.includes(kind),
        isPreview,
        proceed: () => signal.throwIfAborted(),
      })
      if (!isPreview) await supersedeHeld(transaction, claim)
      const kept = missing.filter((scope) => !expired.includes(scope))
      const message = messageOf(attempt, listing, counts, kept)
      await close(attempt, transaction, listing.processedCount, counts, message)
      return counts
    }),
  )
  await settleStatistics(db, published)
  return published
}

// A store that crashed meanwhile has forgotten what was staged, and nothing else tells: what it
// forgot would look as if it were gone from the source.
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
    `the store has ${count} of ${stagedCount} staged assets: it broke down meanwhile`,
  )
}

async function close(
  { engine, claim }: Attempt,
  transaction: typeof engine.db,
  processed: number,
  counts: ChangeCounts,
  message: string,
): Promise<void> {
  const held = counts.heldByBrake + counts.heldByFilter
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

// A source that is wrong, or shows less than before, must never look like one that is empty.
function refuseNothing(
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
    const [first] = scopes
    const reason =
      first === undefined
        ? `The source shows no ${scopeLevel} that the filters take in. Privileges? Wrong filters?`
        : `Nothing could be read: ${first.message ?? 'the source gave no reason'}`
    throw new RunFailed(`${reason} Nothing was published.`)
  }
  if (listing.tableCount === 0 && liveTableCount > 0 && !claim.forced) {
    throw new RunFailed(
      `The source now shows nothing, and the catalog has ${liveTableCount} tables of it. Privileges? Wrong database? Nothing was published; run it with force if that is right.`,
    )
  }
}

function scopesIn({ ledger }: Listing, wanted: 'complete' | 'skipped'): string[] {
  return [...ledger.values()].filter(({ state }) => state === wanted).map(({ scope }) => scope)
}

function messageOf(
  { claim, connector }: Attempt,
  listing: Listing,
  counts: ChangeCounts,
  missing: readonly string[],
): string {
  const parts = [describeListing(listing, connector.description.scopeLevel)]
  if (claim.kind === 'preview') parts.unshift('Preview, nothing was published')
  if (missing.length > 0) parts.push(`no longer listed, kept for now: ${namesOf(missing)}`)
  if (counts.heldByBrake > 0) {
    parts.push(`${counts.heldByBrake} deletes at once are held until a person confirms them`)
  }
  if (counts.heldByFilter > 0) {
    parts.push(
      `${counts.heldByFilter} assets that the settings leave out now are kept until a person confirms`,
    )
  }
  return parts.join('; ')
}
