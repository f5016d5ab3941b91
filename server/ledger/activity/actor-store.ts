import { sql, type RawBuilder } from 'kysely'
import type { Database } from '../../platform/tables.ts'
import { ACTORS_MAX } from './activity.ts'

/** Lists the possible actors: members, then the API keys that fulfil a condition, by name. */
export async function listActors(
  db: Database,
  organizationId: string,
  canSeeKey: RawBuilder<unknown>,
): Promise<{ principal: string; name: string }[]> {
  const { rows } = await sql<{ principal: string; name: string }>`
    select principal, name
    from (
      select 1 as ordinal, 'user:' || user_account.id as principal, user_account.name
      from organization_member
      join user_account on user_account.id = organization_member.user_id
      where organization_member.organization_id = ${organizationId}
      union all
      select 2, 'api-key:' || id, display_name
      from api_key
      where organization_id = ${organizationId}
        and ${canSeeKey}
    ) as actor
    order by ordinal, lower(name), principal
    limit ${ACTORS_MAX}
  `.execute(db)
  return rows
}
