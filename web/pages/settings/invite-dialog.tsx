import { client, readBody, type Answer } from '../../api/client.ts'
import { Dialog } from '../../parts/dialog.tsx'
import { InputForm, type FieldRecord } from '../../parts/form-fields.tsx'
import { useAction } from '../../shell/action.ts'
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
  const draft = useDraft('invite', EMPTY)
  const { email, role } = draft.value
  const invite = useAction({
    request: () =>
      readBody(client.POST('/ui/invitations', { body: { email: email.trim(), role } })),
    onSuccess(invitation) {
      draft.discard()
      onCreated(invitation)
    },
    refresh: ['/ui/invitations'],
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
        sending={invite}
        action="Create link"
        onSubmit={invite.run}
      />
    </Dialog>
  )
}
