import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { api, onSessionEnd } from '../api/client.ts'
import { toProblem } from '../api/problem.ts'
import { beginSession, useSession } from '../api/session.ts'
import { Button } from '../parts/button.tsx'
import { Dialog } from '../parts/dialog.tsx'
import { Field, Input } from '../parts/field.tsx'
import { Form } from '../parts/form.tsx'
import { PasswordField } from '../parts/password.tsx'

/** Asks for the password when the session has ended, on top of the page, which keeps what was typed. */
export function SignInAgain() {
  const { user } = useSession()
  const queries = useQueryClient()
  const [isOver, setOver] = useState(false)
  useEffect(() => onSessionEnd(() => setOver(true)), [])
  const [password, setPassword] = useState('')
  const signIn = api.useMutation('post', '/ui/sign-in', {
    async onSuccess(session) {
      // Another person must not see what this person left open.
      if (session.user.id !== user.id) {
        window.location.assign('/')
        return
      }
      setOver(false)
      setPassword('')
      beginSession(queries, session)
      await queries.invalidateQueries()
    },
  })
  const problem = signIn.error === null ? undefined : toProblem(signIn.error)
  return (
    <Dialog
      open={isOver}
      onClose={() => setOver(false)}
      title="You were signed out"
      description="Sign in again to continue. Nothing that you typed on this page is lost."
    >
      <Form
        label="Sign in"
        problem={problem}
        onSubmit={() => signIn.mutate({ body: { email: user.email, password } })}
      >
        <AddressField email={user.email} />
        <PasswordField value={password} onChange={setPassword} />
        <Button type="submit" look="primary" busy={signIn.isPending} className="justify-self-start">
          Sign in
        </Button>
      </Form>
    </Dialog>
  )
}

function AddressField({ email }: { email: string }) {
  return (
    <Field label="E-mail address">
      {(control) => (
        // The focus starts at the password.
        <Input
          {...control}
          type="email"
          readOnly
          tabIndex={-1}
          value={email}
          autoComplete="username"
        />
      )}
    </Field>
  )
}
