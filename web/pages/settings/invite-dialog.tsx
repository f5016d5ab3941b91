import { useQueryClient } from '@tanstack/react-query'
import { api, type Answer } from '../../api/client.ts'
import { findProblem } from '../../api/problem.ts'
import { Dialog } from '../../parts/dialog.tsx'
import { RadioGroup, TextField } from '../../parts/field.tsx'
import { Form, SubmitButton } from '../../parts/form.tsx'
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
      <Form
        label="Invitation"
        problem={findProblem(invite)}
        fields={['email']}
        onSubmit={() => invite.mutate({ body: { email: email.trim(), role } })}
      >
        <TextField
          label="E-mail address"
          hint="An earlier invitation for the same address stops working."
          field="email"
          type="email"
          required
          autoComplete="off"
          value={email}
          onChange={(text) => draft.set({ email: text, role })}
        />
        <RadioGroup
          label="Role"
          name="role"
          value={role}
          options={ROLES}
          onChange={(one) => draft.set({ email, role: one })}
        />
        <SubmitButton busy={invite.isPending}>Create link</SubmitButton>
      </Form>
    </Dialog>
  )
}
