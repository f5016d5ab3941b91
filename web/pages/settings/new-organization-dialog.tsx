import { useState } from 'react'
import { client, readBody } from '../../api/client.ts'
import { useSession, type Session } from '../../api/session.ts'
import { Dialog } from '../../parts/dialog.tsx'
import { InputForm, type FieldRecord } from '../../parts/form-fields.tsx'
import { useAction } from '../../shell/action.ts'
import { useOrganizationChoice } from '../../shell/session-actions.ts'

const FIELDS: readonly FieldRecord<'name'>[] = [
  { name: 'name', title: 'Name', control: { required: true, autoComplete: 'off' } },
]

/** The form of another organization, whose owner the person becomes. */
export function NewOrganizationDialog({ onClose }: { onClose: () => void }) {
  const before = useSession()
  const choose = useOrganizationChoice()
  const [draft, setDraft] = useState({ name: '' })
  const create = useAction({
    request: () => readBody(client.POST('/ui/organizations', { body: draft })),
    onSuccess: (session) => void choose(newIn(session, before)),
    notice: 'Organization created. You are working in it now.',
  })
  return (
    <Dialog
      open
      onClose={onClose}
      title="New organization"
      description="A separate catalog: its products, teams, keys and members are not visible to this organization."
    >
      <InputForm
        label="New organization"
        fields={FIELDS}
        values={draft}
        onChange={setDraft}
        sending={create}
        action="Create organization"
        onSubmit={create.run}
      />
    </Dialog>
  )
}

function newIn(session: Session, before: Session): string | undefined {
  const known = new Set(before.organizations.map(({ id }) => id))
  return session.organizations.find(({ id }) => !known.has(id))?.id ?? session.organization?.id
}
