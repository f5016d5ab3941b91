import { sql } from 'kysely'
import type { Clock } from '../../platform/kit/clock.ts'
import type { Database } from '../../platform/tables.ts'
import type { IntegrationKey } from './grants.ts'

/** The kinds of activity that change agreements, output ports, teams or people. */
const KINDS = ['access', 'data-product', 'data-contract', 'team', 'member', 'directory']

/**
 * Lists integrations whose grants were read, and whose comparison may have another result: something that it depends on was
 * changed since, or an hour has passed, in which agreements may have come of age.
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
      )
    order by reading.compared_at nulls first
    limit ${limit}
  `.execute(db)
  return rows
}
