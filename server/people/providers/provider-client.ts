import * as oauth from 'oauth4webapi'
import { HttpFailure, type HttpFailureKind } from '../../platform/kit/http-client.ts'
import { newIdentityFetch } from '../../platform/kit/identity-fetch.ts'
import type { Services } from '../../requests/http/endpoint.ts'
import { isSecure, type OpenedProvider } from './provider.ts'

/** The services that talk to providers. */
export type ProviderClientServices = Pick<
  Services,
  'identityDialer' | 'baseUrl' | 'providerMetadata'
>

/** The settings of a provider that a connection to it needs; a draft has no id yet. */
export type ProviderConnection = Pick<
  OpenedProvider,
  'issuer' | 'clientId' | 'clientAuthentication' | 'secret' | 'authority'
>

/** The options of every request of oauth4webapi to a provider. */
export interface ProviderRequestOptions {
  [oauth.customFetch]: (
    url: string,
    options: oauth.CustomFetchOptions<string, unknown>,
  ) => Promise<Response>
  [oauth.allowInsecureRequests]: true
}

/** A provider whose metadata was read, ready for the functions of oauth4webapi. */
export interface ProviderClient {
  /** Its metadata. The issuer is equal to the configured one byte for byte, and every endpoint may be used. */
  server: oauth.AuthorizationServer
  client: oauth.Client
  authentication: oauth.ClientAuth
  options: ProviderRequestOptions
}

/** The reason why a provider could not be used. */
export type ProviderFailureReason =
  | HttpFailureKind
  /** The address is http and not between loopback addresses. */
  | 'insecure'
  /** The discovery document was answered with another status than 200. */
  | 'status'
  /** The discovery document is not a JSON object. */
  | 'not_json'
  /** The discovery document has another issuer. */
  | 'issuer'
  /** The discovery document lacks an endpoint, or has an invalid one. */
  | 'metadata'

/** A provider that could not be used. The message is a sentence for people, without secrets. */
export class ProviderFailure extends Error {
  override readonly name = 'ProviderFailure'
  readonly reason: ProviderFailureReason
  /** The issuer in the discovery document; only if it is another one. */
  readonly issuerThere: string | undefined

  constructor(
    reason: ProviderFailureReason,
    message: string,
    more: { cause?: unknown; issuerThere?: string } = {},
  ) {
    super(message, { cause: more.cause })
    this.reason = reason
    this.issuerThere = more.issuerThere
  }
}

const SHOWN_CHARACTERS_MAX = 300

/** The age at which the metadata of a provider are read again. */
const METADATA_MS = 10 * 60 * 1000

/** The endpoints that metadata may name; the first three are required for a sign-in. */
const PROVIDER_ENDPOINTS = [
  'authorization_endpoint',
  'token_endpoint',
  'jwks_uri',
  'userinfo_endpoint',
  'end_session_endpoint',
] as const

const REQUIRED_ENDPOINTS: ReadonlySet<string> = new Set(PROVIDER_ENDPOINTS.slice(0, 3))

/**
 * Calls `work` with a client of a stored provider. Its metadata are read at most every ten minutes for each version of the
 * provider. Errors: ProviderFailure, and those of `work`.
 */
export async function withProvider<Result>(
  services: ProviderClientServices,
  provider: OpenedProvider,
  work: (client: ProviderClient) => Promise<Result>,
): Promise<Result> {
  const options = getRequestOptions(services, provider)
  const server = await loadMetadata(services, provider, options)
  return await work({ server, ...toClient(provider), options })
}

/** Returns the options of requests to a provider. They fail with ProviderFailure. */
export function getRequestOptions(
  { identityDialer, baseUrl }: Pick<Services, 'identityDialer' | 'baseUrl'>,
  { authority }: Pick<ProviderConnection, 'authority'>,
): ProviderRequestOptions {
  const fetch = newIdentityFetch(identityDialer, authority ?? undefined)
  return {
    // Which addresses may be http is decided here, for every request.
    [oauth.allowInsecureRequests]: true,
    [oauth.customFetch]: async (url, options) => {
      assertSecure(url, baseUrl)
      try {
        return await fetch(url, options)
      } catch (error) {
        throw error instanceof HttpFailure ? toProviderFailure(error) : error
      }
    },
  }
}

function toProviderFailure(failure: HttpFailure): ProviderFailure {
  const { kind, location } = failure
  const target =
    location === undefined ? '' : ` It names ${location.slice(0, SHOWN_CHARACTERS_MAX)}.`
  return new ProviderFailure(kind, `${failure.message.replace(/\.$/, '')}.${target}`, {
    cause: failure,
  })
}

/** Returns the client and its authentication, as oauth4webapi takes them. */
export function toClient({
  clientId,
  clientAuthentication,
  secret = '',
}: ProviderConnection): Pick<ProviderClient, 'client' | 'authentication'> {
  const authentications = {
    basic: () => oauth.ClientSecretBasic(secret),
    post: () => oauth.ClientSecretPost(secret),
    none: () => oauth.None(),
  }
  return {
    client: { client_id: clientId },
    authentication: authentications[clientAuthentication](),
  }
}

/**
 * Reads the discovery document of an issuer and checks that it is the issuer's own. Its endpoints are not checked yet.
 * Errors: ProviderFailure.
 */
export async function readMetadata(
  issuer: string,
  options: ProviderRequestOptions,
): Promise<oauth.AuthorizationServer> {
  const response = await oauth.discoveryRequest(new URL(issuer), options)
  if (response.status !== 200) {
    throw new ProviderFailure(
      'status',
      `${toDiscoveryAddress(issuer)} answered ${response.status} instead of 200.`,
    )
  }
  const metadata = parseMetadata(await response.text())
  if (metadata === undefined) {
    throw new ProviderFailure(
      'not_json',
      `${toDiscoveryAddress(issuer)} is not a discovery document: it is not a JSON object with an issuer.`,
    )
  }
  // The library compares addresses, for which https://id.example and https://id.example/ are equal.
  if (metadata.issuer !== issuer) {
    const issuerThere = metadata.issuer.slice(0, SHOWN_CHARACTERS_MAX)
    const message = `The provider names itself "${issuerThere}", but the issuer here is "${issuer}".`
    throw new ProviderFailure('issuer', message, { issuerThere })
  }
  return metadata
}

/** Returns the address of the discovery document of an issuer (OpenID Connect Discovery 1.0, 4). */
function toDiscoveryAddress(issuer: string): string {
  return `${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`
}

/** Returns the first problem of an endpoint in metadata, as a sentence; undefined = all may be used. */
export function findEndpointProblem(
  server: oauth.AuthorizationServer,
  baseUrl: string,
): string | undefined {
  for (const name of PROVIDER_ENDPOINTS) {
    const address: unknown = server[name]
    if (address === undefined && !REQUIRED_ENDPOINTS.has(name)) continue
    if (address === undefined) return `The discovery document has no ${name}.`
    const url = typeof address === 'string' ? URL.parse(address) : null
    if (url === null) return `${name} in the discovery document is not an address.`
    if (!isSecure(url, baseUrl)) return `${name} does not begin with https: ${url.host}.`
  }
  return undefined
}

function assertSecure(address: string, baseUrl: string): void {
  const url = new URL(address)
  if (isSecure(url, baseUrl)) return
  throw new ProviderFailure(
    'insecure',
    `${url.origin} does not begin with https. http is possible only if the provider and Portbook are both on this machine.`,
  )
}

async function loadMetadata(
  { providerMetadata, baseUrl }: ProviderClientServices,
  { organizationId, id, version, issuer }: OpenedProvider,
  options: ProviderRequestOptions,
): Promise<oauth.AuthorizationServer> {
  const key = `${organizationId}/${id}/${version}`
  const cached = providerMetadata.get(key)
  if (cached !== undefined && performance.now() - cached.readAt < METADATA_MS) return cached.server
  const server = await readMetadata(issuer, options)
  const problem = findEndpointProblem(server, baseUrl)
  if (problem !== undefined) throw new ProviderFailure('metadata', problem)
  const entry = { server, readAt: performance.now() }
  providerMetadata.set(key, entry, 2 * JSON.stringify(server).length)
  return server
}

function parseMetadata(text: string): oauth.AuthorizationServer | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return isMetadata(value) ? value : undefined
  } catch {
    return undefined
  }
}

function isMetadata(value: unknown): value is oauth.AuthorizationServer {
  return (
    typeof value === 'object' &&
    value !== null &&
    'issuer' in value &&
    typeof value.issuer === 'string'
  )
}
