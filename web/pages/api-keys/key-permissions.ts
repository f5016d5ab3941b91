import { KEY_SCOPES, type KeyScope } from '../../../formats/team/key-scope.ts'
import { ALL_PERMISSIONS } from '../../api/permission-groups.ts'
import type { Permission } from '../../api/permission-words.ts'
import { mayOwn, type Session } from '../../api/session.ts'

/** Selects the permissions of a list of names that exist, in the order of the pages. */
export function selectPermissions(names: readonly string[]): Permission[] {
  return ALL_PERMISSIONS.filter((one) => names.includes(one))
}

/** The permissions that programs usually need. */
export const PRESETS: readonly { title: string; permissions: readonly Permission[] }[] = [
  {
    title: 'Publish data products from CI',
    permissions: ['DATAPRODUCT_ADD', 'DATAPRODUCT_EDIT', 'DATACONTRACT_ADD', 'DATACONTRACT_EDIT'],
  },
  {
    title: 'Publish test results',
    permissions: ['DATAPRODUCT_TEST_RESULTS_EDIT', 'DATACONTRACT_TEST_RESULTS_EDIT'],
  },
  { title: 'Report lineage and usage', permissions: ['DATAPRODUCT_EDIT'] },
  { title: 'Run integrations', permissions: ['INGESTION_EDIT'] },
  { title: 'Report provisioned access', permissions: ['ACCESS_EDIT'] },
]

/** Returns the permissions that a person can give to a key: those of the person on the team of a team key. */
export function listGivable(session: Session, scope: KeyScope, teamId: string): Set<Permission> {
  if (KEY_SCOPES[scope].holder !== 'team' || mayOwn(session).allowed)
    return new Set(ALL_PERMISSIONS)
  return new Set(session.teams.find(({ id }) => id === teamId)?.permissions)
}

/** Describes how a key is limited: `4 permissions`. Undefined = it is not. */
export function describeLimit(limit: {
  isLimited: boolean
  permissions: readonly string[]
  scope: KeyScope
}): string | undefined {
  if (!limit.isLimited || KEY_SCOPES[limit.scope].isReadOnly) return undefined
  const count = limit.permissions.length
  if (count === 0) return 'Only reads'
  return count === 1 ? '1 permission' : `${count} permissions`
}
