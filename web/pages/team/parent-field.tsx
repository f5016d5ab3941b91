import { may, useSession, type SignedIn } from '../../api/session.ts'
import { teamsAbove, withTeamsBelow } from '../../api/team-tree.ts'
import { useTeams, type Team } from '../../api/teams.ts'
import { Field, Select } from '../../parts/field.tsx'

interface ParentFieldProps {
  /** Undefined = a new team. */
  id: string | undefined
  /** Empty = at the top. */
  value: string
  /** Where the team stood when it was read; undefined = a new team. */
  before: string | undefined
  error: string | undefined
  onChange: (parent: string) => void
}

/** The team above: any but the team itself and those below it. */
export function ParentField({ id, value, before, error, onChange }: ParentFieldProps) {
  const session = useSession()
  const teams = useTeams() ?? []
  const below = id === undefined ? new Set<string>() : withTeamsBelow(teams, id)
  const places = teams
    .filter((team) => !below.has(team.id))
    .map((team) => ({ team, title: titleOf(teams, team) }))
    .toSorted((a, b) => a.title.localeCompare(b.title))
  const isKnown = value === '' || teams.some((team) => team.id === value)
  const leaving = moveReason(session, before)
  const isAllowed = (parent: string): boolean =>
    parent === before || may(session, 'TEAM_ADD', parent === '' ? null : parent).allowed
  return (
    <Field
      label="Parent"
      hint={
        leaving ??
        'Roles in the team above count here too. You choose among teams where you may add teams.'
      }
      error={error}
    >
      {(control) => (
        <Select
          {...control}
          disabled={leaving !== undefined}
          value={value}
          onChange={(event) => onChange(event.target.value)}
        >
          <option value="" disabled={!isAllowed('')}>
            None: at the top
          </option>
          {!isKnown && <option value={value}>{value} (unknown)</option>}
          {places.map(({ team, title }) => (
            <option key={team.id} value={team.id} disabled={!isAllowed(team.id)}>
              {title}
            </option>
          ))}
        </Select>
      )}
    </Field>
  )
}

// To take a team from its place needs power over that place.
function moveReason(session: SignedIn, before: string | undefined): string | undefined {
  if (before === undefined) return undefined
  const { reason } = may(session, 'TEAM_EDIT', before === '' ? null : before)
  return reason === undefined ? undefined : `The team cannot be moved by you. ${reason}`
}

function titleOf(teams: readonly Team[], team: Team): string {
  return [...teamsAbove(teams, team.id), team].map(({ name }) => name).join(' / ')
}
