import { BellRing, Ellipsis, Pencil, Plus, Power, Send, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { api, type Answer } from '../../api/client.ts'
import { may, useSession } from '../../api/session.ts'
import { Button, ButtonLink, IconButton } from '../../parts/button.tsx'
import { Loaded } from '../../parts/loaded.tsx'
import { Menu, MenuItem } from '../../parts/menu.tsx'
import { Empty, ProblemNotice } from '../../parts/notice.tsx'
import { Panel } from '../../parts/page.tsx'
import { describeDelivery } from '../../documents/delivery-words.ts'
import { Status } from '../../parts/status.tsx'
import { Table, type Column } from '../../parts/table.tsx'
import { Time } from '../../parts/time.tsx'
import { paths } from '../../paths.ts'
import { useAction } from '../../shell/action.ts'
import { changeChannel } from './channel-changes.ts'
import { ChannelDialogs, type OpenDialog } from './channel-dialogs.tsx'
import { CHANNEL_TITLES, getOrigin, type Channel } from './channel-draft.ts'

const LIST = '/api/teams/{id}/notification-channels'
const DELIVERIES = '/ui/teams/{id}/channel-deliveries'

/** The notification channels of a team, for the people who may edit the team. */
export function TeamChannels({ id }: { id: string }) {
  const session = useSession()
  return may(session, 'TEAM_EDIT', id).allowed ? <ChannelsPanel teamId={id} /> : null
}

function ChannelsPanel({ teamId }: { teamId: string }) {
  const query = api.useQuery('get', LIST, { params: { path: { id: teamId } } })
  const [dialog, setDialog] = useState<OpenDialog | undefined>(undefined)
  const deliveries = api.useQuery('get', DELIVERIES, { params: { path: { id: teamId } } })
  const toggle = useToggleChannel(teamId)
  const add = (): void => setDialog({ name: 'edit', channel: undefined })
  const columns = [
    ...COLUMNS,
    toDeliveryColumn(deliveries.data ?? []),
    toActionColumn(setDialog, (channel) => toggle.run(channel)),
  ]
  return (
    <Panel
      title="Notification channels"
      marks={query.data?.length || undefined}
      flush
      actions={
        <>
          <AddWebhook teamId={teamId} />
          <Button look="quiet" className="-mr-3" icon={Plus} onClick={add}>
            Add channel
          </Button>
        </>
      }
    >
      {dialog === undefined && <ProblemNotice problem={toggle.problem} />}
      <Loaded
        query={query}
        skeleton={{ lines: 2, label: 'Loading the channels' }}
        empty={
          <Empty title="No notification channels">
            Add the webhook of a Slack, Microsoft Teams or Google Chat channel to post the
            notifications of the team there.
          </Empty>
        }
      >
        {(channels) => (
          <Table
            label="Notification channels of the team"
            columns={columns}
            rows={channels}
            getKey={({ id }) => id ?? ''}
          />
        )}
      </Loaded>
      {dialog !== undefined && (
        <ChannelDialogs
          teamId={teamId}
          dialog={dialog}
          existing={query.data ?? []}
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

function toDeliveryColumn(deliveries: readonly LastDelivery[]): Column<Channel> {
  return {
    title: 'Last message',
    cell: ({ id }) => (
      <ChannelDelivery last={deliveries.find(({ channelId }) => channelId === id)} />
    ),
  }
}

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
        <MenuItem icon={BellRing} onSelect={() => open({ name: 'kinds', channel })}>
          Choose notifications
        </MenuItem>
        {channel.enabled && (
          <MenuItem icon={Send} onSelect={() => open({ name: 'test', channel })}>
            Send test message
          </MenuItem>
        )}
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

function AddWebhook({ teamId }: { teamId: string }) {
  const href = paths.webhooks({ new: 'webhook', team: teamId })
  return (
    <ButtonLink look="quiet" icon={Plus} href={href}>
      Add webhook
    </ButtonLink>
  )
}

function useToggleChannel(teamId: string) {
  return useAction({
    request: ({ id, enabled }: Channel) =>
      changeChannel({ id: teamId, channelId: id ?? '' }, { enabled: !enabled }),
    notice: (_, { enabled }) => (enabled ? 'Channel disabled' : 'Channel enabled'),
    refresh: [LIST],
    refreshAfterError: [LIST],
  })
}

/** The last message to a channel. */
type LastDelivery = Answer<'/ui/teams/{id}/channel-deliveries', 'get'>[number]

/** The last message to a channel: whether it arrived, when, and otherwise why not. Undefined = there was none. */
function ChannelDelivery({ last }: { last: LastDelivery | undefined }) {
  if (last === undefined) return <span className="text-muted">None yet</span>
  const { state, error, createdAt, endedAt } = last
  const at = <Time at={endedAt ?? createdAt} />
  const { tone, word } = describeDelivery(state, error !== null)
  return (
    <div className="grid gap-0.5">
      <Status tone={tone}>
        {word} {at}
      </Status>
      {error !== null && <span className="user-text text-sm text-muted">{error}</span>}
    </div>
  )
}
