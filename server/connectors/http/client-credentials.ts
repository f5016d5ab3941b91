import { z } from 'zod'
import { SourceFailure } from '../connector.ts'
import { toBearer, type Headers, type IssuedToken } from './credentials.ts'
import type { Transport } from './transport.ts'

/** A token for client credentials. `expires_in` is in seconds. */
const tokenAnswer = z.object({
  // A header value has no spaces and no control characters.
  access_token: z.string().regex(/^[\x21-\x7E]+$/),
  expires_in: z.coerce.number().positive().nullish(),
})

/** A client of OAuth 2 that requests tokens for itself. */
interface OAuthClient {
  endpoint: URL
  clientId: string
  clientSecret: string
  scope: string | undefined
  /** Further fields of the form. */
  more?: Readonly<Record<string, string>>
  /** The part of the request in which the endpoint expects the secret; `form` by default. */
  secretIn?: 'form' | 'header'
}

/**
 * Requests a token with the client credentials grant (RFC 6749, section 4.4). Errors: SourceFailure auth,
 * protocol, and those of the transport.
 */
export async function requestClientToken(
  client: OAuthClient,
  transport: Transport,
): Promise<IssuedToken> {
  const { endpoint } = client
  const rejection = 'The token endpoint does not accept this client and secret'
  const request = { endpoint, form: toForm(client), headers: toBasic(client), rejection }
  return await requestToken(request, transport)
}

/** A request for a token, with any grant. */
interface TokenRequest {
  endpoint: URL
  form: URLSearchParams
  headers?: Headers
  /** The message if the endpoint rejects the credentials. */
  rejection: string
}

/** Requests a token. Errors: SourceFailure auth, protocol, and those of the transport. */
export async function requestToken(
  { endpoint, form, headers = {}, rejection }: TokenRequest,
  transport: Transport,
): Promise<IssuedToken> {
  const issuedAtMs = performance.now()
  const { status, json } = await transport.send({
    method: 'POST',
    url: endpoint,
    headers: async () => ({
      accept: 'application/json',
      'content-type': 'application/x-www-form-urlencoded',
      ...headers,
    }),
    body: form.toString(),
  })
  if (status === 400 || status === 401 || status === 403) {
    throw new SourceFailure('auth', rejection)
  }
  const read = tokenAnswer.safeParse(json)
  if (status !== 200 || !read.success) {
    const message = `The token endpoint returned no token (status ${status})`
    throw new SourceFailure('protocol', message, { cause: read.error })
  }
  const { access_token: token, expires_in: seconds } = read.data
  return { headers: toBearer(token), lifetimeSeconds: seconds ?? undefined, issuedAtMs }
}

function toForm(client: OAuthClient): URLSearchParams {
  const { clientId, clientSecret, scope, more, secretIn = 'form' } = client
  return new URLSearchParams({
    grant_type: 'client_credentials',
    ...(secretIn === 'form' ? { client_id: clientId, client_secret: clientSecret } : {}),
    ...(scope === undefined ? {} : { scope }),
    ...more,
  })
}

// RFC 6749, section 2.3.1: both parts are form-encoded first.
function toBasic({ clientId, clientSecret, secretIn }: OAuthClient): Headers {
  if (secretIn !== 'header') return {}
  const pair = [clientId, clientSecret].map(encodeURIComponent).join(':')
  return { authorization: `Basic ${Buffer.from(pair).toString('base64')}` }
}
