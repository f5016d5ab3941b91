import type { Services } from '../../requests/http/endpoint.ts'
import { ApiError } from '../../platform/errors.ts'
import { ByteCache } from '../../platform/kit/byte-cache.ts'
import { rateLimit } from '../../platform/kit/rate-limit.ts'
import { newTxtResolver } from '../../platform/kit/txt-records.ts'

/** The metadata of a few hundred providers; those of one are some 6 KiB. */
const METADATA_BYTES_MAX = 4 * 1024 * 1024

/** The maximum number of tests of providers and checks of domains of an organization in a minute. */
const TRIALS_PER_MINUTE = 20

/** The maximum number of requests to sign in with providers of a client in a minute. A whole company may be one client. */
const SIGN_INS_PER_MINUTE = 600

/** Creates the services of a process for providers and domains. */
export function newProviderServices(): Pick<
  Services,
  'providerMetadata' | 'trialRate' | 'signInRate' | 'resolveTxt'
> {
  return {
    providerMetadata: new ByteCache(METADATA_BYTES_MAX),
    trialRate: rateLimit(TRIALS_PER_MINUTE),
    signInRate: rateLimit(SIGN_INS_PER_MINUTE),
    resolveTxt: newTxtResolver(),
  }
}

/**
 * Counts a request that makes this server send requests elsewhere. Errors: too_many_requests.
 */
export function limitTrials(
  { trialRate }: Pick<Services, 'trialRate'>,
  organizationId: string,
): void {
  const { allowed, resetSeconds } = trialRate(organizationId)
  if (allowed) return
  throw new ApiError(
    'too_many_requests',
    `At most ${TRIALS_PER_MINUTE} tests and checks a minute. Try again in ${resetSeconds} seconds.`,
    { retryAfterSeconds: resetSeconds },
  )
}
