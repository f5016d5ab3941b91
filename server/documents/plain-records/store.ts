import { findEntryKind, type ActivityActor } from '../../ledger/activity/entry.ts'
import { recordActivity } from '../../ledger/activity/record.ts'
import { sql, type RawBuilder } from 'kysely'
import type { Clock } from '../../platform/kit/clock.ts'
import { readShort } from '../../platform/kit/short-reads.ts'
import type { Database } from '../../platform/tables.ts'
import type {
  OwnedPlainRecord,
  PlainRecordFilter,
  PlainRecordKey,
  PlainRecordOwner,
  PlainRecordReference,
  ProtectedPlainRecord,
} from './model.ts'
import { storeSecret, withSecret } from './secret-record.ts'

/** Finds a plain record with its owner, which is the owner of its data product if it belongs to one. */
export async function findPlainRecord(
  db: Database,
  { organizationId, kind, scope, id }: PlainRecordKey,
): Promise<OwnedPlainRecord | undefined> {
  const rows = await readShort(
    db,
    sql<OwnedPlainRecord>`
    select
      stored.document, stored.digest, stored.product_id as "productId",
      stored.team_id as "teamId", team.external_id as team, secret.sealed
    from plain_record as stored
    ${withSecret}
    left join data_product as product on product.organization_id = stored.organization_id
      and product.external_id = stored.product_id
    left join team on team.organization_id = stored.organization_id
      and team.id = coalesce(stored.team_id, product.owner_team_id)
    where stored.organization_id = ${organizationId}
      and stored.kind = ${kind}
      and stored.scope = ${scope}
      and stored.external_id = ${id}
  `,
  )
  return rows[0]
}

/** Finds a team as the owner of plain records. */
export async function findTeamOwner(
  db: Database,
  organizationId: string,
  externalId: string,
): Promise<PlainRecordOwner | undefined> {
  const rows = await readShort(
    db,
    sql<PlainRecordOwner>`
    select id as "teamId", external_id as team
    from team
    where organization_id = ${organizationId}
      and external_id = ${externalId}
  `,
  )
  return rows[0]
}

/** A plain record to insert. */
export interface PlainRecordInsert extends ProtectedPlainRecord {
  teamId: string | null
  /** External id of the team. */
  team: string | null
  principal: string
  requestId: string
  /** The maximum number of records of the kind in the scope and of the data product. */
  countMax: number
}

/**
 * Inserts a plain record unless the limit is reached. Returns `exists` if another writer was first. Concurrent inserts
 * may exceed the limit by their number.
 */
export async function insertPlainRecord(
  db: Database,
  clock: Clock,
  { organizationId, kind, scope, id }: PlainRecordKey,
  { row, secret, teamId, team, principal, requestId, countMax }: PlainRecordInsert,
): Promise<'inserted' | 'exists' | 'limit reached'> {
  const { document, digest, productId } = row
  const change = {
    organizationId,
    principal,
    requestId,
    kind,
    team,
    action: 'created',
    at: clock.now,
  }
  const { rows } = await sql<{ isFull: boolean; isInserted: boolean }>`
    with counted as (
      select count(*) >= ${countMax} as is_full
      from plain_record
      where organization_id = ${organizationId}
        and kind = ${kind}
        and scope = ${scope}
        and (${productId}::text is null or product_id = ${productId})
    ),
    inserted as (
      insert into plain_record (
        organization_id, kind, scope, external_id, document, digest, team_id, product_id,
        filter_values, created_at, updated_at, updated_by
      )
      select
        ${organizationId}::uuid, ${kind}, ${scope}, ${id}, ${document}, ${digest}, ${teamId}::uuid,
        ${productId}, ${JSON.stringify(row.filterValues)}::jsonb, now.instant, now.instant,
        ${principal}
      from counted, (select ${clock.now} as instant) as now
      where not is_full
      on conflict (organization_id, kind, scope, external_id) do nothing
      returning external_id
    ),
    ${storeSecret({ organizationId, kind, scope, id }, secret, 'inserted')}
    recorded as (${recordChange(change, 'inserted')}
    )
    select is_full as "isFull", exists (select from inserted) as "isInserted"
    from counted
  `.execute(db)
  const [result] = rows
  if (result?.isInserted === true) return 'inserted'
  return result?.isFull === true ? 'limit reached' : 'exists'
}

/**
 * Replaces a plain record, unless it moves to a data product with too many. A write that keeps the data product changes
 * no indexed column, so that PostgreSQL can reuse the space of the page (see the migration). Returns `changed` if another
 * writer was first.
 */
export async function updatePlainRecord(
  db: Database,
  clock: Clock,
  { organizationId, kind, scope, id }: PlainRecordKey,
  { row, secret }: ProtectedPlainRecord,
  change: ActivityActor & { team: string | null; digest: string; countMax: number },
): Promise<'updated' | 'changed' | 'limit reached'> {
  const { principal, requestId, team } = change
  const entry = {
    organizationId,
    principal,
    requestId,
    kind,
    team,
    action: 'updated',
    at: clock.now,
  }
  const isFull = sql`(
      select count(*) >= ${change.countMax}
      from plain_record as existing
      where organization_id = ${organizationId}
        and kind = ${kind}
        and scope = ${scope}
        and product_id = ${row.productId}
    )`
  const { rows } = await sql<{ isMoveRejected: boolean; isUpdated: boolean }>`
    with stored as (
      select product_id is distinct from ${row.productId} and ${row.productId}::text is not null
          and ${isFull} as is_move_rejected
      from plain_record
      where organization_id = ${organizationId}
        and kind = ${kind}
        and scope = ${scope}
        and external_id = ${id}
    ),
    updated as (
    update plain_record
    set document = ${row.document}, digest = ${row.digest}, product_id = ${row.productId},
      filter_values = ${JSON.stringify(row.filterValues)}::jsonb, updated_at = ${clock.now},
      updated_by = ${change.principal}
    where organization_id = ${organizationId}
      and kind = ${kind}
      and scope = ${scope}
      and external_id = ${id}
      and digest = ${change.digest}
      and not (select is_move_rejected from stored)
    returning external_id
    ),
    ${storeSecret({ organizationId, kind, scope, id }, secret, 'updated')}
    recorded as (${recordChange(entry, 'updated')}
    )
    select is_move_rejected as "isMoveRejected", exists (select from updated) as "isUpdated"
    from stored
  `.execute(db)
  const [result] = rows
  if (result?.isUpdated === true) return 'updated'
  return result?.isMoveRejected === true ? 'limit reached' : 'changed'
}

/** Deletes a plain record. Returns false if its digest has changed, or if it is gone. */
export async function deletePlainRecord(
  db: Database,
  clock: Clock,
  { organizationId, kind, scope, id }: PlainRecordKey,
  { digest, ...actor }: ActivityActor & { digest: string; team: string | null },
): Promise<boolean> {
  const entry = { ...actor, organizationId, kind, action: 'deleted', at: clock.now }
  const { rows } = await sql`
    with removed as (
      delete from plain_record
      where organization_id = ${organizationId}
        and kind = ${kind}
        and scope = ${scope}
        and external_id = ${id}
        and digest = ${digest}
      returning external_id
    ),
    recorded as (${recordChange(entry, 'removed')}
    )
    select external_id
    from removed
  `.execute(db)
  return rows.length > 0
}

// Kinds that programs write all the time, such as the state of connectors, leave no entries. No entry has the document,
// which may contain the address of a webhook.
function recordChange(
  {
    organizationId,
    principal,
    requestId,
    kind,
    team,
    action,
    at,
  }: ActivityActor & {
    organizationId: string
    kind: string
    team: string | null
    action: string
    at: RawBuilder<unknown>
  },
  result: string,
): RawBuilder<unknown> {
  const entryKind = findEntryKind(kind)
  if (entryKind === undefined) return sql`select`
  const id = sql`external_id`
  return recordActivity(
    { organizationId, principal, requestId },
    { kind: entryKind, action, at, subject: id, name: id, team: sql`${team}` },
    sql`from ${sql.table(result)}`,
  )
}

/** Lists the plain records of a filter by creation, with the texts by which lists are filtered. */
export async function listPlainRecords(
  db: Database,
  organizationId: string,
  kind: string,
  { scope, productId, values }: PlainRecordFilter,
): Promise<PlainRecordReference[]> {
  const ofProduct = productId === undefined ? sql`` : sql`and product_id = ${productId}`
  const { rows } = await sql<PlainRecordReference>`
    select external_id as key, octet_length(document) as bytes, filter_values as "filterValues"
    from plain_record
    where organization_id = ${organizationId}
      and kind = ${kind}
      and scope = ${scope}
      ${ofProduct}
      and filter_values @> ${JSON.stringify(values)}::jsonb
    order by created_at, external_id
  `.execute(db)
  return rows
}

/** A plain record of a page of a list. */
export type LoadedPlainRecord = Pick<OwnedPlainRecord, 'document' | 'sealed'> & { id: string }

/** Loads documents by id, in the given order, without those that were deleted in the meantime. */
export async function loadPlainRecords(
  db: Database,
  { organizationId, kind, scope }: Omit<PlainRecordKey, 'id'>,
  ids: readonly string[],
): Promise<LoadedPlainRecord[]> {
  const { rows } = await sql<LoadedPlainRecord>`
    select stored.external_id as id, stored.document, secret.sealed
    from unnest(${ids}::text[]) with ordinality as requested (external_id, ordinal)
    join plain_record as stored on stored.organization_id = ${organizationId}
      and stored.kind = ${kind}
      and stored.scope = ${scope}
      and stored.external_id = requested.external_id
    ${withSecret}
    order by requested.ordinal
  `.execute(db)
  return rows
}
