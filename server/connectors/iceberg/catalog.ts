import type { z } from 'zod'
import { openHttpClient } from '../../platform/kit/http-client.ts'
import { SourceFailure, type Setup } from '../connector.ts'
import { requestClientToken } from '../http/client-credentials.ts'
import {
  newRenewableCredentials,
  newTokenCredentials,
  NO_CREDENTIALS,
  type Credentials,
} from '../http/credentials.ts'
import { newJsonClient, type JsonResult, type JsonClient } from '../http/json-client.ts'
import { newTransport, type Transport, type Wait } from '../http/transport.ts'
import { configAnswer } from './answers.ts'
import type { IcebergConfiguration } from './configuration.ts'

/** A catalog whose configuration has been loaded. */
export interface Catalog {
  /**
   * Requests `/v1/{prefix}/` followed by these parts, encoded. With `knownTag`, the status is 304 if the
   * answer still has this entity tag. Errors: SourceFailure auth,
   * unreachable, rate_limited, too_large, protocol, cancelled.
   */
  get<Shape extends z.ZodType>(
    parts: readonly string[],
    query: Readonly<Record<string, string>>,
    shape: Shape,
    knownTag?: string,
  ): Promise<JsonResult<z.infer<Shape>>>
  /** Whether the catalog can list views. */
  hasViews: boolean
  close(): void
}

/** The subject of messages. */
export const SERVICE = 'The catalog'

/** Joins the parts of a namespace in one segment of a path. */
export const PART_SEPARATOR = '\u001F'

const CONNECTIONS_MAX = 8

/** Loads a catalog's configuration. Errors: SourceFailure, as for `get`. */
export async function openCatalog(
  configuration: IcebergConfiguration,
  setup: Setup,
  wait?: Wait,
): Promise<Catalog> {
  const http = await openHttpClient(setup.dialer, { connectionsMax: CONNECTIONS_MAX })
  try {
    const transport = newTransport(http, setup, { service: SERVICE, wait })
    const api = newJsonClient({
      service: SERVICE,
      transport,
      credentials: newCredentials(configuration, setup.secrets, transport),
      // 419 is the protocol's status for an expired token.
      isUnauthorized: ({ status }) => status === 401 || status === 419,
    })
    const base = `${configuration.uri.replace(/\/+$/, '')}/v1`
    const config = await loadConfig(api, configuration, base)
    const root = config.prefix === undefined ? base : `${base}/${config.prefix}`
    return {
      get: async (parts, query, shape, knownTag) => {
        const headers = knownTag === undefined ? {} : { 'if-none-match': knownTag }
        return await api.ask({ url: toUrl(root, parts, query), headers }, shape)
      },
      hasViews: config.hasViews,
      close: () => http.close(),
    }
  } catch (error) {
    http.close()
    throw error
  }
}

interface Config {
  /** In the spelling used in paths; it may have several segments. */
  prefix: string | undefined
  hasViews: boolean
}

async function loadConfig(
  api: JsonClient,
  { uri, warehouse }: IcebergConfiguration,
  base: string,
): Promise<Config> {
  const query = warehouse === undefined ? {} : { warehouse }
  const result = await api.ask({ url: toUrl(base, ['config'], query) }, configAnswer)
  if ('status' in result) {
    throw new SourceFailure(
      result.status === 403 ? 'permission' : 'protocol',
      `The catalog did not return its configuration at ${base}/config (status ${result.status})`,
    )
  }
  const { defaults, overrides, endpoints } = result.value
  const settings = { ...defaults, ...overrides }
  assertSameOrigin(settings['uri'], uri)
  const { prefix } = settings
  return {
    prefix: typeof prefix === 'string' && prefix !== '' ? prefix : undefined,
    // Catalogs that send no list have the standard endpoints, which do not include views.
    hasViews:
      endpoints?.some(listsViews) ?? String(settings['view-endpoints-supported']) === 'true',
  }
}

function listsViews(endpoint: string): boolean {
  return /^GET\s+\/?v1\/\{prefix\}\/namespaces\/\{namespace\}\/views$/.test(endpoint.trim())
}

/** Rejects another address for further requests: the credentials are for the configured host. */
function assertSameOrigin(address: unknown, uri: string): void {
  if (typeof address !== 'string' || address === '') return
  if (URL.parse(address)?.origin === new URL(uri).origin) return
  throw new SourceFailure(
    'protocol',
    'The catalog refers to another host, which is not followed: enter its address as uri',
  )
}

function toUrl(
  root: string,
  parts: readonly string[],
  query: Readonly<Record<string, string>>,
): URL {
  let path: string
  try {
    path = parts.map(encodeURIComponent).join('/')
  } catch (error) {
    throw new SourceFailure('protocol', 'The catalog has a name that is not valid text', {
      cause: error,
    })
  }
  const url = URL.parse(`${root}/${path}`)
  // A part that is `..`, or a prefix with a query, would change the path.
  const isPath = url !== null && url.search === '' && url.hash === ''
  if (!isPath || url.href !== `${new URL(root).origin}${rawPath(root)}/${path}`) {
    throw new SourceFailure(
      'protocol',
      'The catalog has a name or prefix that cannot be part of a path',
    )
  }
  for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value)
  return url
}

function rawPath(root: string): string {
  return root.replace(/^\w+:\/\/[^/]*/, '')
}

/** Creates the credentials of one session; the first request fetches a token. */
function newCredentials(
  configuration: IcebergConfiguration,
  secrets: Setup['secrets'],
  transport: Transport,
): Credentials {
  const { authentication, uri, tokenEndpoint, clientId = '', scope } = configuration
  switch (authentication) {
    case 'none':
      return NO_CREDENTIALS
    case 'token':
      return newTokenCredentials(secrets['token'] ?? '')
    case 'oauth2': {
      const endpoint = new URL(tokenEndpoint ?? `${uri.replace(/\/+$/, '')}/v1/oauth/tokens`)
      const client = {
        endpoint,
        clientId,
        clientSecret: secrets['clientSecret'] ?? '',
        // Iceberg's own clients request this scope from the catalog; other endpoints have different
        // scopes.
        scope: scope ?? (tokenEndpoint === undefined ? 'catalog' : undefined),
      }
      return newRenewableCredentials(() => requestClientToken(client, transport))
    }
  }
}
