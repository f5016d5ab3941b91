import { client, readBody } from '../../api/client.ts'
import { Button } from '../../parts/button.tsx'
import { Dialog } from '../../parts/dialog.tsx'
import { Notice, ProblemNotice } from '../../parts/notice.tsx'
import { useAction } from '../../shell/action.ts'
import { CHANNEL_TITLES, type Channel } from './channel-draft.ts'

interface TestChannelDialogProps {
  teamId: string
  channel: Channel
  onClose: () => void
}

/** Posts a test message to a channel, and shows whether the chat system accepted it. */
export function TestChannelDialog({ teamId, channel, onClose }: TestChannelDialogProps) {
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
