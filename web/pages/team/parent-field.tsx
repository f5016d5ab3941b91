import { may, useSession, type SignedIn } from '../../api/session.ts'
import { withTeamsBelow } from '../../api/team-tree.ts'
import { useTeams } from '../../api/teams.ts'
import { ChoiceField } from '../../parts/choice-field.tsx'
import { toTeamChoices } from '../../shell/team-choices.ts'

interface ParentFieldProps {
  /** Undefined = a new team. */
  id: string | undefined
  /** Empty = none. */
  value: string
  /** The stored parent; undefined = a new team. */
  before: string | undefined
  onChange: (parent: string) => void
}

/** The parent of a team: any other team that is not below it. */
export function ParentField({ id, value, before, onChange }: ParentFieldProps) {
  const session = useSession()
  const teams = useTeams() ?? []
  const below = id === undefined ? new Set<string>() : withTeamsBelow(teams, id)
  const leaving = moveReason(session, before)
  const findReason = (parent: string): string | undefined =>
    parent === before ? undefined : may(session, 'TEAM_ADD', parent === '' ? null : parent).reason
  const parents = teams.filter((team) => !below.has(team.id))
  return (
    <ChoiceField
      label="Parent"
      hint={leaving ?? 'Roles in the parent team also apply here.'}
      field="parent"
      disabled={leaving !== undefined}
      value={value}
      choices={[
        { value: '', label: 'No parent', reason: findReason('') },
        ...toTeamChoices(parents, value, findReason),
      ]}
      onChange={onChange}
    />
  )
}

// Moving a team needs the permission to edit its present parent.
function moveReason(session: SignedIn, before: string | undefined): string | undefined {
  if (before === undefined) return undefined
  const { reason } = may(session, 'TEAM_EDIT', before === '' ? null : before)
  return reason === undefined ? undefined : `You cannot move this team. ${reason}`
}
