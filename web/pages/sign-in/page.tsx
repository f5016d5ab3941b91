import { useQuery } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { api } from '../../api/client.ts'
import { problemOf, type Problem } from '../../api/problem.ts'
import { sessionQuery } from '../../api/session.ts'
import { Button } from '../../parts/button.tsx'
import { Field, errorOf, Input } from '../../parts/field.tsx'
import { Form } from '../../parts/form.tsx'
import { Notice } from '../../parts/notice.tsx'
import { PasswordField } from '../../parts/password.tsx'
import { exactTime } from '../../parts/time.tsx'
import { waitText } from '../../parts/wait-text.ts'
import { useEnter } from '../../shell/enter.ts'
import { OutsidePage } from '../../shell/outside-page.tsx'
import { useUrlState } from '../../shell/url-state.ts'
import { ownPath } from './own-path.ts'

const USUAL = { to: '/' }

/** Sign in with e-mail address and password, and go on to where one wanted to go. */
export function SignInPage() {
  const router = useRouter()
  const [{ to }] = useUrlState(USUAL)
  // Held from the start: once it is gone to, the address says nothing of it any more.
  const [next] = useState(() => ownPath(to, window.location.origin))
  const start = api.useQuery('get', '/ui/start')
  const session = useQuery(sessionQuery)
  const isSignedIn = session.data !== undefined && session.data !== null
  useEffect(() => {
    if (isSignedIn) router.history.replace(next)
  }, [isSignedIn, next, router])
  const isSetUp = start.data?.isSetUp !== false
  return (
    <OutsidePage
      title={isSetUp ? 'Sign in' : 'Set up Portbook first'}
      {...(start.data === undefined ? {} : { foot: `Version ${start.data.version}` })}
    >
      {!window.isSecureContext && <InsecureNotice />}
      {isSetUp ? <SignInForm next={next} /> : <NotSetUp />}
    </OutsidePage>
  )
}

function InsecureNotice() {
  return (
    <Notice tone="caution" title="Signing in does not work over this address">
      A browser keeps the session only over HTTPS, or on <code>localhost</code> of the machine
      itself. Open Portbook by such an address; whoever runs it sets <code>PORTBOOK_BASE_URL</code>{' '}
      to it.
    </Notice>
  )
}

function NotSetUp() {
  return (
    <div className="grid gap-3">
      <p>
        There is no account yet. The first owner makes theirs with the one-time link that the server
        wrote to its log when it started:
      </p>
      <ol className="grid list-decimal gap-1.5 pl-5">
        <li>
          Find the line with <code>/set-up#</code> in the log of the process.
        </li>
        <li>Open that address in this browser.</li>
        <li>Name the organization and choose a password.</li>
      </ol>
      <p className="text-muted">
        No such line? Start the server again: it writes a new link until the first account exists.
      </p>
    </div>
  )
}

function SignInForm({ next }: { next: string }) {
  const enter = useEnter()
  const [email, setEmail] = useState('')
  const [password, setPassword] = useState('')
  const [refusal, setRefusal] = useState<Refusal | undefined>(undefined)
  const signIn = api.useMutation('post', '/ui/sign-in', {
    onSuccess: (session) => enter(session, next),
    onError(error) {
      setPassword('')
      setRefusal(refusalShown(problemOf(error), Date.now()))
    },
  })
  return (
    <Form
      label="Sign in"
      problem={refusal}
      fields={['email']}
      onSubmit={() => signIn.mutate({ body: { email: email.trim(), password } })}
    >
      <Field label="E-mail address" error={errorOf(refusal?.violations ?? [], 'email')}>
        {(control) => (
          <Input
            {...control}
            type="email"
            required
            autoComplete="username"
            value={email}
            onChange={(event) => setEmail(event.target.value)}
          />
        )}
      </Field>
      <PasswordField value={password} onChange={setPassword} />
      <Button type="submit" look="primary" busy={signIn.isPending}>
        Sign in
      </Button>
      <p className="text-sm text-muted">
        Forgot your password? An owner of your organization or the operator of this installation can
        create a link that sets a new one.
      </p>
    </Form>
  )
}

type Refusal = Pick<Problem, 'title' | 'message' | 'violations'>

function refusalShown(problem: Problem, nowMs: number): Refusal {
  const { status, title, message, violations, retryAfterSeconds } = problem
  if (status === 401) {
    return {
      title: 'That did not match',
      message: 'The address or the password is wrong.',
      violations: [],
    }
  }
  if (status === 429 && retryAfterSeconds !== undefined) {
    const at = exactTime(new Date(nowMs + retryAfterSeconds * 1000).toISOString())
    const wait = waitText(retryAfterSeconds)
    return {
      title: 'Too many attempts',
      message: `Try again after ${wait}, at ${at}. Until then even the right password is refused.`,
      violations: [],
    }
  }
  return { title, message, violations }
}
