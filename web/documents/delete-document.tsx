import { Trash2 } from 'lucide-react'
import { Suspense, useState } from 'react'
import { mayChange, useSession } from '../api/session.ts'
import { Button } from '../parts/button.tsx'
import { newFloatingChunk, takePart } from '../parts/lazy-part.ts'
import type { DeleteDocumentProps } from './delete-dialog.tsx'

const DeleteDialog = takePart(
  newFloatingChunk(() => import('./delete-dialog.tsx')),
  (module) => module.DeleteDialog,
)

/** Deletes a document after showing which data products read it. */
export function DeleteDocument(props: DeleteDocumentProps) {
  const { editing, stored } = props
  const [isOpen, setOpen] = useState(false)
  const session = useSession()
  return (
    <>
      <Button
        icon={Trash2}
        reason={mayChange(session, editing.kind.permissions, 'DELETE', stored.owner ?? null).reason}
        onClick={() => setOpen(true)}
      >
        Delete
      </Button>
      {isOpen && (
        <Suspense fallback={null}>
          <DeleteDialog key={editing.writing.etag} {...props} onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </>
  )
}
