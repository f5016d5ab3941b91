import { useQueryClient } from '@tanstack/react-query'
import { api, type Answer } from '../../api/client.ts'
import { toProblem } from '../../api/problem.ts'
import { Button } from '../../parts/button.tsx'
import { Dialog } from '../../parts/dialog.tsx'
import { findFieldError, Radio, TextField } from '../../parts/field.tsx'
import { Form } from '../../parts/form.tsx'
import { useDraft } from '../../shell/draft.ts'

/** A new invitation, with its link for the only time. */
export type CreatedInvitation = Answer<'/ui/invitations', 'post'>

type Role = CreatedInvitation['role']

const ROLES: readonly { role: Role; hint: string }[] = [
  {
    role: 'Member',
    hint: 'Reads the whole catalog. Roles in teams decide what they can change.',
  },
  {
    role: 'Owner',
    hint: 'Can change everything: all teams, members and keys of the organization.',
  },
]

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
  const problem = invite.error === null ? undefined : toProblem(invite.error)
  return (
    <Dialog
      open
      onClose={onClose}
      title="Invite a person"
      description="You get a link to send. It works once, for seven days, for this address."
    >
      <Form
        label="Invitation"
        problem={problem}
        fields={['email']}
        onSubmit={() => invite.mutate({ body: { email: email.trim(), role } })}
      >
        <TextField
          label="E-mail address"
          hint="An earlier invitation for the same address stops working."
          error={findFieldError(problem?.violations ?? [], 'email')}
          type="email"
          required
          autoComplete="off"
          value={email}
          onChange={(text) => draft.set({ email: text, role })}
        />
        <RoleChoice role={role} onChange={(one) => draft.set({ email, role: one })} />
        <Button type="submit" look="primary" busy={invite.isPending} className="justify-self-start">
          Create link
        </Button>
      </Form>
    </Dialog>
  )
}

function RoleChoice({ role, onChange }: { role: Role; onChange: (role: Role) => void }) {
  return (
    <fieldset className="grid gap-2">
      <legend className="mb-1 text-sm font-medium">Role</legend>
      {ROLES.map(({ role: one, hint }) => (
        <Radio
          key={one}
          name="role"
          label={one}
          hint={hint}
          checked={one === role}
          onChange={() => onChange(one)}
        />
      ))}
    </fieldset>
  )
}
