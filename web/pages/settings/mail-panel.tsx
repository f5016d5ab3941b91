import { api, type Answer } from '../../api/client.ts'
import { findProblem } from '../../api/problem.ts'
import { useSession } from '../../api/session.ts'
import { Button } from '../../parts/button.tsx'
import { NewTabLink } from '../../parts/new-tab-link.tsx'
import { Notice, ProblemNotice } from '../../parts/notice.tsx'
import { Facts, Panel } from '../../parts/page.tsx'

type Mail = Answer<'/ui/about', 'get'>['mail']

/** The mail server, and a test message for owners. */
export function MailPanel({ mail }: { mail: Mail }) {
  const session = useSession()
  const isOwner = session.organization?.role === 'Owner'
  if (mail === null) {
    return (
      <Panel title="E-mail">
        <p>
          Off: no mail server is configured. Notifications appear only on the pages, and you pass on
          the links of invitations yourself.
        </p>
        <p className="mt-2">
          <NewTabLink href="/guides/e-mail">Set up e-mail</NewTabLink>
        </p>
      </Panel>
    )
  }
  return (
    <Panel title="E-mail">
      <Facts
        facts={[
          ['Mail server', mail.server],
          ['Sender', mail.from],
        ]}
      />
      {isOwner && <TestMail />}
    </Panel>
  )
}

function TestMail() {
  const test = api.useMutation('post', '/ui/test-mail')
  const problem = findProblem(test)
  return (
    <div className="mt-4 grid justify-items-start gap-3">
      <Button busy={test.isPending} onClick={() => test.mutate({})}>
        Send test message
      </Button>
      <div role="status" className="w-full">
        {problem !== undefined && <ProblemNotice problem={problem} />}
        {test.data?.problem === null && (
          <Notice tone="positive" title={`Sent to ${test.data.to}`}>
            The mail server accepted the message. Check that it arrives.
          </Notice>
        )}
        {test.data?.problem && (
          <Notice tone="critical" title="Not sent">
            {test.data.problem}
          </Notice>
        )}
      </div>
    </div>
  )
}
