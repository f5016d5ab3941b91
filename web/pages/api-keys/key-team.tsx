import { useQuery } from '@tanstack/react-query'
import { mayOwn, useSession } from '../../api/session.ts'
import { teamsQuery } from '../../api/teams.ts'
import { Field, Select } from '../../parts/field.tsx'
import { Notice } from '../../parts/notice.tsx'

interface KeyTeamProps {
  teamId: string
  onChange: (teamId: string) => void
  error: string | undefined
}

/** The team of a key: one that the person owns, or any for an owner of the organization. */
export function KeyTeam(props: KeyTeamProps) {
  const session = useSession()
  const owned = session.teams.filter(({ roles }) => roles.includes('Owner'))
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

function TeamSelect({
  teamId,
  onChange,
  error,
  teams,
}: KeyTeamProps & { teams: readonly { id: string; name: string }[] }) {
  // The team of a key that is replaced is shown before the list has arrived, too.
  const isListed = teamId === '' || teams.some(({ id }) => id === teamId)
  return (
    <Field label="Team" hint="The key also acts for the teams below it." error={error}>
      {(control) => (
        <Select
          {...control}
          required
          value={teamId}
          onChange={(event) => onChange(event.target.value)}
        >
          <option value="">Choose a team</option>
          {!isListed && <option value={teamId}>{teamId}</option>}
          {teams.map(({ id, name }) => (
            <option key={id} value={id}>
              {name}
            </option>
          ))}
        </Select>
      )}
    </Field>
  )
}
