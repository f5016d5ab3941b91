import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import { TextCursorInput } from 'lucide-react'
import { useState } from 'react'
import { client } from '../../api/client.ts'
import { toProblem } from '../../api/problem.ts'
import { may, useSession } from '../../api/session.ts'
import { Button } from '../../parts/button.tsx'
import { Dialog } from '../../parts/dialog.tsx'
import { TextField } from '../../parts/field.tsx'
import { Form, SubmitButton } from '../../parts/form.tsx'
import { useToast } from '../../parts/toast.tsx'

interface RenameTagProps {
  id: string
  /** The id of the owning team; undefined = none. */
  owner: string | undefined
  /** Returns the address of the page of a tag. */
  toPage: (id: string) => string
}

/** Gives a tag another id, on its page. */
export function RenameTag({ id, owner, toPage }: RenameTagProps) {
  const [isOpen, setOpen] = useState(false)
  const session = useSession()
  return (
    <>
      <Button
        icon={TextCursorInput}
        reason={may(session, 'MANAGED_TAG_EDIT', owner ?? null).reason}
        onClick={() => setOpen(true)}
      >
        Rename
      </Button>
      {isOpen && <RenameDialog id={id} toPage={toPage} onClose={() => setOpen(false)} />}
    </>
  )
}

interface RenameDialogProps extends Pick<RenameTagProps, 'id' | 'toPage'> {
  onClose: () => void
}

function RenameDialog({ id, toPage, onClose }: RenameDialogProps) {
  const [to, setTo] = useState(id)
  const queries = useQueryClient()
  const router = useRouter()
  const showToast = useToast()
  const rename = useMutation({
    mutationFn: async () =>
      await client.POST('/ui/tags/rename', { body: { from: id, to: to.trim() }, parseAs: 'text' }),
    onSuccess() {
      onClose()
      showToast('Tag renamed')
      router.history.push(toPage(to.trim()))
      // The old id no longer exists, so that its page must not be requested again.
      const isOld = (key: readonly unknown[]): boolean =>
        JSON.stringify(key).includes(JSON.stringify(id))
      queries.removeQueries({ queryKey: ['document', '/api/tags', id], type: 'inactive' })
      void queries.invalidateQueries({ predicate: ({ queryKey }) => !isOld(queryKey) })
    },
  })
  return (
    <Dialog
      open
      onClose={onClose}
      title="Rename tag"
      description="Assets to which the tag is assigned follow. Documents that name it in their own text keep the old name until their owners change them."
    >
      <Form
        label="Rename tag"
        problem={rename.error === null ? undefined : toProblem(rename.error)}
        fields={['to']}
        onSubmit={() => rename.mutate()}
      >
        <TextField
          label="New id"
          field="to"
          required
          autoComplete="off"
          value={to}
          onChange={setTo}
        />
        <SubmitButton
          busy={rename.isPending}
          reason={to.trim() === id ? 'Enter a new id.' : undefined}
        >
          Rename tag
        </SubmitButton>
      </Form>
    </Dialog>
  )
}
