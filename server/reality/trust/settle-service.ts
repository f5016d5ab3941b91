import { lockTrust } from '../../ledger/promises/lock.ts'
import { readTime, type Clock } from '../../platform/kit/clock.ts'
import type { Database } from '../../platform/tables.ts'
import { judgeTrust } from './judge.ts'
import { listIncidents, listPromises } from './promise-store.ts'
import type { TrustState } from './state.ts'
import * as states from './state-store.ts'
import type { TrustSubjects } from './state-store.ts'
import { listAssetRows, listCertifiable, listTrustRows } from './store.ts'

// Signals are stored in the transaction of each cause, and again when time changes them.

// More resources are left to the upkeep; until then readers judge them.
const SETTLED_AT_ONCE_MAX = 500

/**
 * Stores the signals of resources and of what depends on them, in the transaction of the change that they follow from and as
 * its last step: the data products and assets of contracts, and the output ports of data products. Resources that do not exist
 * lose theirs.
 */
export async function settleTrust(
  db: Database,
  clock: Clock,
  organizationId: string,
  affected: TrustSubjects,
): Promise<void> {
  const { products, contracts, assets } = affected
  if (products.length + contracts.length + assets.length === 0) return
  await lockTrust(db, organizationId)
  const dependents = await states.findDependents(db, organizationId, affected)
  const subjects = {
    products: [...new Set([...products, ...dependents.products])],
    contracts: [...new Set(contracts)],
    assets: dependents.assets,
  }
  await settleOrMark(db, clock, organizationId, subjects, dependents.contracts)
}

/**
 * Stores the signals of all documents of an organization that a certification may concern: those with the tag of one, and those
 * that are certified by what is stored.
 */
export async function settleCertifications(
  db: Database,
  clock: Clock,
  organizationId: string,
): Promise<void> {
  await lockTrust(db, organizationId)
  const subjects = await listCertifiable(db, organizationId)
  const { assets } = subjects
  const linked = await states.findDependents(db, organizationId, { contracts: [], assets })
  await settleOrMark(db, clock, organizationId, subjects, linked.contracts)
}

async function settleOrMark(
  db: Database,
  clock: Clock,
  organizationId: string,
  subjects: TrustSubjects,
  linked: readonly string[],
): Promise<void> {
  const count = subjects.products.length + subjects.contracts.length + subjects.assets.length
  if (count > SETTLED_AT_ONCE_MAX) {
    await states.markDue(db, clock, organizationId, subjects)
    return
  }
  await settle(db, clock, organizationId, subjects, linked)
}

async function settle(
  db: Database,
  clock: Clock,
  organizationId: string,
  judged: TrustSubjects,
  linked: readonly string[],
): Promise<void> {
  const all = await judge(db, clock, organizationId, judged, linked)
  await states.saveStates(db, clock, organizationId, { judged, states: all })
}

/** Judges resources without storing their signals. Those that do not exist are left out. */
export async function judgeResources(
  db: Database,
  clock: Clock,
  organizationId: string,
  subjects: TrustSubjects,
): Promise<TrustState[]> {
  const { assets } = subjects
  const linked =
    assets.length === 0
      ? []
      : (await states.findDependents(db, organizationId, { contracts: [], assets })).contracts
  return await judge(db, clock, organizationId, subjects, linked)
}

// `linked` are the contracts of the assets, which are read and not judged: of their promises only those of the assets count.
async function judge(
  db: Database,
  clock: Clock,
  organizationId: string,
  { products, contracts, assets }: TrustSubjects,
  linked: readonly string[],
): Promise<TrustState[]> {
  const read = [...new Set([...contracts, ...linked])]
  const rows = await listTrustRows(db, clock, organizationId, { products, contracts: read })
  const named = rows.flatMap(({ kind, contractId }) =>
    kind === 'data-product' && contractId !== null ? contractId : [],
  )
  const all = [...new Set([...read, ...named])]
  const promising = { contracts: [...new Set([...contracts, ...named])], assets }
  const promises = await listPromises(db, clock, organizationId, promising)
  const incidents = await listIncidents(db, clock, organizationId, all)
  const assetRows = await listAssetRows(db, organizationId, assets)
  const now = rows[0]?.now ?? (await readTime(db, clock))
  const facts = { rows, promises, incidents, assets: assetRows, nowMs: Date.parse(now) }
  const isJudged = new Set(contracts)
  return judgeTrust(facts).filter(
    ({ kind, subject }) => kind !== 'data-contract' || isJudged.has(subject),
  )
}

/**
 * Settles the states that time has changed, or that a change has left. Returns their number. One organization after the
 * other, in transactions of their own.
 */
export async function settleDueTrust(db: Database, clock: Clock): Promise<number> {
  let count = 0
  for (;;) {
    const settled = await db.transaction().execute(async (db) => settleNext(db, clock))
    count += settled
    if (settled === 0) return count
  }
}

async function settleNext(db: Database, clock: Clock): Promise<number> {
  const due = await states.listDue(db, clock)
  const [first] = due
  if (first === undefined) return 0
  const { organizationId } = first
  await lockTrust(db, organizationId)
  const list = (kind: TrustState['kind']): string[] =>
    due.flatMap((one) => (one.kind === kind ? one.subject : []))
  const subjects = {
    products: list('data-product'),
    contracts: list('data-contract'),
    assets: list('asset'),
  }
  const { contracts } = await states.findDependents(db, organizationId, {
    contracts: [],
    assets: subjects.assets,
  })
  await settle(db, clock, organizationId, subjects, contracts)
  return due.length
}
