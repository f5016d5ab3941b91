import { clip } from '../../../formats/text/value.ts'
import { ApiError } from '../../platform/errors.ts'
import type { Database } from '../../platform/tables.ts'
import { listRoleUses } from './store.ts'

const ROLES_NAMED_MAX = 5

/**
 * Asserts that team roles can be replaced: at least one role remains, and no member has a role that is removed. Errors: roles_missing, role_in_use.
 */
export async function assertRolesReplaceable(
  db: Database,
  organizationId: string,
  before: readonly string[],
  after: readonly string[],
): Promise<void> {
  const roles = new Set(after)
  if (roles.size === 0) {
    throw new ApiError(
      'roles_missing',
      'The list of roles is empty. Send at least one role, or the mode "default".',
    )
  }
  const gone = new Set(before.filter((role) => !roles.has(role)))
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
    `Team members still have roles that the new list does not contain: ${names.join(', ')}${more}. Add these roles, or change the roles of the members first.`,
  )
}
