import { z } from 'zod'
import { importPKCS8, SignJWT } from 'jose'
import { SourceFailure } from '../connector.ts'
import { requestToken } from '../http/client-credentials.ts'
import type { IssuedToken } from '../http/credentials.ts'
import type { Transport } from '../http/transport.ts'
import { GOOGLE_TOKEN_ENDPOINT } from './configuration.ts'

const SCOPE = 'https://www.googleapis.com/auth/bigquery'
const LIFETIME_SECONDS = 3600

/** A key as it is downloaded. Its `token_uri` names only the audience: requests go to the configured endpoint. */
const keyFile = z.object({
  type: z.literal('service_account'),
  client_email: z.string().min(1).max(1000),
  private_key: z.string().min(1),
  private_key_id: z.string().max(1000).optional(),
  token_uri: z.string().max(1000).default(GOOGLE_TOKEN_ENDPOINT),
})

/** The key of a service account. */
type ServiceAccountKey = z.infer<typeof keyFile>

/** Parses the JSON of a key. Errors: SourceFailure auth, without the key. */
export function parseServiceAccountKey(text: string): ServiceAccountKey {
  const read = keyFile.safeParse(parseJson(text))
  if (read.success) return read.data
  const message =
    'The service account key is not valid: enter the whole JSON file, with client_email and private_key'
  throw new SourceFailure('auth', message)
}

/**
 * Requests a token with a signed JWT (RFC 7523). Errors: SourceFailure auth, protocol, and those of the
 * transport.
 */
export async function requestServiceAccountToken(
  key: ServiceAccountKey,
  endpoint: URL,
  transport: Transport,
): Promise<IssuedToken> {
  const form = new URLSearchParams({
    grant_type: 'urn:ietf:params:oauth:grant-type:jwt-bearer',
    assertion: await sign(key),
  })
  const rejection = 'The token endpoint does not accept the service account key'
  return await requestToken({ endpoint, form, rejection }, transport)
}

async function sign(key: ServiceAccountKey): Promise<string> {
  const header = { alg: 'RS256', typ: 'JWT' }
  const kid = key.private_key_id === undefined ? {} : { kid: key.private_key_id }
  try {
    const privateKey = await importPKCS8(key.private_key, 'RS256')
    return await new SignJWT({ scope: SCOPE })
      .setProtectedHeader({ ...header, ...kid })
      .setIssuer(key.client_email)
      .setAudience(key.token_uri)
      .setIssuedAt()
      .setExpirationTime(`${LIFETIME_SECONDS}s`)
      .sign(privateKey)
  } catch {
    // The error of the library may contain parts of the key.
    throw new SourceFailure('auth', 'The private key in the service account key is not valid')
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
