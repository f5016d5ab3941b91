import { useQueryClient } from '@tanstack/react-query'
import { api } from '../../api/client.ts'
import { findProblem } from '../../api/problem.ts'
import { ConfirmDialog } from '../../parts/dialog.tsx'
import { useToast } from '../../parts/toast.tsx'
import { ChannelDialog } from './channel-dialog.tsx'
import type { Channel } from './channel-draft.ts'
import { ChannelKindsDialog } from './channel-kinds-dialog.tsx'
import { TestChannelDialog } from './test-channel-dialog.tsx'

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
  const queries = useQueryClient()
  const showToast = useToast()
  const remove = api.useMutation('delete', '/api/teams/{id}/notification-channels/{channelId}', {
    onSuccess() {
      showToast('Channel deleted')
      onClose()
    },
    onSettled: () =>
      queries.invalidateQueries({ queryKey: ['get', '/api/teams/{id}/notification-channels'] }),
  })
  const path = { id: teamId, channelId: channel.id ?? '' }
  return (
    <ConfirmDialog
      open
      onClose={onClose}
      title={`Delete the channel "${channel.name}"?`}
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
