import { createHash } from 'node:crypto'
import { deleteInBatches } from '../../platform/kit/batches.ts'
import { readTime, type Clock } from '../../platform/kit/clock.ts'
import { KeySetFailure } from '../../platform/kit/key-sets.ts'
import { TOLERANCE_S } from '../../platform/kit/token-claims.ts'
import { TokenRefused } from '../../platform/kit/token-refusal.ts'
import { verifyToken } from '../../platform/kit/token-verifier.ts'
import { isUuid } from '../../platform/kit/uuid.ts'
import type { Database } from '../../platform/tables.ts'
import type { Services } from '../../requests/http/endpoint.ts'
import { deleteExpiredTokens, endSessionsOfProvider } from './logout-store.ts'
import { findProvider } from './store.ts'

const TOKENS_DELETED_AT_ONCE = 1000

/** A log-out token and the address at which it arrived. */
interface LogoutRequest {
  organizationId: string
  providerId: string
  token: string
  requestId: string
}

/**
 * Ends the sessions that a provider's log-out token names, in all processes (OpenID Connect Back-Channel Logout 1.0,
 * section 2.6). Returns why the request is invalid, as a sentence without parts of the token; undefined = the sessions
 * have ended, if there were any.
 */
export async function logOutByProvider(
  services: Pick<Services, 'db' | 'clock' | 'keySets' | 'log'>,
  { organizationId, providerId, token, requestId }: LogoutRequest,
): Promise<string | undefined> {
  const { db, clock, keySets, log } = services
  const isAddress = isUuid(organizationId) && isUuid(providerId)
  const provider = isAddress ? await findProvider(db, organizationId, providerId) : undefined
  if (provider === undefined) return 'This is not the address of a provider'
  const { id, version, issuer, clientId, authority, subjectClaim } = provider
  const source = { id, version, issuer, authority: authority ?? undefined }
  try {
    const { claims, subject, expiresAt } = await verifyToken(token, {
      use: 'logout',
      issuer,
      audiences: [clientId],
      keys: keySets.get({ ...source, origin: { kind: 'discovery' } }),
      now: new Date(await readTime(db, clock)),
    })
    const sid = typeof claims['sid'] === 'string' ? claims['sid'] : null
    // Sessions have the claim that identifies people, which the token has only if it is the subject.
    const named = subjectClaim === 'sub' ? subject : undefined
    if (sid === null && named === undefined) return 'The token names no session (sid)'
    const isNew = await endSessionsOfProvider(db, {
      organizationId,
      providerId,
      tokenHash: createHash('sha256').update(String(claims['jti'])).digest(),
      expiresAtS: expiresAt.getTime() / 1000 + TOLERANCE_S,
      sid,
      subject: named ?? null,
      requestId,
    })
    return isNew ? undefined : 'The token was used before (jti)'
  } catch (error) {
    if (!(error instanceof TokenRefused || error instanceof KeySetFailure)) throw error
    log.warn({ provider: id, requestId }, `a log-out token was refused: ${error.message}`)
    return error.message
  }
}

/** Deletes the records of used tokens that have expired. Job of the upkeep. */
export async function deleteUsedTokens(db: Database, clock: Clock): Promise<void> {
  await deleteInBatches(TOKENS_DELETED_AT_ONCE, () =>
    deleteExpiredTokens(db, clock, TOKENS_DELETED_AT_ONCE),
  )
}
