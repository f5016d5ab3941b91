import { useQueryClient } from '@tanstack/react-query'
import { api, type Answer } from '../../api/client.ts'
import { findProblem } from '../../api/problem.ts'
import { Dialog } from '../../parts/dialog.tsx'
import { Checkbox } from '../../parts/field.tsx'
import { Loaded } from '../../parts/loaded.tsx'
import { ProblemNotice } from '../../parts/notice.tsx'
import type { Channel } from './channel-draft.ts'

const PATH = '/ui/teams/{id}/channels/{channelId}/notifications'

type Settings = Answer<typeof PATH, 'get'>

interface ChannelKindsDialogProps {
  teamId: string
  channel: Channel
  onClose: () => void
}

/** Switches the kinds of notifications that are posted to a channel. */
export function ChannelKindsDialog({ teamId, channel, onClose }: ChannelKindsDialogProps) {
  const queries = useQueryClient()
  const params = { path: { id: teamId, channelId: channel.id ?? '' } }
  const options = api.queryOptions('get', PATH, { params })
  const query = api.useQuery('get', PATH, { params })
  const save = api.useMutation('put', PATH, {
    onMutate({ body }) {
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
    onError: () => queries.invalidateQueries({ queryKey: options.queryKey }),
  })
  const problem = findProblem(save)
  return (
    <Dialog
      open
      onClose={onClose}
      title={`Notifications for ${channel.name}`}
      description="Changes apply immediately, to what happens from now on."
    >
      {problem !== undefined && <ProblemNotice problem={problem} />}
      <Loaded query={query} skeleton={{ lines: 8 }}>
        {({ kinds }) => (
          <div className="grid gap-3">
            {kinds.map(({ kind, title, description, isEnabled }) => (
              <Checkbox
                key={kind}
                label={title}
                hint={description}
                checked={isEnabled}
                onChange={({ target }) =>
                  save.mutate({ params, body: { kind, isEnabled: target.checked } })
                }
              />
            ))}
          </div>
        )}
      </Loaded>
    </Dialog>
  )
}
