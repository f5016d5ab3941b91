import { sql } from 'kysely'
import type { Database } from '../../platform/tables.ts'

/** Lists the endpoints of a team, by its internal id. */
export async function listIdsOfTeam(
  db: Database,
  organizationId: string,
  teamId: string,
): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select id
    from webhook_endpoint
    where organization_id = ${organizationId}
      and team_id = ${teamId}::uuid
    order by created_at, id
  `.execute(db)
  return rows.map(({ id }) => id)
}
