import type { z } from 'zod'
import { omitEmpty } from '../asset-parts.ts'
import type { Setup } from '../connector.ts'
import { newRenewableCredentials, NO_CREDENTIALS, type Credentials } from '../http/credentials.ts'
import { readPages } from '../http/pages.ts'
import { openSessionClient, type SessionClient } from '../http/session-client.ts'
import type { Transport, Wait } from '../http/transport.ts'
import { isThrottled, parseError, toRequestFailure, type BigQueryError } from './bigquery-error.ts'
import { GOOGLE_TOKEN_ENDPOINT, toApiUrl, type BigQueryConfiguration } from './configuration.ts'
import { parseServiceAccountKey, requestServiceAccountToken } from './service-account.ts'

/** The subject of messages. */
export const SERVICE = 'BigQuery'

const CONNECTIONS_MAX = 8
const PAGE_SIZE = 1000
/** The number of entries on a page after one that was too large. */
const SMALLER_PAGE_SIZE = 100

/** The projects of one account. */
export interface Warehouse extends SessionClient {
  configuration: BigQueryConfiguration
}

/** The parsed answer, or the error with which BigQuery rejected the request. */
type BigQueryResult<T> = { value: T } | { error: BigQueryError }

/** Opens a session; the first request authenticates. Errors: SourceFailure auth. */
export async function openWarehouse(
  configuration: BigQueryConfiguration,
  setup: Setup,
  wait?: Wait,
): Promise<Warehouse> {
  const session = await openSessionClient(setup, {
    service: SERVICE,
    connectionsMax: CONNECTIONS_MAX,
    isThrottled,
    wait,
    newCredentials: (transport) => newCredentials(configuration, setup.secrets, transport),
  })
  return { ...session, configuration }
}

function newCredentials(
  { authentication, tokenEndpoint = GOOGLE_TOKEN_ENDPOINT }: BigQueryConfiguration,
  secrets: Setup['secrets'],
  transport: Transport,
): Credentials {
  if (authentication === 'none') return NO_CREDENTIALS
  const key = parseServiceAccountKey(secrets['serviceAccountKey'] ?? '')
  const endpoint = new URL(tokenEndpoint)
  return newRenewableCredentials(() => requestServiceAccountToken(key, endpoint, transport))
}

/**
 * Requests a resource by the parts of its path; with a body, sends it with POST. Errors: those of
 * JsonClient.
 */
export async function requestResource<Shape extends z.ZodType>(
  { client, configuration }: Pick<Warehouse, 'client' | 'configuration'>,
  path: readonly string[],
  query: Readonly<Record<string, string>>,
  shape: Shape,
  body?: object,
): Promise<BigQueryResult<z.infer<Shape>>> {
  const url = toApiUrl(configuration, path, query)
  const result = await client.ask({ url, acceptsGzip: true, ...(body ? { body } : {}) }, shape)
  if ('value' in result) return result
  return { error: parseError({ status: result.status, json: result.body }) }
}

/**
 * Lists all pages. A page may be empty and have a successor. Errors: those of JsonClient, and SourceFailure
 * permission, protocol if a page is rejected or the listing does not end.
 */
export function listPages<Page extends { nextPageToken?: string | null | undefined }>(
  warehouse: Warehouse,
  path: readonly string[],
  shape: z.ZodType<Page>,
  what: string,
): AsyncGenerator<Page> {
  return readPages({
    name: `${SERVICE}’s listing of ${what}`,
    size: PAGE_SIZE,
    smallerSize: SMALLER_PAGE_SIZE,
    async request(token, size) {
      const query = { maxResults: String(size), ...omitEmpty({ pageToken: token }) }
      const result = await requestResource(warehouse, path, query, shape)
      if ('error' in result) throw toRequestFailure(result.error, what)
      return result.value
    },
    getToken: (page) => page.nextPageToken,
  })
}
