import type { Caller } from '../../requests/access/caller.ts'
import { KEY_SCOPES } from '../../../formats/team/key-scope.ts'
import { requirePermission } from '../../requests/http/missing-permission.ts'
import { may } from '../../requests/access/permission.ts'
import { notFound } from '../../platform/errors.ts'
import type { PathCall } from '../../requests/http/endpoint.ts'
import { toPage } from '../../requests/http/paging.ts'
import type { Connector } from '../../connectors/connector.ts'
import { filters, NO_FILTERS } from '../../connectors/filter.ts'
import { RUN_KINDS, toIngestionRun, type RunKind } from './run.ts'
import { nextTimes, readSchedule } from './schedule.ts'
import { readTime, type Clock, type Instant } from '../../platform/kit/clock.ts'
import type { SecretBox } from '../../platform/kit/secret-box.ts'
import { openSealed, toSealContext } from '../../platform/sealed-secrets.ts'
import type { Database } from '../../platform/tables.ts'
import { listSealed, listSecretStates } from './credential-store.ts'
import { configurationParts } from './integration.ts'
import type {
  Integration,
  IntegrationDetails,
  IntegrationForm,
  IntegrationSummary,
} from './integration.ts'
import * as store from './store.ts'

/** The number of schedule times shown. */
export const TIMES_SHOWN = 3

/**
 * Finds an integration that the caller may see: those of its team and the teams below; for people
 * also those without a team; for the whole organization all. Errors: not_found.
 */
export async function findVisibleIntegration(
  db: Database,
  caller: Caller,
  externalId: string,
): Promise<Integration> {
  const integration = await findIntegration(db, caller.organizationId, externalId)
  if (!isVisible(caller, integration)) throw notFound()
  return integration
}

/** Finds an integration for the catalog itself, regardless of visibility. Errors: not_found. */
export async function findIntegration(
  db: Database,
  organizationId: string,
  externalId: string,
): Promise<Integration> {
  const integration = await store.findIntegration(db, organizationId, externalId)
  if (integration === undefined) throw notFound()
  return integration
}

/** Finds an integration that the caller may change and run. Errors: not_found, permission_missing. */
export async function findEditableIntegration(
  db: Database,
  caller: Caller,
  externalId: string,
): Promise<Integration> {
  const integration = await findIntegration(db, caller.organizationId, externalId)
  requireEditable(caller, integration)
  return integration
}

/** Rejects callers who may not change and run the integration of a path. Errors: not_found, permission_missing. */
export async function requireIntegrationEdit({
  services,
  caller,
  params,
}: PathCall<'externalId'>): Promise<void> {
  await findEditableIntegration(services.db, caller, params.externalId)
}

/** Finds an integration and locks it until the end of the transaction. Errors: not_found. */
export async function lockIntegration(
  db: Database,
  organizationId: string,
  externalId: string,
  hold: store.Hold,
): Promise<Integration> {
  const integration = await store.findIntegration(db, organizationId, externalId, hold)
  if (integration === undefined) throw notFound()
  return integration
}

/**
 * Requires the permission to change and run an existing integration. One that the caller may not see does not exist for
 * any action. Errors: not_found, permission_missing.
 */
export function requireEditable(caller: Caller, integration: Integration): void {
  if (!isVisible(caller, integration)) throw notFound()
  requireIngestionEdit(caller, integration)
}

/** Requires the permission to change and run the integrations of a team. Errors: permission_missing. */
export function requireIngestionEdit(
  caller: Caller,
  { ownerTeam }: { ownerTeam: string | null },
): void {
  const detail =
    ownerTeam === null
      ? 'No team owns the integration, so only owners of the organization can do this.'
      : undefined
  requirePermission(caller, 'INGESTION_EDIT', ownerTeam, detail)
}

/** Lists a page of the integrations that the caller may see, each with its last ingestion. */
export async function listVisibleIntegrations(
  db: Database,
  caller: Caller,
  filter: Pick<store.ListFilter, 'page' | 'ownerTeam' | 'sources' | 'enabled'>,
): Promise<{ integrations: IntegrationSummary[]; hasMore: boolean }> {
  const { organizationId } = caller
  const rows = await store.listIntegrations(db, { ...filter, ...getVisibility(caller) })
  const { elements, hasMore } = toPage(rows)
  const integrations = await withLatestRuns(db, organizationId, elements, INGESTIONS)
  return { integrations, hasMore }
}

// The number of integrations that are compared with the servers of one contract.
const COMPARED_MAX = 1000

/** Lists the integrations of some sources that the caller may see, the oldest first. */
export async function listVisibleOfSources(
  db: Database,
  caller: Caller,
  sources: readonly string[],
): Promise<Integration[]> {
  if (sources.length === 0) return []
  const found: Integration[] = []
  for (let page = 0; found.length < COMPARED_MAX; page += 1) {
    const rows = await store.listIntegrations(db, {
      ...getVisibility(caller),
      ownerTeam: undefined,
      enabled: undefined,
      sources,
      page,
    })
    const { elements, hasMore } = toPage(rows)
    found.push(...elements)
    if (!hasMore) break
  }
  return found
}

function getVisibility(
  caller: Caller,
): Pick<store.ListFilter, 'organizationId' | 'seenTeams' | 'seesUnowned'> {
  return {
    organizationId: caller.organizationId,
    seenTeams: caller.organizationOwner ? undefined : [...caller.roles.keys()],
    seesUnowned: seesUnowned(caller),
  }
}

/** Returns an integration with its last ingestion. Errors: not_found. */
export async function describeIntegration(
  db: Database,
  caller: Caller,
  externalId: string,
): Promise<IntegrationDetails> {
  const integration = await findVisibleIntegration(db, caller, externalId)
  const { configuration, filters } = configurationParts(integration.configuration)
  const summary = await toSummary(db, caller.organizationId, integration, INGESTIONS)
  return { ...summary, configuration: { ...configuration, filters: filters ?? NO_FILTERS } }
}

/**
 * Returns an integration in the form for editing: with the states of its secrets, never with their
 * values. Errors: not_found.
 */
export async function showForm(
  { db, clock }: { db: Database; clock: Clock },
  connectors: ReadonlyMap<string, Connector>,
  caller: Caller,
  externalId: string,
): Promise<IntegrationForm> {
  const { organizationId } = caller
  const integration = await findVisibleIntegration(db, caller, externalId)
  const { id, source, ownerTeam, version, pausedBecause } = integration
  const { configuration, filters: stored } = configurationParts(integration.configuration)
  const now = await readTime(db, clock)
  const states = await listSecretStates(db, organizationId, id)
  const setAt = new Map(states.map((state) => [state.field, state.setAt]))
  const secrets = connectors.get(source)?.description.secrets ?? []
  return {
    ...(await toSummary(db, organizationId, integration, RUN_KINDS)),
    configuration,
    filters: filters.catch(NO_FILTERS).parse(stored),
    secrets: secrets.map((secret) => ({ ...secret, setAt: setAt.get(secret.name) ?? null })),
    nextTimes: listTimes(integration, now),
    pausedBecause,
    version,
    mayEdit: may(caller, 'INGESTION_EDIT', ownerTeam ?? undefined),
  }
}

// Only times that will fire are shown: a disabled or paused schedule has none.
function listTimes(integration: Integration, now: Instant): Instant[] {
  const { scheduleExpression, timeZone, enabled, pausedBecause } = integration
  if (!enabled || pausedBecause !== null || scheduleExpression === null) return []
  const reading = readSchedule(scheduleExpression, timeZone)
  return reading.ok ? nextTimes(reading.schedule, now, TIMES_SHOWN, integration.id) : []
}

// Previews must not mislead a client that waits for an ingestion. The form shows any run, because
// its page follows whichever is in progress.
const INGESTIONS: readonly RunKind[] = ['ingest']

async function toSummary(
  db: Database,
  organizationId: string,
  integration: Integration,
  kinds: readonly RunKind[],
): Promise<IntegrationSummary> {
  const [summary] = await withLatestRuns(db, organizationId, [integration], kinds)
  if (summary === undefined) throw notFound()
  return summary
}

async function withLatestRuns(
  db: Database,
  organizationId: string,
  integrations: readonly Integration[],
  kinds: readonly RunKind[],
): Promise<IntegrationSummary[]> {
  const ids = integrations.map(({ id }) => id)
  const runs = ids.length === 0 ? [] : await store.listLatestRuns(db, organizationId, ids, kinds)
  const byIntegration = new Map(runs.map((run) => [run.integration_id, run]))
  return integrations.map((integration) => {
    const { id, externalId, name, source, enabled, ownerTeam } = integration
    const { scheduleExpression, timeZone } = integration
    const run = byIntegration.get(id)
    return {
      externalId,
      name,
      source,
      enabled,
      assetOwnerTeamExternalId: ownerTeam,
      owningTeamExternalId: ownerTeam,
      scheduleExpression,
      timeZone,
      latestRun: run === undefined ? null : toIngestionRun(run, externalId),
    }
  })
}

// Integrations without a team are visible to the organization and its members, not to team keys.
function seesUnowned({ scope }: Caller): boolean {
  return KEY_SCOPES[scope].holder !== 'team'
}

function isVisible(caller: Caller, { ownerTeam }: Integration): boolean {
  if (caller.organizationOwner) return true
  return ownerTeam === null ? seesUnowned(caller) : caller.roles.has(ownerTeam)
}

/** Returns the context to which a credential is bound. */
export function toSecretContext({
  organizationId,
  integrationId,
  field,
}: {
  organizationId: string
  integrationId: string
  field: string
}): string {
  return toSealContext('credential', [organizationId, integrationId, field])
}

/**
 * Decrypts the secrets of an integration, by the names of the connector's fields; unset and
 * excluded ones are absent. Errors: SecretUnreadable.
 */
export async function openCredentials(
  db: Database,
  box: SecretBox,
  organizationId: string,
  integrationId: string,
  except: readonly string[] = [],
): Promise<Record<string, string>> {
  const secrets = await listSealed(db, organizationId, integrationId)
  const wanted = secrets.filter(({ field }) => !except.includes(field))
  const opened = wanted.map((secret) => [
    secret.field,
    openSealed(box, 'credential', [organizationId, integrationId, secret.field], secret.sealed),
  ])
  return Object.fromEntries(opened)
}
