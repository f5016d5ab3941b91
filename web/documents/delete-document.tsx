import { useQueryClient } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import { Trash2 } from 'lucide-react'
import { useState } from 'react'
import { client } from '../api/client.ts'
import { problemOf, type Problem } from '../api/problem.ts'
import { may, useSession } from '../api/session.ts'
import { Button } from '../parts/button.tsx'
import { ConfirmDialog } from '../parts/dialog.tsx'
import { ProblemNotice } from '../parts/notice.tsx'
import { useTell } from '../parts/toast.tsx'
import type { DocumentKind } from './document-kind.ts'
import type { StoredText } from './stored-document.ts'

interface DeleteDocumentProps {
  kind: DocumentKind
  id: string
  stored: StoredText
  /** Called before the page is left. */
  onDeleted?: () => void
}

/** Deletes a document after asking; when something uses it, the refusal names by whom. */
export function DeleteDocument({ kind, id, stored, onDeleted }: DeleteDocumentProps) {
  const [isOpen, setOpen] = useState(false)
  const [isBusy, setBusy] = useState(false)
  const [problem, setProblem] = useState<Problem>()
  const session = useSession()
  const queries = useQueryClient()
  const router = useRouter()
  const tell = useTell()
  const remove = (): void => {
    setBusy(true)
    setProblem(undefined)
    deleteOne(kind.api, id, stored.etag).then(
      () => {
        onDeleted?.()
        tell(`The ${kind.called} is deleted`)
        router.history.push(kind.list.href)
        // This page stays until the next one is there: it must not ask for what is gone.
        void queries.invalidateQueries({ predicate: ({ queryKey }) => !queryKey.includes(id) })
        queries.removeQueries({ queryKey: ['document', kind.api, id], type: 'inactive' })
      },
      (error: unknown) => {
        setBusy(false)
        setProblem(problemOf(error))
      },
    )
  }
  return (
    <>
      <Button
        icon={<Trash2 size={14} aria-hidden />}
        reason={may(session, 'RESOURCES_DELETE', stored.owner ?? null).reason}
        onClick={() => setOpen(true)}
      >
        Delete
      </Button>
      <ConfirmDialog
        open={isOpen}
        onClose={() => {
          setOpen(false)
          setProblem(undefined)
        }}
        title={`Delete the ${kind.called} ${id}?`}
        action={`Delete the ${kind.called}`}
        danger
        busy={isBusy}
        onConfirm={remove}
      >
        <p>It disappears from search and lists. Its versions stay readable under its id.</p>
        {problem !== undefined && <ProblemNotice problem={problem} />}
      </ConfirmDialog>
    </>
  )
}

async function deleteOne(api: DocumentKind['api'], id: string, etag: string): Promise<void> {
  const options = { params: { path: { id } }, headers: { 'if-match': etag } }
  if (api === '/api/dataproducts') await client.DELETE('/api/dataproducts/{id}', options)
  else await client.DELETE('/api/datacontracts/{id}', options)
}
