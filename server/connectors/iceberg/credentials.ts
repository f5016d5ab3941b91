import { SourceFailure, type Setup } from '../connector.ts'
import { tokenAnswer } from './answers.ts'
import type { IcebergConfiguration } from './configuration.ts'
import type { Transport } from './transport.ts'

/** The credentials for a catalog. */
export interface Credentials {
  /** Returns the headers of a request. Errors: SourceFailure auth, and those of the transport. */
  headers(): Promise<Readonly<Record<string, string>>>
  /** Called if the catalog rejected those headers; returns false if no other token is available. */
  renew(refused: Readonly<Record<string, string>>): boolean
}

/** A token is renewed this long before it expires, or when a tenth of its lifetime is left. */
const RENEWAL_MS = 60_000

/** Creates the credentials of one session; the first request fetches a token. */
export function newCredentials(
  configuration: IcebergConfiguration,
  secrets: Setup['secrets'],
  transport: Transport,
): Credentials {
  switch (configuration.authentication) {
    case 'none':
      return { headers: async () => ({}), renew: () => false }
    case 'token': {
      const headers = bearer(secrets['token'] ?? '')
      return { headers: async () => headers, renew: () => false }
    }
    case 'oauth2':
      return clientCredentials(configuration, secrets['clientSecret'] ?? '', transport)
  }
}

function bearer(token: string): Readonly<Record<string, string>> {
  // A header cannot contain such a token; the error must not repeat it.
  if (!/^[\x21-\x7E]+$/.test(token)) {
    throw new SourceFailure('auth', 'The token is missing or has invalid characters')
  }
  return { authorization: `Bearer ${token}` }
}

interface Token {
  headers: Readonly<Record<string, string>>
  /** On the monotonic clock; Infinity = no known expiry. */
  renewAtMs: number
}

function clientCredentials(
  configuration: IcebergConfiguration,
  clientSecret: string,
  transport: Transport,
): Credentials {
  let token: Token | undefined
  // Concurrent requests that need a token wait for the same one.
  let asking: Promise<Token> | undefined
  const ask = async (): Promise<Token> => {
    try {
      return (token = await askForToken(configuration, clientSecret, transport))
    } finally {
      asking = undefined
    }
  }
  return {
    async headers() {
      if (token !== undefined && performance.now() < token.renewAtMs) return token.headers
      return (await (asking ??= ask())).headers
    },
    renew(refused) {
      // Another request may have renewed the token already.
      if (token?.headers === refused) token = undefined
      return true
    },
  }
}

async function askForToken(
  { uri, tokenEndpoint, clientId = '', scope }: IcebergConfiguration,
  clientSecret: string,
  transport: Transport,
): Promise<Token> {
  const url = new URL(tokenEndpoint ?? `${uri.replace(/\/+$/, '')}/v1/oauth/tokens`)
  // Iceberg's own clients request this scope from the catalog; other endpoints have different
  // scopes.
  const request = scope ?? (tokenEndpoint === undefined ? 'catalog' : undefined)
  const form = new URLSearchParams({
    grant_type: 'client_credentials',
    client_id: clientId,
    client_secret: clientSecret,
    ...(request === undefined ? {} : { scope: request }),
  })
  const startedAtMs = performance.now()
  const { status, json } = await transport.send({
    method: 'POST',
    url,
    headers: async () => ({
      accept: 'application/json',
      'content-type': 'application/x-www-form-urlencoded',
    }),
    body: form.toString(),
  })
  if (status === 400 || status === 401 || status === 403) {
    throw new SourceFailure('auth', 'The token endpoint does not accept this client and secret')
  }
  const read = tokenAnswer.safeParse(json)
  if (status !== 200 || !read.success) {
    const message = `The token endpoint returned no token (status ${status})`
    throw new SourceFailure('protocol', message, { cause: read.error })
  }
  return toToken(read.data.access_token, read.data.expires_in ?? undefined, startedAtMs)
}

function toToken(secret: string, seconds: number | undefined, startedAtMs: number): Token {
  const lifeMs = (seconds ?? Infinity) * 1000
  const renewAtMs = startedAtMs + Math.max(lifeMs - RENEWAL_MS, lifeMs * 0.9)
  return { headers: bearer(secret), renewAtMs: Number.isNaN(renewAtMs) ? Infinity : renewAtMs }
}
