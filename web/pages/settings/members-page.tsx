import { UserPlus } from 'lucide-react'
import { useState } from 'react'
import { api } from '../../api/client.ts'
import { mayOwn, useSession } from '../../api/session.ts'
import { Button } from '../../parts/button.tsx'
import { Loaded } from '../../parts/loaded.tsx'
import { paths } from '../../paths.ts'
import { useUrlState } from '../../shell/url-state.ts'
import { InvitationsPanel } from './invitations-panel.tsx'
import { InviteDialog, type CreatedInvitation } from './invite-dialog.tsx'
import { MembersPanel } from './members-panel.tsx'
import { NewInvitation } from './new-invitation.tsx'
import { SettingsFrame } from './settings-frame.tsx'

const USUAL = { new: '' }

/** The members of the organization and its open invitations. */
export function MembersPage() {
  const session = useSession()
  const members = api.useQuery('get', '/ui/members')
  const [{ new: isNew }, setUrl] = useUrlState(USUAL)
  const [created, setCreated] = useState<CreatedInvitation | undefined>(undefined)
  const { reason } = mayOwn(session)
  const dismiss = (): void => {
    setCreated(undefined)
    // The button that was pressed is gone, so the page itself takes the focus.
    document.getElementById('content')?.focus()
  }
  return (
    <SettingsFrame
      at={paths.members}
      actions={
        <Button
          look="primary"
          icon={UserPlus}
          reason={reason}
          onClick={() => setUrl({ new: 'invitation' })}
        >
          Invite
        </Button>
      }
    >
      {/* It takes the focus, which the dialog holds while it is open. */}
      {created !== undefined && isNew === '' && (
        <NewInvitation created={created} onDone={dismiss} />
      )}
      <Loaded query={members}>{(data) => <MembersPanel members={data} />}</Loaded>
      {/* Below a list it comes with the list, so that it is not pushed down by it. */}
      {reason === undefined && !members.isPending && <InvitationsPanel />}
      {isNew === 'invitation' && reason === undefined && (
        <InviteDialog
          onClose={() => setUrl({ new: '' }, { replace: true })}
          onCreated={(invitation) => {
            setUrl({ new: '' }, { replace: true })
            setCreated(invitation)
          }}
        />
      )}
    </SettingsFrame>
  )
}
