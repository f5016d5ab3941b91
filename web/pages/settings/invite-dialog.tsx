import { useQueryClient } from '@tanstack/react-query'
import { api, type Answer } from '../../api/client.ts'
import { problemOf } from '../../api/problem.ts'
import { Button } from '../../parts/button.tsx'
import { Dialog } from '../../parts/dialog.tsx'
import { errorOf, Field, Input, Radio } from '../../parts/field.tsx'
import { Form } from '../../parts/form.tsx'
import { useDraft } from '../../shell/draft.ts'

/** An invitation with its link, which is told this once. */
export type CreatedInvitation = Answer<'/ui/invitations', 'post'>

type Role = CreatedInvitation['role']

const ROLES: readonly { role: Role; hint: string }[] = [
  {
    role: 'Member',
    hint: 'Reads the whole catalog. What they may change follows from their teams.',
  },
  { role: 'Owner', hint: 'May do everything: all teams, members, keys of the organization.' },
]

const EMPTY: { email: string; role: Role } = { email: '', role: 'Member' }

interface InviteDialogProps {
  onClose: () => void
  onCreated: (invitation: CreatedInvitation) => void
}

/** Asks whom to invite, and makes the link. */
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
  const problem = invite.error === null ? undefined : problemOf(invite.error)
  return (
    <Dialog
      open
      onClose={onClose}
      title="Invite somebody"
      description="You get a link to send them. It works once, for seven days, for this address."
    >
      <Form
        label="Invite somebody"
        problem={problem}
        fields={['email']}
        onSubmit={() => invite.mutate({ body: { email: email.trim(), role } })}
      >
        <Field
          label="E-mail address"
          hint="An earlier invitation of the same address stops working."
          error={errorOf(problem?.violations ?? [], 'email')}
        >
          {(control) => (
            <Input
              {...control}
              type="email"
              required
              autoComplete="off"
              value={email}
              onChange={(event) => draft.set({ email: event.target.value, role })}
            />
          )}
        </Field>
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
