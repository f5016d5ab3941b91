import type { FreshnessPromise } from '../../../formats/reality/freshness.ts'
import { lockReality } from '../../ledger/promises/lock.ts'
import type { PromiseKey } from '../../ledger/promises/promise.ts'
import type { Clock, Instant } from '../../platform/kit/clock.ts'
import type { RealityChange, TestsChange } from '../../platform/reality-change.ts'
import type { Database } from '../../platform/tables.ts'
import { judgeRow, type FreshnessRow } from './evidence.ts'
import type { Judgement } from './freshness.ts'
import { settleLateIncidents } from './late-incident-service.ts'
import * as statistics from './statistic-store.ts'
import * as store from './store.ts'
import type { JudgementWrite } from './store.ts'

/** The contracts and assets whose judgements changed. */
interface JudgedSubjects {
  contracts: readonly string[]
  assets: readonly string[]
}

const NOTHING: JudgedSubjects = { contracts: [], assets: [] }

/** The author of changed judgements. */
type FreshnessOrigin = Pick<RealityChange, 'organizationId' | 'principal' | 'requestId'>

/**
 * Judges the freshness of the promises that a change may affect, in its transaction: relinked ones, and those of tables
 * that a run has read. Incidents open and resolve with it. Returns the contracts and assets whose judgement is another one.
 */
export async function settleFreshness(
  db: Database,
  clock: Clock,
  change: RealityChange,
  affected: readonly (PromiseKey & { assetId: string | null })[],
): Promise<JudgedSubjects> {
  const { organizationId } = change
  const assetIds = [...new Set(affected.flatMap(({ assetId }) => assetId ?? []))]
  const productIds = change.kind === 'products' ? change.ids : []
  if (assetIds.length > 0 || productIds.length > 0) {
    await statistics.beginHistories(db, clock, organizationId, { assetIds, productIds })
  }
  const selection = store.toSelection(change, affected.map(toKey))
  if ('keys' in selection && selection.keys.length === 0 && selection.integrationId === undefined) {
    return NOTHING
  }
  const contracts = change.kind === 'contracts' ? change.ids : []
  return await judgeSelection(db, clock, change, selection, contracts)
}

/** Judges the freshness of the promises of contracts whose test results changed, in the transaction of the results. */
export async function judgeTested(
  db: Database,
  clock: Clock,
  change: TestsChange,
): Promise<JudgedSubjects> {
  // Another transaction may judge the same promises without these results.
  await lockReality(db, change.organizationId, 'shared')
  return await judgeSelection(db, clock, change, { contractIds: change.contracts })
}

/** Judges promises in the caller's transaction, with the incidents of these contracts and of those that changed. */
export async function judgeSelection(
  db: Database,
  clock: Clock,
  origin: FreshnessOrigin,
  selection: store.JudgedSelection,
  contracts: readonly string[] = [],
): Promise<JudgedSubjects> {
  const { organizationId } = origin
  const rows = await store.listEvidence(db, clock, organizationId, selection)
  const changed = await writeChanged(db, organizationId, rows)
  const concerned = new Set([...contracts, ...changed.contracts])
  if (concerned.size > 0) await settleLateIncidents(db, clock, origin, [...concerned])
  return changed
}

async function writeChanged(
  db: Database,
  organizationId: string,
  rows: readonly FreshnessRow[],
): Promise<JudgedSubjects> {
  const [first] = rows
  if (first === undefined) return NOTHING
  const ended = rows.filter(({ promise, stored }) => promise === null && stored !== null).map(toKey)
  const changed = rows.flatMap((row): JudgementWrite[] => {
    const judgement = judgeRow(row)
    const { promise } = row
    if (promise === null || judgement === undefined || isStored(row, promise, judgement)) return []
    return [{ ...toKey(row), promised: promise, ...toInstants(judgement) }]
  })
  if (changed.length > 0) await store.upsertJudgements(db, organizationId, first.now, changed)
  if (ended.length > 0) await store.deleteJudgements(db, organizationId, ended)
  const isChanged = newKeySet([...changed, ...ended])
  const judged = rows.filter(isChanged)
  return {
    contracts: [...new Set(judged.map(({ contractId }) => contractId))],
    assets: [...new Set(judged.flatMap(({ assetId }) => assetId ?? []))],
  }
}

/** A promise whose stored judgement does not follow from its evidence; null = none is stored, or none should be. */
interface OutdatedFreshness extends PromiseKey {
  stored: Partial<Judgement> | null
  expected: Judgement | null
}

/** Judges promises again without storing it, and lists those that differ. Promises that are due to be judged are left out. */
export async function listOutdatedFreshness(
  db: Database,
  clock: Clock,
  organizationId: string,
  selection: store.JudgedSelection,
): Promise<OutdatedFreshness[]> {
  const rows = await store.listEvidence(db, clock, organizationId, selection)
  return rows.flatMap((row) => {
    const { promise, stored } = row
    const expected = judgeRow(row) ?? null
    const isRight =
      promise === null || expected === null ? stored === null : isStored(row, promise, expected)
    if (isRight || stored?.isDue === true || row.isWritten) return []
    return [{ ...toKey(row), stored, expected }]
  })
}

function newKeySet(keys: readonly PromiseKey[]): (key: PromiseKey) => boolean {
  const texts = new Set(keys.map((key) => JSON.stringify(toKey(key))))
  return (key) => texts.has(JSON.stringify(toKey(key)))
}

const FIELDS = ['evidence', 'evidenceAt', 'lateAt', 'isConfirmed', 'unknownBecause'] as const

// A judgement from before it was due is written again, so that it is due only once.
function isStored(
  { stored }: FreshnessRow,
  promise: FreshnessPromise,
  judgement: Judgement,
): boolean {
  return (
    stored !== null &&
    stored.isDue !== true &&
    JSON.stringify(stored.promised) === JSON.stringify(promise) &&
    FIELDS.every((field) => stored[field] === judgement[field])
  )
}

function toInstants(judgement: Judgement): Omit<JudgementWrite, keyof PromiseKey | 'promised'> {
  const { evidenceAt, lateAt, ...facts } = judgement
  return { ...facts, evidenceAt: toInstant(evidenceAt), lateAt: toInstant(lateAt) }
}

function toInstant(time: number | null): Instant | null {
  return time === null ? null : new Date(time).toISOString()
}

function toKey({ contractId, server, model }: PromiseKey): PromiseKey {
  return { contractId, server, model }
}
