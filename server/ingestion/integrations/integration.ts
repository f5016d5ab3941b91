import { z } from '@hono/zod-openapi'
import { toSlug } from '../../../formats/name/slug.ts'
import { findIdProblem } from '../../../formats/name/document-id.ts'
import { ingestionRun } from './run.ts'
import { CONNECTORS } from '../../connectors/connectors.ts'
import { filters } from '../../connectors/filter.ts'
import type { Instant } from '../../platform/kit/clock.ts'

/**
 * An integration is a source platform that an organization has connected: its address, credentials,
 * filters and schedule. Its runs import the platform's tables into the catalog as assets. It
 * belongs to a team, or only to the organization's owners.
 */
export interface Integration {
  /** The internal id. */
  id: string
  externalId: string
  name: string
  /** The source platform, which is the connector's name. */
  source: string
  /** External id of the owning team; null = none. */
  ownerTeam: string | null
  ownerTeamId: string | null
  /** The connector's fields and `filters`. */
  configuration: unknown
  /** Null = it only runs manually. */
  scheduleExpression: string | null
  timeZone: string
  /** Whether the schedule is enabled. */
  enabled: boolean
  /** Null = the schedule is disabled, paused, or missing. */
  nextDueAt: Instant | null
  /** The reason for a pause of the schedule; null = not paused. */
  pausedBecause: string | null
  version: number
}

/** The only source platforms that clients of the older list support. */
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

/** All source platforms on the wire. */
export const SOURCES: readonly string[] = [...new Set([...WIRE_SOURCES, ...CONNECTORS.keys()])]

// Segments of addresses below that of all integrations.
const RESERVED_IDS: readonly string[] = [
  'ingest',
  'unity-catalog-metadata',
  'test',
  'schedule',
  'scopes',
  'latest',
]

const SLUG_CHARACTERS_MAX = 60

/**
 * Validates an integration's id; returns the problem as the end of a sentence, undefined if it is
 * valid.
 */
export function findIntegrationIdProblem(id: string): string | undefined {
  if (RESERVED_IDS.includes(id)) return 'is reserved'
  return findIdProblem(id)
}

/** Derives an id from a name; from the source's name if the name has no usable characters. */
export function createSlug(name: string, source: string): string {
  const slug = toSlug(name, SLUG_CHARACTERS_MAX)
  const id = slug === '' ? source : slug
  return findIntegrationIdProblem(id) === undefined ? id : `${id}-${source}`
}

const storedConfiguration = z.record(z.string(), z.unknown())

/** Splits the stored configuration into the connector's fields and the filters. */
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
      description: 'Whether the schedule is enabled; if not, it can still be run manually',
    }),
    assetOwnerTeamExternalId: z.string().nullable(),
    owningTeamExternalId: z
      .string()
      .nullable()
      .openapi({ description: 'The same as assetOwnerTeamExternalId' }),
    scheduleExpression: z.string().nullable().openapi({
      description: 'Cron: 5 fields, or 6 with seconds first; null = it only runs manually',
    }),
    timeZone: z.string(),
    latestRun: ingestionRun.nullable().openapi({
      description: 'The last ingestion, without previews and corrections; null = it never ran',
    }),
  })
  .openapi('Integration')

/** An integration with its configuration. */
export const integrationDetails = integrationSummary
  .extend({
    configuration: z.record(z.string(), z.unknown()).openapi({
      description: 'The fields of the source and `filters`, without secrets',
    }),
  })
  .openapi('IntegrationDetails')

/** A secret of an integration, without its value. */
const secretState = z.object({
  name: z.string(),
  title: z.string(),
  required: z.boolean(),
  multiline: z.boolean(),
  setAt: instant.nullable().openapi({ description: 'null = it is not set' }),
})

/** An integration with everything that can be edited. */
export const integrationForm = integrationSummary.extend({
  configuration: z.record(z.string(), z.unknown()),
  // Connectors do not depend on OpenAPI: their schemas lack its methods.
  filters: z.strictObject(filters.shape).openapi('Filters'),
  secrets: z.array(secretState),
  nextTimes: z.array(instant),
  pausedBecause: z.string().nullable(),
  version: z.int().min(1),
  /** Whether the caller may change and run it. */
  mayEdit: z.boolean(),
})

/** An integration with everything that can be edited. */
export type IntegrationForm = z.infer<typeof integrationForm>

/** An integration in lists. */
export type IntegrationSummary = z.infer<typeof integrationSummary>

/** An integration with its configuration. */
export type IntegrationDetails = z.infer<typeof integrationDetails>
