import { MailX } from 'lucide-react'
import { useState } from 'react'
import { api, client, type Answer } from '../../api/client.ts'
import { IconButton } from '../../parts/button.tsx'
import { Loaded } from '../../parts/loaded.tsx'
import { Empty } from '../../parts/notice.tsx'
import { Panel } from '../../parts/page.tsx'
import { Status } from '../../parts/status.tsx'
import { Table, type Column } from '../../parts/table.tsx'
import { Time } from '../../parts/time.tsx'
import { ActionDialog } from '../../shell/action-dialog.tsx'

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
  const { id, email } = invitation
  return (
    <ActionDialog
      title={`Revoke the invitation for ${email}?`}
      button="Revoke invitation"
      danger
      request={() => client.DELETE('/ui/invitations/{id}', { params: { path: { id } } })}
      notice="Invitation revoked"
      refresh={['/ui/invitations']}
      onClose={onClose}
    >
      <p>The link stops working immediately. You can invite the address again with a new link.</p>
    </ActionDialog>
  )
}
