import { isDeepStrictEqual } from 'node:util'
import { z } from '@hono/zod-openapi'
import { formatPath, getField, asText, type Value } from '../../../formats/text/value.ts'
import type { Violation } from '../../platform/errors.ts'
import type { Connector } from '../../connectors/connector.ts'
import type { Description } from '../../connectors/description.ts'
import { filters, NO_FILTERS, type Filters } from '../../connectors/filter.ts'
import { findTimeZoneProblem, TIME_ZONE_USUAL } from '../../../formats/schedule/cron.ts'
import { readSchedule, type Schedule } from './schedule.ts'
import { configurationParts, findIntegrationIdProblem } from './integration.ts'

/**
 * The settings of an integration as entered by a person, validated by its connector. Secrets are
 * never returned, so a draft of an existing integration only contains those that change. Changing
 * the host or the account requires all secrets again: otherwise a stored password could be sent to
 * another host.
 */
export interface Draft {
  externalId: string | undefined
  name: string
  /** In the connector's shape, with defaults. */
  configuration: Record<string, unknown>
  filters: Filters
  /** The secrets to set. */
  secrets: ReadonlyMap<string, string>
  /** The names of the secrets to remove. */
  removedSecrets: readonly string[]
  schedule: Schedule | undefined
  timeZone: string
  enabled: boolean
  /** The version that the person saw; undefined = not sent. */
  version: number | undefined
}

/** The integration that a draft would change. */
export interface ExistingIntegration {
  externalId: string
  source: string
  /** As stored. */
  configuration: unknown
  /** The names of the secrets that are set. */
  secretNames: readonly string[]
}

/** A parsed draft, or all its violations. */
type DraftReading =
  | { ok: true; draft: Draft; connector: Connector }
  | { ok: false; violations: Violation[] }

const NAME_CHARACTERS_MAX = 200
const SECRET_CHARACTERS_MAX = 64 * 1024

/** The documented shape of a draft. */
export const draftBody = z.strictObject({
  externalId: z.string().nullish(),
  name: z.string(),
  source: z.string(),
  owningTeamExternalId: z.string().nullish(),
  configuration: z.record(z.string(), z.unknown()),
  filters: filters.optional(),
  secrets: z.record(z.string(), z.string().nullable()).optional(),
  scheduleExpression: z.string().nullish(),
  timeZone: z.string().nullish(),
  enabled: z.boolean().optional(),
  version: z.int().nullish(),
})

/**
 * Parses a draft. `existing` is the integration that it would change. A `trial`, a draft that is
 * only tested, needs no name and no schedule.
 */
export function readDraft(
  value: Value,
  connectors: ReadonlyMap<string, Connector>,
  existing: ExistingIntegration | undefined,
  options: { trial: boolean },
): DraftReading {
  const source = getField(value, 'source') ?? existing?.source
  const connector = typeof source === 'string' ? connectors.get(source) : undefined
  if (connector === undefined) return { ok: false, violations: [unknownSource(connectors)] }
  if (existing !== undefined && source !== existing.source) {
    const message = `The source of an integration cannot change; it is ${existing.source}.`
    return { ok: false, violations: [{ field: 'source', message }] }
  }
  const { description } = connector
  const read = createShape(description, options).safeParse(value)
  const violations = [
    ...(read.success ? [] : read.error.issues.flatMap(toViolations)),
    ...validateId(asText(getField(value, 'externalId')), existing),
  ]
  const timing = options.trial ? {} : parseTiming(value)
  violations.push(...(timing.violations ?? []))
  if (!read.success) return { ok: false, violations }
  violations.push(...validateSecrets(description, read.data, existing))
  if (violations.length > 0) return { ok: false, violations }
  const { schedule, timeZone = TIME_ZONE_USUAL } = timing
  return { ok: true, draft: { ...toDraft(read.data), schedule, timeZone }, connector }
}

interface Timing {
  schedule?: Schedule | undefined
  timeZone?: string | undefined
  violations?: Violation[]
}

function parseTiming(value: Value): Timing {
  const expression = asText(getField(value, 'scheduleExpression'))
  const timeZone = asText(getField(value, 'timeZone')) ?? TIME_ZONE_USUAL
  if (expression === undefined) {
    const message = findTimeZoneProblem(timeZone)
    return { timeZone, violations: message === undefined ? [] : [{ field: 'timeZone', message }] }
  }
  const reading = readSchedule(expression, timeZone)
  if (reading.ok) return { timeZone, schedule: reading.schedule }
  return { timeZone, violations: [{ field: reading.field, message: reading.message }] }
}

/** A stored configuration that its connector accepts, or its violations. */
type StoredReading =
  | { ok: true; connector: Connector; configuration: Record<string, unknown>; filters: Filters }
  | { ok: false; violations: Violation[] }

/** Validates the stored configuration of an integration with its connector's current shape. */
export function readStoredSetup(
  { source, configuration: stored }: Pick<ExistingIntegration, 'source' | 'configuration'>,
  connectors: ReadonlyMap<string, Connector>,
): StoredReading {
  const connector = connectors.get(source)
  if (connector === undefined) return { ok: false, violations: [unknownSource(connectors)] }
  const shape = z.object({
    configuration: connector.description.configuration,
    filters: filters.default(NO_FILTERS),
  })
  const read = shape.safeParse(configurationParts(stored))
  if (!read.success) return { ok: false, violations: read.error.issues.flatMap(toViolations) }
  return { ok: true, connector, ...read.data }
}

function unknownSource(connectors: ReadonlyMap<string, Connector>): Violation {
  const names = [...connectors.keys()].toSorted().join(', ')
  return { field: 'source', message: `must be one of ${names}` }
}

/** Returns the external id of the owning team in a draft, even if the rest of it is invalid. */
export function getOwnerName(value: Value): string | undefined {
  return asText(getField(value, 'owningTeamExternalId'))
}

function createShape({ configuration, secrets }: Description, { trial }: { trial: boolean }) {
  const secret = z.string().min(1).max(SECRET_CHARACTERS_MAX).nullable().optional()
  const name = z.string().trim().min(1).max(NAME_CHARACTERS_MAX)
  return z.strictObject({
    externalId: z.string().nullish(),
    name: trial ? name.default('-').catch('-') : name,
    source: z.string().optional(),
    owningTeamExternalId: z.string().min(1).nullish(),
    configuration: configuration.strict(),
    filters: filters.default(NO_FILTERS),
    secrets: z
      .strictObject(Object.fromEntries(secrets.map(({ name }) => [name, secret])))
      .default({}),
    scheduleExpression: z.string().nullish(),
    timeZone: z.string().nullish(),
    enabled: z.boolean().default(true),
    version: z.int().min(1).nullish(),
  })
}

type ReadShape = z.infer<ReturnType<typeof createShape>>

function toDraft(read: ReadShape): Omit<Draft, 'schedule' | 'timeZone'> {
  const given = Object.entries(read.secrets)
  return {
    externalId: read.externalId ?? undefined,
    name: read.name,
    configuration: read.configuration,
    filters: read.filters,
    secrets: new Map(
      given.flatMap(([name, text]) => (typeof text === 'string' ? [[name, text]] : [])),
    ),
    removedSecrets: given.flatMap(([name, text]) => (text === null ? [name] : [])),
    enabled: read.enabled,
    version: read.version ?? undefined,
  }
}

function validateId(
  id: string | undefined,
  existing: ExistingIntegration | undefined,
): Violation[] {
  if (id === undefined) return []
  const field = 'externalId'
  if (existing !== undefined) {
    if (id === existing.externalId) return []
    return [{ field, message: `The id cannot change; it is ${existing.externalId}.` }]
  }
  const problem = findIntegrationIdProblem(id)
  return problem === undefined ? [] : [{ field, message: `The id ${problem}.` }]
}

function validateSecrets(
  { secrets, connectionFields, configuration: shape }: Description,
  read: ReadShape,
  existing: ExistingIntegration | undefined,
): Violation[] {
  const given = Object.entries(read.secrets)
  const set = new Set(existing?.secretNames)
  for (const [name, text] of given) if (text === null) set.delete(name)
  const changed =
    existing === undefined ? [] : changedFields(shape, existing, read, connectionFields)
  const toRepeat = secrets.filter(
    ({ name }) => set.has(name) && typeof read.secrets[name] !== 'string',
  )
  const repeating = changed.length === 0 ? [] : toRepeat
  for (const [name, text] of given) if (typeof text === 'string') set.add(name)
  const missing = secrets.filter(({ name, required }) => required && !set.has(name))
  return [
    ...missing.map(({ name, title }) => ({
      field: formatPath(['secrets', name]),
      message: `${title} must be set.`,
    })),
    ...repeating.map(({ name }) => ({
      field: formatPath(['secrets', name]),
      message: `Enter it again because ${changed.join(', ')} changed. A stored secret is never sent to another destination.`,
    })),
  ]
}

function changedFields(
  shape: Description['configuration'],
  existing: ExistingIntegration,
  read: ReadShape,
  fields: readonly string[],
): string[] {
  const stored = configurationParts(existing.configuration).configuration
  // A field added later has its default in both.
  const parsed = shape.safeParse(stored)
  const before: Record<string, unknown> = parsed.success ? parsed.data : stored
  return fields.filter((name) => !isDeepStrictEqual(before[name], read.configuration[name]))
}

function toViolations(issue: z.core.$ZodIssue): Violation[] {
  const path = issue.path.map((part) => (typeof part === 'symbol' ? String(part) : part))
  if (issue.code !== 'unrecognized_keys') {
    return [{ field: formatPath(path), message: issue.message }]
  }
  return issue.keys.map((key) => ({
    field: formatPath([...path, key]),
    message: 'Unknown field.',
  }))
}
