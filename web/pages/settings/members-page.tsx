import { UserPlus } from 'lucide-react'
import { useState, useEffect, useRef } from 'react'
import { api } from '../../api/client.ts'
import { mayOwn, useSession } from '../../api/session.ts'
import { Button } from '../../parts/button.tsx'
import { CodeBlock } from '../../parts/copy.tsx'
import { Loaded } from '../../parts/loaded.tsx'
import { exactTime } from '../../parts/time.tsx'
import { paths } from '../../paths.ts'
import { useUrlState } from '../../shell/url-state.ts'
import { InvitationsPanel } from './invitations-panel.tsx'
import { InviteDialog, type CreatedInvitation } from './invite-dialog.tsx'
import { MembersPanel } from './members-panel.tsx'
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

interface NewInvitationProps {
  created: CreatedInvitation
  onDone: () => void
}

/** A new invitation: its link, shown only now. */
function NewInvitation({ created, onDone }: NewInvitationProps) {
  const { email, link, expiresAt, mailed } = created
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => heading.current?.focus(), [])
  return (
    <section
      aria-labelledby="new-invitation"
      className="grid grid-cols-[minmax(0,1fr)] gap-3 rounded-lg border border-line bg-surface p-4"
    >
      <h2
        id="new-invitation"
        ref={heading}
        tabIndex={-1}
        className="user-text text-lg outline-none"
      >
        {mailed ? `Invitation sent to ${email}` : `Send this link to ${email}`}
      </h2>
      <CodeBlock text={link} label="Invitation link" />
      <p className="text-muted">
        {mailed
          ? 'The link is on its way by e-mail. You can also copy it now; it is not shown again.'
          : 'No e-mail is sent: copy the link now, it is not shown again.'}{' '}
        Anyone who opens it can join as <span className="user-text">{email}</span>, once, until{' '}
        {exactTime(expiresAt)}.
      </p>
      <Button look="primary" className="justify-self-start" onClick={onDone}>
        Done
      </Button>
    </section>
  )
}
