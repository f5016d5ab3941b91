import { useState } from 'react'
import { client } from '../../api/client.ts'
import { Dialog } from '../../parts/dialog.tsx'
import { InputForm, type FieldRecord } from '../../parts/form-fields.tsx'
import { useAction } from '../../shell/action.ts'
import { changeChannel } from './channel-changes.ts'
import { CHANNEL_OPTIONS, proposeChannelId, type Channel } from './channel-draft.ts'

const FIELDS: readonly FieldRecord[] = [
  {
    name: 'name',
    title: 'Name',
    control: { required: true, maxLength: 200, autoComplete: 'off', placeholder: '#data-alerts' },
  },
  { name: 'type', kind: 'options', title: 'Type', choices: CHANNEL_OPTIONS },
  {
    name: 'endpoint',
    title: 'Webhook URL',
    hint: 'Anyone with this URL can post to the channel. Only people who can edit the team see it.',
    control: {
      required: true,
      type: 'url',
      maxLength: 4000,
      autoComplete: 'off',
      placeholder: 'https://',
    },
  },
  { name: 'enabled', kind: 'yes-no', title: 'Enabled' },
]
const NEW: Channel = { name: '', type: 'slack', endpoint: '', enabled: true }

interface ChannelDialogProps {
  teamId: string
  /** Undefined = a new channel. */
  channel: Channel | undefined
  /** All channels of the team. */
  existing: readonly Channel[]
  onClose: () => void
}

/** The form of a notification channel. */
export function ChannelDialog({ teamId, channel, existing, onClose }: ChannelDialogProps) {
  const isNew = channel === undefined
  const [draft, setDraft] = useState(channel ?? NEW)
  const save = useAction({
    async request() {
      if (channel !== undefined) {
        await changeChannel(
          { id: teamId, channelId: channel.id ?? '' },
          listChanges(channel, draft),
        )
        return
      }
      const id = proposeChannelId(draft.name, existing)
      await client.PUT('/api/teams/{id}/notification-channels/{channelId}', {
        params: { path: { id: teamId, channelId: id } },
        body: { ...draft, id },
        // Another person may have added a channel with the same id.
        headers: { 'if-none-match': '*' },
      })
    },
    onSuccess: onClose,
    notice: isNew ? 'Channel added' : 'Channel saved',
    refresh: ['/api/teams/{id}/notification-channels'],
  })
  const title = isNew ? 'Add notification channel' : 'Edit notification channel'
  return (
    <Dialog open onClose={onClose} title={title}>
      <InputForm
        label="Channel"
        fields={FIELDS}
        values={draft}
        onChange={setDraft}
        sending={save}
        action={isNew ? 'Add channel' : 'Save'}
        onSubmit={save.run}
      />
    </Dialog>
  )
}

// Only changed fields, so that the change of another person to others is kept.
function listChanges(before: Channel, after: Channel): Partial<Channel> {
  return {
    ...(after.name === before.name ? {} : { name: after.name }),
    ...(after.type === before.type ? {} : { type: after.type }),
    ...(after.endpoint === before.endpoint ? {} : { endpoint: after.endpoint }),
    ...(after.enabled === before.enabled ? {} : { enabled: after.enabled }),
  }
}
