import { sql, type RawBuilder } from 'kysely'
import type { Claim } from './claim.ts'

/** SQL fragment, a query, of the deletes that the previous ingestion held and a person rejected. */
export function selectRejectedDeletes({
  organizationId,
  integrationId,
}: Pick<Claim, 'organizationId' | 'integrationId'>): RawBuilder<unknown> {
  return sql`
      select former.asset_id, former.path_before, former.held_because
      from (
        select id, held_state
        from ingestion_run
        where organization_id = ${organizationId}
          and integration_id = ${integrationId}
          and kind = 'ingest'
          and status = 'SUCCESS'
        order by started_at desc, id desc
        limit 1
      ) as last
      join asset_change as former on former.organization_id = ${organizationId}
        and former.run_id = last.id
        and former.held_because is not null
      where last.held_state = 'rejected'`
}
