import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { client, onSessionEnd, readBody } from '../api/client.ts'
import { beginSession, useSession } from '../api/session.ts'
import { Dialog } from '../parts/dialog.tsx'
import { TextField } from '../parts/field.tsx'
import { Form, SubmitButton } from '../parts/form.tsx'
import { PasswordField } from '../parts/password.tsx'
import { useAction, useRefresh } from './action.ts'

/** Asks for the password when the session has ended, on top of the page, which keeps what was typed. */
export function SignInAgain() {
  const { user } = useSession()
  const queries = useQueryClient()
  const [isOver, setOver] = useState(false)
  useEffect(() => onSessionEnd(() => setOver(true)), [])
  const [password, setPassword] = useState('')
  const refresh = useRefresh()
  const signIn = useAction({
    request: () => readBody(client.POST('/ui/sign-in', { body: { email: user.email, password } })),
    async onSuccess(session) {
      // Another person must not see what this person left open.
      if (session.user.id !== user.id) {
        window.location.assign('/')
        return
      }
      setOver(false)
      setPassword('')
      beginSession(queries, session)
      await refresh('everything')
    },
  })
  return (
    <Dialog
      open={isOver}
      onClose={() => setOver(false)}
      title="You were signed out"
      description="Sign in again to continue. Nothing that you typed on this page is lost."
    >
      <Form label="Sign in" problem={signIn.problem} onSubmit={signIn.run}>
        {/* The focus starts at the password. */}
        <TextField
          label="E-mail address"
          type="email"
          readOnly
          tabIndex={-1}
          autoComplete="username"
          value={user.email}
          onChange={() => undefined}
        />
        <PasswordField value={password} onChange={setPassword} />
        <SubmitButton busy={signIn.isPending}>Sign in</SubmitButton>
      </Form>
    </Dialog>
  )
}
