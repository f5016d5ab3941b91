import { z } from '@hono/zod-openapi'
import { expandPermissions } from '../../../formats/team/permission-names.ts'
import type { CustomRoles } from './caller.ts'
import { NAMES_REMARK, permissionList } from './permission-list.ts'

/**
 * The roles that members of teams can have: the default ones, or those that an organization has defined. A role is
 * found by its exact name.
 */

const ROLES_MAX = 100
const NAME_CHARACTERS_MIN = 3
const NAME_CHARACTERS_MAX = 1000
const DESCRIPTION_CHARACTERS_MAX = 10_000

const teamRole = z.looseObject({
  name: z
    .string()
    .min(NAME_CHARACTERS_MIN, `must have at least ${NAME_CHARACTERS_MIN} characters`)
    .max(NAME_CHARACTERS_MAX, `must have at most ${NAME_CHARACTERS_MAX} characters`),
  description: z.string().max(DESCRIPTION_CHARACTERS_MAX).nullish(),
  rank: z.number().nullish(),
  permissions: permissionList.openapi({ description: NAMES_REMARK }),
})

/** The team roles of an organization as a document. Retired names of permissions become the current ones. */
export const teamRoles = z
  .looseObject({
    mode: z.enum(['default', 'custom-team-roles'], 'must be default or custom-team-roles'),
    'team-roles': z.array(teamRole).max(ROLES_MAX).nullish(),
  })
  .superRefine((document, context) => {
    const roles = document['team-roles'] ?? []
    for (const [at, { name }] of roles.entries()) {
      if (roles.findIndex((role) => role.name === name) < at) {
        const message = 'repeats the name of another role'
        context.addIssue({ code: 'custom', path: ['team-roles', at, 'name'], message })
      }
    }
  })
  .transform((document) => {
    if (document.mode === 'default') return { mode: document.mode }
    return { ...document, 'team-roles': document['team-roles'] ?? [] }
  })

const storedRoles = z.object({
  mode: z.string(),
  'team-roles': z
    .array(z.object({ name: z.string(), permissions: z.array(z.string()) }))
    .optional(),
})

/** Reads the roles that an organization has defined from its stored document; undefined = the default roles. */
export function parseCustomRoles(document: string | null | undefined): CustomRoles | undefined {
  if (document === null || document === undefined) return undefined
  const { mode, 'team-roles': roles = [] } = storedRoles.parse(JSON.parse(document))
  if (mode !== 'custom-team-roles') return undefined
  return new Map(
    roles.map(({ name, permissions }) => [name, new Set(expandPermissions(permissions))]),
  )
}

/** Reads the roles that an organization has defined; see `parseCustomRoles`. */
export type CustomRolesReader = (
  organizationId: string,
  document: string | null,
) => CustomRoles | undefined

const REMEMBERED_ORGANIZATIONS_MAX = 1000

/** Creates a reader that parses the document of an organization again only after it changed. */
export function newCustomRolesReader(): CustomRolesReader {
  const byOrganization = new Map<string, { document: string; roles: CustomRoles | undefined }>()
  return (organizationId, document) => {
    if (document === null) return undefined
    const known = byOrganization.get(organizationId)
    if (known?.document === document) return known.roles
    const roles = parseCustomRoles(document)
    if (byOrganization.size >= REMEMBERED_ORGANIZATIONS_MAX) byOrganization.clear()
    byOrganization.set(organizationId, { document, roles })
    return roles
  }
}
