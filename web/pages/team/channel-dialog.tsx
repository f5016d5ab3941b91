import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '../../api/client.ts'
import { findProblem } from '../../api/problem.ts'
import { Dialog } from '../../parts/dialog.tsx'
import { Checkbox, RadioGroup, TextField } from '../../parts/field.tsx'
import { Form, SubmitButton } from '../../parts/form.tsx'
import { useToast } from '../../parts/toast.tsx'
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
  const save = api.useMutation('put', '/api/teams/{id}/notification-channels/{channelId}', {
    onSuccess() {
      showToast(isNew ? 'Channel added' : 'Channel saved')
      void queries.invalidateQueries({
        queryKey: ['get', '/api/teams/{id}/notification-channels'],
      })
      onClose()
    },
  })
  const send = (): void => {
    const id = channel?.id ?? proposeChannelId(draft.name, existing)
    save.mutate({
      params: { path: { id: teamId, channelId: id } },
      body: { ...draft, id },
      // Another person may have added a channel with the same id.
      ...(isNew ? { headers: { 'if-none-match': '*' } } : {}),
    })
  }
  const title = isNew ? 'Add notification channel' : 'Edit notification channel'
  return (
    <Dialog open onClose={onClose} title={title}>
      <Form label="Channel" problem={findProblem(save)} fields={FIELDS} onSubmit={send}>
        <ChannelFields draft={draft} onChange={(patch) => setDraft({ ...draft, ...patch })} />
        <SubmitButton busy={save.isPending}>{isNew ? 'Add channel' : 'Save'}</SubmitButton>
      </Form>
    </Dialog>
  )
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
        label="Webhook address"
        hint="Everybody who has the address can post to the channel. Only people who may edit the team see it."
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
