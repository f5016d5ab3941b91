import { api } from '../../api/client.ts'
import { problemOf } from '../../api/problem.ts'
import { Button } from '../../parts/button.tsx'
import { CodeBlock } from '../../parts/copy.tsx'
import { Dialog } from '../../parts/dialog.tsx'
import { ProblemNotice } from '../../parts/notice.tsx'
import { exactTime } from '../../parts/time.tsx'
import type { Member } from './member-rules.ts'

interface ResetLinkDialogProps {
  member: Member
  onClose: () => void
}

/** Creates a link with which a member sets a new password, and shows it once. */
export function ResetLinkDialog({ member, onClose }: ResetLinkDialogProps) {
  const { userId, name, email } = member
  const create = api.useMutation('post', '/ui/members/{userId}/password-reset')
  const { data: created } = create
  return (
    <Dialog
      open
      onClose={onClose}
      title={`Reset the password of ${name}`}
      description="With the link they set a new password. It works once, for 24 hours."
    >
      {created === undefined ? (
        <>
          <p>
            When they use it, they are signed out everywhere and their personal API keys are
            deleted: programs that use those keys stop working. An earlier link stops working now.
          </p>
          {create.error !== null && <ProblemNotice problem={problemOf(create.error)} />}
          <Button
            look="primary"
            className="justify-self-start"
            busy={create.isPending}
            onClick={() => create.mutate({ params: { path: { userId } } })}
          >
            Create link
          </Button>
        </>
      ) : (
        <>
          <CodeBlock text={created.link} label="Reset link" />
          <p className="text-muted" role="status">
            Portbook sends no mail: copy the link now and send it to{' '}
            <span className="user-text">{email}</span>. It is not shown again. Anyone who opens it
            can set the password, once, until {exactTime(created.expiresAt)}.
          </p>
          <Button className="justify-self-start" onClick={onClose}>
            Done
          </Button>
        </>
      )}
    </Dialog>
  )
}
