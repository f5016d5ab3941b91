import type { ActivityActor } from '../../ledger/activity/entry.ts'
import { randomBytes, randomUUIDv7 } from 'node:crypto'
import { clip, type Value } from '../../../formats/text/value.ts'
import type { Caller } from '../../requests/access/caller.ts'
import { requireSomewhere } from '../../requests/http/missing-permission.ts'
import { ApiError } from '../../platform/errors.ts'
import { checkPreconditions, type Conditions } from '../../requests/http/conditional.ts'
import { describeUnknownTeam, invalidRequest } from '../../requests/http/document.ts'
import type { Connector } from '../../connectors/connector.ts'
import { nextDueAt } from './schedule.ts'
import { readTime, type Clock, type Instant } from '../../platform/kit/clock.ts'
import { violatedConstraint } from '../../platform/kit/store-errors.ts'
import type { SecretBox } from '../../platform/kit/secret-box.ts'
import type { SettleReality } from '../../platform/reality-change.ts'
import type { Database } from '../../platform/tables.ts'
import { settleAddresses } from './address-service.ts'
import { deleteSecrets, listSecretStates, upsertSecrets } from './credential-store.ts'
import { getOwnerName, readDraft, type Draft, type ExistingIntegration } from './draft.ts'
import { createSlug, type Integration } from './integration.ts'
import {
  lockIntegration,
  requireEditable,
  requireIngestionEdit,
  toSecretContext,
} from './service.ts'
import * as store from './store.ts'

/** The services for changes of integrations. */
export interface ChangeServices {
  db: Database
  bulkDb: Database
  clock: Clock
  secretBox: SecretBox
  settleReality: SettleReality
}

/** The connectors of this program, by name. */
export type Connectors = ReadonlyMap<string, Connector>

// Ids generated from a name: the name, the name with 2, 3 and so on, then one with a random suffix.
const NUMBERED_IDS_MAX = 9

/**
 * Creates an integration and encrypts its secrets. Returns its external id. Errors:
 * permission_missing, document_invalid, limit_reached if the external id is taken.
 */
export async function createIntegration(
  services: ChangeServices,
  connectors: Connectors,
  caller: Caller,
  value: Value,
  requestId = '',
): Promise<string> {
  const { db, clock, secretBox } = services
  const { organizationId, principal } = caller
  const ownerTeam = getOwnerName(value)
  return await inTransaction(db, async (transaction) => {
    const owner = await store.findOwnerAndTime(transaction, clock, organizationId, ownerTeam)
    requireOwnership(caller, undefined, ownerTeam, owner.ownerTeamId)
    const { draft, connector } = draftFor(connectors, { value, ownerTeam, ...owner })
    const id = randomUUIDv7()
    const actor = { organizationId, principal, requestId }
    const row = { ...actor, id, ...toColumns(draft, id, owner) }
    const source = connector.source
    for (const externalId of idsFor(draft, source)) {
      if (!(await store.insertIntegration(transaction, { ...row, externalId, source }))) continue
      await writeSecrets({ db: transaction, clock, secretBox }, actor, id, draft)
      const change = { ...actor, integrationId: id }
      const { configuration } = row
      await settleAddresses(services, transaction, change, { name: source, configuration })
      return externalId
    }
    throw new ApiError(
      'id_taken',
      `The id ${clip(draft.externalId ?? '')} is taken by another integration. Choose another id.`,
    )
  })
}

/** A request to change an integration. */
interface Configuring {
  externalId: string
  value: Value
  conditions: Conditions
  requestId?: string
}

/**
 * Replaces the mutable properties of an integration, and the secrets that are sent. Errors:
 * not_found, permission_missing, precondition_failed, document_invalid.
 */
export async function configureIntegration(
  services: ChangeServices,
  connectors: Connectors,
  caller: Caller,
  { externalId, value, conditions, requestId = '' }: Configuring,
): Promise<void> {
  const { db, clock, secretBox } = services
  const { organizationId, principal } = caller
  const ownerTeam = getOwnerName(value)
  await inTransaction(db, async (transaction) => {
    const integration = await lockIntegration(
      transaction,
      organizationId,
      externalId,
      'against changes',
    )
    const owner = await store.findOwnerAndTime(transaction, clock, organizationId, ownerTeam)
    requireOwnership(caller, integration, ownerTeam, owner.ownerTeamId)
    checkPreconditions(conditions, String(integration.version))
    const existing = await getExistingIntegration(transaction, organizationId, integration)
    const { draft } = draftFor(connectors, { value, existing, ownerTeam, ...owner })
    if (draft.version !== undefined && draft.version !== integration.version) {
      throw new ApiError(
        'precondition_failed',
        `The integration has changed: version ${integration.version} is current. Reload it and make your change again.`,
        { extensions: { precondition: 'changed' } },
      )
    }
    const { id } = integration
    const columns = toColumns(draft, id, owner)
    const resumed = draft.secrets.size > 0 || (draft.enabled && !integration.enabled)
    const dueAt = keepsTime(integration, columns) ? integration.nextDueAt : columns.nextDueAt
    const pauses = integration.pausedBecause !== null && !resumed
    const actor = { organizationId, principal, requestId }
    const row = {
      ...columns,
      ...actor,
      id,
      resumed,
      nextDueAt: pauses ? null : dueAt,
    }
    await store.updateIntegration(transaction, row)
    await writeSecrets({ db: transaction, clock, secretBox }, actor, id, draft)
    const change = { ...actor, integrationId: id }
    const { configuration } = columns
    await settleAddresses(services, transaction, change, {
      name: integration.source,
      configuration,
    })
  })
}

/** Returns the stored state of an integration for a draft that changes it. */
export async function getExistingIntegration(
  db: Database,
  organizationId: string,
  { id, externalId, source, configuration }: Integration,
): Promise<ExistingIntegration> {
  const states = await listSecretStates(db, organizationId, id)
  return { externalId, source, configuration, secretNames: states.map(({ field }) => field) }
}

/**
 * Enables or disables the schedule of an integration; enabling also ends a pause. Errors:
 * not_found, permission_missing.
 */
export async function setEnabled(
  { db, clock }: ChangeServices,
  caller: Caller,
  externalId: string,
  enabled: boolean,
  requestId = '',
): Promise<void> {
  const { organizationId, principal } = caller
  await db.transaction().execute(async (transaction) => {
    const integration = await lockIntegration(
      transaction,
      organizationId,
      externalId,
      'against changes',
    )
    requireEditable(caller, integration)
    const { id, scheduleExpression: expression, timeZone } = integration
    const now = await readTime(transaction, clock)
    const dueAt =
      enabled && expression !== null ? nextDueAt({ expression, timeZone }, id, now) : undefined
    const actor = { organizationId, principal, requestId }
    const change = { ...actor, id, enabled, nextDueAt: dueAt ?? null, now }
    await store.updateEnabled(transaction, change)
  })
}

/** A draft that was sent, and the team that it names. */
interface DraftInput {
  value: Value
  existing?: ExistingIntegration | undefined
  ownerTeam: string | undefined
  /** Internal id of that team; null if it does not exist. */
  ownerTeamId: string | null
}

/** Parses a draft, or rejects it with all violations. Errors: document_invalid. */
export function draftFor(
  connectors: Connectors,
  { value, existing, ownerTeam, ownerTeamId }: DraftInput,
  options = { trial: false },
): { draft: Draft; connector: Connector } {
  const reading = readDraft(value, connectors, existing, options)
  const violations = reading.ok ? [] : reading.violations
  if (ownerTeam !== undefined && ownerTeamId === null) {
    const field = 'owningTeamExternalId'
    const id = clip(ownerTeam)
    const all = [...violations, { field, message: describeUnknownTeam(id) }]
    throw invalidRequest(all, { unknownTeam: { id, field } })
  }
  if (!reading.ok) throw invalidRequest(violations)
  return reading
}

/**
 * Requires the permission to change an integration for its old and its new owner; the error reveals
 * no teams to callers without any. Errors: not_found, permission_missing.
 */
export function requireOwnership(
  caller: Caller,
  integration: Integration | undefined,
  newOwner: string | undefined,
  newOwnerId: string | null,
): void {
  if (integration !== undefined) requireEditable(caller, integration)
  requireSomewhere(caller, 'INGESTION_EDIT')
  const isUnknown = newOwner !== undefined && newOwnerId === null
  if (!isUnknown) requireIngestionEdit(caller, { ownerTeam: newOwner ?? null })
}

// The team may be deleted concurrently: a foreign key prevents a dangling owner.
async function inTransaction<T>(db: Database, work: (db: Database) => Promise<T>): Promise<T> {
  try {
    return await db.transaction().execute(work)
  } catch (error) {
    if (violatedConstraint(error) !== 'integration_owner') throw error
    const message = 'The team no longer exists.'
    throw invalidRequest([{ field: 'owningTeamExternalId', message }])
  }
}

type Columns = Pick<
  store.IntegrationRow,
  | 'name'
  | 'ownerTeamId'
  | 'configuration'
  | 'scheduleExpression'
  | 'timeZone'
  | 'enabled'
  | 'nextDueAt'
  | 'now'
>

function toColumns(
  draft: Draft,
  id: string,
  { ownerTeamId, now }: { ownerTeamId: string | null; now: Instant },
): Columns {
  const { name, configuration, filters, schedule, timeZone, enabled } = draft
  const dueAt = schedule !== undefined && enabled ? nextDueAt(schedule, id, now) : undefined
  return {
    name,
    ownerTeamId,
    configuration: { ...configuration, filters },
    scheduleExpression: schedule?.expression ?? null,
    timeZone,
    enabled,
    nextDueAt: dueAt ?? null,
    now,
  }
}

// A change of other fields must not lose a time that is due but not yet processed.
function keepsTime(before: Integration, after: Columns): boolean {
  return (
    before.nextDueAt !== null &&
    after.nextDueAt !== null &&
    before.scheduleExpression === after.scheduleExpression &&
    before.timeZone === after.timeZone
  )
}

function idsFor({ externalId, name }: Draft, source: string): string[] {
  if (externalId !== undefined) return [externalId]
  const slug = createSlug(name, source)
  const numbers = Array.from({ length: NUMBERED_IDS_MAX - 1 }, (_, index) => index + 2)
  const numbered = numbers.map((number) => `${slug}-${number}`)
  return [slug, ...numbered, `${slug}-${randomBytes(4).toString('hex')}`]
}

async function writeSecrets(
  { db, clock, secretBox }: Pick<ChangeServices, 'db' | 'clock' | 'secretBox'>,
  actor: ActivityActor & { organizationId: string },
  integrationId: string,
  { secrets, removedSecrets }: Draft,
): Promise<void> {
  const { organizationId } = actor
  if (removedSecrets.length > 0) {
    await deleteSecrets(db, clock, { ...actor, integrationId }, removedSecrets)
  }
  if (secrets.size === 0) return
  const sealed = [...secrets].map(([field, secret]) => ({
    field,
    sealed: secretBox.seal(secret, toSecretContext({ organizationId, integrationId, field })),
  }))
  const { keyId } = secretBox
  await upsertSecrets(db, clock, { organizationId, integrationId, keyId }, sealed, actor)
}
