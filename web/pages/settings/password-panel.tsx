import { useState } from 'react'
import { api } from '../../api/client.ts'
import { toProblem, type Problem } from '../../api/problem.ts'
import { useSession } from '../../api/session.ts'
import { Button } from '../../parts/button.tsx'
import { findFieldError } from '../../parts/field.tsx'
import { Form } from '../../parts/form.tsx'
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
  const wrong = problem?.violations ?? []
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
          error={findFieldError(wrong, 'currentPassword')}
        />
        <NewPasswordField
          label="New password"
          value={newPassword}
          onChange={setNew}
          known={[user.name, user.email]}
          error={findFieldError(wrong, 'newPassword')}
        />
        <p className="text-sm text-muted">
          You stay signed in here and are signed out in every other browser.
        </p>
        <Button type="submit" look="primary" busy={change.isPending} className="justify-self-start">
          Change password
        </Button>
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
