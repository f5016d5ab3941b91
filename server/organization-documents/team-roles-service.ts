import { DEFAULT_ROLES } from '../access/permission.ts'
import { parseCustomRoles } from '../access/team-role.ts'
import { clip } from '../../formats/text/value.ts'
import { ApiError } from '../errors.ts'
import type { Database } from '../tables.ts'
import { listRoleUses } from './store.ts'

const ROLES_NAMED_MAX = 5

/**
 * Asserts that team roles can be replaced: at least one role is left, and members have none of those that are no
 * longer there. Errors: roles_missing, role_in_use.
 */
export async function assertRolesReplaceable(
  db: Database,
  organizationId: string,
  before: string | undefined,
  after: string,
): Promise<void> {
  const roles = new Set(listRoles(after))
  if (roles.size === 0) {
    throw new ApiError(
      'roles_missing',
      'No role was sent. Send at least one, or the mode "default".',
    )
  }
  const gone = new Set(listRoles(before).filter((role) => !roles.has(role)))
  const uses = (await listRoleUses(db, organizationId)).filter(({ role }) => gone.has(role))
  if (uses.length === 0) return
  const names = uses
    .slice(0, ROLES_NAMED_MAX)
    .map(
      ({ role, members }) => `"${clip(role)}" (${members} ${members === 1 ? 'member' : 'members'})`,
    )
  const more = uses.length > names.length ? ` and ${uses.length - names.length} more` : ''
  throw new ApiError(
    'role_in_use',
    `Members of teams have roles that are missing: ${names.join(', ')}${more}. Add these roles, or give the members other roles in their teams first.`,
  )
}

function listRoles(document: string | undefined): string[] {
  return [...(parseCustomRoles(document)?.keys() ?? DEFAULT_ROLES)]
}
