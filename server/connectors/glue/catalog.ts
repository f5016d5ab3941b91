import type { z } from 'zod'
import { openHttpClient } from '../../platform/kit/http-client.ts'
import { omitEmpty } from '../asset-parts.ts'
import type { Setup } from '../connector.ts'
import { newRenewable, type Renewable } from '../http/credentials.ts'
import { readPages } from '../http/pages.ts'
import type { Wait } from '../http/transport.ts'
import { newAwsClient, type AwsClient, type AwsResult } from './aws-client.ts'
import { toRequestFailure } from './aws-error.ts'
import { getEndpoint, type GlueConfiguration } from './configuration.ts'
import { readKey, type AwsKey } from './keys.ts'
import { acceptXml, assumeRole, readCallerArn, STS } from './role.ts'

/** The subject of messages. */
export const SERVICE = 'AWS Glue'

/** The subject of messages about tags. */
export const LAKE_FORMATION = 'Lake Formation'

const CONNECTIONS_MAX = 8

/** The maximum that AWS Glue accepts, and the number after an answer that was too large. */
const PAGE_SIZE = 100
const SMALLER_PAGE_SIZE = 12

/** The Data Catalog of an account in a region. */
export interface GlueCatalog {
  glue: AwsClient
  lakeFormation: AwsClient
  configuration: GlueConfiguration
  setup: Setup
  /** Returns the ARN of the user or role that signs requests. Errors: SourceFailure. */
  identify(): Promise<string>
  close(): void
}

/** The operations of AWS Glue that are called. */
type GlueOperation = 'GetDatabases' | 'GetTables' | 'GetTable'

/** Opens a catalog; the first request authenticates. Errors: SourceFailure auth. */
export async function openCatalog(
  configuration: GlueConfiguration,
  setup: Setup,
  wait?: Wait,
): Promise<GlueCatalog> {
  const key = readKey(configuration, setup.secrets)
  const http = await openHttpClient(setup.dialer, { connectionsMax: CONNECTIONS_MAX })
  const shared = { region: configuration.region, http, setup, wait }
  const fixed: Renewable<AwsKey> = { get: async () => key, renew: () => false }
  const sts = newAwsClient({
    ...shared,
    http: acceptXml(http),
    service: STS,
    serviceName: 'sts',
    keys: fixed,
  })
  const keys =
    configuration.authentication === 'role'
      ? newRenewable(() => assumeRole(sts, configuration))
      : fixed
  return {
    glue: newAwsClient({ ...shared, service: SERVICE, serviceName: 'glue', keys }),
    lakeFormation: newAwsClient({
      ...shared,
      service: LAKE_FORMATION,
      serviceName: 'lakeformation',
      keys,
    }),
    configuration,
    setup,
    identify: async () =>
      configuration.authentication === 'role'
        ? (configuration.roleArn ?? '')
        : await readCallerArn(sts, configuration),
    close: () => http.close(),
  }
}

/**
 * Calls an operation of AWS Glue. Without a catalog in `input`, it concerns that of the configured
 * account. Errors: those of AwsClient.
 */
export async function callGlue<Shape extends z.ZodType>(
  { glue, configuration }: GlueCatalog,
  operation: GlueOperation,
  input: Readonly<Record<string, unknown>>,
  shape: Shape,
): Promise<AwsResult<z.infer<Shape>>> {
  return await glue.call(
    {
      url: getEndpoint(configuration, 'glue'),
      headers: {
        'content-type': 'application/x-amz-json-1.1',
        'x-amz-target': `AWSGlue.${operation}`,
      },
      // Without a catalog, AWS reads that of the key, and the tables of the other would look deleted.
      body: JSON.stringify({ CatalogId: configuration.catalogId, ...input }),
      operation,
    },
    shape,
  )
}

/**
 * Lists all pages. A page may be empty and have a successor. Errors: those of AwsClient, and
 * SourceFailure permission, protocol if a page is rejected or the listing does not end.
 */
export function listPages<Page extends { NextToken?: string | null | undefined }>(
  catalog: GlueCatalog,
  operation: GlueOperation,
  input: Readonly<Record<string, unknown>>,
  shape: z.ZodType<Page>,
  what: string,
): AsyncGenerator<Page> {
  return readPages({
    name: `The listing of ${what} in ${SERVICE}`,
    size: PAGE_SIZE,
    smallerSize: SMALLER_PAGE_SIZE,
    async request(token, size) {
      const page = { MaxResults: size, ...omitEmpty({ NextToken: token }) }
      const result = await callGlue(catalog, operation, { ...input, ...page }, shape)
      if ('error' in result) throw toRequestFailure(SERVICE, result.error, what)
      return result.value
    },
    getToken: (page) => page.NextToken,
  })
}
