import { z } from 'zod'
import {
  createChoiceField,
  createConfiguration,
  createFlagField,
  includeViews,
  type FieldTexts,
} from '../fields.ts'
import { checkTokenEndpoint, httpAddress, toUrl } from '../http/address.ts'

/** The public address of the API. */
const PUBLIC_ENDPOINT = 'https://bigquery.googleapis.com'

/** Google's token endpoint, which is also the audience of signed requests for tokens. */
export const GOOGLE_TOKEN_ENDPOINT = 'https://oauth2.googleapis.com/token'

/** The authentication that needs a service account key. */
export const WITH_SERVICE_ACCOUNT = { name: 'authentication', values: ['serviceAccount'] }

/** The method that runs queries. */
const WITH_QUERIES = { name: 'method', values: ['queries'] }

const PROJECTS_MAX = 100

// An id may have a domain in front of it: `example.com:shop`.
const PROJECT = /^[a-z0-9][a-z0-9.:-]{0,98}[a-z0-9]$/

/** The projects to read and the authentication, without secrets. */
export const bigQueryConfiguration = createConfiguration({
  projects: z
    .string()
    .max(10_000)
    .refine((text) => isProjectList(text), {
      error: `must be one to ${PROJECTS_MAX} project ids, separated by commas`,
    })
    .meta({
      title: 'Projects',
      description: 'The ids of the projects to read, separated by commas.',
      examples: ['shop-prod-1234, shop-raw-5678'],
    } satisfies FieldTexts),
  authentication: createChoiceField(
    'serviceAccount',
    { serviceAccount: 'Service account key', none: 'None (emulator)' },
    { title: 'Authentication' },
  ),
  method: createChoiceField(
    'queries',
    { queries: 'Queries of INFORMATION_SCHEMA (fast)', rest: 'REST API only (no queries)' },
    {
      title: 'Read with',
      description: 'If queries are not allowed, runs use the REST API, with one request per table.',
    },
  ),
  billingProject: z
    .string()
    .regex(PROJECT, 'must be a project id such as shop-prod-1234')
    .optional()
    .meta({
      title: 'Billing project',
      description:
        'The project that runs the queries. Leave empty to use each project that is read.',
      examples: ['shop-admin-1234'],
      onlyWith: WITH_QUERIES,
    } satisfies FieldTexts),
  maximumGigabytesBilled: z
    .int()
    .min(1)
    .max(10_000)
    .default(10)
    .meta({
      isRare: true,
      title: 'Maximum per query, in gigabytes',
      description: 'BigQuery rejects a query that would be billed for more.',
      onlyWith: WITH_QUERIES,
    } satisfies FieldTexts),
  includeViews,
  collapseShards: createFlagField(true, {
    title: 'Combine date shards',
    description: 'Shows tables such as events_20260101 and events_20260102 as one, events_*.',
  }),
  endpoint: httpAddress.optional().meta({
    isRare: true,
    title: 'Endpoint',
    description: 'Leave empty to use the public endpoint.',
    examples: ['https://bigquery-portbook.p.googleapis.com'],
  } satisfies FieldTexts),
  tokenEndpoint: httpAddress.optional().meta({
    isRare: true,
    title: 'Token endpoint',
    description: 'Leave empty to use that of Google. The address in the key is not used.',
    onlyWith: WITH_SERVICE_ACCOUNT,
  } satisfies FieldTexts),
}).superRefine(checkTokenEndpoint('endpoint', ({ endpoint = PUBLIC_ENDPOINT }) => endpoint))

/** A configuration, parsed. */
export type BigQueryConfiguration = z.infer<typeof bigQueryConfiguration>

/** Parses the list of projects and removes duplicates. */
export function parseProjects({ projects }: Pick<BigQueryConfiguration, 'projects'>): string[] {
  return [...new Set(splitList(projects))]
}

/** Returns the address of a resource of the API; the parts of its path are encoded. */
export function toApiUrl(
  { endpoint = PUBLIC_ENDPOINT }: BigQueryConfiguration,
  path: readonly string[],
  query: Readonly<Record<string, string>> = {},
): URL {
  // Names have no colon: it precedes the name of a method.
  const parts = path.map((part) => encodeURIComponent(part).replaceAll('%3A', ':'))
  return toUrl(endpoint, ['bigquery/v2', ...parts].join('/'), query)
}

/** Datasets with the results of queries and of other services have names with an underscore in front. */
export const systemNames = { schema: (name: string) => name.startsWith('_') }

function isProjectList(text: string): boolean {
  const projects = splitList(text)
  return (
    projects.length > 0 &&
    projects.length <= PROJECTS_MAX &&
    projects.every((project) => PROJECT.test(project))
  )
}

function splitList(text: string): string[] {
  return text
    .split(/[\s,]+/)
    .map((part) => part.trim())
    .filter((part) => part !== '')
}
