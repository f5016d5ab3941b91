import type { Path } from '../../formats/text/value.ts'
import { asText, valueAt } from '../../formats/text/value.ts'
import type { Permission } from '../api/permission-words.ts'
import { may, useSession } from '../api/session.ts'
import { useTeams } from '../api/teams.ts'
import { ChoiceField } from '../parts/choice-field.tsx'
import { toTeamChoices } from '../shell/team-choices.ts'
import type { DocumentFormProps } from './document-kind.ts'
import { FieldPlace } from './field-place.tsx'
import { errorAt } from './form-field.tsx'
import type { TextEdit } from '../../formats/text/edit/text-edit.ts'

interface FormTeamProps {
  form: DocumentFormProps
  path: Path
  label: string
  /** The permission that a team must give to be chosen. */
  permission: Permission
  getEdit: (id: string) => TextEdit
}

/** The team that owns a document. Teams that cannot be chosen are listed with the reason. */
export function FormTeam({ form, path, label, permission, getEdit }: FormTeamProps) {
  const session = useSession()
  const teams = useTeams() ?? []
  const owner = asText(valueAt(form.value, path)) ?? ''
  const findReason = (id: string): string | undefined =>
    id === owner ? undefined : may(session, permission, id).reason
  return (
    <FieldPlace path={path}>
      <ChoiceField
        label={label}
        error={errorAt(form, path)}
        value={owner}
        placeholder="Choose a team"
        choices={toTeamChoices(teams, owner, findReason)}
        onChange={(id) => void form.onEdit(getEdit(id))}
        onBlur={() => form.onTouch(path)}
      />
    </FieldPlace>
  )
}
