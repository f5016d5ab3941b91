import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useState, type FormEvent } from 'react'
import { api, onSessionEnd } from '../api/client.ts'
import { problemOf } from '../api/problem.ts'
import { sessionQuery, useSession } from '../api/session.ts'
import { Button } from '../parts/button.tsx'
import { Dialog } from '../parts/dialog.tsx'
import { Field, Input } from '../parts/field.tsx'
import { ProblemNotice } from '../parts/notice.tsx'

/**
 * Asks for the password when the session has ended, on top of the page: what was typed below stays
 * as it is.
 */
export function SignInAgain() {
  const { user } = useSession()
  const queries = useQueryClient()
  const [isOver, setOver] = useState(false)
  useEffect(() => onSessionEnd(() => setOver(true)), [])
  const [password, setPassword] = useState('')
  const signIn = api.useMutation('post', '/ui/sign-in', {
    async onSuccess(session) {
      // Somebody else's page must not show what this person has left open.
      if (session.user.id !== user.id) {
        window.location.assign('/')
        return
      }
      setOver(false)
      setPassword('')
      queries.setQueryData(sessionQuery.queryKey, session)
      await queries.invalidateQueries()
    },
  })
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    signIn.mutate({ body: { email: user.email, password } })
  }
  return (
    <Dialog
      open={isOver}
      onClose={() => setOver(false)}
      title="Your session has ended"
      description="Sign in again to go on. Nothing that you typed on this page is lost."
    >
      <form onSubmit={submit} className="grid gap-4">
        {signIn.error !== null && <ProblemNotice problem={problemOf(signIn.error)} />}
        <AddressField email={user.email} />
        <Field label="Password">
          {(control) => (
            <Input
              {...control}
              type="password"
              required
              autoComplete="current-password"
              value={password}
              onChange={(event) => setPassword(event.target.value)}
            />
          )}
        </Field>
        <Button type="submit" look="primary" busy={signIn.isPending} className="justify-self-start">
          Sign in
        </Button>
      </form>
    </Dialog>
  )
}

function AddressField({ email }: { email: string }) {
  return (
    <Field label="E-mail address">
      {(control) => (
        // The focus begins at the password, which alone is asked for.
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
