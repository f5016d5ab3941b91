import { queryOptions } from '@tanstack/react-query'
import { client, type Answer } from '../../api/client.ts'

/** A setting with its entity tag, so that saving it does not overwrite the change of another person. */
export interface TaggedSetting<Value> {
  value: Value
  etag: string | undefined
}

/** Returns the query for the features of an organization. */
export function featuresQuery(organizationId: string | undefined) {
  return queryOptions({
    queryKey: ['setting', '/api/organization/features', organizationId],
    async queryFn({ signal }): Promise<TaggedSetting<Answer<'/api/organization/features', 'get'>>> {
      const { data: value, response } = await client.GET('/api/organization/features', { signal })
      return toTagged(value, response)
    },
  })
}

/** Returns the query for the team roles of an organization. */
export function teamRolesQuery(organizationId: string | undefined) {
  return queryOptions({
    queryKey: ['setting', '/api/settings/team-roles', organizationId],
    async queryFn({ signal }): Promise<TaggedSetting<Answer<'/api/settings/team-roles', 'get'>>> {
      const { data: value, response } = await client.GET('/api/settings/team-roles', { signal })
      return toTagged(value, response)
    },
  })
}

/** Returns the headers that reject a change of a setting which another person has changed. */
export function toCondition(etag: string | undefined): Record<string, string> {
  return etag === undefined ? {} : { 'if-match': etag }
}

function toTagged<Value>(value: Value | undefined, response: Response): TaggedSetting<Value> {
  if (value === undefined) throw new Error('The server sent no settings.')
  return { value, etag: response.headers.get('etag') ?? undefined }
}
