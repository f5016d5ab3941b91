import { useQuery } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import { useEffect, useRef, useState } from 'react'
import { api, client, readBody, type Schemas } from '../../api/client.ts'
import { formatCommand } from '../../api/command.ts'
import { DemoPeople } from './demo-people.tsx'
import type { Problem } from '../../api/problem.ts'
import { sessionQuery } from '../../api/session.ts'
import { Button } from '../../parts/button.tsx'
import { TextField } from '../../parts/field.tsx'
import { Form } from '../../parts/form.tsx'
import { Notice } from '../../parts/notice.tsx'
import { PasswordField } from '../../parts/password.tsx'
import { exactTime } from '../../parts/time.tsx'
import { waitText } from '../../api/wait-text.ts'
import { useAction } from '../../shell/action.ts'
import { useEnter } from '../../shell/enter.ts'
import { OutsidePage } from '../../shell/outside-page.tsx'
import { useUrlState } from '../../shell/url-state.ts'
import { ownPath } from '../../../formats/name/own-path.ts'

const USUAL = { to: '/' }

/** The sign-in page; it leads on to the page that was asked for. */
export function SignInPage() {
  const router = useRouter()
  const [{ to }] = useUrlState(USUAL)
  // Kept from the start: the address changes when the person goes there.
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
      foot={start.data && `Version ${start.data.version}`}
    >
      {!window.isSecureContext && <InsecureNotice />}
      {isSetUp ? <SignInForm next={next} people={start.data?.demoPeople ?? []} /> : <NotSetUp />}
    </OutsidePage>
  )
}

function InsecureNotice() {
  return (
    <Notice tone="caution" title="Sign-in does not work at this address">
      Browsers keep the session only over HTTPS or on <code>localhost</code>. Open Portbook at such
      an address. The operator sets <code>PORTBOOK_BASE_URL</code> to it.
    </Notice>
  )
}

function NotSetUp() {
  return (
    <div className="grid gap-3">
      <p>
        There is no account yet. Create the first one with the one-time link that the server printed
        when it started:
      </p>
      <ol className="grid list-decimal gap-1.5 pl-5">
        <li>
          Find the address with <code>/set-up#</code> in the terminal, or in the log of the process.
        </li>
        <li>Open it in this browser.</li>
        <li>Name your organization and choose a password.</li>
      </ol>
      <p className="text-muted">
        No address? Restart the server: it prints a new link until the first account exists.
      </p>
    </div>
  )
}

interface SignInFormProps {
  next: string
  /** The people who can sign in to a demo; empty in any other installation. */
  people: readonly Schemas['DemoPerson'][]
}

function SignInForm({ next, people }: SignInFormProps) {
  const enter = useEnter()
  const form = useRef<HTMLDivElement>(null)
  const [email, setEmail] = useState('')
  const [password, setPassword] = useState('')
  const signIn = useAction({
    request: () =>
      readBody(client.POST('/ui/sign-in', { body: { email: email.trim(), password } })),
    onSuccess: (session) => enter(session, next),
    onError: () => setPassword(''),
  })
  const { problem, startedAtMs } = signIn
  const choose = (address: string): void => {
    setEmail(address)
    form.current?.querySelector<HTMLInputElement>('input[autocomplete=current-password]')?.focus()
  }
  return (
    <div ref={form} className="grid gap-5">
      {people.length > 0 && <DemoPeople people={people} email={email} onChoose={choose} />}
      <Form
        label="Sign in"
        problem={problem && describeProblem(problem, startedAtMs)}
        fields={['email']}
        takesFocus
        onSubmit={signIn.run}
      >
        <TextField
          label="E-mail address"
          field="email"
          type="email"
          required
          autoComplete="username"
          value={email}
          onChange={setEmail}
        />
        <PasswordField value={password} onChange={setPassword} />
        <Button type="submit" look="primary" busy={signIn.isPending}>
          Sign in
        </Button>
        <p className="text-sm text-muted">
          Forgot your password? Ask an owner of your organization for a reset link (Settings,
          Members). If you are the only owner, the operator of this installation can create one with{' '}
          <code className="wrap-anywhere">{formatCommand('reset-password')}</code>.
        </p>
      </Form>
    </div>
  )
}

type ShownProblem = Pick<Problem, 'title' | 'message' | 'violations'>

function describeProblem(problem: Problem, nowMs: number): ShownProblem {
  const { status, title, message, violations, retryAfterSeconds } = problem
  if (status === 401) {
    return {
      title: 'Wrong e-mail address or password',
      message: 'Check both and try again.',
      violations: [],
    }
  }
  if (status === 429 && retryAfterSeconds !== undefined) {
    const at = exactTime(new Date(nowMs + retryAfterSeconds * 1000).toISOString())
    const wait = waitText(retryAfterSeconds)
    return {
      title: 'Too many attempts',
      message: `Try again in ${wait}, at ${at}. Until then, even the correct password is rejected.`,
      violations: [],
    }
  }
  return { title, message, violations }
}
