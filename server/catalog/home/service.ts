import type { Caller } from '../../requests/access/caller.ts'
import { listHighlights } from '../../ledger/activity/service.ts'
import { toViewer, type Viewer } from '../../ledger/activity/viewer.ts'
import { countOpenRequests } from '../../agreements/read-service.ts'
import { COUNTED_MAX } from '../../agreements/ui-schema.ts'
import type { Services } from '../../requests/http/endpoint.ts'
import type { Database } from '../../platform/tables.ts'
import * as format from './attention.ts'
import * as attention from './attention-store.ts'
import { DRIFT_NAMED_MAX, reportDrift } from './drift-attention.ts'
import { listBrokenContracts } from './drift-store.ts'
import { CHANGE_DAYS, GROUPS_MAX, type Attention, type FirstSteps, type Home } from './home.ts'
import * as store from './store.ts'

type Work = Pick<Services, 'db' | 'clock' | 'dpsUntil' | 'dcsUntil'>

/** Loads the home page of a person: their products, the changes of the week and the items that need attention. */
export async function loadHome(work: Work, caller: Caller): Promise<Home> {
  const { db } = work
  const viewer = toViewer(caller)
  // Independent statements that run concurrently.
  const [counts, products, starred, activity, items] = await Promise.all([
    store.countAll(db, viewer),
    loadProducts(db, viewer),
    store.listStarredProducts(db, viewer),
    listHighlights(work, caller, { days: CHANGE_DAYS, limit: GROUPS_MAX }),
    loadAttention(work, caller, viewer),
  ])
  return { counts, ...products, starred, activity, attention: items }
}

/** Loads the completion of the first steps of the caller's organization. */
export async function loadFirstSteps(
  { db }: Pick<Work, 'db'>,
  caller: Caller,
): Promise<FirstSteps> {
  return await store.findFirstSteps(db, toViewer(caller))
}

async function loadProducts(
  db: Database,
  { organizationId, teams }: Viewer,
): Promise<Pick<Home, 'products' | 'productsAreMine'>> {
  const mine = teams.length === 0 ? [] : await store.listTeamProducts(db, organizationId, teams)
  if (mine.length > 0) return { products: mine, productsAreMine: true }
  const products = await store.listLatestProducts(db, organizationId)
  return { products, productsAreMine: false }
}

async function loadAttention(work: Work, caller: Caller, viewer: Viewer): Promise<Attention[]> {
  const { db, clock } = work
  const { organizationId, teams } = viewer
  const [states, keys, incidents, broken, dangling, unowned, left, requestCount] =
    await Promise.all([
      attention.listIntegrationStates(db, viewer),
      attention.listExpiringKeys(db, clock, viewer),
      teams.length === 0
        ? []
        : attention.listOpenIncidents(db, organizationId, teams, format.INCIDENTS_NAMED_MAX),
      teams.length === 0
        ? []
        : listBrokenContracts(db, clock, organizationId, teams, DRIFT_NAMED_MAX),
      teams.length === 0 ? [] : attention.listDangling(db, organizationId, teams),
      // Only organization owners can edit these.
      viewer.isOwner ? attention.findUnownedContracts(db, organizationId) : { ids: [], count: 0 },
      // An organization owner without a team is responsible for all documents.
      attention.countLeftToMove(
        db,
        clock,
        organizationId,
        viewer.isOwner && teams.length === 0 ? undefined : teams,
      ),
      countOpenRequests(work, caller),
    ])
  return format.sortBySeverity([
    ...states.flatMap(formatIntegration),
    ...format.reportIncidents(incidents),
    ...reportDrift(broken),
    ...(requestCount > 0 ? [format.reportAccessRequests(requestCount, COUNTED_MAX)] : []),
    ...keys.map(format.keyExpiring),
    ...dangling.map(format.contractMissing),
    ...format.reportUnownedContracts(unowned),
    ...formatEndingFormats(work, left),
  ])
}

function formatIntegration(state: attention.IntegrationState): Attention[] {
  const { pausedBecause, failedRunId, heldRunId } = state
  const items: Attention[] = []
  if (pausedBecause !== null) items.push(format.reportPausedIntegration(state, pausedBecause))
  if (failedRunId !== null) {
    const run = { id: failedRunId, at: state.failedAt, because: state.failedBecause }
    items.push(format.reportFailedRun(state, run))
  }
  if (heldRunId !== null) {
    const run = { id: heldRunId, at: state.heldAt, count: state.heldCount ?? 0 }
    items.push(format.reportHeldDeletes(state, run))
  }
  return items
}

function formatEndingFormats(
  { dpsUntil, dcsUntil }: Work,
  { dps, dcs, now }: attention.LeftToMove,
): Attention[] {
  const items: Attention[] = []
  if (dps > 0) items.push(format.formatEnding('dps', { count: dps, until: dpsUntil, now }))
  if (dcs > 0) items.push(format.formatEnding('dcs', { count: dcs, until: dcsUntil, now }))
  return items
}
