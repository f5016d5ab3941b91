import { useEffect, useRef } from 'react'
import { Button } from '../../parts/button.tsx'
import { CodeBlock } from '../../parts/copy.tsx'
import { exactTime } from '../../parts/time.tsx'
import type { CreatedInvitation } from './invite-dialog.tsx'

interface NewInvitationProps {
  created: CreatedInvitation
  onDone: () => void
}

/** The link of an invitation that was just made: shown this once. */
export function NewInvitation({ created, onDone }: NewInvitationProps) {
  const { email, link, expiresAt } = created
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
        Send this link to {email}
      </h2>
      <CodeBlock text={link} label="Link of the invitation" />
      <p className="text-muted">
        Portbook sends no mail: copy the link now, it is not shown again. Whoever opens it can join
        as <span className="user-text">{email}</span>, once, until {exactTime(expiresAt)}.
      </p>
      <Button look="primary" className="justify-self-start" onClick={onDone}>
        I have sent it
      </Button>
    </section>
  )
}
