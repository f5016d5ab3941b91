import { z } from 'zod'
import { omitEmpty } from '../asset-parts.ts'
import { SourceFailure, type Setup } from '../connector.ts'
import { toUrl } from '../http/address.ts'
import { requestClientToken } from '../http/client-credentials.ts'
import {
  newRenewableCredentials,
  newTokenCredentials,
  NO_CREDENTIALS,
  type Credentials,
} from '../http/credentials.ts'
import type { JsonResult } from '../http/json-client.ts'
import { readPages } from '../http/pages.ts'
import { openSessionClient, type SessionClient } from '../http/session-client.ts'
import type { Transport, Wait } from '../http/transport.ts'
import type { DatabricksConfiguration } from './configuration.ts'

/** The subject of messages. */
export const SERVICE = 'Unity Catalog'

const CONNECTIONS_MAX = 8
/** The number of entries on a page after one that was too large. */
const SMALLER_PAGE_SIZE = 8

// Databricks' own application in Microsoft Entra ID, the same in every tenant.
const ENTRA_SCOPE = '2ff814a6-3304-4ab8-85cb-cd0e6f879c1d/.default'

/** A workspace, or an open-source server. */
export interface Workspace extends SessionClient {
  url: string
  /** The host in its address, without a port. */
  host: string
  configuration: DatabricksConfiguration
}

/** Opens a workspace; the first request authenticates. Errors: SourceFailure auth. */
export async function openWorkspace(
  configuration: DatabricksConfiguration,
  setup: Setup,
  wait?: Wait,
): Promise<Workspace> {
  const session = await openSessionClient(setup, {
    service: SERVICE,
    connectionsMax: CONNECTIONS_MAX,
    wait,
    newCredentials: (transport) => newCredentials(configuration, setup.secrets, transport),
  })
  const { url } = configuration
  return { ...session, url, host: new URL(url).hostname, configuration }
}

function newCredentials(
  configuration: DatabricksConfiguration,
  secrets: Setup['secrets'],
  transport: Transport,
): Credentials {
  const { authentication, url, clientId = '', tenantId = '', tokenEndpoint } = configuration
  const clientSecret = secrets['clientSecret'] ?? ''
  switch (authentication) {
    case 'none':
      return NO_CREDENTIALS
    case 'token':
      return newTokenCredentials(secrets['token'] ?? '')
    case 'oauth': {
      const endpoint = new URL(tokenEndpoint ?? toUrl(url, 'oidc/v1/token'))
      const client = { endpoint, clientId, clientSecret, scope: 'all-apis' }
      return newRenewableCredentials(() =>
        requestClientToken({ ...client, secretIn: 'header' }, transport),
      )
    }
    case 'entra': {
      const tenant = encodeURIComponent(tenantId)
      const endpoint = new URL(
        tokenEndpoint ?? `https://login.microsoftonline.com/${tenant}/oauth2/v2.0/token`,
      )
      const client = { endpoint, clientId, clientSecret, scope: ENTRA_SCOPE }
      return newRenewableCredentials(() => requestClientToken(client, transport))
    }
  }
}

/** The listings of Unity Catalog. */
type Collection = 'catalogs' | 'schemas' | 'tables'

// Without this, objects that the account may only browse are missing silently.
const BROWSING = { include_browse: 'true' }

/** Requests one page of a listing. Errors: those of JsonClient. */
export async function requestPage<Shape extends z.ZodType>(
  { client, url }: Workspace,
  listing: Collection,
  query: Readonly<Record<string, string>>,
  shape: Shape,
): Promise<JsonResult<z.infer<Shape>>> {
  const path = `api/2.1/unity-catalog/${listing}`
  return await client.ask({ url: toUrl(url, path, { ...query, ...BROWSING }) }, shape)
}

/** Requests one table. Errors: those of JsonClient, and SourceFailure permission, protocol. */
export async function requestTable(
  { client, url }: Workspace,
  path: readonly string[],
): Promise<unknown> {
  const name = path.join('.')
  const address = `api/2.1/unity-catalog/tables/${encodeURIComponent(name)}`
  const result = await client.ask({ url: toUrl(url, address, BROWSING) }, z.unknown())
  if ('status' in result) throw toStatusFailure(result.status, `the table ${name}`)
  return result.value
}

/**
 * Lists all pages. A page may be empty and have a successor. Errors: those of JsonClient, and SourceFailure
 * permission, protocol if a page is rejected or the listing does not end.
 */
export function listPages<Page extends { next_page_token?: string | null | undefined }>(
  workspace: Workspace,
  listing: Collection,
  query: Readonly<Record<string, string>>,
  shape: z.ZodType<Page>,
  what: string,
): AsyncGenerator<Page> {
  return readPages({
    name: `Unity Catalog’s listing of ${what}`,
    smallerSize: SMALLER_PAGE_SIZE,
    // 0 requests the server's own page size; without the parameter, some servers refuse the request.
    async request(token, size = 0) {
      const page = { max_results: String(size), ...omitEmpty({ page_token: token }) }
      const result = await requestPage(workspace, listing, { ...query, ...page }, shape)
      if ('status' in result) throw toStatusFailure(result.status, what)
      return result.value
    },
    getToken: (page) => page.next_page_token,
  })
}

/** Creates the failure for a status with which the server rejected a request. */
export function toStatusFailure(status: number, what: string): SourceFailure {
  // The server answers 404 if the account lacks a privilege: it does not prove absence.
  if (status === 403 || status === 404) {
    return new SourceFailure('permission', `Unity Catalog does not show ${what}`)
  }
  return new SourceFailure('protocol', `Unity Catalog did not return ${what} (status ${status})`)
}
