import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import { Trash2 } from 'lucide-react'
import { useState } from 'react'
import { client } from '../../api/client.ts'
import { findProblem } from '../../api/problem.ts'
import { may, useSession } from '../../api/session.ts'
import { Button } from '../../parts/button.tsx'
import { ConfirmDialog } from '../../parts/dialog.tsx'
import { useToast } from '../../parts/toast.tsx'
import { paths } from '../../paths.ts'
import type { ShownConnector } from './connector.ts'

interface DeleteConnectorProps {
  id: string
  connector: ShownConnector
}

/** Deletes a connector after asking. */
export function DeleteConnector({ id, connector: { owner } }: DeleteConnectorProps) {
  const session = useSession()
  const queries = useQueryClient()
  const router = useRouter()
  const showToast = useToast()
  const [isOpen, setOpen] = useState(false)
  const remove = useMutation({
    async mutationFn() {
      await client.DELETE('/api/connectors/{id}', { params: { path: { id } }, parseAs: 'text' })
    },
    onSuccess() {
      showToast('Connector deleted')
      router.history.push(paths.connectors)
      void queries.invalidateQueries({ queryKey: ['get', '/api/connectors'] })
      queries.removeQueries({ queryKey: ['connector', id], type: 'inactive' })
    },
  })
  return (
    <>
      <Button
        icon={Trash2}
        reason={may(session, 'INGESTION_EDIT', owner ?? null).reason}
        onClick={() => {
          remove.reset()
          setOpen(true)
        }}
      >
        Delete
      </Button>
      <ConfirmDialog
        open={isOpen}
        onClose={() => setOpen(false)}
        title={`Delete the connector ${id}?`}
        action="Delete connector"
        danger
        busy={remove.isPending}
        problem={findProblem(remove)}
        onConfirm={() => remove.mutate()}
      >
        <p>
          This deletes its state, and cannot be undone. If the connector still runs, it registers
          again and starts from the beginning: it may repeat work that it has already done.
        </p>
      </ConfirmDialog>
    </>
  )
}
