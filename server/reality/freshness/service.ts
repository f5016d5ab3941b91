import type { Clock, Instant } from '../../platform/kit/clock.ts'
import type { RealityChange } from '../../platform/reality-change.ts'
import type { Database } from '../../platform/tables.ts'
import { judgeRow, type FreshnessRow, type PromiseKey } from './evidence.ts'
import type { Judgement } from './freshness.ts'
import * as store from './store.ts'
import type { JudgementWrite } from './store.ts'

/**
 * Judges the freshness of the promises that a change may affect, in its transaction: relinked ones, and those of tables
 * that a run has read. Returns the promises whose judgement is another one.
 */
export async function settleFreshness(
  db: Database,
  clock: Clock,
  change: RealityChange,
  affected: readonly PromiseKey[],
): Promise<PromiseKey[]> {
  const selection = store.toSelection(change, affected.map(toKey))
  if ('keys' in selection && selection.keys.length === 0 && selection.integrationId === undefined) {
    return []
  }
  const rows = await store.listEvidence(db, clock, change.organizationId, selection)
  return await writeChanged(db, change.organizationId, rows)
}

async function writeChanged(
  db: Database,
  organizationId: string,
  rows: readonly FreshnessRow[],
): Promise<PromiseKey[]> {
  const [first] = rows
  if (first === undefined) return []
  const ended = rows.filter(({ promise, stored }) => promise === null && stored !== null).map(toKey)
  const changed = rows.flatMap((row): JudgementWrite[] => {
    const { promise, stored } = row
    const judgement = judgeRow(row)
    if (promise === null || judgement === undefined) return []
    const isSame =
      stored !== null &&
      JSON.stringify(stored.promised) === JSON.stringify(promise) &&
      FIELDS.every((field) => stored[field] === judgement[field])
    return isSame ? [] : [{ ...toKey(row), promised: promise, ...toInstants(judgement) }]
  })
  if (changed.length > 0) await store.upsertJudgements(db, organizationId, first.now, changed)
  if (ended.length > 0) await store.deleteJudgements(db, organizationId, ended)
  return [...changed.map(toKey), ...ended]
}

const FIELDS = ['evidence', 'evidenceAt', 'lateAt', 'isConfirmed', 'unknownBecause'] as const

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
