import { ApiError } from '../../platform/errors.ts'
import type { Database } from '../../platform/tables.ts'
import type { Services } from '../../requests/http/endpoint.ts'
import { endSession } from '../users/session-service.ts'
import type { SignInOrigin } from '../users/session.ts'
import { admitPerson, type AdmissionServices } from './admission-service.ts'
import { redeemAnswer, type ExchangeServices } from './exchange-service.ts'
import { recordFailure } from '../providers/failure-service.ts'
import { toRedirectAddress, type OpenedProvider } from '../providers/provider.ts'
import { readDomain, wasAuthenticatedBefore } from './sign-in-claims.ts'
import { findsByAddress, listOrganizationOptions } from './sign-in-options-store.ts'
import { SignInRefused, type SignInOptions, type TriedSignIn } from './sign-in.ts'
import {
  beginTransaction,
  takeTransaction,
  type OpenTransaction,
  type TransactionServices,
  type TransactionStart,
} from './transaction-service.ts'
import { trySignIn } from './try-service.ts'

/** The services that sign people in with providers. */
export type SignInServices = TransactionServices &
  ExchangeServices &
  AdmissionServices &
  Pick<Services, 'authenticator'>

/** The callback of a provider, as the browser sends it. */
interface Callback extends SignInOrigin {
  providerId: string
  query: string
  /** The secret of the transaction; undefined = the browser has none. */
  secret: string | undefined
  /** The secret of the session of the browser; undefined = it has none. */
  sessionToken: string | undefined
  client: string
  requestId: string
}

/** A finished sign-in. */
interface FinishedTransaction {
  kind: OpenTransaction['kind']
  next: string
  organizationId: string
  /** The new session; undefined = none was started. */
  started: { userId: string; token: string } | undefined
  tried: TriedSignIn | undefined
}

/** Counts a request of a client that signs in with a provider. Errors: too_many_requests. */
export function limitSignIns({ signInRate }: Pick<Services, 'signInRate'>, client: string): void {
  const { allowed, resetSeconds } = signInRate(client)
  if (allowed) return
  throw new ApiError(
    'too_many_requests',
    `Too many sign-ins from your network. Try again in ${resetSeconds} seconds.`,
    { retryAfterSeconds: resetSeconds },
  )
}

/** Returns the ways to sign in for an address, or in the organization with a vanity address. */
export async function listSignInOptions(
  db: Database,
  { email, vanityUrl }: { email: string | undefined; vanityUrl: string | undefined },
): Promise<SignInOptions> {
  const domain = email === undefined ? undefined : readDomain(email.trim())
  const organizations = await listOrganizationOptions(db, { domain, vanityUrl })
  const isRuled = organizations.length > 0 && organizations.every(({ rule }) => rule === 'provider')
  return {
    password: !isRuled,
    passkeys: false,
    asksAddress: email === undefined && vanityUrl === undefined && (await findsByAddress(db)),
    providers: organizations.flatMap(({ name, providers }) =>
      providers.map((provider) => ({ ...provider, organizationName: name })),
    ),
  }
}

/**
 * Begins a sign-in with a provider. Returns the address of the provider to open, and the secret for the browser. Errors:
 * not_found, provider_unreachable.
 */
export async function startSignIn(
  services: SignInServices,
  start: TransactionStart,
  requestId: string,
): Promise<{ url: string; secret: string }> {
  return await reportRefusal(services, requestId, async (subject) => {
    return await beginTransaction(services, start, (provider) => {
      subject.provider = provider
    })
  })
}

/**
 * Finishes a sign-in: takes the transaction, checks the answer of the provider, finds the person, and starts their
 * session. Errors: the codes of `SignInRefused`.
 */
export async function finishSignIn(
  services: SignInServices,
  callback: Callback,
): Promise<FinishedTransaction> {
  return await reportRefusal(services, callback.requestId, async (subject) => {
    const transaction = await takeTransaction(services, callback.secret, callback.providerId)
    subject.provider = transaction.provider
    const { kind, next, provider } = transaction
    const { organizationId } = provider
    const finished = { kind, next, organizationId, started: undefined, tried: undefined }
    await requireSamePerson(services, transaction, callback)
    const redirectUri = toRedirectAddress(services.baseUrl, provider.id)
    const { query } = callback
    const answer = { query, redirectUri, secrets: transaction, now: transaction.now }
    const verified = await redeemAnswer(services, provider, answer)
    if (kind === 'confirm' && wasAuthenticatedBefore(verified.claims, transaction.begunAt)) {
      throw notAskedAgain(provider)
    }
    if (kind === 'try') {
      return { ...finished, tried: await trySignIn(services, provider, verified) }
    }
    const { userId, token } = await admitPerson(services, transaction, verified, callback)
    if (token === undefined) return finished
    if (callback.sessionToken !== undefined) {
      await endSession(services.db, callback.sessionToken, callback.requestId)
    }
    return { ...finished, started: { userId, token } }
  })
}

/** Requires that the person who began a transaction while signed in is still signed in. Errors: SignInRefused. */
async function requireSamePerson(
  { authenticator }: SignInServices,
  { userId, kind, provider }: OpenTransaction,
  { sessionToken }: Callback,
): Promise<void> {
  if (userId === undefined) return
  const lost = new SignInRefused(
    'transaction_lost',
    'signed_out',
    'You are no longer signed in as the person who started this. Sign in, and start again.',
  )
  if (kind === 'confirm') return
  const { organizationId } = provider
  const caller = await authenticator
    .authenticateSession(sessionToken, organizationId)
    .catch((error: unknown) => {
      throw error instanceof ApiError ? lost : error
    })
  if (caller.userId !== userId) throw lost
  if (kind === 'try' && !caller.organizationOwner) throw lost
}

function notAskedAgain({ name }: OpenedProvider): SignInRefused {
  return new SignInRefused(
    'provider_token_invalid',
    'not_asked_again',
    `${name} did not ask you to sign in again. Sign out there, and start again.`,
    `${name} ignored the parameters prompt and max_age: its claim auth_time is from before the request.`,
  )
}

/** The provider of a sign-in that is under way, for the report of its failure. */
interface SignInSubject {
  provider?: Pick<OpenedProvider, 'id' | 'organizationId'>
}

/**
 * Calls `work`, and reports a sign-in that it refuses: in the log, on the page of the provider if it is known by then, and
 * as the error of the request. Errors: those of `work`, the codes of `SignInRefused`.
 */
async function reportRefusal<Result>(
  { db, clock, log }: SignInServices,
  requestId: string,
  work: (subject: SignInSubject) => Promise<Result>,
): Promise<Result> {
  const subject: SignInSubject = {}
  try {
    return await work(subject)
  } catch (error) {
    if (!(error instanceof SignInRefused)) throw error
    const { code, reason, message, explanation } = error
    const { organizationId, id: providerId } = subject.provider ?? {}
    const about = { requestId, organizationId, providerId, code, reason, explanation }
    log.warn(about, 'a sign-in with an identity provider was refused')
    if (organizationId !== undefined && providerId !== undefined) {
      const failure = { organizationId, providerId, code, sentence: explanation, requestId }
      await recordFailure(db, clock, failure)
    }
    throw new ApiError(code, message)
  }
}
