import type { Session } from '../../api/session.ts'

/** Returns the sentence why a person cannot change their name and password in this session; undefined = they can. */
export function describeAccountLock({
  user,
  organization,
  mayChangeAccount,
}: Pick<Session, 'user' | 'organization' | 'mayChangeAccount'>): string | undefined {
  if (user.managedBy !== null) {
    return `${user.managedBy} manages this account: the name and the address come from its identity provider, and the account has no password here.`
  }
  if (mayChangeAccount) return undefined
  const provider = organization === null ? 'an organization' : organization.name
  return `You signed in with the identity provider of ${provider}, and are in other organizations, too. To change your name or your password, sign out and sign in with your password.`
}
