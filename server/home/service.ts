import type { Caller } from '../access/caller.ts'
import { listHighlights } from '../activity/service.ts'
import { toViewer, type Viewer } from '../activity/viewer.ts'
import type { Services } from '../http/endpoint.ts'
import type { Database } from '../tables.ts'
import * as say from './attention.ts'
import * as attention from './attention-store.ts'
import { CHANGE_DAYS, GROUPS_MAX, type Attention, type FirstSteps, type Home } from './home.ts'
import * as store from './store.ts'

type Work = Pick<Services, 'db' | 'clock' | 'dpsUntil' | 'dcsUntil'>

/** Loads the first page of a person: their products, the changes of the week, what needs attention. */
export async function loadHome(work: Work, caller: Caller): Promise<Home> {
  const { db } = work
  const viewer = toViewer(caller)
  // Each is a statement of its own, and none waits for another.
  const [counts, products, activity, waiting] = await Promise.all([
    store.countAll(db, viewer),
    productsFor(db, viewer),
    listHighlights(work, caller, { days: CHANGE_DAYS, limit: GROUPS_MAX }),
    attentionFor(work, viewer),
  ])
  return { counts, ...products, activity, attention: waiting }
}

/** Loads which first steps the caller's organization has done. */
export async function loadFirstSteps(
  { db }: Pick<Work, 'db'>,
  caller: Caller,
): Promise<FirstSteps> {
  return await store.findFirstSteps(db, toViewer(caller))
}

async function productsFor(
  db: Database,
  { organizationId, teams }: Viewer,
): Promise<Pick<Home, 'products' | 'productsAreMine'>> {
  const mine = teams.length === 0 ? [] : await store.listProductsOf(db, organizationId, teams)
  if (mine.length > 0) return { products: mine, productsAreMine: true }
  const products = await store.listLatestProducts(db, organizationId)
  return { products, productsAreMine: false }
}

async function attentionFor(work: Work, viewer: Viewer): Promise<Attention[]> {
  const { db, clock } = work
  const { organizationId, teams } = viewer
  const [states, keys, dangling, unowned, left] = await Promise.all([
    attention.listIntegrationStates(db, viewer),
    attention.listExpiringKeys(db, clock, viewer),
    teams.length === 0 ? [] : attention.listDangling(db, organizationId, teams),
    // Only organization owners can edit these.
    viewer.isOwner ? attention.findUnownedContracts(db, organizationId) : { ids: [], count: 0 },
    // Whoever owns the organization and is in no team answers for all of it.
    attention.countLeftToMove(
      db,
      clock,
      organizationId,
      viewer.isOwner && teams.length === 0 ? undefined : teams,
    ),
  ])
  return say.inOrder([
    ...states.flatMap(sayOfIntegration),
    ...keys.map(say.keyExpiring),
    ...dangling.map(say.contractMissing),
    ...say.contractUnowned(unowned),
    ...sayOfFormats(work, left),
  ])
}

function sayOfIntegration(state: attention.IntegrationState): Attention[] {
  const { pausedBecause, failedRunId, heldRunId } = state
  const said: Attention[] = []
  if (pausedBecause !== null) said.push(say.integrationPaused(state, pausedBecause))
  if (failedRunId !== null) {
    const run = { id: failedRunId, at: state.failedAt, because: state.failedBecause }
    said.push(say.runFailed(state, run))
  }
  if (heldRunId !== null) {
    const run = { id: heldRunId, at: state.heldAt, count: state.heldCount ?? 0 }
    said.push(say.deletesHeld(state, run))
  }
  return said
}

function sayOfFormats(
  { dpsUntil, dcsUntil }: Work,
  { dps, dcs, now }: attention.LeftToMove,
): Attention[] {
  const said: Attention[] = []
  if (dps > 0) said.push(say.formatEnding('dps', { count: dps, until: dpsUntil, now }))
  if (dcs > 0) said.push(say.formatEnding('dcs', { count: dcs, until: dcsUntil, now }))
  return said
}
