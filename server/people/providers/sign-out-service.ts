import { randomBytes } from 'node:crypto'
import { untilAborted } from '../../platform/kit/signals.ts'
import { openSealed, SecretUnreadable } from '../../platform/sealed-secrets.ts'
import type { Services } from '../../requests/http/endpoint.ts'
import type { EndedSession } from '../users/session.ts'
import { withProvider, type ProviderClientServices } from './provider-client.ts'
import { findProvider } from './store.ts'

/** The time that a person waits for the metadata of a provider that is slow. The session has ended before. */
const METADATA_MS_MAX = 3000

/** Servers reject longer addresses. Without the token, the provider asks the person to confirm. */
const ID_TOKEN_CHARACTERS_MAX = 6000

type SignOutServices = ProviderClientServices & Pick<Services, 'db' | 'log' | 'secretBox'>

/**
 * Returns the address at which the browser ends its session at the provider (OpenID Connect RP-Initiated Logout 1.0).
 * Undefined = the session was not of a provider, the provider is not to be signed out of, or it has no such address or
 * cannot be reached.
 */
export async function findSignOutAddress(
  services: SignOutServices,
  { id, organizationId, providerId, sealedIdToken }: EndedSession,
): Promise<string | undefined> {
  if (organizationId === null || providerId === null) return undefined
  const provider = await findProvider(services.db, organizationId, providerId)
  if (provider === undefined || !provider.signsOut) return undefined
  const address = await findEndpoint(services, { ...provider, secret: undefined })
  if (address === undefined) return undefined
  const idToken = sealedIdToken === null ? undefined : openIdToken(services, id, sealedIdToken)
  const url = new URL(address)
  const values = {
    ...(idToken !== undefined && { id_token_hint: idToken }),
    client_id: provider.clientId,
    post_logout_redirect_uri: `${services.baseUrl}/sign-in`,
    state: randomBytes(16).toString('base64url'),
  }
  for (const [name, value] of Object.entries(values)) url.searchParams.set(name, value)
  return url.href
}

async function findEndpoint(
  services: SignOutServices,
  provider: Parameters<typeof withProvider>[1],
): Promise<string | undefined> {
  const metadata = withProvider(services, provider, async ({ server }) => server)
  try {
    const signal = AbortSignal.timeout(METADATA_MS_MAX)
    return (await untilAborted(metadata, signal)).end_session_endpoint
  } catch (error) {
    services.log.warn(
      { err: error, provider: provider.id },
      'a person signed out, but not of the provider, whose metadata cannot be read',
    )
    return undefined
  }
}

function openIdToken(
  { secretBox }: Pick<Services, 'secretBox'>,
  sessionId: string,
  sealed: Buffer,
): string | undefined {
  try {
    const token = openSealed(secretBox, 'session_id_token', [sessionId], sealed)
    return token.length > ID_TOKEN_CHARACTERS_MAX ? undefined : token
  } catch (error) {
    if (error instanceof SecretUnreadable) return undefined
    throw error
  }
}
