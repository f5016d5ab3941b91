import { useState } from 'react'
import { client, readBody } from '../../api/client.ts'
import { formatCommand } from '../../api/command.ts'
import type { Problem } from '../../api/problem.ts'
import { waitText } from '../../api/wait-text.ts'
import { Button } from '../../parts/button.tsx'
import { TextField } from '../../parts/field.tsx'
import { Form } from '../../parts/form.tsx'
import { PasswordField } from '../../parts/password.tsx'
import { exactTime } from '../../parts/time.tsx'
import { useAction } from '../../shell/action.ts'
import { useEnter } from '../../shell/enter.ts'

interface PasswordFormProps {
  email: string
  onChangeEmail: (email: string) => void
  /** Goes back to the question for the address; undefined = the address can be typed here. */
  onChangeAddress: (() => void) | undefined
  /** The page to open afterwards. */
  next: string
  takesFocus: boolean
}

/** The form for the address and the password. */
export function PasswordForm(props: PasswordFormProps) {
  const { email, onChangeEmail, onChangeAddress, next, takesFocus } = props
  const enter = useEnter()
  const [password, setPassword] = useState('')
  const signIn = useAction({
    request: () =>
      readBody(client.POST('/ui/sign-in', { body: { email: email.trim(), password } })),
    onSuccess: (session) => enter(session, next),
    onError: () => setPassword(''),
  })
  const { problem, startedAtMs } = signIn
  return (
    <Form
      label="Sign in"
      problem={problem && describeProblem(problem, startedAtMs)}
      fields={['email']}
      takesFocus={takesFocus}
      onSubmit={signIn.run}
    >
      <TextField
        label="E-mail address"
        field="email"
        type="email"
        required
        readOnly={onChangeAddress !== undefined}
        autoComplete="username"
        value={email}
        onChange={onChangeEmail}
      />
      {onChangeAddress !== undefined && (
        <Button look="quiet" className="-mt-2 justify-self-start" onClick={onChangeAddress}>
          Use another address
        </Button>
      )}
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
