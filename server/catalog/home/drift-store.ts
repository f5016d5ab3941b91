import { sql } from 'kysely'
import { isUnaccepted } from '../../ledger/drift/record.ts'
import { selectTeamIds } from '../../ledger/activity/viewer.ts'
import type { Clock, Instant } from '../../platform/kit/clock.ts'
import type { Database } from '../../platform/tables.ts'

/** A data contract that assets of production break. */
interface BrokenContract {
  id: string
  name: string
  /** The number of breaking differences without an acceptance. */
  count: number
  /** The first time that the oldest of them was seen. */
  since: Instant
  /** The number of such contracts. */
  total: number
}

/** Lists the data contracts of teams that assets of production break, the newest difference first, at most a limit. */
export async function listBrokenContracts(
  db: Database,
  clock: Clock,
  organizationId: string,
  teams: readonly string[],
  limit: number,
): Promise<BrokenContract[]> {
  const { rows } = await sql<BrokenContract>`
    select contract.external_id as id, contract.name, count(*)::integer as count,
      min(finding.first_seen_at) as since, (count(*) over ())::integer as total
    from data_contract as contract
    join drift_finding as finding on finding.organization_id = contract.organization_id
      and finding.contract_id = contract.external_id
      and finding.resolved_at is null
      and finding.level = 'breaking'
      and finding.is_production
      and ${isUnaccepted(sql`(select ${clock.now})`)}
    where contract.organization_id = ${organizationId}
      and contract.owner_team_id in ${selectTeamIds(organizationId, teams)}
    group by contract.external_id, contract.name
    order by max(finding.first_seen_at) desc, contract.external_id
    limit ${limit}
  `.execute(db)
  return rows
}
