import { sql } from 'kysely'
import type { Clock } from '../../platform/kit/clock.ts'
import type { Database } from '../../platform/tables.ts'
import type { IntegrationKey } from './grants.ts'

/** The kinds of activity that change agreements, output ports and their tables, teams or people. */
const KINDS = [
  'access',
  'data-product',
  'data-contract',
  'asset',
  'integration',
  'team',
  'member',
  'directory',
]

/**
 * Lists integrations whose grants were read, and whose comparison may have another result: something that it depends on was
 * changed since, an acceptance has ended, another integration with tables of the same ports was read, or an hour has passed, in
 * which the grace period of an agreement may have ended.
 */
export async function listDue(
  db: Database,
  clock: Clock,
  limit: number,
): Promise<IntegrationKey[]> {
  const { rows } = await sql<IntegrationKey>`
    select reading.organization_id as "organizationId", reading.integration_id as "integrationId"
    from grant_reading as reading
    cross join (select ${clock.now} as instant) as now
    where reading.enabled
      and reading.read_at is not null
      and (
        reading.compared_at is null
        or reading.compared_at < now.instant - interval '1 hour'
        or exists (
          select from unnest(${KINDS}::text[]) as changed (kind)
          where exists (
            select from activity_entry as entry
            where entry.organization_id = reading.organization_id
              and entry.kind = changed.kind
              and entry.at > reading.compared_at - interval '1 minute'
          )
        )
        or exists (
          select from grant_finding as finding
          where finding.organization_id = reading.organization_id
            and finding.integration_id = reading.integration_id
            and finding.resolved_at is null
            and finding.accepted_until > reading.compared_at
            and finding.accepted_until <= now.instant
        )
        or (
          reading.shares_ports
          and exists (
            select from grant_reading as other
            where other.organization_id = reading.organization_id
              and other.integration_id <> reading.integration_id
              and greatest(other.attempted_at, other.updated_at) > reading.compared_at
          )
        )
      )
    order by reading.compared_at nulls first
    limit ${limit}
  `.execute(db)
  return rows
}
