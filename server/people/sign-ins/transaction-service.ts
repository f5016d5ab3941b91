import { randomUUIDv7 } from 'node:crypto'
import { z } from '@hono/zod-openapi'
import * as oauth from 'oauth4webapi'
import { ownPath } from '../../../formats/name/own-path.ts'
import { notFound } from '../../platform/errors.ts'
import { hashToken, isToken, newToken } from '../../platform/kit/token.ts'
import { openSealed, SecretUnreadable, toSealContext } from '../../platform/sealed-secrets.ts'
import type { Services } from '../../requests/http/endpoint.ts'
import { unreachable, type AnswerSecrets } from './exchange-service.ts'
import {
  ProviderFailure,
  withProvider,
  type ProviderClient,
  type ProviderClientServices,
} from '../providers/provider-client.ts'
import { toRedirectAddress, type OpenedProvider } from '../providers/provider.ts'
import { findOpenedProvider } from '../providers/service.ts'
import { SignInRefused, TRANSACTION_PREFIX, type TransactionKind } from './sign-in.ts'
import * as store from './sign-in-transaction-store.ts'

/** The services that begin and end transactions. */
export type TransactionServices = ProviderClientServices &
  Pick<Services, 'db' | 'clock' | 'secretBox'>

/** A transaction to begin. */
export interface TransactionStart {
  providerId: string
  /** The organization that must have the provider; undefined = any. */
  organizationId?: string | undefined
  kind: TransactionKind
  /** The person who is signed in; undefined = none is needed. */
  userId?: string | undefined
  next: string
  invitation?: string | undefined
}

/** The sealed part of a transaction, with the version of the provider. */
const sealedTransaction = z.object({
  state: z.string(),
  nonce: z.string(),
  verifier: z.string(),
  version: z.int(),
  next: z.string(),
  invitation: z.string().optional(),
})

/** The sealed part of a transaction. */
type SealedTransaction = z.infer<typeof sealedTransaction>

/** A transaction that was taken, to finish a sign-in. */
export interface OpenTransaction extends SealedTransaction {
  kind: TransactionKind
  userId: string | undefined
  provider: OpenedProvider
  /** The start by the clock of the database. */
  begunAt: Date
  /** The clock of the database. */
  now: Date
}

/**
 * Begins a sign-in with a provider. Returns the address of the provider to open, and the secret for the browser. Errors:
 * not_found, SignInRefused if the provider does not answer; `onProvider` then has its name.
 */
export async function beginTransaction(
  services: TransactionServices,
  { providerId, organizationId, kind, userId, next, invitation }: TransactionStart,
  onProvider: (provider: OpenedProvider) => void,
): Promise<{ url: string; secret: string }> {
  const provider = await findOpenedProvider(services, providerId)
  const isHere = organizationId === undefined || provider?.organizationId === organizationId
  // Owners try a provider before it is enabled.
  if (provider === undefined || !isHere || !(provider.enabled || kind === 'try')) throw notFound()
  onProvider(provider)
  const { baseUrl, db, clock, secretBox } = services
  const secrets = {
    state: oauth.generateRandomState(),
    nonce: oauth.generateRandomNonce(),
    verifier: oauth.generateRandomCodeVerifier(),
  }
  const url = await createAddress(services, provider, { kind, secrets })
  const id = randomUUIDv7()
  const secret = newToken(TRANSACTION_PREFIX)
  const content: SealedTransaction = {
    ...secrets,
    version: provider.version,
    next: ownPath(next, new URL(baseUrl).origin),
    invitation,
  }
  const isBegun = await store.insertTransaction(db, clock, {
    id,
    secretHash: hashToken(secret),
    kind,
    organizationId: provider.organizationId,
    providerId: provider.id,
    userId,
    sealed: secretBox.seal(JSON.stringify(content), toSealContext('sign_in_transaction', [id])),
    keyId: secretBox.keyId,
  })
  if (!isBegun) throw notFound()
  return { url, secret }
}

/** Creates the authorization request (OpenID Connect Core 1.0, 3.1.2.1). Errors: SignInRefused. */
async function createAddress(
  services: ProviderClientServices,
  provider: OpenedProvider,
  request: { kind: TransactionKind; secrets: AnswerSecrets },
): Promise<string> {
  try {
    return await withProvider(services, provider, async (opened) => {
      const { baseUrl } = services
      const parameters = await createParameters(opened, provider, request)
      const url = new URL(opened.server.authorization_endpoint ?? '')
      const redirect = { redirect_uri: toRedirectAddress(baseUrl, provider.id) }
      for (const [name, value] of Object.entries({ ...parameters, ...redirect })) {
        url.searchParams.set(name, value)
      }
      return url.href
    })
  } catch (error) {
    throw error instanceof ProviderFailure ? unreachable(provider, error) : error
  }
}

async function createParameters(
  { server, client }: ProviderClient,
  { groupsClaim }: OpenedProvider,
  { kind, secrets }: { kind: TransactionKind; secrets: AnswerSecrets },
): Promise<Record<string, string>> {
  // Okta sends groups only for this scope; Entra ID rejects scopes that it does not have.
  const hasGroups = groupsClaim !== null && server.scopes_supported?.includes('groups') === true
  return {
    response_type: 'code',
    client_id: client.client_id,
    scope: `openid email profile${hasGroups ? ' groups' : ''}`,
    state: secrets.state,
    nonce: secrets.nonce,
    code_challenge: await oauth.calculatePKCECodeChallenge(secrets.verifier),
    code_challenge_method: 'S256',
    // Who confirms is asked again, also with a session at the provider.
    ...(kind === 'confirm' && { prompt: 'login', max_age: '0' }),
  }
}

/**
 * Takes the transaction of a browser for the callback of a provider. It is gone afterwards in any case. Errors:
 * SignInRefused.
 */
export async function takeTransaction(
  services: TransactionServices,
  secret: string | undefined,
  providerId: string,
): Promise<OpenTransaction> {
  if (secret === undefined) {
    throw lost(
      'no_cookie',
      'This browser did not start the sign-in, or cookies of Portbook are blocked. Start again.',
    )
  }
  const { db, clock, secretBox } = services
  const isWellFormed = isToken(secret, TRANSACTION_PREFIX)
  const row = isWellFormed ? await store.takeTransaction(db, clock, hashToken(secret)) : undefined
  if (row === undefined) {
    throw lost('used_or_unknown', 'The sign-in was already finished or is unknown. Start again.')
  }
  if (row.isExpired) throw lost('expired', 'The sign-in took more than 10 minutes. Start again.')
  if (row.providerId !== providerId.toLowerCase()) {
    throw lost('another_provider', 'The answer belongs to another provider. Start again.')
  }
  const content = readSealed(secretBox, row)
  const provider = await findOpenedProvider(services, row.providerId)
  const isUsable = provider !== undefined && (provider.enabled || row.kind === 'try')
  if (!isUsable || provider.version !== content.version) {
    throw lost('provider_changed', 'The provider was changed in the meantime. Start again.')
  }
  const { kind, createdAt: begunAt, now } = row
  return { ...content, kind, userId: row.userId ?? undefined, provider, begunAt, now }
}

function readSealed(
  secretBox: Services['secretBox'],
  { id, sealed }: { id: string; sealed: Buffer },
): SealedTransaction {
  try {
    const content = openSealed(secretBox, 'sign_in_transaction', [id], sealed)
    return sealedTransaction.parse(JSON.parse(content))
  } catch (error) {
    if (!(error instanceof SecretUnreadable)) throw error
    throw lost('unreadable', 'Portbook was restarted with another key. Start again.')
  }
}

function lost(reason: string, message: string): SignInRefused {
  return new SignInRefused('transaction_lost', reason, message)
}
