import { useQueryClient } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import { Trash2 } from 'lucide-react'
import { useState } from 'react'
import { client } from '../../api/client.ts'
import { toProblem, type Problem } from '../../api/problem.ts'
import { may, useSession } from '../../api/session.ts'
import { Button } from '../../parts/button.tsx'
import { ConfirmDialog } from '../../parts/dialog.tsx'
import { ProblemNotice } from '../../parts/notice.tsx'
import { useToast } from '../../parts/toast.tsx'
import { paths } from '../../paths.ts'

interface DeleteTeamProps {
  id: string
  name: string
  etag: string | undefined
  /** Called before the page is left. */
  onDeleted: () => void
}

/** Deletes a team after asking. One that owns something or has teams below it is refused, and by what. */
export function DeleteTeam({ id, name, etag, onDeleted }: DeleteTeamProps) {
  const session = useSession()
  const queries = useQueryClient()
  const router = useRouter()
  const showToast = useToast()
  const [isOpen, setOpen] = useState(false)
  const [isBusy, setBusy] = useState(false)
  const [problem, setProblem] = useState<Problem | undefined>(undefined)
  const remove = async (): Promise<void> => {
    setBusy(true)
    setProblem(undefined)
    try {
      const headers = etag === undefined ? {} : { 'if-match': etag }
      await client.DELETE('/api/teams/{id}', { params: { path: { id } }, headers })
      onDeleted()
      showToast('The team is deleted')
      router.history.push(paths.teams)
      void queries.invalidateQueries()
    } catch (error) {
      setProblem(toProblem(error))
    } finally {
      setBusy(false)
    }
  }
  return (
    <>
      <Button
        icon={Trash2}
        reason={may(session, 'TEAM_DELETE', id).reason}
        onClick={() => {
          setProblem(undefined)
          setOpen(true)
        }}
      >
        Delete
      </Button>
      <ConfirmDialog
        open={isOpen}
        onClose={() => setOpen(false)}
        title={`Delete the team ${name}?`}
        action="Delete the team"
        danger
        busy={isBusy}
        onConfirm={() => void remove()}
      >
        <p>
          Its API keys end with it. A team that owns something, or that has teams below it, is not
          deleted. Its versions stay.
        </p>
        {problem !== undefined && <ProblemNotice problem={problem} />}
      </ConfirmDialog>
    </>
  )
}
