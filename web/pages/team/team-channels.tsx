import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Ellipsis, Pencil, Plus, Power, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { api } from '../../api/client.ts'
import { findProblem } from '../../api/problem.ts'
import { may, useSession } from '../../api/session.ts'
import { Button, IconButton } from '../../parts/button.tsx'
import { ConfirmDialog } from '../../parts/dialog.tsx'
import { Loaded } from '../../parts/loaded.tsx'
import { Menu, MenuItem } from '../../parts/menu.tsx'
import { Empty, ProblemNotice, Skeleton } from '../../parts/notice.tsx'
import { Panel } from '../../parts/page.tsx'
import { Status } from '../../parts/status.tsx'
import { Table, type Column } from '../../parts/table.tsx'
import { useToast } from '../../parts/toast.tsx'
import { changeChannel } from './channel-changes.ts'
import { CHANNEL_TITLES, getOrigin, type Channel } from './channel-draft.ts'
import { ChannelDialog } from './channel-dialog.tsx'

const LIST = '/api/teams/{id}/notification-channels'
const ONE = `${LIST}/{channelId}` as const

/** The notification channels of a team, for the people who may edit the team. */
export function TeamChannels({ id }: { id: string }) {
  const session = useSession()
  return may(session, 'TEAM_EDIT', id).allowed ? <ChannelsPanel teamId={id} /> : null
}

/** The dialog that is open, and the channel that it is about; undefined = a new one. */
type OpenDialog =
  | { name: 'edit'; channel: Channel | undefined }
  | { name: 'delete'; channel: Channel }

function ChannelsPanel({ teamId }: { teamId: string }) {
  const query = api.useQuery('get', LIST, { params: { path: { id: teamId } } })
  const [dialog, setDialog] = useState<OpenDialog | undefined>(undefined)
  const toggle = useToggleChannel(teamId)
  const problem = findProblem(toggle)
  const add = (): void => setDialog({ name: 'edit', channel: undefined })
  const columns = [...COLUMNS, toActionColumn(setDialog, (channel) => toggle.mutate(channel))]
  return (
    <Panel
      title="Notification channels"
      marks={query.data?.length || undefined}
      flush
      actions={
        <Button look="quiet" className="-mr-3" icon={Plus} onClick={add}>
          Add channel
        </Button>
      }
    >
      {problem !== undefined && dialog === undefined && <ProblemNotice problem={problem} />}
      <Loaded query={query} skeleton={<Skeleton lines={2} label="Loading the channels" />}>
        {(channels) =>
          channels.length === 0 ? (
            <Empty title="No notification channels">
              Add the webhook of a Slack, Microsoft Teams or Google Chat channel for clients of the
              API. Portbook does not send notifications yet.
            </Empty>
          ) : (
            <Table
              label="Notification channels of the team"
              columns={columns}
              rows={channels}
              getKey={({ id }) => id ?? ''}
            />
          )
        }
      </Loaded>
      {dialog?.name === 'edit' && (
        <ChannelDialog
          teamId={teamId}
          channel={dialog.channel}
          existing={query.data ?? []}
          onClose={() => setDialog(undefined)}
        />
      )}
      {dialog?.name === 'delete' && (
        <DeleteChannelDialog
          teamId={teamId}
          channel={dialog.channel}
          onClose={() => setDialog(undefined)}
        />
      )}
    </Panel>
  )
}

const COLUMNS: readonly Column<Channel>[] = [
  { title: 'Name', cell: ({ name }) => <span className="user-text">{name}</span> },
  { title: 'Type', cell: ({ type }) => CHANNEL_TITLES[type] },
  {
    title: 'Webhook',
    cell: ({ endpoint }) => (
      <code className="user-text text-sm text-muted">{getOrigin(endpoint)}</code>
    ),
  },
  {
    title: 'Status',
    cell: ({ enabled }) =>
      enabled ? <Status tone="positive">Enabled</Status> : <Status tone="off">Disabled</Status>,
  },
]

function toActionColumn(
  open: (dialog: OpenDialog) => void,
  onToggle: (channel: Channel) => void,
): Column<Channel> {
  return {
    title: 'Actions',
    isAction: true,
    cell: (channel) => (
      <Menu trigger={<IconButton label={`Actions of ${channel.name}`} icon={Ellipsis} />}>
        <MenuItem icon={Pencil} onSelect={() => open({ name: 'edit', channel })}>
          Edit
        </MenuItem>
        <MenuItem icon={Power} onSelect={() => onToggle(channel)}>
          {channel.enabled ? 'Disable' : 'Enable'}
        </MenuItem>
        <MenuItem icon={Trash2} danger onSelect={() => open({ name: 'delete', channel })}>
          Delete
        </MenuItem>
      </Menu>
    ),
  }
}

function useToggleChannel(teamId: string) {
  const queries = useQueryClient()
  const showToast = useToast()
  return useMutation({
    mutationFn: async ({ id, enabled }: Channel) =>
      await changeChannel({ id: teamId, channelId: id ?? '' }, { enabled: !enabled }),
    onSuccess: (_, { enabled }) => showToast(enabled ? 'Channel disabled' : 'Channel enabled'),
    onSettled: () => queries.invalidateQueries({ queryKey: ['get', LIST] }),
  })
}

interface DeleteChannelDialogProps {
  teamId: string
  channel: Channel
  onClose: () => void
}

function DeleteChannelDialog({ teamId, channel, onClose }: DeleteChannelDialogProps) {
  const queries = useQueryClient()
  const showToast = useToast()
  const remove = api.useMutation('delete', ONE, {
    onSuccess() {
      showToast('Channel deleted')
      onClose()
    },
    onSettled: () => queries.invalidateQueries({ queryKey: ['get', LIST] }),
  })
  const path = { id: teamId, channelId: channel.id ?? '' }
  return (
    <ConfirmDialog
      open
      onClose={onClose}
      title={`Delete the channel “${channel.name}”?`}
      action="Delete channel"
      danger
      busy={remove.isPending}
      problem={findProblem(remove)}
      onConfirm={() => remove.mutate({ params: { path }, parseAs: 'text' })}
    >
      <p>This deletes its webhook URL, and cannot be undone.</p>
    </ConfirmDialog>
  )
}
