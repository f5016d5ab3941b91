import type { z } from '@hono/zod-openapi'
import type { Caller } from '../../requests/access/caller.ts'
import { ApiError, notFound } from '../../platform/errors.ts'
import { isUuid } from '../../platform/kit/uuid.ts'
import type { Services } from '../../requests/http/endpoint.ts'
import { lockForJoining } from '../organizations/member-service.ts'
import { hasPassword } from '../users/service.ts'
import { requireFullReach } from '../users/session-service.ts'
import type { ownIdentities } from './identity.ts'
import * as store from './identity-store.ts'
import { RECENT_SIGN_IN_SECONDS } from './sign-in.ts'

type IdentityServices = Pick<Services, 'db' | 'clock'>

/** Lists the providers of the caller's organization, each with the identity of the caller. */
export async function listOwnIdentities(
  { db, clock }: IdentityServices,
  { organizationId, userId = '', session }: Caller,
): Promise<z.infer<typeof ownIdentities>> {
  const providers = await store.listLinkedProviders(db, organizationId, userId)
  const isRecent = await isRecentSignIn({ db, clock }, session?.id)
  return { providers, isRecent, hasPassword: await hasPassword(db, userId) }
}

/**
 * Asserts that the caller may link an identity: with a session that may change the account, and that began just now, so that
 * an unattended browser is not enough. Errors: session_limited, sign_in_outdated.
 */
export async function requireLinkable(services: IdentityServices, caller: Caller): Promise<void> {
  await requireReach(services, caller)
  if (await isRecentSignIn(services, caller.session?.id)) return
  throw new ApiError(
    'sign_in_outdated',
    'You signed in more than 5 minutes ago. Confirm that it is you, and try again.',
  )
}

/**
 * Removes the identity of the caller at a provider, and ends the sessions that began with it. Errors: not_found,
 * session_limited, invalid_state if the person would have no other way to sign in.
 */
export async function unlinkIdentity(
  services: IdentityServices,
  caller: Caller,
  { providerId, requestId }: { providerId: string; requestId: string },
): Promise<void> {
  await requireReach(services, caller)
  const { organizationId, userId = '', principal } = caller
  if (!isUuid(providerId)) throw notFound()
  await services.db.transaction().execute(async (transaction) => {
    // Of two identities that are unlinked at once, the second one sees that the first is gone.
    await lockForJoining(transaction, organizationId)
    const member = await store.findMember(transaction, { organizationId, providerId, userId })
    if (member?.hasIdentityHere !== true) throw notFound()
    const key = { organizationId, providerId, userId }
    if (await store.deleteIdentity(transaction, key, { principal, requestId })) return
    throw new ApiError(
      'invalid_state',
      'You could no longer sign in. Link another identity provider first, or choose a password if the rules of the organization allow passwords.',
    )
  })
}

async function requireReach(
  { db }: IdentityServices,
  { userId = '', session }: Caller,
): Promise<void> {
  await requireFullReach(db, { userId, limitedTo: session?.limitedTo })
}

async function isRecentSignIn(
  { db, clock }: IdentityServices,
  sessionId: string | undefined,
): Promise<boolean> {
  if (sessionId === undefined) return false
  return await store.isRecentSession(db, clock, sessionId, RECENT_SIGN_IN_SECONDS)
}
