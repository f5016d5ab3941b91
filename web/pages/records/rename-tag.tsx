import { TextCursorInput } from 'lucide-react'
import { useState } from 'react'
import { client } from '../../api/client.ts'
import { may, useSession } from '../../api/session.ts'
import { Button } from '../../parts/button.tsx'
import { Dialog } from '../../parts/dialog.tsx'
import { TextField } from '../../parts/field.tsx'
import { Form, SubmitButton } from '../../parts/form.tsx'
import { allExcept, useAction } from '../../shell/action.ts'

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
  const body = { from: id, to: to.trim() }
  const rename = useAction({
    request: () => client.POST('/ui/tags/rename', { body, parseAs: 'text' }),
    onSuccess: onClose,
    notice: 'Tag renamed',
    goTo: toPage(body.to),
    // The old id no longer exists, so that its page must not be requested again.
    forget: ['document', '/api/tags', id],
    refresh: allExcept(id),
  })
  return (
    <Dialog
      open
      onClose={onClose}
      title="Rename tag"
      description="Assets to which the tag is assigned follow. Documents that name it in their own text keep the old name until their owners change them."
    >
      <Form label="Rename tag" problem={rename.problem} fields={['to']} onSubmit={rename.run}>
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
