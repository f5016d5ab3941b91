import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { api, client, readBody } from '../api/client.ts'
import { findProblem } from '../api/problem.ts'
import { onSessionElsewhere } from '../api/provider-sign-in.ts'
import { beginSession, useSession, type Session } from '../api/session.ts'
import { Dialog } from '../parts/dialog.tsx'
import { TextField } from '../parts/field.tsx'
import { Form, SubmitButton } from '../parts/form.tsx'
import { ProblemNotice, Skeleton } from '../parts/notice.tsx'
import { PasswordField } from '../parts/password.tsx'
import { paths } from '../paths.ts'
import { useAction, useRefresh } from './action.ts'
import { ProviderButtons } from './provider-buttons.tsx'
import { describeSignInAgain, type SignInReason } from './sign-in-again-words.ts'

interface SignInAgainDialogProps {
  /** Undefined = the dialog is closed. */
  reason: SignInReason | undefined
  onClose: () => void
  /** Receives a new session of the same person. */
  onSession: (session: Session) => void
}

/** The dialog in which a person signs in again. */
export function SignInAgainDialog({ reason, onClose, onSession }: SignInAgainDialogProps) {
  const session = useSession()
  const { user, organization } = session
  const queries = useQueryClient()
  const refresh = useRefresh()
  const continueWith = async (next: Session): Promise<void> => {
    // Another person must not see what this person left open.
    if (next.user.id !== user.id) {
      window.location.assign('/')
      return
    }
    onSession(next)
    beginSession(queries, next)
    await refresh('everything')
  }
  const elsewhere = useAction({
    request: () => readBody(client.GET('/ui/session', {})),
    onSuccess: continueWith,
  })
  const { run: readSession } = elsewhere
  useEffect(() => onSessionElsewhere(() => readSession()), [readSession])
  const vanityUrl = organization?.vanityUrl ?? ''
  const options = api.useQuery(
    'get',
    '/ui/sign-in/options',
    { params: { query: { organization: vanityUrl } } },
    { enabled: reason !== undefined && vanityUrl !== '' },
  )
  const { title, description, hasPassword } = describeSignInAgain(
    reason ?? 'ended',
    session,
    options.data,
  )
  const providers = options.data?.providers ?? []
  return (
    <Dialog open={reason !== undefined} onClose={onClose} title={title} description={description}>
      {elsewhere.problem !== undefined && <ProblemNotice problem={elsewhere.problem} />}
      {options.isLoading ? (
        <Skeleton label="Loading the ways to sign in" />
      ) : (
        <>
          <ProblemNotice problem={findProblem(options)} onRetry={() => void options.refetch()} />
          {providers.length > 0 && (
            <ProviderButtons providers={providers} next={paths.home} opensTab />
          )}
          {hasPassword && <PasswordAgain email={user.email} onSignedIn={continueWith} />}
        </>
      )}
    </Dialog>
  )
}

interface PasswordAgainProps {
  email: string
  onSignedIn: (session: Session) => Promise<void>
}

function PasswordAgain({ email, onSignedIn }: PasswordAgainProps) {
  const [password, setPassword] = useState('')
  const signIn = useAction({
    request: () => readBody(client.POST('/ui/sign-in', { body: { email, password } })),
    async onSuccess(session) {
      setPassword('')
      await onSignedIn(session)
    },
  })
  return (
    <Form label="Sign in" problem={signIn.problem} takesFocus onSubmit={signIn.run}>
      {/* The focus starts at the password. */}
      <TextField
        label="E-mail address"
        type="email"
        readOnly
        tabIndex={-1}
        autoComplete="username"
        value={email}
        onChange={() => undefined}
      />
      <PasswordField value={password} onChange={setPassword} />
      <SubmitButton busy={signIn.isPending}>Sign in</SubmitButton>
    </Form>
  )
}
