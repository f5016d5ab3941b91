import { useQuery } from '@tanstack/react-query'
import { mayOwn, useSession } from '../../api/session.ts'
import { teamsQuery, type Team } from '../../api/teams.ts'
import { ChoiceField } from '../../parts/choice-field.tsx'
import { Notice } from '../../parts/notice.tsx'
import { toTeamChoices } from '../../shell/team-choices.ts'
import { isTeamOwner } from './scopes.ts'

interface KeyTeamProps {
  teamId: string
  onChange: (teamId: string) => void
}

/** The team of a key: one that the person owns, or any for an owner of the organization. */
export function KeyTeam(props: KeyTeamProps) {
  const session = useSession()
  const owned = session.teams.filter(isTeamOwner)
  return mayOwn(session).allowed ? <AnyTeam {...props} /> : <TeamSelect {...props} teams={owned} />
}

function AnyTeam(props: KeyTeamProps) {
  const { data, error } = useQuery(teamsQuery)
  if (error !== null) {
    return (
      <Notice tone="critical" title="Teams not loaded">
        Close this dialog and try again. What you typed is kept.
      </Notice>
    )
  }
  if (data?.length === 0) {
    return (
      <Notice tone="info" title="No teams yet">
        Create a team first, or choose the scope Organization.
      </Notice>
    )
  }
  return <TeamSelect {...props} teams={data ?? []} />
}

interface TeamSelectProps extends KeyTeamProps {
  teams: readonly Pick<Team, 'id' | 'name'>[]
}

function TeamSelect({ teamId, onChange, teams }: TeamSelectProps) {
  return (
    <ChoiceField
      label="Team"
      hint="The key also acts for the teams below it."
      field="teamId"
      required
      value={teamId}
      placeholder="Choose a team"
      choices={toTeamChoices(teams, teamId)}
      onChange={onChange}
    />
  )
}
