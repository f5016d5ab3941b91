import type { Database } from '../../platform/tables.ts'
import type { Services } from '../../requests/http/endpoint.ts'
import { mailLinkedIdentity } from '../organizations/account-mail-service.ts'
import { joinOrganization, lockForJoining } from '../organizations/member-service.ts'
import { changeProfile, createManagedUser, lockAddress } from '../users/service.ts'
import { startSession } from '../users/session-service.ts'
import type { SignInOrigin } from '../users/session.ts'
import { nameFromEmail } from '../users/user.ts'
import type { VerifiedClaims } from './exchange-service.ts'
import * as store from './identity-store.ts'
import {
  findVerifiedAddress,
  matchPerson,
  newTakenError,
  newUnknownError,
  type Match,
} from './match-service.ts'
import type { OpenedProvider } from '../providers/provider.ts'
import { readPerson, type ClaimedPerson } from './sign-in-claims.ts'
import type { OpenTransaction } from './transaction-service.ts'

/** The services that let people in. */
export type AdmissionServices = Pick<
  Services,
  'db' | 'clock' | 'log' | 'baseUrl' | 'mailing' | 'secretBox' | 'authenticator'
>

/** The request that lets a person in. */
type AdmissionOrigin = SignInOrigin & { requestId: string }

/** A person at a provider. */
interface Arrival {
  provider: OpenedProvider
  person: ClaimedPerson
}

/**
 * Finds the person of a sign-in, links or adds them if that is decided, and starts their session, all in one transaction.
 * A link starts no session. Errors: SignInRefused.
 */
export async function admitPerson(
  services: AdmissionServices,
  { kind, userId, invitation, provider }: OpenTransaction,
  verified: VerifiedClaims,
  origin: AdmissionOrigin,
): Promise<{ userId: string; token: string | undefined }> {
  const { db, clock } = services
  const { organizationId } = provider
  const arrival = { provider, person: readPerson(verified.subject, verified.claims, provider) }
  const signedIn =
    userId !== undefined && (kind === 'link' || kind === 'confirm') ? { kind, userId } : undefined
  const admitted = await db.transaction().execute(async (transaction) => {
    await lockFor(transaction, arrival)
    const input = { ...arrival, signedIn, invitation }
    const match = await matchPerson(transaction, clock, input)
    const admittedId = await applyMatch(services, transaction, { ...arrival, match, origin })
    if (kind === 'link') return { match, userId: admittedId, token: undefined }
    const start = toSessionStart(services, provider, verified, origin)
    const token = await startSession(transaction, clock, admittedId, start)
    return { match, userId: admittedId, token }
  })
  // Names and groups may have changed.
  services.authenticator.forget()
  const { match } = admitted
  if (match.outcome === 'linked' && match.by !== 'person') {
    const linked = { userId: match.userId, providerName: provider.name }
    await mailLinkedIdentity(services, organizationId, linked)
  }
  return { userId: admitted.userId, token: admitted.token }
}

/**
 * Serializes sign-ins that may link or add a person: first by the address, then in the organization. A known identity needs
 * only the first, so that the people of a large organization do not wait for each other.
 */
async function lockFor(transaction: Database, { provider, person }: Arrival): Promise<void> {
  const { organizationId, id: providerId } = provider
  if (person.email !== undefined) await lockAddress(transaction, person.email)
  const key = { organizationId, providerId, subject: person.subject }
  if ((await store.findIdentity(transaction, key)) !== undefined) return
  await lockForJoining(transaction, organizationId)
}

/** Writes what a match decides. Returns the id of the account. Errors: SignInRefused. */
async function applyMatch(
  services: AdmissionServices,
  transaction: Database,
  input: Arrival & { match: Match; origin: AdmissionOrigin },
): Promise<string> {
  const { match, provider, person, origin } = input
  if (match.outcome === 'known') return await applyKnown(services, transaction, input)
  const { organizationId, id: providerId } = provider
  const userId =
    match.outcome === 'linked'
      ? match.userId
      : await createManagedUser(transaction, organizationId, {
          email: match.email,
          name: person.name ?? nameFromEmail(match.email),
        })
  const actor = { principal: `user:${userId}`, requestId: origin.requestId }
  if (match.outcome === 'joined') {
    const member = { role: match.role, origin: 'provider' } as const
    await joinOrganization(transaction, organizationId, userId, member, actor)
  }
  const identity = { organizationId, providerId, subject: person.subject, userId }
  const isLinked = await store.insertIdentity(transaction, services.clock, identity, person, actor)
  if (!isLinked) throw newTakenError('person_has_another')
  return userId
}

async function applyKnown(
  { clock, log }: AdmissionServices,
  transaction: Database,
  { provider, person, origin: { requestId } }: Arrival & { origin: AdmissionOrigin },
): Promise<string> {
  const { organizationId, id: providerId } = provider
  const key = { organizationId, providerId, subject: person.subject }
  const known = await store.touchIdentity(transaction, clock, key, person)
  if (known === undefined) throw newUnknownError(provider)
  const { userId, email, name } = known
  const address = await findVerifiedAddress(transaction, provider, person)
  const isChanged =
    address !== undefined && (address.email !== email || (person.name ?? name) !== name)
  if (isChanged) {
    const profile = { email: address.email, name: person.name, requestId }
    if (!(await changeProfile(transaction, organizationId, userId, profile))) {
      const about = { requestId, organizationId, providerId, userId }
      log.info(about, 'the name and address of the identity provider were not taken over')
    }
  }
  return userId
}

function toSessionStart(
  { secretBox }: AdmissionServices,
  { organizationId, id: providerId, sessionHours, signsOut }: OpenedProvider,
  { sub, sid, idToken }: VerifiedClaims,
  { client, userAgent, requestId }: AdmissionOrigin,
) {
  return {
    method: 'provider' as const,
    client,
    userAgent,
    requestId,
    organizationId,
    providerId,
    // Log-out tokens name the person by this claim, whichever identifies them here.
    subject: sub,
    sid,
    hours: sessionHours,
    idToken: signsOut ? { text: idToken, secretBox } : undefined,
  }
}
