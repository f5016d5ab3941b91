import { client } from '../../api/client.ts'
import { ActionDialog } from '../../shell/action-dialog.tsx'
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
