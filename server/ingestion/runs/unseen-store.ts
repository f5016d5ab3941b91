import { sql } from 'kysely'
import { CONTAINER_KINDS, type AssetKind } from '../../connectors/description.ts'
import type { Database } from '../../platform/tables.ts'
import type { Claim } from './claim.ts'
import { selectRejectedDeletes } from './rejected-record.ts'

/** A live table that a run has not seen in its scope. */
export interface UnseenTable {
  /** A native path as a JSON list. */
  path: string
  scope: string
  kind: AssetKind
}

/**
 * Lists the live tables of completely read scopes that a run has not seen, also not under another name. Each condition is
 * a separate anti join, because the planner compares every pair of rows for a disjunction.
 */
export async function listUnseen(
  db: Database,
  { organizationId, integrationId, runId, fence }: Claim,
  scopes: readonly string[],
): Promise<UnseenTable[]> {
  const { rows } = await sql<UnseenTable>`
    select asset.path, asset.scope, asset.kind
    from asset
    where asset.organization_id = ${organizationId}
      and asset.integration_id = ${integrationId}
      and asset.deleted_at is null
      and asset.scope = any(${scopes}::text[])
      and not asset.kind = any(${CONTAINER_KINDS}::text[])
      and not exists (
        select from staged_asset as staged
        where staged.organization_id = asset.organization_id
          and staged.run_id = ${runId}
          and staged.fence = ${fence}
          and staged.path = asset.path
      )
      and not exists (
        select from staged_asset as staged
        where staged.organization_id = asset.organization_id
          and staged.run_id = ${runId}
          and staged.fence = ${fence}
          and staged.source_id = asset.source_id
          and staged.kind = asset.kind
      )
    order by asset.scope, asset.path
  `.execute(db)
  return rows
}

/** Lists the paths of unproven deletes that a person rejected after the last run. */
export async function listRejectedUnproven(db: Database, claim: Claim): Promise<string[]> {
  const { rows } = await sql<{ path: string }>`
    select path_before as path
    from (${selectRejectedDeletes(claim)}
    ) as rejected
    where held_because = 'unproven'
  `.execute(db)
  return rows.map(({ path }) => path)
}
