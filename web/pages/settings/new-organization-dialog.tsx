import { useQueryClient } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import { useState } from 'react'
import { api } from '../../api/client.ts'
import { chooseOrganization } from '../../api/organization.ts'
import { findProblem } from '../../api/problem.ts'
import { useSession, type Session } from '../../api/session.ts'
import { Dialog } from '../../parts/dialog.tsx'
import { InputForm, type FieldRecord } from '../../parts/form-fields.tsx'
import { useToast } from '../../parts/toast.tsx'
import { paths } from '../../paths.ts'

const FIELDS: readonly FieldRecord<'name'>[] = [
  { name: 'name', title: 'Name', control: { required: true, autoComplete: 'off' } },
]

/** The form of another organization, whose owner the person becomes. */
export function NewOrganizationDialog({ onClose }: { onClose: () => void }) {
  const before = useSession()
  const router = useRouter()
  const queries = useQueryClient()
  const showToast = useToast()
  const [draft, setDraft] = useState({ name: '' })
  const create = api.useMutation('post', '/ui/organizations', {
    async onSuccess(session) {
      chooseOrganization(newIn(session, before))
      showToast('Organization created. You are working in it now.')
      // Data of one organization must not appear in another.
      router.history.push(paths.home)
      await queries.resetQueries()
    },
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
        problem={findProblem(create)}
        busy={create.isPending}
        action="Create organization"
        onSubmit={() => create.mutate({ body: draft })}
      />
    </Dialog>
  )
}

function newIn(session: Session, before: Session): string | undefined {
  const known = new Set(before.organizations.map(({ id }) => id))
  return session.organizations.find(({ id }) => !known.has(id))?.id ?? session.organization?.id
}
