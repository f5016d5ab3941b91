import { client, readBody } from '../../api/client.ts'
import { formatCommand } from '../../api/command.ts'
import type { Problem } from '../../api/problem.ts'
import { Button } from '../../parts/button.tsx'
import { CodeBlock } from '../../parts/copy.tsx'
import { Dialog } from '../../parts/dialog.tsx'
import { Notice, ProblemNotice } from '../../parts/notice.tsx'
import { exactTime } from '../../parts/time.tsx'
import { useAction } from '../../shell/action.ts'
import type { Member } from './member-rules.ts'

interface ResetLinkDialogProps {
  member: Member
  onClose: () => void
}

/** Creates a link with which a member sets a new password, and shows it once. */
export function ResetLinkDialog({ member, onClose }: ResetLinkDialogProps) {
  const { userId, name, email } = member
  const create = useAction({
    request: () =>
      readBody(
        client.POST('/ui/members/{userId}/password-reset', { params: { path: { userId } } }),
      ),
  })
  const { result: created, problem } = create
  return (
    <Dialog
      open
      onClose={onClose}
      title={`Reset the password of ${name}`}
      description="They set a new password with a link. It works once, for 24 hours."
    >
      {created === undefined ? (
        <>
          <p>
            Using the link signs them out everywhere and deletes their personal API keys: programs
            that use those keys stop working. An earlier link stops working now.
          </p>
          {problem !== undefined && <Failure problem={problem} />}
          <Button
            look="primary"
            className="justify-self-start"
            busy={create.isPending}
            onClick={() => create.run()}
          >
            {problem === undefined ? 'Create link' : 'Try again'}
          </Button>
        </>
      ) : (
        <>
          <CodeBlock text={created.link} label="Reset link" />
          <p className="text-muted" role="status">
            {created.mailed ? (
              <>
                The link is on its way to <span className="user-text">{email}</span> by e-mail. You
                can also copy it now; it is not shown again.
              </>
            ) : (
              <>
                No e-mail is sent: copy the link now and send it to{' '}
                <span className="user-text">{email}</span>. It is not shown again.
              </>
            )}{' '}
            Anyone who opens it can set the password, once, until {exactTime(created.expiresAt)}.
          </p>
          <Button className="justify-self-start" onClick={onClose}>
            Done
          </Button>
        </>
      )}
    </Dialog>
  )
}

// The request counts as the agreement of this organization; the others are missing.
function Failure({ problem }: { problem: Problem }) {
  if (problem.status !== 409) return <ProblemNotice problem={problem} />
  return (
    <div role="alert">
      <Notice tone="caution" title="Another organization must agree">
        <p>
          This person also belongs to other organizations. Your agreement is recorded for 7 days. An
          owner of each of the others must agree, too: they choose Reset password for this person in
          their organization. The last owner gets the link.
        </p>
        <p className="mt-2">
          The operator of this installation can create a link without them:{' '}
          <code>{formatCommand('reset-password <address>')}</code>
        </p>
      </Notice>
    </div>
  )
}
