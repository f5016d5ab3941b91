/** A real OpenID provider on this machine, oidc-provider, whose people, keys and faults a test decides. */

import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { exportJWK, generateKeyPair, type JWK } from 'jose'
import type Provider from 'oidc-provider'
import type { ClientMetadata, Configuration } from 'oidc-provider'

/** The claims of a person of the provider. A claim that is undefined is absent. */
export interface ProviderPerson {
  email?: string | undefined
  email_verified?: unknown
  name?: string | undefined
  groups?: unknown
  [claim: string]: unknown
}

/** A client (application) that is registered at the provider. */
export interface ProviderClient {
  client_id: string
  client_secret: string
  redirect_uris: string[]
  post_logout_redirect_uris?: string[]
  /** The address that receives log-out tokens. */
  backchannel_logout_uri?: string
  token_endpoint_auth_method?: 'client_secret_basic' | 'client_secret_post' | 'none'
}

/** Answers a request instead of the provider; returns true if it did, or will. */
export type ProviderFault = (request: IncomingMessage, response: ServerResponse) => boolean

/** A running provider. Its members may be changed at any time; `apply` is needed after changes of clients. */
export interface RunningProvider {
  issuer: string
  /** The people by their subject, which is also the login that they type. Changes count from the next token. */
  people: Map<string, ProviderPerson>
  /** The registered clients. Changes count after `apply`. */
  clients: ProviderClient[]
  /** Decides the answers of the provider; undefined = it works. */
  fault: ProviderFault | undefined
  /** The paths of all requests, without queries. */
  requests: string[]
  /** Makes changes of `clients` effective. Sessions and codes remain. */
  apply(): Promise<void>
  /** Replaces the key that signs tokens; the previous one is published no more. */
  rotateKeys(): Promise<void>
  close(): Promise<void>
}

/** The client that a provider has at its start. */
export const PROVIDER_CLIENT = { client_id: 'portbook', client_secret: 'secret-of-the-client' }

/** The people that a provider has at its start, by subject, which is also their login. */
export const PROVIDER_PEOPLE: Readonly<Record<string, ProviderPerson>> = {
  ada: {
    email: 'ada@example.test',
    email_verified: true,
    name: 'Ada Lindqvist',
    groups: ['data-platform', 'everyone'],
  },
  jonas: {
    email: 'jonas@example.test',
    email_verified: true,
    name: 'Jonas Weber',
    groups: ['everyone'],
  },
  mara: { email: 'mara@example.test', email_verified: false, name: 'Mara' },
}

/** Starts a provider on a free port of 127.0.0.1, or on `port`. */
export async function startProvider(
  options: {
    redirectUris?: string[]
    client?: Partial<ProviderClient>
    people?: Readonly<Record<string, ProviderPerson>>
    port?: number
  } = {},
): Promise<RunningProvider> {
  const server = createServer()
  server.listen(options.port ?? 0, '127.0.0.1').unref()
  await once(server, 'listening')
  const issuer = `http://127.0.0.1:${readPort(server)}`
  let key = await newSigningKey()
  let answer: (request: IncomingMessage, response: ServerResponse) => unknown
  const provider: RunningProvider = {
    issuer,
    people: new Map(Object.entries(options.people ?? PROVIDER_PEOPLE)),
    clients: [
      {
        ...PROVIDER_CLIENT,
        redirect_uris: options.redirectUris ?? ['https://portbook.test/callback'],
        ...options.client,
      },
    ],
    fault: undefined,
    requests: [],
    async apply() {
      answer = (await newProvider(provider, key)).callback()
    },
    async rotateKeys() {
      key = await newSigningKey()
      await provider.apply()
    },
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
  await provider.apply()
  server.on('request', (request, response) => {
    provider.requests.push((request.url ?? '').replace(/\?.*/s, ''))
    if (provider.fault?.(request, response) !== true) answer(request, response)
  })
  return provider
}

/** Returns a fault of one path: its requests are answered with a status and a body. */
export function failAt(
  path: string,
  status: number,
  body = '{"error":"server_error"}',
): ProviderFault {
  return (request, response) => {
    if (!isAt(request, path)) return false
    response.writeHead(status, { 'content-type': 'application/json' }).end(body)
    return true
  }
}

/** Returns a fault of one path: its requests are never answered. */
export function hangAt(path: string): ProviderFault {
  return (request) => isAt(request, path)
}

/** Returns a fault of one path: its requests are redirected. */
export function redirectAt(path: string, location: string): ProviderFault {
  return (request, response) => {
    if (!isAt(request, path)) return false
    response.writeHead(302, { location }).end()
    return true
  }
}

/** Returns a fault of one path: its answer never ends. */
export function streamAt(path: string): ProviderFault {
  return (request, response) => {
    if (!isAt(request, path)) return false
    response.writeHead(200, { 'content-type': 'application/json' })
    const write = (): void => {
      while (!response.destroyed && response.write(' '.repeat(16_384)));
    }
    response.on('drain', write).on('error', () => {})
    write()
    return true
  }
}

function isAt(request: IncomingMessage, path: string): boolean {
  return (request.url ?? '').replace(/\?.*/s, '') === path
}

function readPort(server: Server): number {
  return (server.address() as AddressInfo).port
}

async function newSigningKey(): Promise<JWK> {
  const { privateKey } = await generateKeyPair('RS256', { extractable: true })
  return { ...(await exportJWK(privateKey)), alg: 'RS256', use: 'sig' }
}

async function newProvider(
  { issuer, people, clients }: RunningProvider,
  key: JWK,
): Promise<Provider> {
  const { default: Provider } = await quietly(() => import('oidc-provider'))
  const configuration: Configuration = {
    clients: clients.map(toMetadata),
    jwks: { keys: [key] },
    pkce: { required: () => true },
    conformIdTokenClaims: false,
    claims: {
      openid: ['sub', 'sid'],
      email: ['email', 'email_verified'],
      profile: ['name'],
      groups: ['groups'],
    },
    scopes: ['openid', 'email', 'profile', 'groups'],
    features: {
      devInteractions: { enabled: true },
      backchannelLogout: { enabled: true },
      rpInitiatedLogout: {
        enabled: true,
        logoutSource(context: { body: unknown }, form: string) {
          context.body = `${form}<button form="op.logoutForm" name="logout" value="yes">Sign out</button>`
        },
      },
    },
    cookies: { keys: ['key-of-the-cookies'] },
    ttl: { Session: 3600, Grant: 3600, Interaction: 600, IdToken: 3600, AccessToken: 3600 },
    async findAccount(_context, sub) {
      const person = people.get(sub)
      return person && { accountId: sub, claims: async () => ({ ...person, sub }) }
    },
    // Its own dispatcher refuses loopback addresses, so that no log-out token would arrive.
    fetch: (url: string | URL, options: RequestInit & { dispatcher?: unknown }) => {
      delete options.dispatcher
      return fetch(url, options)
    },
  } as Configuration
  return await quietly(async () => new Provider(issuer, configuration))
}

function toMetadata(client: ProviderClient): ClientMetadata {
  return {
    response_types: ['code'],
    grant_types: ['authorization_code'],
    backchannel_logout_session_required: true,
    ...client,
    ...(client.token_endpoint_auth_method === 'none' && { client_secret: undefined }),
  }
}

/** Runs a function without the provider's advice for its operators on the console. */
async function quietly<T>(work: () => Promise<T>): Promise<T> {
  const { info, warn } = console
  console.info = () => {}
  console.warn = () => {}
  try {
    return await work()
  } finally {
    Object.assign(console, { info, warn })
  }
}
