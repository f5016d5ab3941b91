import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { client } from '../../api/client.ts'
import { findProblem } from '../../api/problem.ts'
import { Dialog } from '../../parts/dialog.tsx'
import { Checkbox, RadioGroup, TextField } from '../../parts/field.tsx'
import { Form, SubmitButton } from '../../parts/form.tsx'
import { useToast } from '../../parts/toast.tsx'
import { changeChannel } from './channel-changes.ts'
import { CHANNEL_OPTIONS, proposeChannelId, type Channel } from './channel-draft.ts'

const FIELDS = ['name', 'endpoint']
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
  const queries = useQueryClient()
  const showToast = useToast()
  const isNew = channel === undefined
  const [draft, setDraft] = useState(channel ?? NEW)
  const save = useMutation({
    async mutationFn() {
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
    onSuccess() {
      showToast(isNew ? 'Channel added' : 'Channel saved')
      void queries.invalidateQueries({
        queryKey: ['get', '/api/teams/{id}/notification-channels'],
      })
      onClose()
    },
  })
  const title = isNew ? 'Add notification channel' : 'Edit notification channel'
  return (
    <Dialog open onClose={onClose} title={title}>
      <Form
        label="Channel"
        problem={findProblem(save)}
        fields={FIELDS}
        onSubmit={() => save.mutate()}
      >
        <ChannelFields draft={draft} onChange={(patch) => setDraft({ ...draft, ...patch })} />
        <SubmitButton busy={save.isPending}>{isNew ? 'Add channel' : 'Save'}</SubmitButton>
      </Form>
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

interface ChannelFieldsProps {
  draft: Channel
  onChange: (patch: Partial<Channel>) => void
}

function ChannelFields({ draft, onChange }: ChannelFieldsProps) {
  return (
    <>
      <TextField
        label="Name"
        field="name"
        required
        maxLength={200}
        autoComplete="off"
        placeholder="#data-alerts"
        value={draft.name}
        onChange={(name) => onChange({ name })}
      />
      <RadioGroup
        label="Type"
        name="type"
        value={draft.type}
        options={CHANNEL_OPTIONS}
        onChange={(type) => onChange({ type })}
      />
      <TextField
        label="Webhook URL"
        hint="Anyone with this URL can post to the channel. Only people who can edit the team see it."
        field="endpoint"
        required
        type="url"
        maxLength={4000}
        autoComplete="off"
        placeholder="https://"
        value={draft.endpoint}
        onChange={(endpoint) => onChange({ endpoint })}
      />
      <Checkbox
        label="Enabled"
        checked={draft.enabled}
        onChange={({ target }) => onChange({ enabled: target.checked })}
      />
    </>
  )
}
