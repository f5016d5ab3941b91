import { useQueryClient } from '@tanstack/react-query'
import { client, readBody, api, type Answer } from '../../api/client.ts'
import { Button } from '../../parts/button.tsx'
import { Dialog } from '../../parts/dialog.tsx'
import { Checkbox } from '../../parts/field.tsx'
import { Loaded } from '../../parts/loaded.tsx'
import { Notice, ProblemNotice } from '../../parts/notice.tsx'
import { ActionDialog } from '../../shell/action-dialog.tsx'
import { useAction } from '../../shell/action.ts'
import { ChannelDialog } from './channel-dialog.tsx'
import { type Channel, CHANNEL_TITLES } from './channel-draft.ts'

/** The dialog that is open, and the channel that it is about; undefined = a new one. */
export type OpenDialog =
  | { name: 'edit'; channel: Channel | undefined }
  | { name: 'delete' | 'kinds' | 'test'; channel: Channel }

interface ChannelDialogsProps {
  teamId: string
  dialog: OpenDialog
  /** All channels of the team. */
  existing: readonly Channel[]
  onClose: () => void
}

/** The dialog of the notification channels of a team that is open. */
export function ChannelDialogs({ teamId, dialog, existing, onClose }: ChannelDialogsProps) {
  if (dialog.name === 'edit') {
    return (
      <ChannelDialog
        teamId={teamId}
        channel={dialog.channel}
        existing={existing}
        onClose={onClose}
      />
    )
  }
  const Dialog = DIALOGS[dialog.name]
  return <Dialog teamId={teamId} channel={dialog.channel} onClose={onClose} />
}

const DIALOGS = {
  delete: DeleteChannelDialog,
  kinds: ChannelKindsDialog,
  test: TestChannelDialog,
}

interface DeleteChannelDialogProps {
  teamId: string
  channel: Channel
  onClose: () => void
}

function DeleteChannelDialog({ teamId, channel, onClose }: DeleteChannelDialogProps) {
  const params = { path: { id: teamId, channelId: channel.id ?? '' } }
  return (
    <ActionDialog
      title={`Delete the channel "${channel.name}"?`}
      button="Delete channel"
      danger
      request={() =>
        client.DELETE('/api/teams/{id}/notification-channels/{channelId}', {
          params,
          parseAs: 'text',
        })
      }
      notice="Channel deleted"
      refresh={['/api/teams/{id}/notification-channels']}
      refreshAfterError={['/api/teams/{id}/notification-channels']}
      onClose={onClose}
    >
      <p>This deletes its webhook URL, and cannot be undone.</p>
    </ActionDialog>
  )
}

interface TestChannelDialogProps {
  teamId: string
  channel: Channel
  onClose: () => void
}

/** Posts a test message to a channel, and shows whether the chat system accepted it. */
function TestChannelDialog({ teamId, channel, onClose }: TestChannelDialogProps) {
  const params = { path: { id: teamId, channelId: channel.id ?? '' } }
  const test = useAction({
    request: () =>
      readBody(client.POST('/ui/teams/{id}/notification-channels/{channelId}/test', { params })),
  })
  const title = CHANNEL_TITLES[channel.type]
  return (
    <Dialog
      open
      onClose={onClose}
      title={`Send a test message to ${channel.name}`}
      description={`Everyone in the ${title} channel sees it.`}
    >
      <div role="status">
        <ProblemNotice problem={test.problem} />
        {test.result?.problem === null && (
          <Notice tone="positive" title={`${title} accepted the message`}>
            Check that it appears in the channel.
          </Notice>
        )}
        {test.result?.problem && (
          <Notice tone="critical" title="Not sent">
            {test.result.problem}
          </Notice>
        )}
      </div>
      <Button
        look="primary"
        className="justify-self-start"
        busy={test.isPending}
        onClick={() => test.run()}
      >
        {test.result === undefined ? 'Send test message' : 'Send again'}
      </Button>
    </Dialog>
  )
}

const PATH = '/ui/teams/{id}/channels/{channelId}/notifications'

type Settings = Answer<typeof PATH, 'get'>
type Kind = Settings['kinds'][number]['kind']

interface ChannelKindsDialogProps {
  teamId: string
  channel: Channel
  onClose: () => void
}

/** Switches the kinds of notifications that are posted to a channel. */
function ChannelKindsDialog({ teamId, channel, onClose }: ChannelKindsDialogProps) {
  const queries = useQueryClient()
  const params = { path: { id: teamId, channelId: channel.id ?? '' } }
  const options = api.queryOptions('get', PATH, { params })
  const query = api.useQuery('get', PATH, { params })
  const save = useAction({
    request: (body: { kind: Kind; isEnabled: boolean }) => client.PUT(PATH, { params, body }),
    onStart(body) {
      queries.setQueryData(options.queryKey, (before: Settings | undefined) =>
        before === undefined
          ? before
          : {
              kinds: before.kinds.map((one) =>
                one.kind === body.kind ? { ...one, isEnabled: body.isEnabled } : one,
              ),
            },
      )
    },
    refreshAfterError: [{ queryKey: options.queryKey }],
  })
  return (
    <Dialog
      open
      onClose={onClose}
      title={`Notifications for ${channel.name}`}
      description="Changes apply immediately, to what happens from now on."
    >
      <ProblemNotice problem={save.problem} />
      <Loaded query={query} skeleton={{ lines: 8 }}>
        {({ kinds }) => (
          <div className="grid gap-3">
            {kinds.map(({ kind, title, description, isEnabled }) => (
              <Checkbox
                key={kind}
                label={title}
                hint={description}
                checked={isEnabled}
                onChange={({ target }) => save.run({ kind, isEnabled: target.checked })}
              />
            ))}
          </div>
        )}
      </Loaded>
    </Dialog>
  )
}
