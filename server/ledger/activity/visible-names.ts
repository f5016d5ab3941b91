import { sql, type RawBuilder } from 'kysely'
import type { Caller } from '../../requests/access/caller.ts'
import { isOwner, may } from '../../requests/access/permission.ts'
import type { VisibleNames } from '../principals/principal.ts'
import { DETAILED_KIND, ENTRY_KINDS, getAudience, type Audience } from './entry.ts'
import { canSeeIntegration, toViewer } from './viewer.ts'

const listKinds = (audience: Audience): string[] =>
  ENTRY_KINDS.filter((kind) => kind !== DETAILED_KIND && getAudience(kind) === audience)
const OPEN_KINDS = listKinds('everyone')
const TEAM_KINDS = listKinds('team')

/**
 * Returns a condition on a row of `api_key`: the caller can see the name of the key, because their list of keys has it, or
 * because it made a change whose entry they can see.
 */
export function canSeeKey(caller: Caller): RawBuilder<unknown> {
  const teams = [...caller.roles.keys()]
  const managed = teams.filter((team) => may(caller, 'TEAM_API_KEY_MANAGE', team))
  return sql`(
    ${isOwner(caller)}::boolean
    or api_key.user_id = ${caller.userId ?? null}::uuid
    or api_key.team_id in (
      select id
      from team
      where organization_id = ${caller.organizationId}
        and external_id = any(${managed}::text[])
    )
    or exists (
      select
      from activity_entry as entry
      where entry.organization_id = ${caller.organizationId}
        and entry.principal = 'api-key:' || api_key.id
        and entry.kind <> ${sql.lit(DETAILED_KIND)}
        and (
          entry.kind = any(${OPEN_KINDS}::text[])
          or (entry.kind = any(${TEAM_KINDS}::text[]) and entry.team = any(${['', ...teams]}::text[]))
        )
    )
  )`
}

/** Returns the principals whose names a caller can see: those of lists that the caller sees, or of visible changes. */
export function selectVisibleNames(caller: Caller): VisibleNames {
  return {
    keys: canSeeKey(caller),
    // Assets are visible to everyone, and name the integration that found them.
    integrations: sql`(
      ${canSeeIntegration(toViewer(caller))}
      or exists (
        select
        from asset
        where asset.organization_id = integration.organization_id
          and asset.integration_id = integration.id
          and asset.deleted_at is null
      )
    )`,
  }
}
