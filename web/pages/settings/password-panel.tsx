import { useState } from 'react'
import { client } from '../../api/client.ts'
import type { Problem } from '../../api/problem.ts'
import { useSession } from '../../api/session.ts'
import { Form, SubmitButton } from '../../parts/form.tsx'
import { Panel } from '../../parts/page.tsx'
import { NewPasswordField, PasswordField } from '../../parts/password.tsx'
import { waitText } from '../../api/wait-text.ts'
import { useAction } from '../../shell/action.ts'

const FIELDS = ['currentPassword', 'newPassword']

/** The form that changes the person's password. */
export function PasswordPanel() {
  const { user } = useSession()
  const [currentPassword, setCurrent] = useState('')
  const [newPassword, setNew] = useState('')
  const change = useAction({
    request: () => client.POST('/ui/password', { body: { currentPassword, newPassword } }),
    onSuccess() {
      setCurrent('')
      setNew('')
    },
    notice: 'Password changed. Your other sessions have ended.',
  })
  const problem = change.problem && describeProblem(change.problem)
  return (
    <Panel title="Password">
      <Form label="Change password" problem={problem} fields={FIELDS} onSubmit={change.run}>
        {/* Password managers change the password of this address. */}
        <input type="email" autoComplete="username" value={user.email} readOnly hidden />
        <PasswordField
          label="Current password"
          value={currentPassword}
          onChange={setCurrent}
          field="currentPassword"
        />
        <NewPasswordField
          label="New password"
          value={newPassword}
          onChange={setNew}
          known={[user.name, user.email]}
          field="newPassword"
        />
        <p className="text-sm text-muted">
          You stay signed in here and are signed out in every other browser.
        </p>
        <SubmitButton busy={change.isPending}>Change password</SubmitButton>
      </Form>
    </Panel>
  )
}

function describeProblem(problem: Problem) {
  const { status, title, message, violations, retryAfterSeconds } = problem
  if (status !== 429 || retryAfterSeconds === undefined) return { title, message, violations }
  return {
    title: 'Too many attempts',
    message: `Try again in ${waitText(retryAfterSeconds)}. Until then, even the correct password is rejected.`,
    violations: [],
  }
}
