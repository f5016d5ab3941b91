import { TEAM_ROLES } from '../../formats/team/team-type.ts'
import { api } from './client.ts'

/** The names of the roles that members of teams can have: the default ones until custom ones have arrived. */
export function useTeamRoleNames(): readonly string[] {
  const { data } = api.useQuery('get', '/api/settings/team-roles', {})
  if (data?.mode !== 'custom-team-roles') return TEAM_ROLES
  return (data['team-roles'] ?? []).map(({ name }) => name)
}
