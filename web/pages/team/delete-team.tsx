import { Trash2 } from 'lucide-react'
import { client } from '../../api/client.ts'
import { may, useSession } from '../../api/session.ts'
import { paths } from '../../paths.ts'
import { ActionButton } from '../../shell/action-dialog.tsx'

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
  const headers = etag === undefined ? {} : { 'if-match': etag }
  return (
    <ActionButton
      label="Delete"
      icon={Trash2}
      reason={may(session, 'TEAM_DELETE', id).reason}
      title={`Delete ${name}?`}
      button="Delete team"
      danger
      request={() => client.DELETE('/api/teams/{id}', { params: { path: { id } }, headers })}
      onSuccess={onDeleted}
      notice="Team deleted"
      goTo={paths.teams}
      refresh="everything"
    >
      <p>
        Its API keys are deleted too, and its versions are kept. A team that owns something, or that
        has teams below it, cannot be deleted.
      </p>
    </ActionButton>
  )
}
