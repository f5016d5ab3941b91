import type { Schemas } from '../api/client.ts'
import type { Session } from '../api/session.ts'

/** Why a person must sign in again: the session has ended, or the organization requires its provider. */
export type SignInReason = 'ended' | 'provider-required'

/** The texts and the ways to sign in of the dialog that keeps the page. */
interface SignInAgainWords {
  title: string
  description: string
  /** Whether a password can help: also owners of an organization with a rule may have break-glass access. */
  hasPassword: boolean
}

/** Returns the dialog of a person who must sign in again; `options` undefined = they are not known yet. */
export function describeSignInAgain(
  reason: SignInReason,
  { user, organization }: Pick<Session, 'user' | 'organization'>,
  options: Pick<Schemas['SignInOptions'], 'password' | 'providers'> | undefined,
): SignInAgainWords {
  const kept = 'Nothing that you typed on this page is lost.'
  const names = options?.providers.map(({ name }) => name) ?? []
  if (reason === 'provider-required') {
    const named = names.length === 0 ? 'its identity provider' : names.join(' or ')
    return {
      title: `This organization requires signing in with ${named}`,
      description: `The sign-in opens in a new tab, and this page continues. ${kept}`,
      hasPassword: false,
    }
  }
  const isOwner = organization?.role === 'Owner'
  const takesPassword = user.managedBy === null && (options?.password !== false || isOwner)
  return {
    title: 'You were signed out',
    description: `Sign in again to continue. ${kept}`,
    // Without any provider the password is the only way that is left.
    hasPassword: takesPassword || names.length === 0,
  }
}
