import { sql, type RawBuilder } from 'kysely'
import type { ActivityActor } from '../ledger/activity/entry.ts'
import type { AccessEventName } from '../ledger/events/event.ts'
import {
  firstInstant,
  firstVersion,
  nextUpdatedAt,
  appendDeletion,
} from '../ledger/history/record.ts'
import { AUDIENCE, appendNotifications } from '../notices/notifications/record.ts'
import type { Clock } from '../platform/kit/clock.ts'
import type { Database } from '../platform/tables.ts'
import {
  AGREEMENT_KIND,
  type Agreement,
  type AgreementKey,
  type AgreementWrite,
} from './agreement.ts'
import { REPORTS_MAX, type ProvisioningStatus } from './provisioning.ts'
import { COLUMNS, MEMBERS } from './query.ts'
import {
  ENTRY_DETAILS,
  keepFollowed,
  listChanges,
  MOVED_WITH_PRODUCTS,
  appendEvents,
} from './record.ts'

// The statement that writes an agreement decides the first of these, reports of connectors and changes of contracts the
// last ones.
const NOT_WRITTEN: ReadonlySet<string> = new Set([
  'organizationId',
  'id',
  'version',
  'createdAt',
  'updatedAt',
  'provisioning',
  'provisioningVersion',
  'contractChangedAt',
  'contractChangedLevel',
])

/**
 * Inserts an agreement with its first version and its events, in one statement. Returns false if there is one with its
 * id. A data product that was deleted in the meantime violates a constraint if the agreement holds it.
 */
export async function insertAgreement(
  db: Database,
  clock: Clock,
  write: AgreementWrite,
  change: ActivityActor,
): Promise<boolean> {
  const { organizationId, id } = write.agreement
  const names = listWrittenColumns()
  const { rows } = await sql`
    with given as (${selectGiven([write])}
    ),
    written as (
      insert into access_agreement (
        organization_id, external_id, version, ${sql.join(names)}, created_at, updated_at
      )
      select
        given.organization_id, given.external_id,
        ${firstVersion(organizationId, AGREEMENT_KIND, id)},
        ${sql.join(names.map((name) => sql`given.${name}`))}, now.instant, now.instant
      from given,
        (select ${firstInstant(clock, organizationId, AGREEMENT_KIND, id)} as instant) as now
      on conflict (organization_id, external_id) do nothing
      returning *
    ),
    ${appendChange([write], change)}
    select from written
  `.execute(db)
  return rows.length > 0
}

/**
 * Replaces agreements whose version is still current, each with its next version and its events, in one statement.
 * Returns the keys of those that were replaced.
 */
export async function updateAgreements(
  db: Database,
  clock: Clock,
  writes: readonly AgreementWrite[],
  change: ActivityActor,
): Promise<AgreementKey[]> {
  const names = listWrittenColumns(MOVED_WITH_PRODUCTS)
  const { rows } = await sql<AgreementKey>`
    with given as (${selectGiven(writes)}
    ),
    written as (
      update access_agreement as agreement
      set version = agreement.version + 1,
        ${sql.join(names.map((name) => sql`${name} = given.${name}`))},
        ${keepFollowed},
        updated_at = ${nextUpdatedAt(clock.now, sql`agreement.updated_at`)}
      from given
      where agreement.organization_id = given.organization_id
        and agreement.external_id = given.external_id
        and agreement.version = given.version
      returning agreement.*
    ),
    ${appendChange(writes, change)}
    select organization_id as "organizationId", external_id as id from written
  `.execute(db)
  return rows
}

function listWrittenColumns(except: ReadonlySet<string> = new Set()): RawBuilder<unknown>[] {
  return MEMBERS.filter((name) => !NOT_WRITTEN.has(name) && !except.has(name)).map((name) =>
    sql.ref(COLUMNS[name]),
  )
}

// The rows as JSON, so that a statement has the same text for any number of them.
function selectGiven(writes: readonly AgreementWrite[]): RawBuilder<unknown> {
  const rows = writes.map(({ agreement }) =>
    Object.fromEntries(
      MEMBERS.filter((name) => name !== 'createdAt' && name !== 'updatedAt').map((name) => [
        COLUMNS[name],
        agreement[name],
      ]),
    ),
  )
  return sql`
      select *
      from json_populate_recordset(null::access_agreement, ${JSON.stringify(rows)}::json)`
}

// The version, the events and the entries of each written agreement.
function appendChange(
  writes: readonly AgreementWrite[],
  { principal, requestId }: ActivityActor,
): RawBuilder<unknown> {
  const texts = writes.map(({ agreement: { organizationId, id }, presented }) => ({
    organization_id: organizationId,
    external_id: id,
    presented,
  }))
  // A change without events is an update.
  const changes = writes.map(({ agreement, events }) => ({
    ...listChanges(agreement, events),
    ...(events.length === 0 && { actions: ['updated'] }),
  }))
  const entry = {
    versionBefore: sql`nullif(written.version - 1, 0)`,
    versionAfter: sql`written.version`,
    details: ENTRY_DETAILS,
  }
  const former = sql`
    left join access_agreement as former on former.organization_id = written.organization_id
      and former.external_id = written.external_id`
  return sql`revised as (
      insert into revision (
        organization_id, kind, external_id, version, document, media_type, format, digest, level,
        facts, created_at, valid_from, principal, request_id
      )
      select
        written.organization_id, ${AGREEMENT_KIND}, written.external_id, written.version,
        texts.presented, 'application/json', ${AGREEMENT_KIND}, written.digest, 'none',
        jsonb_build_object(
          'name', written.external_id, 'ownerId', written.provider_team, 'status', written.state
        ),
        written.created_at, written.updated_at, ${principal}, ${requestId}
      from written
      join json_to_recordset(${JSON.stringify(texts)}::json) as texts (
        organization_id uuid, external_id text, presented text
      ) on texts.organization_id = written.organization_id
        and texts.external_id = written.external_id
    ),
    ${appendEvents(changes, { principal, requestId }, { result: 'written', entry, joins: former })}`
}

/**
 * Deletes an agreement if this version is still the current one, ends its history, and records the events, in one
 * statement. It also notifies both sides of a request or of active access, because its parties are unknown afterwards.
 * Returns false if there is a newer version.
 */
export async function deleteAgreement(
  db: Database,
  clock: Clock,
  { organizationId, id, version }: Agreement,
  { principal, requestId, events }: ActivityActor & { events: readonly AccessEventName[] },
): Promise<boolean> {
  const changes = [listChanges({ organizationId, id }, events)]
  const entry = { versionBefore: sql`removed.version` }
  const { rows } = await sql`
    with removed as (
      delete from access_agreement
      where organization_id = ${organizationId}
        and external_id = ${id}
        and version = ${version}
      returning *, ${nextUpdatedAt(clock.now)} as removed_at
    ),
    marked as (${appendDeletion(organizationId, AGREEMENT_KIND, principal)}
    ),
    ${appendEvents(changes, { principal, requestId }, { result: 'removed', entry })},
    occasion as (${selectOccasion(principal)}
    ),
    notified as (${appendNotifications(sql`${organizationId}::uuid`)}
    )
    select from removed
  `.execute(db)
  return rows.length > 0
}

// The notification of the deletion of a request, or of access in force.
function selectOccasion(principal: string): RawBuilder<unknown> {
  return sql`
      select 'access_decided' as kind,
        'access/' || removed.external_id || '/' || removed.version || '/deleted' as occasion,
        'access' as subject_kind, removed.external_id as subject_id,
        coalesce(product.name, removed.provider_product) as subject_name,
        ${principal}::text as principal,
        jsonb_build_object(
          'decision', case removed.state when 'requested' then 'deleted' else 'ended' end,
          'isDeleted', true,
          'consumer', coalesce(team.name, account.name, removed.consumer_team),
          'consumerUser', removed.consumer_user
        ) as data,
        jsonb_build_array(
          ${AUDIENCE.user(sql`removed.requested_by_user`, 'requester')},
          ${AUDIENCE.user(sql`removed.consumer_user`, 'requester')},
          ${AUDIENCE.team(sql`removed.consumer_team`, 'consumer')},
          ${AUDIENCE.approvers(sql`removed.provider_team`)}
        ) as audience,
        null::text[] as visible_to, removed.removed_at as occurred_at
      from removed
      left join data_product as product on product.organization_id = removed.organization_id
        and product.external_id = removed.provider_product
      left join team on team.organization_id = removed.organization_id
        and team.external_id = removed.consumer_team
      left join user_account as account on account.id = removed.consumer_user
      where removed.state in ('requested', 'upcoming', 'active')`
}

/** A new provisioning of an agreement. */
interface ProvisioningWrite {
  principal: string
  status: ProvisioningStatus
  /** As JSON. */
  provisioning: string
  platform: string | undefined
  /** Undefined = none. */
  event: AccessEventName | undefined
  requestId: string
}

/**
 * Stores the provisioning of an agreement with its report and its event, in one statement, and forgets the oldest
 * reports. Returns false if another report was first.
 */
export async function saveProvisioning(
  db: Database,
  clock: Clock,
  { organizationId, id, provisioningVersion }: Agreement,
  { principal, status, provisioning, platform, event, requestId }: ProvisioningWrite,
): Promise<boolean> {
  const details = platform === undefined ? { status } : { status, platform }
  const changes =
    event === undefined
      ? []
      : [
          {
            organizationId,
            id,
            events: [{ organizationId, subject: id, name: event, details }],
            actions: [status],
          },
        ]
  const { rows } = await sql`
    with written as (
      update access_agreement
      set provisioning = ${provisioning}, provisioning_status = ${status},
        provisioning_version = provisioning_version + 1
      where organization_id = ${organizationId}
        and external_id = ${id}
        and provisioning_version = ${provisioningVersion}
      returning organization_id, external_id, version, provisioning_version, provider_product,
        output_port, provider_team, consumer_team, ${clock.now} as updated_at
    ),
    reported as (
      insert into access_provisioning_report (
        organization_id, agreement_id, number, status, provisioning, reported_at, reported_by
      )
      select organization_id, external_id, provisioning_version, ${status}, ${provisioning},
        updated_at, ${principal}
      from written
    ),
    forgotten as (
      delete from access_provisioning_report as report
      using written
      where report.organization_id = ${organizationId}
        and report.agreement_id = ${id}
        and report.number <= written.provisioning_version - ${REPORTS_MAX}
    ),
    ${appendEvents(changes, { principal, requestId }, { result: 'written', entry: { details } })}
    select from written
  `.execute(db)
  return rows.length > 0
}
