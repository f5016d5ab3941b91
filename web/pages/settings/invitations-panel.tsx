import { useQueryClient } from '@tanstack/react-query'
import { MailX } from 'lucide-react'
import { useState } from 'react'
import { api, type Answer } from '../../api/client.ts'
import { findProblem } from '../../api/problem.ts'
import { IconButton } from '../../parts/button.tsx'
import { ConfirmDialog } from '../../parts/dialog.tsx'
import { Loaded } from '../../parts/loaded.tsx'
import { Empty } from '../../parts/notice.tsx'
import { Panel } from '../../parts/page.tsx'
import { Status } from '../../parts/status.tsx'
import { Table, type Column } from '../../parts/table.tsx'
import { Time } from '../../parts/time.tsx'
import { useToast } from '../../parts/toast.tsx'

type Invitation = Answer<'/ui/invitations', 'get'>[number]

/** The open invitations; for owners. */
export function InvitationsPanel() {
  const query = api.useQuery('get', '/ui/invitations')
  const [revoking, setRevoking] = useState<Invitation | undefined>(undefined)
  return (
    <Panel title="Invitations" flush>
      <Loaded
        query={query}
        empty={
          <Empty title="No open invitations">
            Invite creates a link that you send to a colleague. People who joined are listed above.
          </Empty>
        }
      >
        {(invitations) => (
          <Table
            label="Invitations"
            columns={getColumns(setRevoking)}
            rows={invitations}
            getKey={({ id }) => id}
          />
        )}
      </Loaded>
      {revoking !== undefined && (
        <RevokeDialog invitation={revoking} onClose={() => setRevoking(undefined)} />
      )}
    </Panel>
  )
}

function getColumns(onRevoke: (invitation: Invitation) => void): Column<Invitation>[] {
  return [
    {
      title: 'E-mail address',
      className: 'min-w-44 max-w-96',
      cell: ({ email }) => <span className="user-text">{email}</span>,
    },
    { title: 'Role', cell: ({ role }) => role },
    {
      title: 'Invited',
      className: 'min-w-32 max-w-72',
      cell: ({ createdAt, invitedBy }) => (
        <>
          <Time at={createdAt} />
          <span className="user-text line-clamp-2 text-sm text-muted">by {invitedBy}</span>
        </>
      ),
    },
    {
      title: 'Expires',
      cell: ({ expired, expiresAt }) =>
        expired ? <Status tone="off">Expired</Status> : <Time at={expiresAt} />,
    },
    {
      title: 'Action',
      align: 'right',
      isAction: true,
      cell: (invitation) => (
        <IconButton
          label={`Revoke the invitation for ${invitation.email}`}
          icon={MailX}
          iconSize={16}
          onClick={() => onRevoke(invitation)}
        />
      ),
    },
  ]
}

function RevokeDialog({ invitation, onClose }: { invitation: Invitation; onClose: () => void }) {
  const queries = useQueryClient()
  const showToast = useToast()
  const { id, email } = invitation
  const revoke = api.useMutation('delete', '/ui/invitations/{id}', {
    async onSuccess() {
      await queries.invalidateQueries({ queryKey: ['get', '/ui/invitations'] })
      showToast('Invitation revoked')
      onClose()
    },
  })
  return (
    <ConfirmDialog
      open
      onClose={onClose}
      title={`Revoke the invitation for ${email}?`}
      action="Revoke invitation"
      danger
      busy={revoke.isPending}
      problem={findProblem(revoke)}
      onConfirm={() => revoke.mutate({ params: { path: { id } } })}
    >
      <p>The link stops working immediately. You can invite the address again with a new link.</p>
    </ConfirmDialog>
  )
}
