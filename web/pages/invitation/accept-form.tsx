import { useState } from 'react'
import { api, type Answer } from '../../api/client.ts'
import { problemOf, type Problem } from '../../api/problem.ts'
import { Button } from '../../parts/button.tsx'
import { errorOf, Field, Input } from '../../parts/field.tsx'
import { Form } from '../../parts/form.tsx'
import { NewPasswordField, PasswordField } from '../../parts/password.tsx'
import { paths } from '../../paths.ts'
import { useDraft } from '../../shell/draft.ts'
import { useEnter } from '../../shell/enter.ts'

/** What an invitation says of itself before it is accepted. */
export type Invitation = Answer<'/ui/invitations/look', 'post'>

interface AcceptFormProps {
  token: string
  invitation: Invitation
}

/** Joins: with a name and a new password, or with the password of the account that exists. */
export function AcceptForm({ token, invitation }: AcceptFormProps) {
  const { email, hasAccount, organizationName } = invitation
  const enter = useEnter()
  const name = useDraft('invitation', '')
  const [password, setPassword] = useState('')
  const accept = api.useMutation('post', '/ui/invitations/accept', {
    onSuccess(session) {
      name.discard()
      enter(session, paths.home)
    },
  })
  const problem = accept.error === null ? undefined : refusalShown(problemOf(accept.error))
  const wrong = problem?.violations ?? []
  const send = (): void =>
    accept.mutate({
      body: hasAccount ? { token, password } : { token, name: name.value, password },
    })
  return (
    <Form label="Join" problem={problem} fields={['name', 'password']} onSubmit={send}>
      {/* Password managers save the password under this address. */}
      <input type="email" autoComplete="username" value={email} readOnly hidden />
      {hasAccount ? (
        <>
          <p>You have an account already. Its password proves that the invitation is yours.</p>
          <PasswordField
            value={password}
            onChange={setPassword}
            error={errorOf(wrong, 'password')}
          />
        </>
      ) : (
        <>
          <Field label="Your name" hint="As others see it." error={errorOf(wrong, 'name')}>
            {(control) => (
              <Input
                {...control}
                required
                autoComplete="name"
                value={name.value}
                onChange={(event) => name.set(event.target.value)}
              />
            )}
          </Field>
          <NewPasswordField
            label="Choose a password"
            value={password}
            onChange={setPassword}
            known={[email, name.value, organizationName]}
            error={errorOf(wrong, 'password')}
          />
        </>
      )}
      <Button type="submit" look="primary" busy={accept.isPending}>
        Join
      </Button>
    </Form>
  )
}

function refusalShown(problem: Problem) {
  const { status, title, message, violations } = problem
  if (status === 401) {
    const detail = 'That is not the password of this account.'
    return {
      title: 'Not joined',
      message: detail,
      violations: [{ field: 'password', message: detail }],
    }
  }
  if (status === 404) {
    return {
      title: 'This invitation is no longer valid',
      message: 'It was used, replaced or withdrawn in the meantime. Ask for a new link.',
      violations: [],
    }
  }
  return { title, message, violations }
}
