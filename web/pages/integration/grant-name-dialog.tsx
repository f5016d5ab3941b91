import { useState } from 'react'
import { api, client } from '../../api/client.ts'
import { useTeams } from '../../api/teams.ts'
import { GRANT_DATA } from '../../documents/grants/grant-data.ts'
import { parseNameKind, SUBJECTS, type MappedName } from '../../documents/grants/grant-words.ts'
import type { Choice } from '../../parts/choices.ts'
import { Dialog } from '../../parts/dialog.tsx'
import { InputForm, type FieldRecord } from '../../parts/form-fields.tsx'
import { useAction } from '../../shell/action.ts'
import { toTeamChoices } from '../../shell/team-choices.ts'

type SubjectKind = (typeof SUBJECTS)[number]['value']

interface Draft {
  kind: SubjectKind
  id: string
}

const ID_CHARACTERS_MAX = 1024

interface GrantNameDialogProps {
  /** External id of the integration. */
  id: string
  name: MappedName
  onClose: () => void
}

/** Asks what a name of the platform means. */
export function GrantNameDialog({
  id,
  name: { kind, name, subject },
  onClose,
}: GrantNameDialogProps) {
  const [draft, setDraft] = useState<Draft>({
    kind: subject?.kind ?? 'team',
    id: subject?.id ?? '',
  })
  const save = useAction({
    request: () =>
      client.PUT('/api/integrations/{externalId}/grants/names', {
        params: { path: { externalId: id } },
        body: {
          granteeKind: parseNameKind(kind),
          granteeName: name,
          subject: draft.kind === 'platform' ? { kind: draft.kind } : draft,
        },
      }),
    notice: 'Name mapped.',
    refresh: GRANT_DATA,
    onRefreshed: onClose,
  })
  const fields: readonly FieldRecord<keyof Draft>[] = [
    { name: 'kind', kind: 'options', title: 'It means', choices: SUBJECTS },
    useIdField(draft),
  ]
  return (
    <Dialog
      open
      onClose={onClose}
      title="Map a name"
      description={
        <span className="user-text">
          <code>{name}</code>: a mapping by hand precedes reports of connectors and the pattern.
          Grants are compared again at once.
        </span>
      }
    >
      <InputForm
        label="Map a name"
        fields={fields}
        values={draft}
        // An id of another kind means nothing.
        onChange={(values, changed) =>
          setDraft(changed === 'kind' ? { ...values, id: '' } : values)
        }
        sending={save}
        action="Save"
        onSubmit={() => save.run()}
      />
    </Dialog>
  )
}

function useIdField({ kind, id }: Draft): FieldRecord<keyof Draft> {
  const teams = useTeams() ?? []
  const members = api.useQuery('get', '/ui/members', {}, { enabled: kind === 'user' }).data ?? []
  const field = { name: 'id', field: 'subject.id' } as const
  const control = { required: true, maxLength: ID_CHARACTERS_MAX, autoComplete: 'off' }
  const people: Choice[] = members.map(({ userId, name, email }) => ({
    value: userId,
    label: name,
    detail: email,
  }))
  switch (kind) {
    case 'team':
      return { ...field, kind: 'choice', title: 'Team', control, choices: toTeamChoices(teams, id) }
    case 'user':
      return { ...field, kind: 'choice', title: 'Person', control, choices: people }
    case 'data-product':
      return { ...field, title: 'Id of the data product', control }
    case 'agreement':
      return { ...field, title: 'Id of the access agreement', control }
    case 'platform':
      return { ...field, title: '', isHidden: true }
  }
}
