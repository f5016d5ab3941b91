import { useQueryClient } from '@tanstack/react-query'
import { api, client, type Answer } from '../../api/client.ts'
import { Dialog } from '../../parts/dialog.tsx'
import { Checkbox } from '../../parts/field.tsx'
import { Loaded } from '../../parts/loaded.tsx'
import { ProblemNotice } from '../../parts/notice.tsx'
import { useAction } from '../../shell/action.ts'
import type { Channel } from './channel-draft.ts'

const PATH = '/ui/teams/{id}/channels/{channelId}/notifications'

type Settings = Answer<typeof PATH, 'get'>
type Kind = Settings['kinds'][number]['kind']

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
