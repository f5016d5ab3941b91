import { sql, type RawBuilder } from 'kysely'
import type { PlainDocument } from '../../../formats/record/read-plain.ts'
import { findEntryKind, type ActivityActor } from '../../ledger/activity/entry.ts'
import { appendActivity } from '../../ledger/activity/record.ts'
import type { Clock } from '../../platform/kit/clock.ts'
import { readShort } from '../../platform/kit/short-reads.ts'
import type { Database } from '../../platform/tables.ts'
import type { DocumentReference } from '../../requests/http/document-list.ts'
import type {
  PlainRecordKey,
  PlainRecordOwner,
  PlainRecordRow,
  SealedDocument,
  StoredPlainRecord,
} from './plain-record.ts'

/** Finds a plain record with its owner, which is the owner of its data product if it belongs to one. */
export async function findPlainRecord(
  db: Database,
  key: PlainRecordKey,
): Promise<StoredPlainRecord | undefined> {
  const rows = await readShort(
    db,
    sql<StoredPlainRecord>`
    select
      stored.document, stored.digest, stored.product_id as "productId",
      stored.team_id as "teamId", team.external_id as team, secret.sealed
    from plain_record as stored
    ${JOIN_SECRET}
    left join data_product as product on product.organization_id = stored.organization_id
      and product.external_id = stored.product_id
    left join team on team.organization_id = stored.organization_id
      and team.id = coalesce(stored.team_id, product.owner_team_id)
    where ${hasKey(key)}
  `,
  )
  return rows[0]
}

/** The author of a change, and the team of the record. */
type PlainRecordActor = ActivityActor & Pick<PlainRecordOwner, 'team'>

/** A plain record to insert, or to put in place of the one with a digest. */
interface PlainRecordWrite extends PlainRecordActor {
  row: PlainRecordRow
  secret: SealedDocument | undefined
  teamId: string | null
  /** Undefined = there is none. */
  before: string | undefined
  /** The maximum number of records of the kind in the scope and of the data product. */
  countMax: number
}

/**
 * Inserts or replaces a plain record, unless it is one more of a team, a data product or an organization that has too many.
 * Concurrent writes may exceed the limit by their number. A replacement that keeps the data product changes no indexed
 * column, so that PostgreSQL can reuse the space of the page (see the migration). Returns `outdated` if another writer was
 * first.
 */
export async function writePlainRecord(
  db: Database,
  clock: Clock,
  key: PlainRecordKey,
  write: PlainRecordWrite,
): Promise<'written' | 'outdated' | 'limit reached'> {
  const { row, secret, before, countMax, principal, requestId, team } = write
  const { organizationId, kind, scope } = key
  const { productId } = row
  const isNew = before === undefined
  const isMove = sql`exists (
      select
      from plain_record as stored
      where ${hasKey(key)}
        and product_id is distinct from ${productId}
        and ${productId}::text is not null
    )`
  const isFull = sql`(
      select count(*) >= ${countMax}
      from plain_record
      where organization_id = ${organizationId}
        and kind = ${kind}
        and scope = ${scope}
        and (${productId}::text is null or product_id = ${productId})
    )`
  const actor = { principal, requestId, team }
  const entry = { action: isNew ? 'created' : 'updated', at: clock.now, actor }
  const { rows } = await sql<{ isRejected: boolean; isWritten: boolean }>`
    with checked as materialized (
      select ${isNew ? isFull : sql`${isMove} and ${isFull}`} as is_rejected
    ),
    written as (${isNew ? insertRow(clock, key, write) : updateRow(clock, key, write)}
      returning external_id
    ),
    ${storeSecret(key, secret)}
    recorded as (${appendChange(key, entry)}
    )
    select is_rejected as "isRejected", exists (select from written) as "isWritten"
    from checked
  `.execute(db)
  const [result] = rows
  if (result?.isWritten === true) return 'written'
  return result?.isRejected === true ? 'limit reached' : 'outdated'
}

function insertRow(
  clock: Clock,
  { organizationId, kind, scope, id }: PlainRecordKey,
  { row: { document, digest, productId, filterValues }, teamId, principal }: PlainRecordWrite,
): RawBuilder<unknown> {
  return sql`
      insert into plain_record (
        organization_id, kind, scope, external_id, document, digest, team_id, product_id,
        filter_values, created_at, updated_at, updated_by
      )
      select
        ${organizationId}::uuid, ${kind}, ${scope}, ${id}, ${document}, ${digest}, ${teamId}::uuid,
        ${productId}, ${JSON.stringify(filterValues)}::jsonb, now.instant, now.instant, ${principal}
      from checked, (select ${clock.now} as instant) as now
      where not is_rejected
      on conflict (organization_id, kind, scope, external_id) do nothing`
}

function updateRow(
  clock: Clock,
  key: PlainRecordKey,
  { row: { document, digest, productId, filterValues }, before, principal }: PlainRecordWrite,
): RawBuilder<unknown> {
  return sql`
      update plain_record as stored
      set document = ${document}, digest = ${digest}, product_id = ${productId},
        filter_values = ${JSON.stringify(filterValues)}::jsonb, updated_at = ${clock.now},
        updated_by = ${principal}
      from checked
      where ${hasKey(key)}
        and digest = ${before}
        and not is_rejected`
}

/** Deletes a plain record. Returns false if its digest has changed, or if it is gone. */
export async function deletePlainRecord(
  db: Database,
  clock: Clock,
  key: PlainRecordKey,
  { digest, ...actor }: PlainRecordActor & { digest: string },
): Promise<boolean> {
  const { rows } = await sql`
    with written as (
      delete from plain_record as stored
      where ${hasKey(key)}
        and digest = ${digest}
      returning external_id
    ),
    recorded as (${appendChange(key, { action: 'deleted', at: clock.now, actor })}
    )
    select external_id
    from written
  `.execute(db)
  return rows.length > 0
}

/** The filter of a list. */
export interface PlainRecordFilter {
  scope: string
  /** Undefined = of all data products. */
  productId: string | undefined
  /** The texts that the fields must have. */
  values: Readonly<Record<string, string>>
}

/** A plain record of a list: its id, its size, and the texts by which lists are filtered. */
type PlainRecordReference = DocumentReference<string> & Pick<PlainDocument, 'filterValues'>

/** Lists the plain records of a filter by creation. */
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
type LoadedPlainRecord = Pick<StoredPlainRecord, 'document' | 'sealed'> & { id: string }

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
    ${JOIN_SECRET}
    order by requested.ordinal
  `.execute(db)
  return rows
}

/**
 * Lists some records of kinds with secrets, of all organizations, that are stored with them in the clear. Each start of a
 * process asks: an older one may still write such records. It reads the records of these kinds by their key, and no
 * others, of which there may be many.
 */
export async function listUnsealed(
  db: Database,
  kinds: readonly string[],
  limit: number,
): Promise<(PlainRecordKey & { document: string })[]> {
  const { rows } = await sql<PlainRecordKey & { document: string }>`
    select stored.organization_id as "organizationId", stored.kind, stored.scope, stored.external_id as id,
      stored.document
    from organization
    cross join unnest(${kinds}::text[]) as guarded (kind)
    cross join lateral (
      select *
      from plain_record
      where organization_id = organization.id
        and kind = guarded.kind
      offset 0
    ) as stored
    ${JOIN_SECRET}
    where secret.sealed is null
    limit ${limit}
  `.execute(db)
  return rows
}

/** Replaces a document in the clear by a masked and a sealed one, unless it was changed in the meantime. */
export async function sealDocument(
  db: Database,
  key: PlainRecordKey,
  before: string,
  { document, secret }: { document: string; secret: SealedDocument },
): Promise<void> {
  await sql`
    with written as (
      update plain_record as stored
      set document = ${document}
      where ${hasKey(key)}
        and document = ${before}
      returning external_id
    ),
    ${storeSecret(key, secret)}
    result as (select)
    select
    from result
  `.execute(db)
}

// The condition that the row `stored` is a record.
function hasKey({ organizationId, kind, scope, id }: PlainRecordKey): RawBuilder<unknown> {
  return sql`stored.organization_id = ${organizationId}
      and stored.kind = ${kind}
      and stored.scope = ${scope}
      and stored.external_id = ${id}`
}

/** Finds the text of a data contract. */
export async function findContract(
  db: Database,
  organizationId: string,
  contractId: string,
): Promise<{ document: string; mediaType: string } | undefined> {
  return await db
    .selectFrom('data_contract')
    .select(['document', 'media_type as mediaType'])
    .where('organization_id', '=', organizationId)
    .where('external_id', '=', contractId)
    .executeTakeFirst()
}

// Joins the sealed document of a record whose kind has a secret to `stored`.
const JOIN_SECRET = sql`
    left join plain_record_secret as secret on secret.organization_id = stored.organization_id
      and secret.kind = stored.kind
      and secret.scope = stored.scope
      and secret.external_id = stored.external_id`

// Stores the sealed document of the record that the statement has `written`.
function storeSecret(
  { organizationId, kind, scope, id }: PlainRecordKey,
  secret: SealedDocument | undefined,
): RawBuilder<unknown> {
  if (secret === undefined) return sql``
  return sql`sealed as (
      insert into plain_record_secret (organization_id, kind, scope, external_id, sealed, key_id)
      select ${organizationId}::uuid, ${kind}, ${scope}, ${id}, ${secret.sealed}, ${secret.keyId}
      from written
      on conflict (organization_id, kind, scope, external_id) do update
      set sealed = excluded.sealed, key_id = excluded.key_id
    ),`
}

// Kinds that programs write all the time, such as the state of connectors, leave no entries. No entry has the document,
// which may contain the address of a webhook.
function appendChange(
  { organizationId, kind: recordKind }: PlainRecordKey,
  {
    action,
    at,
    actor: { team, ...actor },
  }: { action: string; at: RawBuilder<unknown>; actor: PlainRecordActor },
): RawBuilder<unknown> {
  const kind = findEntryKind(recordKind)
  if (kind === undefined) return sql`select`
  const id = sql`external_id`
  const entry = { kind, action, at, subject: id, name: id, team: sql`${team}` }
  return appendActivity({ organizationId, ...actor }, entry, sql`from written`)
}
