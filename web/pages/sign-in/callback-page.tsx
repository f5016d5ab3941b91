import { useParams, useRouter } from '@tanstack/react-router'
import { useEffect, useRef, useState } from 'react'
import { client, readBody, type Answer } from '../../api/client.ts'
import type { Problem } from '../../api/problem.ts'
import { announceSession, findStartedSignIn } from '../../api/provider-sign-in.ts'
import { ButtonLink } from '../../parts/button.tsx'
import { Notice, Skeleton } from '../../parts/notice.tsx'
import { useAction } from '../../shell/action.ts'
import { useEnter } from '../../shell/enter.ts'
import { OutsidePage } from '../../shell/outside-page.tsx'
import { getStartPage } from './start-again.ts'
import { TriedSignIn } from './tried-sign-in.tsx'

type Finished = Answer<'/ui/sign-in/provider/finish', 'post'>

/**
 * The page to which an identity provider returns. Its query is a secret for one use: it leaves the address at once, and
 * goes to the server in a request of this page, which carries the cookie of the browser that started the sign-in.
 */
export function CallbackPage() {
  const { providerId = '' } = useParams({ strict: false })
  const router = useRouter()
  const enter = useEnter()
  const [query] = useState(() => window.location.search)
  const hasStarted = useRef(false)
  const { run, problem, result } = useAction({
    request: () =>
      readBody(client.POST('/ui/sign-in/provider/finish', { body: { providerId, query } })),
    onSuccess({ session, next, kind }: Finished) {
      if (kind === 'try') return
      if (session === null) {
        router.history.replace(next)
        return
      }
      announceSession()
      enter(session, next)
    },
  })
  useEffect(() => {
    if (hasStarted.current) return
    hasStarted.current = true
    window.history.replaceState(window.history.state, '', window.location.pathname)
    run()
  }, [run])
  if (problem !== undefined) return <Refused problem={problem} providerId={providerId} />
  if (result?.kind === 'try' && result.tried !== null) {
    return <TriedSignIn tried={result.tried} next={result.next} />
  }
  return (
    <OutsidePage title="Signing in">
      <Skeleton label="Finishing the sign-in" />
    </OutsidePage>
  )
}

function Refused({ problem, providerId }: { problem: Problem; providerId: string }) {
  const startPage = getStartPage(findStartedSignIn(providerId), window.location.origin)
  const { title, message, requestId } = problem
  return (
    <OutsidePage title="Sign-in failed">
      <Notice tone="critical" title={title}>
        {message}
      </Notice>
      {startPage === undefined ? (
        <p>To start again, open the link of your invitation again.</p>
      ) : (
        <div className="flex flex-wrap gap-2">
          <ButtonLink href={startPage} look="primary">
            Start again
          </ButtonLink>
        </div>
      )}
      {requestId !== undefined && (
        <p className="text-sm text-muted">
          If you ask for help, name this request: <code className="wrap-anywhere">{requestId}</code>
        </p>
      )}
    </OutsidePage>
  )
}
