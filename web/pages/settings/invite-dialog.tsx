import { useQueryClient } from '@tanstack/react-query'
import { api, type Answer } from '../../api/client.ts'
import { findProblem } from '../../api/problem.ts'
import { Dialog } from '../../parts/dialog.tsx'
import { InputForm, type FieldRecord } from '../../parts/form-fields.tsx'
import { useDraft } from '../../shell/draft.ts'

/** A new invitation, with its link for the only time. */
export type CreatedInvitation = Answer<'/ui/invitations', 'post'>

type Role = CreatedInvitation['role']

const ROLES = [
  {
    value: 'Member',
    label: 'Member',
    hint: 'Reads the whole catalog. Roles in teams decide what they can change.',
  },
  {
    value: 'Owner',
    label: 'Owner',
    hint: 'Can change everything: all teams, members and keys of the organization.',
  },
] as const

const EMPTY: { email: string; role: Role } = { email: '', role: 'Member' }

const FIELDS: readonly FieldRecord<keyof typeof EMPTY>[] = [
  {
    name: 'email',
    title: 'E-mail address',
    hint: 'An earlier invitation for the same address stops working.',
    control: { type: 'email', required: true, autoComplete: 'off' },
  },
  { name: 'role', kind: 'options', title: 'Role', choices: ROLES },
]

interface InviteDialogProps {
  onClose: () => void
  onCreated: (invitation: CreatedInvitation) => void
}

/** The form of a new invitation. */
export function InviteDialog({ onClose, onCreated }: InviteDialogProps) {
  const queries = useQueryClient()
  const draft = useDraft('invite', EMPTY)
  const { email, role } = draft.value
  const invite = api.useMutation('post', '/ui/invitations', {
    async onSuccess(invitation) {
      draft.discard()
      onCreated(invitation)
      await queries.invalidateQueries({ queryKey: ['get', '/ui/invitations'] })
    },
  })
  return (
    <Dialog
      open
      onClose={onClose}
      title="Invite a person"
      description="The link works once, for seven days, for this address."
    >
      <InputForm
        label="Invitation"
        fields={FIELDS}
        values={draft.value}
        onChange={draft.set}
        problem={findProblem(invite)}
        busy={invite.isPending}
        action="Create link"
        onSubmit={() => invite.mutate({ body: { email: email.trim(), role } })}
      />
    </Dialog>
  )
}
