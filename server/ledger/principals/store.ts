import { sql } from 'kysely'
import type { Database } from '../../platform/tables.ts'
import type { VisibleNames } from './principal.ts'

/** The IDs of principals by kind. */
interface PrincipalIds {
  userIds: readonly string[]
  keyIds: readonly string[]
  integrationIds: readonly string[]
}

/** The name of a principal. */
interface PrincipalName {
  kind: 'user' | 'api-key' | 'integration'
  id: string
  name: string
}

/**
 * Lists the names of members, keys and integrations of an organization. Accounts are shared by all organizations, so
 * only names of members are returned.
 */
export async function listNames(
  db: Database,
  organizationId: string,
  { userIds, keyIds, integrationIds }: PrincipalIds,
  visible: VisibleNames = { keys: sql`true`, integrations: sql`true` },
): Promise<PrincipalName[]> {
  const { rows } = await sql<PrincipalName>`
    select 'user' as kind, user_account.id::text as id, user_account.name
    from organization_member
    join user_account on user_account.id = organization_member.user_id
    where organization_member.organization_id = ${organizationId}
      and organization_member.user_id = any(${userIds}::uuid[])
    union all
    select 'api-key', id::text, display_name
    from api_key
    where organization_id = ${organizationId}
      and id = any(${keyIds}::uuid[])
      and ${visible.keys}
    union all
    select 'integration', external_id, name
    from integration
    where organization_id = ${organizationId}
      and external_id = any(${integrationIds}::text[])
      and ${visible.integrations}
  `.execute(db)
  return rows
}
