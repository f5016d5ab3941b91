import { useEffect, useRef } from 'react'
import { Button } from '../../parts/button.tsx'
import { CodeBlock } from '../../parts/copy.tsx'
import { exactTime } from '../../parts/time.tsx'
import type { CreatedInvitation } from './invite-dialog.tsx'

interface NewInvitationProps {
  created: CreatedInvitation
  onDone: () => void
}

/** A new invitation: its link, shown only now. */
export function NewInvitation({ created, onDone }: NewInvitationProps) {
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
