import { sql, type RawBuilder } from 'kysely'
import { recordActivity } from '../ledger/activity/record.ts'
import type { ListedEvent } from '../ledger/events/record.ts'
import { recordListedEvents } from '../ledger/events/record.ts'
import { firstInstant, firstVersion, nextUpdatedAt } from '../ledger/history/record.ts'
import type { Clock } from '../platform/kit/clock.ts'
import { readShort } from '../platform/kit/short-reads.ts'
import type { Database } from '../platform/tables.ts'
import { ENTRY_DETAILS, toAction } from './activity-record.ts'
import { AGREEMENT_KIND, type Agreement, type AgreementAt, type AgreementKey } from './agreement.ts'
import { keepFollowed, MOVED_WITH_PRODUCTS } from './kept-columns.ts'
import { listSides } from './record.ts'

// The columns of an agreement by the names of its members.
const COLUMNS = {
  organizationId: 'organization_id',
  id: 'external_id',
  version: 'version',
  document: 'document',
  documentJson: 'document_json',
  mediaType: 'media_type',
  digest: 'digest',
  productId: 'provider_product',
  port: 'output_port',
  providerTeam: 'provider_team',
  consumerType: 'consumer_type',
  consumerTeam: 'consumer_team',
  consumerUser: 'consumer_user',
  consumerProduct: 'consumer_product',
  purpose: 'purpose',
  roles: 'roles',
  startOn: 'start_on',
  endOn: 'end_on',
  reassessOn: 'reassess_on',
  status: 'status',
  state: 'state',
  requestedAt: 'requested_at',
  requestedBy: 'requested_by',
  requestedByUser: 'requested_by_user',
  decidedAt: 'decided_at',
  decidedBy: 'decided_by',
  decisionReason: 'decision_reason',
  endReason: 'end_reason',
  contractId: 'contract_id',
  contractVersion: 'contract_version',
  contractChangedAt: 'contract_changed_at',
  contractChangedLevel: 'contract_changed_level',
  nextDueAt: 'next_due_at',
  provisioning: 'provisioning',
  provisioningVersion: 'provisioning_version',
  createdAt: 'created_at',
  updatedAt: 'updated_at',
  updatedBy: 'updated_by',
} as const satisfies Record<keyof Agreement, string>

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

const MEMBERS = Object.keys(COLUMNS).filter(isMember)

function isMember(name: string): name is keyof Agreement {
  return name in COLUMNS
}

/** The columns of an `Agreement`, of the table `agreement`. */
export const AGREEMENT_COLUMNS = sql.join(
  MEMBERS.map((name) => sql`agreement.${sql.ref(COLUMNS[name])} as ${sql.ref(name)}`),
)

/** Finds an agreement, with the teams that own its data products now. */
export async function findAgreement(
  db: Database,
  clock: Clock,
  { organizationId, id }: AgreementKey,
): Promise<AgreementAt | undefined> {
  const rows = await readShort(
    db,
    sql<Agreement & { now: string; provider: string | null; consumer: string | null }>`
    select ${AGREEMENT_COLUMNS}, ${clock.now} as now,
      provider.external_id as provider, consumer.external_id as consumer
    from access_agreement as agreement
    ${joinOwner('provider', sql`agreement.provider_product`)}
    ${joinOwner('consumer', sql`agreement.consumer_product`)}
    where agreement.organization_id = ${organizationId}
      and agreement.external_id = ${id}
  `,
  )
  const [row] = rows
  if (row === undefined) return undefined
  const { now, provider, consumer, ...stored } = row
  const providerTeam = provider ?? stored.providerTeam
  const consumerTeam = consumer ?? stored.consumerTeam
  return { agreement: { ...stored, providerTeam, consumerTeam }, now }
}

function joinOwner(alias: string, productId: RawBuilder<unknown>): RawBuilder<unknown> {
  const product = sql.table(`${alias}_product`)
  const team = sql.table(alias)
  return sql`
    left join data_product as ${product} on ${product}.organization_id = agreement.organization_id
      and ${product}.external_id = ${productId}
    left join team as ${team} on ${team}.organization_id = ${product}.organization_id
      and ${team}.id = ${product}.owner_team_id`
}

/** An agreement as it will be, with the text of its version and its events. */
export interface AgreementWrite {
  agreement: Agreement
  /** The document as clients see it: JSON. */
  presented: string
  events: readonly ListedEvent['name'][]
}

/** The author of a change. */
export interface AgreementChange {
  principal: string
  requestId: string
}

/**
 * Inserts an agreement with its first version and its events, in one statement. Returns false if there is one with its
 * id. A data product that was deleted in the meantime violates a constraint if the agreement holds it.
 */
export async function insertAgreement(
  db: Database,
  clock: Clock,
  write: AgreementWrite,
  change: AgreementChange,
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
    ${recordChange([write], change)}
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
  change: AgreementChange,
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
    ${recordChange(writes, change)}
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

// The version and the events of each written agreement.
function recordChange(
  writes: readonly AgreementWrite[],
  { principal, requestId }: AgreementChange,
): RawBuilder<unknown> {
  const texts = writes.map(({ agreement: { organizationId, id }, presented }) => ({
    organization_id: organizationId,
    external_id: id,
    presented,
  }))
  const events = writes.flatMap(({ agreement: { organizationId, id }, events: names }) =>
    names.map((name): ListedEvent => ({ organizationId, subject: id, name })),
  )
  const origin = { kind: AGREEMENT_KIND, principal }
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
    announced as (${recordListedEvents(origin, events, { result: 'written', timeColumn: 'updated_at', owners: listSides('changed') })}
    ),
    recorded as (${recordEntries(writes, { principal, requestId })}
    )`
}

// An entry for each event of an agreement, such as its approval and its activation. A change without events is an update.
function recordEntries(
  writes: readonly AgreementWrite[],
  { principal, requestId }: AgreementChange,
): RawBuilder<unknown> {
  const actions = writes.flatMap(({ agreement: { organizationId, id }, events }) =>
    (events.length === 0 ? ['updated'] : events.map(toAction)).map((action) => ({
      organization_id: organizationId,
      external_id: id,
      action,
    })),
  )
  const entry = {
    kind: 'access',
    action: sql`happened.action`,
    at: sql`written.updated_at`,
    subject: sql`written.external_id`,
    // The data product and its port.
    name: sql`written.provider_product || ' / ' || written.output_port`,
    team: sql`written.provider_team`,
    versionBefore: sql`nullif(written.version - 1, 0)`,
    versionAfter: sql`written.version`,
    details: ENTRY_DETAILS,
  } as const
  return recordActivity(
    { organizationId: sql`written.organization_id`, principal, requestId },
    entry,
    sql`
    from written
    join rows from (
      json_to_recordset(${JSON.stringify(actions)}::json) as (
        organization_id uuid, external_id text, action text
      )
    ) with ordinality as happened (organization_id, external_id, action, ordinal)
      on happened.organization_id = written.organization_id
      and happened.external_id = written.external_id
    left join access_agreement as former on former.organization_id = written.organization_id
      and former.external_id = written.external_id
    order by happened.ordinal`,
  )
}
