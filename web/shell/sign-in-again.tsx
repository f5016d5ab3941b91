import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { api, client, onProviderRequired, onSessionEnd, readBody } from '../api/client.ts'
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

/**
 * Lets a person sign in again on top of the page, which keeps what was typed: when the session has ended, and when the
 * organization requires its identity provider. Providers open in another tab; the new session counts here, too.
 */
export function SignInAgain() {
  const session = useSession()
  const { user, organization } = session
  const queries = useQueryClient()
  const refresh = useRefresh()
  const [reason, setReason] = useState(() => findReason(session))
  useEffect(() => onSessionEnd(() => setReason('ended')), [])
  useEffect(() => onProviderRequired(() => setReason('provider-required')), [])
  const continueWith = async (next: Session): Promise<void> => {
    // Another person must not see what this person left open.
    if (next.user.id !== user.id) {
      window.location.assign('/')
      return
    }
    setReason(findReason(next))
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
    <Dialog
      open={reason !== undefined}
      onClose={() => setReason(undefined)}
      title={title}
      description={description}
    >
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

// The session may be there, but not for this organization.
function findReason({ organization }: Pick<Session, 'organization'>): SignInReason | undefined {
  return organization?.providerRequired === true ? 'provider-required' : undefined
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
