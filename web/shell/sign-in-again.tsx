import { useEffect, useState } from 'react'
import { onProviderRequired, onSessionEnd } from '../api/client.ts'
import { useSession, type Session } from '../api/session.ts'
import { FromFirstOpen } from '../parts/from-first-open.tsx'
import { newFloatingChunk, takePart } from '../parts/lazy-part.ts'
import type { SignInReason } from './sign-in-again-words.ts'

const SignInAgainDialog = takePart(
  newFloatingChunk(() => import('./sign-in-again-dialog.tsx')),
  (module) => module.SignInAgainDialog,
)

/**
 * Lets a person sign in again on top of the page, which keeps what was typed: when the session has ended, and when the
 * organization requires its identity provider. Providers open in another tab; the new session counts here, too.
 */
export function SignInAgain() {
  const session = useSession()
  const [reason, setReason] = useState(() => findReason(session))
  useEffect(() => onSessionEnd(() => setReason('ended')), [])
  useEffect(() => onProviderRequired(() => setReason('provider-required')), [])
  return (
    <FromFirstOpen isOpen={reason !== undefined}>
      <SignInAgainDialog
        reason={reason}
        onClose={() => setReason(undefined)}
        onSession={(next) => setReason(findReason(next))}
      />
    </FromFirstOpen>
  )
}

// The session may be there, but not for this organization.
function findReason({ organization }: Pick<Session, 'organization'>): SignInReason | undefined {
  return organization?.providerRequired === true ? 'provider-required' : undefined
}
