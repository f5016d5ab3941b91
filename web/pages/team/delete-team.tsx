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

interface DeleteTeamProps {
  id: string
  name: string
  etag: string | undefined
  /** Called before the page is left. */
  onDeleted: () => void
}

/** Deletes a team after asking. The server rejects a team that owns something or has teams below it. */
export function DeleteTeam({ id, name, etag, onDeleted }: DeleteTeamProps) {
  const session = useSession()
  const queries = useQueryClient()
  const router = useRouter()
  const showToast = useToast()
  const [isOpen, setOpen] = useState(false)
  const remove = useMutation({
    async mutationFn() {
      const headers = etag === undefined ? {} : { 'if-match': etag }
      await client.DELETE('/api/teams/{id}', { params: { path: { id } }, headers })
    },
    onSuccess() {
      onDeleted()
      showToast('Team deleted')
      router.history.push(paths.teams)
      void queries.invalidateQueries()
    },
  })
  return (
    <>
      <Button
        icon={Trash2}
        reason={may(session, 'TEAM_DELETE', id).reason}
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
        title={`Delete ${name}?`}
        action="Delete team"
        danger
        busy={remove.isPending}
        problem={findProblem(remove)}
        onConfirm={() => remove.mutate()}
      >
        <p>
          Its API keys are deleted too, and its versions are kept. A team that owns something, or
          that has teams below it, cannot be deleted.
        </p>
      </ConfirmDialog>
    </>
  )
}
