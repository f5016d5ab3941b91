import { may, type Permit, type SignedIn } from '../../api/session.ts'
import type { ListedAgreement } from './access-words.ts'

const OTHER_PERSON: Permit = {
  allowed: false,
  reason: 'Only the person who has access can do this.',
}

/** Returns whether a person acts for the consumer of an agreement. */
export function mayActForConsumer(
  session: SignedIn,
  { consumerType, consumerUser, consumerTeam }: ListedAgreement,
): Permit {
  if (consumerType !== 'user') return may(session, 'ACCESS_REQUEST', consumerTeam)
  return session.user.id === consumerUser ? { allowed: true, reason: undefined } : OTHER_PERSON
}

/** Returns whether a person may end an agreement, or withdraw its request: both sides may. */
export function mayEnd(session: SignedIn, agreement: ListedAgreement): Permit {
  const own = mayActForConsumer(session, agreement)
  return own.allowed ? own : may(session, 'ACCESS_TERMINATE', agreement.providerTeam)
}

/** Returns the word for requesting the access of an agreement again; undefined = it cannot be requested again now. */
export function findRenewal({
  state,
  endOn,
  productName,
}: Pick<ListedAgreement, 'state' | 'endOn' | 'productName'>): string | undefined {
  // A data product that was deleted has no access to offer.
  if (productName === null) return undefined
  if (state === 'active' && endOn !== null) return 'Renew'
  return state === 'rejected' || state === 'expired' || state === 'canceled'
    ? 'Request again'
    : undefined
}

/** Returns whether an agreement can still become or stay active. */
export function isOpen({ state }: Pick<ListedAgreement, 'state'>): boolean {
  return state === 'requested' || state === 'upcoming' || state === 'active'
}
