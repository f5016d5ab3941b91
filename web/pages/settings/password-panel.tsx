import { useState } from 'react'
import { api } from '../../api/client.ts'
import { toProblem, type Problem } from '../../api/problem.ts'
import { useSession } from '../../api/session.ts'
import { Form, SubmitButton } from '../../parts/form.tsx'
import { Panel } from '../../parts/page.tsx'
import { NewPasswordField, PasswordField } from '../../parts/password.tsx'
import { useToast } from '../../parts/toast.tsx'
import { waitText } from '../../api/wait-text.ts'

const FIELDS = ['currentPassword', 'newPassword']

/** The form that changes the person's password. */
export function PasswordPanel() {
  const { user } = useSession()
  const showToast = useToast()
  const [currentPassword, setCurrent] = useState('')
  const [newPassword, setNew] = useState('')
  const change = api.useMutation('post', '/ui/password', {
    onSuccess() {
      setCurrent('')
      setNew('')
      showToast('Password changed. Your other sessions have ended.')
    },
  })
  const problem = change.error === null ? undefined : describeProblem(toProblem(change.error))
  return (
    <Panel title="Password">
      <Form
        label="Change password"
        problem={problem}
        fields={FIELDS}
        onSubmit={() => change.mutate({ body: { currentPassword, newPassword } })}
      >
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
