import { SourceFailure, type Setup } from '../connector.ts'
import { tokenAnswer } from './answers.ts'
import type { IcebergConfiguration } from './configuration.ts'
import type { Transport } from './transport.ts'

/** What a catalog knows us by. */
export interface Credentials {
  /** The headers of a request. Errors: SourceFailure auth, and those of the transport. */
  headers(): Promise<Readonly<Record<string, string>>>
  /**
   * Called when the catalog did not accept those headers; false when there is no other token to try.
   */
  renew(refused: Readonly<Record<string, string>>): boolean
}

/** A token is renewed this long before it ends, or when a tenth of its time is left. */
const RENEWAL_MS = 60_000

/** Makes the credentials of one session; a token is asked for once it is needed. */
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
  // What a header cannot carry is no token; it must not end in an error that repeats it.
  if (!/^[\x21-\x7E]+$/.test(token)) {
    throw new SourceFailure('auth', 'The token is missing or has characters that no token has')
  }
  return { authorization: `Bearer ${token}` }
}

interface Token {
  headers: Readonly<Record<string, string>>
  /** By the clock that only goes forward; Infinity = no end is known. */
  renewAtMs: number
}

function clientCredentials(
  configuration: IcebergConfiguration,
  clientSecret: string,
  transport: Transport,
): Credentials {
  let token: Token | undefined
  // Requests that need a token at the same time wait for one.
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
      // Another request may have been told before, and the token is a new one already.
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
  // The scope that Iceberg's own clients ask the catalog for; others have scopes of their own.
  const asked = scope ?? (tokenEndpoint === undefined ? 'catalog' : undefined)
  const form = new URLSearchParams({
    grant_type: 'client_credentials',
    client_id: clientId,
    client_secret: clientSecret,
    ...(asked === undefined ? {} : { scope: asked }),
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
    const message = `The token endpoint gave no token (it answered ${status})`
    throw new SourceFailure('protocol', message, { cause: read.error })
  }
  return tokenOf(read.data.access_token, read.data.expires_in ?? undefined, startedAtMs)
}

function tokenOf(secret: string, seconds: number | undefined, startedAtMs: number): Token {
  const lifeMs = (seconds ?? Infinity) * 1000
  const renewAtMs = startedAtMs + Math.max(lifeMs - RENEWAL_MS, lifeMs * 0.9)
  return { headers: bearer(secret), renewAtMs: Number.isNaN(renewAtMs) ? Infinity : renewAtMs }
}
