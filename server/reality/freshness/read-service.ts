import { notFound } from '../../platform/errors.ts'
import type { Clock } from '../../platform/kit/clock.ts'
import type { Database } from '../../platform/tables.ts'
import { getFreshnessState } from './freshness.ts'
import * as store from './read-store.ts'
import type { AssetStatistics, ContractFreshness } from './statistics.ts'

/** Returns the values of an asset over time. Errors: not_found. */
export async function getStatistics(
  { db }: { db: Database },
  organizationId: string,
  assetId: string,
  period: { from: string | undefined; to: string | undefined },
): Promise<AssetStatistics> {
  const statistics = await store.findStatistics(db, organizationId, assetId, period)
  if (statistics === undefined) throw notFound()
  return statistics
}

/** Returns the freshness of the models of a contract now. Errors: not_found. */
export async function listFreshness(
  { db, clock }: { db: Database; clock: Clock },
  organizationId: string,
  contractId: string,
): Promise<ContractFreshness> {
  const judgements = await store.listJudgements(db, clock, organizationId, contractId)
  if (judgements === undefined) throw notFound()
  return judgements.map((one) => {
    const { server, model, isProduction, assetId, evidence, evidenceAt, lateAt } = one
    const { property, text, origin } = one.promised
    const unreadable = 'unreadable' in one.promised ? one.promised.unreadable : null
    return {
      server,
      model,
      isProduction,
      assetId,
      ...getFreshnessState(one, one.now),
      promised: { property, text, pointer: origin, unreadable },
      evidence,
      evidenceAt,
      lateAt,
    }
  })
}
