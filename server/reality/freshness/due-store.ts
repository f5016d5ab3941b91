import { sql } from 'kysely'
import type { PromiseKey } from '../../ledger/promises/promise.ts'
import type { Clock, Instant } from '../../platform/kit/clock.ts'
import type { Database } from '../../platform/tables.ts'

/** A promise to judge again. */
interface DuePromise extends PromiseKey {
  organizationId: string
}

/** Lists at most `limit` promises whose data may be late since they were judged. */
export async function listDuePromises(
  db: Database,
  clock: Clock,
  limit: number,
): Promise<DuePromise[]> {
  const { rows } = await sql<DuePromise>`
    select organization_id as "organizationId", contract_id as "contractId", server, model
    from promise_freshness
    where judged_at < late_at
      and late_at <= (select ${clock.now})
    order by late_at
    limit ${limit}
  `.execute(db)
  return rows
}

/** An asset that a pipeline wrote, and the promises that are linked with it. */
interface UnsettledWrite {
  organizationId: string
  assetId: string
  completedAt: Instant
  promises: PromiseKey[]
}

/** Lists at most `limit` assets that pipelines wrote since the freshness of their promises was judged. */
export async function listUnsettledWrites(db: Database, limit: number): Promise<UnsettledWrite[]> {
  const { rows } = await sql<UnsettledWrite>`
    select written.organization_id as "organizationId", written.asset_id as "assetId",
      written.completed_at as "completedAt", coalesce(linked.promises, '[]') as promises
    from (
      select organization_id, asset_id, completed_at
      from asset_write
      where not is_settled
      order by organization_id, asset_id
      limit ${limit}
    ) as written
    left join lateral (
      select json_agg(json_build_object('contractId', contract_id, 'server', server, 'model', model)) as promises
      from asset_link
      where organization_id = written.organization_id
        and asset_id = written.asset_id
    ) as linked on true
  `.execute(db)
  return rows
}

/** Marks reports as included in judgements, unless a newer one has arrived. */
export async function markSettled(
  db: Database,
  organizationId: string,
  writes: readonly UnsettledWrite[],
): Promise<void> {
  await sql`
    update asset_write
    set is_settled = true
    from unnest(
      ${writes.map(({ assetId }) => assetId)}::text[],
      ${writes.map(({ completedAt }) => completedAt)}::timestamptz[]
    ) as settled (asset_id, completed_at)
    where asset_write.organization_id = ${organizationId}
      and asset_write.asset_id = settled.asset_id
      and asset_write.completed_at = settled.completed_at
  `.execute(db)
}
