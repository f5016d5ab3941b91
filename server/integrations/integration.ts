import { z } from '@hono/zod-openapi'
import { toSlug } from '../../formats/name/slug.ts'
import { findIdProblem } from '../../formats/name/document-id.ts'
import { ingestionRun } from './run.ts'
import { filters } from '../connectors/filter.ts'
import type { Instant } from '../kit/clock.ts'

/**
 * An integration is a source platform that an organization has connected: where it is, as whom to
 * sign in there, what of it to take, and when. Its runs bring the platform's tables into the catalog
 * as assets. It belongs to a team, or to nobody but the organization's owners.
 */
export interface Integration {
  /** The internal id. */
  id: string
  externalId: string
  name: string
  /** The source platform, which names the connector. */
  source: string
  /** External id of the owning team; null = none. */
  ownerTeam: string | null
  ownerTeamId: string | null
  /** The connector's fields, and beside them `filters`. */
  configuration: unknown
  /** Null = it runs by hand alone. */
  scheduleExpression: string | null
  timeZone: string
  /** The schedule is on. */
  enabled: boolean
  /** Null = the schedule is off, pauses, or there is none. */
  nextDueAt: Instant | null
  /** Why the schedule pauses; null = it does not. */
  pausedBecause: string | null
  version: number
}

/** Source platforms that clients of the older list know, and no other. */
export const WIRE_SOURCES = [
  'snowflake',
  'databricks',
  'bigquery',
  'postgres',
  'mysql',
  'mariadb',
  'mssql',
  'glue',
  'alation',
  'fabric',
  'powerbi',
] as const

/** Every source platform on the wire. */
export const SOURCES = [...WIRE_SOURCES, 'iceberg'] as const

// Each is a part of an address below that of all integrations.
const RESERVED_IDS: readonly string[] = [
  'ingest',
  'unity-catalog-metadata',
  'test',
  'schedule',
  'scopes',
  'latest',
]

const SLUG_CHARACTERS_MAX = 60

/** What keeps a text from being an integration's id, as the end of a sentence; undefined = nothing. */
export function problemOfIntegrationId(id: string): string | undefined {
  if (RESERVED_IDS.includes(id)) return 'is reserved'
  return findIdProblem(id)
}

/** Builds an id from a name; the name of the source if the name gives none. */
export function slugOf(name: string, source: string): string {
  const slug = toSlug(name, SLUG_CHARACTERS_MAX)
  const id = slug === '' ? source : slug
  return problemOfIntegrationId(id) === undefined ? id : `${id}-${source}`
}

const storedConfiguration = z.record(z.string(), z.unknown())

/** Takes the stored configuration apart: the connector's fields, and the filters. */
export function configurationParts(stored: unknown): {
  configuration: Record<string, unknown>
  filters: unknown
} {
  const { filters: storedFilters, ...configuration } = storedConfiguration.parse(stored)
  return { configuration, filters: storedFilters }
}

const instant = z.string().openapi({ format: 'date-time' })

/** An integration in lists. */
export const integrationSummary = z
  .object({
    externalId: z.string(),
    name: z.string(),
    source: z.string().openapi({ enum: [...SOURCES] }),
    enabled: z.boolean().openapi({
      description: 'The schedule is on; one that is off can still be run by hand',
    }),
    assetOwnerTeamExternalId: z.string().nullable(),
    owningTeamExternalId: z
      .string()
      .nullable()
      .openapi({ description: 'The same as assetOwnerTeamExternalId' }),
    scheduleExpression: z
      .string()
      .nullable()
      .openapi({ description: 'Cron: 5 fields, or 6 with seconds first; null = by hand alone' }),
    timeZone: z.string(),
    latestRun: ingestionRun.nullable().openapi({
      description: 'The last ingestion, no preview or correction; null = it never ran',
    }),
  })
  .openapi('Integration')

/** An integration on its own. */
export const integrationDetails = integrationSummary
  .extend({
    configuration: z.record(z.string(), z.unknown()).openapi({
      description: 'By the field names of the source, and `filters`; secrets are never in it',
    }),
  })
  .openapi('IntegrationDetails')

/** A secret of an integration, as far as it may be told. */
export const secretState = z.object({
  name: z.string(),
  title: z.string(),
  required: z.boolean(),
  multiline: z.boolean(),
  setAt: instant.nullable().openapi({ description: 'null = it is not set' }),
})

/** An integration in the form in which people change it. */
export const integrationForm = integrationSummary.extend({
  configuration: z.record(z.string(), z.unknown()),
  filters,
  secrets: z.array(secretState),
  nextTimes: z.array(instant),
  pausedBecause: z.string().nullable(),
  version: z.int().min(1),
  /** The caller may change and run it. */
  mayEdit: z.boolean(),
})

/** What is shown of an integration in the form in which people change it. */
export type IntegrationForm = z.infer<typeof integrationForm>

/** What is shown of an integration in lists. */
export type IntegrationSummary = z.infer<typeof integrationSummary>

/** What is shown of an integration on its own. */
export type IntegrationDetails = z.infer<typeof integrationDetails>
