import { Plus } from 'lucide-react'
import { useState } from 'react'
import { mayOwn, useSession } from '../../api/session.ts'
import type { DocumentFormProps } from '../../documents/document-kind.ts'
import { NewTeamDialog } from '../../documents/new-team-dialog.tsx'
import { Button } from '../../parts/button.tsx'

interface NewOwnerProps {
  form: DocumentFormProps
  /** The customary order of the fields of the document. */
  order: readonly string[]
}

/** Creates the team that owns a product; only an owner of the organization can add one at the top. */
export function NewOwner({ form, order }: NewOwnerProps) {
  const session = useSession()
  const [isOpen, setOpen] = useState(false)
  if (!mayOwn(session).allowed) return null
  return (
    <div className="-mt-2">
      <Button icon={Plus} onClick={() => setOpen(true)}>
        New team
      </Button>
      {isOpen && (
        <NewTeamDialog
          onClose={() => setOpen(false)}
          onCreated={(id) => {
            setOpen(false)
            void form.onEdit({ kind: 'set', path: ['team', 'name'], value: id, order })
          }}
        />
      )}
    </div>
  )
}
