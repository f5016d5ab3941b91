import { DEFAULT_ROLES } from '../../../requests/access/permission.ts'
import { parseCustomRoles, teamRoles } from '../../../requests/access/team-role.ts'
import { SETTINGS_BYTES_MAX, type OrganizationDocumentKind } from '../organization-document.ts'

/** The roles that members of teams can have, and the permissions of each. */
export const TEAM_ROLES = {
  kind: 'team-roles',
  address: '/api/settings/team-roles',
  operation: 'TeamRoles',
  called: 'roles of team members',
  page: '/settings/team-roles',
  schema: teamRoles.openapi('TeamRoles'),
  initial: { mode: 'default' },
  mediaTypes: ['application/json'],
  // Every request of a session reads them. The permissions of 100 roles need more than other settings.
  bytesMax: 4 * SETTINGS_BYTES_MAX,
  isKeptAsSent: false,
  readers: 'any key',
  errorCode: 'settings_malformed',
  listRoles: (document) => [...(parseCustomRoles(document)?.keys() ?? DEFAULT_ROLES)],
} as const satisfies OrganizationDocumentKind
