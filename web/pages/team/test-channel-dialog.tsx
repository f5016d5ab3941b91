import { api } from '../../api/client.ts'
import { findProblem } from '../../api/problem.ts'
import { Button } from '../../parts/button.tsx'
import { Dialog } from '../../parts/dialog.tsx'
import { Notice, ProblemNotice } from '../../parts/notice.tsx'
import { CHANNEL_TITLES, type Channel } from './channel-draft.ts'

interface TestChannelDialogProps {
  teamId: string
  channel: Channel
  onClose: () => void
}

/** Posts a test message to a channel, and shows whether the chat system accepted it. */
export function TestChannelDialog({ teamId, channel, onClose }: TestChannelDialogProps) {
  const test = api.useMutation('post', '/ui/teams/{id}/notification-channels/{channelId}/test')
  const problem = findProblem(test)
  const path = { id: teamId, channelId: channel.id ?? '' }
  const title = CHANNEL_TITLES[channel.type]
  return (
    <Dialog
      open
      onClose={onClose}
      title={`Send a test message to ${channel.name}`}
      description={`Everyone in the ${title} channel sees it.`}
    >
      <div role="status">
        {problem !== undefined && <ProblemNotice problem={problem} />}
        {test.data?.problem === null && (
          <Notice tone="positive" title={`${title} accepted the message`}>
            Check that it appears in the channel.
          </Notice>
        )}
        {test.data?.problem && (
          <Notice tone="critical" title="Not sent">
            {test.data.problem}
          </Notice>
        )}
      </div>
      <Button
        look="primary"
        className="justify-self-start"
        busy={test.isPending}
        onClick={() => test.mutate({ params: { path } })}
      >
        {test.data === undefined ? 'Send test message' : 'Send again'}
      </Button>
    </Dialog>
  )
}
