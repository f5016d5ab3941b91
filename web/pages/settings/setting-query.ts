import { queryOptions } from '@tanstack/react-query'
import { client } from '../../api/client.ts'

/** A setting with its entity tag, so that saving it does not overwrite the change of another person. */
export interface TaggedSetting<Value> {
  value: Value
  etag: string | undefined
}

/** Returns the query for the features of an organization. */
export function featuresQuery(organizationId: string | undefined) {
  const path = '/api/organization/features'
  return createQuery(path, organizationId, async (init) => await client.GET(path, init))
}

/** Returns the query for the team roles of an organization. */
export function teamRolesQuery(organizationId: string | undefined) {
  const path = '/api/settings/team-roles'
  return createQuery(path, organizationId, async (init) => await client.GET(path, init))
}

/** Returns the query for the roles that SCIM groups give in an organization. */
export function scimMappingQuery(organizationId: string | undefined) {
  const path = '/api/settings/scim-mapping'
  return createQuery(path, organizationId, async (init) => await client.GET(path, init))
}

/** Returns the query for the texts of e-mails of an organization. */
export function emailTemplatesQuery(organizationId: string | undefined) {
  const path = '/api/settings/email-templates'
  return createQuery(path, organizationId, async (init) => await client.GET(path, init))
}

/** Returns the query for the sign-in rule of an organization. */
export function signInRuleQuery(organizationId: string | undefined) {
  const path = '/ui/sign-in-rule'
  return createQuery(path, organizationId, async (init) => await client.GET(path, init))
}

/** Returns the headers that reject a change of a setting which another person has changed. */
export function toCondition(etag: string | undefined): Record<string, string> {
  return etag === undefined ? {} : { 'if-match': etag }
}

function createQuery<Value>(
  path: string,
  organizationId: string | undefined,
  get: (init: { signal: AbortSignal }) => Promise<{ data?: Value; response: Response }>,
) {
  return queryOptions({
    queryKey: ['setting', path, organizationId],
    async queryFn({ signal }): Promise<TaggedSetting<Value>> {
      const { data: value, response } = await get({ signal })
      if (value === undefined) throw new Error('The server sent no settings.')
      return { value, etag: response.headers.get('etag') ?? undefined }
    },
  })
}
