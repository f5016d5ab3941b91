import { sql, type RawBuilder } from 'kysely'
import {
  appendRemovalEntry,
  appendWrite,
  selectOwner,
  selectTeam,
} from '../ledger/activity/record.ts'
import type { NewEvents } from '../ledger/events/event.ts'
import { appendEvents } from '../ledger/events/record.ts'
import {
  firstInstant,
  firstVersion,
  nextUpdatedAt,
  appendDeletion,
  appendRevision,
} from '../ledger/history/record.ts'
import type { ChangeMetadata } from '../ledger/history/revision.ts'
import { appendPromises, deletePromises } from '../ledger/promises/record.ts'
import { getRows, getTable, isRecordName, type DocumentKind } from '../platform/kinds.ts'
import type { Clock, Instant } from '../platform/kit/clock.ts'
import { readShort } from '../platform/kit/short-reads.ts'
import { recordEntry, recordRemoval, recordWords } from './search/record.ts'
import type { Database } from '../platform/tables.ts'
import { appendDependents } from './dependent-record.ts'
import type { ResourceKey, ResourceState } from './resource.ts'
import type { ColumnValues, DocumentRow, RegisteredDocument } from './document.ts'

/** The state of a document that a change depends on. */
export interface DocumentState extends ResourceState {
  /** The store's clock. */
  now: Instant
  document: string | null
  documentJson: string | null
  mediaType: string | null
}

/**
 * Returns the state of a document; all but the clock is null if the document does not exist. If the document
 * has a JSON form, its text is returned only if it has `textBytes` bytes, because both may be megabytes long.
 */
export async function findState(
  db: Database,
  clock: Clock,
  kind: DocumentKind,
  { organizationId, id }: ResourceKey,
  textBytes?: number,
): Promise<DocumentState> {
  const rows = await readShort(
    db,
    sql<DocumentState>`
    select
      ${clock.now} as now, stored.version, stored.digest,
      case
        when stored.document_json is null or octet_length(stored.document) = ${textBytes ?? null}::int
          then stored.document
      end as document,
      stored.document_json as "documentJson", stored.media_type as "mediaType", stored.format,
      owner.external_id as owner, owner.id as "ownerTeamId"
    from (select 1) as always
    left join ${sql.raw(getRows(kind))} as stored on stored.organization_id = ${organizationId}
      and stored.external_id = ${id}
    left join team as owner on owner.organization_id = stored.organization_id
      and owner.id = stored.owner_team_id
  `,
  )
  const [state] = rows
  if (state === undefined) throw new Error('a statement that always gives a row gave none')
  return state
}

/** Returns the internal id of a team; null if the team does not exist. */
export async function findTeamId(
  db: Database,
  organizationId: string,
  externalId: string,
): Promise<string | null> {
  const rows = await readShort(
    db,
    sql<{ id: string }>`
    select id
    from team
    where organization_id = ${organizationId}
      and external_id = ${externalId}
  `,
  )
  return rows[0]?.id ?? null
}

/** A document to insert or to replace. */
interface DocumentWrite {
  kind: DocumentKind
  metadata: ChangeMetadata
  row: DocumentRow
  events: NewEvents
  /** A condition that the existing row must satisfy. */
  condition?: RawBuilder<unknown> | undefined
  /** A statement for what follows the document; it reads the result named `written`. */
  following?: RawBuilder<unknown> | undefined
}

/**
 * Inserts a document with its first version, events and search entry in one statement. Returns false if
 * another writer was first; nothing is written then.
 */
export async function insertDocument(
  db: Database,
  clock: Clock,
  change: DocumentWrite,
): Promise<boolean> {
  const { kind, metadata, row } = change
  const { organizationId, principal } = metadata
  const { externalId } = row
  const shared: ColumnValues = isRecordName(kind) ? { kind } : {}
  const stamp = row.versionColumn && {
    [row.versionColumn]: firstVersion(organizationId, kind, externalId),
  }
  const columns = Object.entries({ ...shared, ...row.columns, ...row.initialColumns, ...stamp })
  const names = columns.map(([name]) => sql`${sql.ref(name)}, `)
  const values = columns.map(([, value]) => sql`${typed(value)}, `)
  const write = sql`
    insert into ${getTableName(kind)} (
      organization_id, external_id, document, digest, version, ${sql.join(names, sql``)}
      created_at, updated_at, updated_by
    )
    select
      ${organizationId}::uuid, ${externalId}, ${row.document}, ${row.digest},
      ${firstVersion(organizationId, kind, externalId)}, ${sql.join(values, sql``)}
      now.instant, now.instant, ${principal}
    from (select ${firstInstant(clock, organizationId, kind, externalId)} as instant) as now
    on conflict (organization_id, ${isRecordName(kind) ? sql`kind, ` : sql``}external_id) do nothing
    returning external_id, version, document, digest, created_at, updated_at`
  return await writeDocument(db, write, change)
}

/**
 * Replaces a version of a document, with its history, events and search entry, in one statement. Returns
 * false if the version is no longer current; nothing is written then.
 */
export async function updateDocument(
  db: Database,
  clock: Clock,
  change: DocumentWrite,
  version: number,
): Promise<boolean> {
  const { kind, metadata, row, condition = ALWAYS } = change
  const stamp = row.versionColumn && { [row.versionColumn]: sql`version + 1` }
  const settings = Object.entries({ ...row.columns, ...stamp }).map(
    ([name, value]) => sql`${sql.ref(name)} = ${typed(value)}, `,
  )
  const write = sql`
    update ${getTableName(kind)}
    set document = ${row.document}, digest = ${row.digest}, version = version + 1,
      ${sql.join(settings, sql``)}
      updated_at = ${nextUpdatedAt(clock.now)}, updated_by = ${metadata.principal}
    where organization_id = ${metadata.organizationId}
      and ${isOfKind(kind)}
      and external_id = ${row.externalId}
      and version = ${version}
      and ${condition}
    returning external_id, version, document, digest, created_at, updated_at`
  return await writeDocument(db, write, change)
}

/**
 * Locks a version of a document until the end of the transaction. It waits for transactions that rely on the document, and
 * later ones wait for the end of this one; for a deletion also those that insert a row with a foreign key to it. Returns
 * false if the version is no longer current.
 */
export async function lockVersion(
  db: Database,
  kind: DocumentKind,
  { organizationId, id }: ResourceKey,
  version: number,
  purpose: 'change' | 'deletion' = 'change',
): Promise<boolean> {
  const { rows } = await sql`
    select
    from ${getTableName(kind)}
    where organization_id = ${organizationId}
      and ${isOfKind(kind)}
      and external_id = ${id}
      and version = ${version}
    for ${purpose === 'change' ? sql`no key update` : sql`update`}
  `.execute(db)
  return rows.length > 0
}

const ALWAYS = sql`true`

// An empty list has no type of its own, so each value is cast.
function typed(value: ColumnValues[string]): RawBuilder<unknown> {
  if (value === null || typeof value === 'string') return sql`${value}::text`
  return 'compile' in value ? value : sql`${value}::text[]`
}

function getTableName(kind: DocumentKind): RawBuilder<unknown> {
  return sql.table(getTable(kind))
}

// Records of all kinds share a table.
function isOfKind(kind: DocumentKind): RawBuilder<unknown> {
  return isRecordName(kind) ? sql`kind = ${kind}` : ALWAYS
}

async function writeDocument(
  db: Database,
  write: RawBuilder<unknown>,
  { kind, metadata, row, events, following }: DocumentWrite,
): Promise<boolean> {
  const { organizationId } = metadata
  const target = { result: 'written', timeColumn: 'updated_at' } as const
  const team = kind === 'team' ? sql`external_id` : selectTeam(organizationId, row.ownerTeamId)
  const entry = { kind, name: row.entry.name, level: row.level, team }
  const { rows } = await sql<{ version: number }>`
    with written as (${write}
    ),
    revised as (${appendRevision({ ...metadata, ...row, kind })}
    ),
    announced as (${appendEvents({ ...metadata, kind }, events, target)}
    ),
    recorded as (${appendWrite(metadata, entry)}
    ),
    indexed as (${recordEntry(organizationId, row.entry, { teamId: row.ownerTeamId })}
    ),
    vocabulary as (${recordWords(organizationId, row.entry)}
    )
    ${addPromises(organizationId, row.promises)}
    ${
      following === undefined
        ? sql``
        : sql`, following as (${following}
    )`
    }
    select version from written
  `.execute(db)
  return rows.length > 0
}

function addPromises(
  organizationId: string,
  promises: DocumentRow['promises'],
): RawBuilder<unknown> {
  if (promises === undefined) return sql``
  return sql`, promised as (${appendPromises(organizationId, promises)}
    ),
    unpromised as (${deletePromises(organizationId, promises)}
    )`
}

/** A version of a document to delete. */
export interface DocumentDeletion extends Omit<DocumentWrite, 'row'> {
  externalId: string
  version: number
}

/**
 * Deletes a version of a document, ends its history, and records the events, in one statement. Returns false
 * if the version is no longer current.
 */
export async function deleteDocument(
  db: Database,
  clock: Clock,
  { kind, metadata, externalId, version, events, condition = ALWAYS }: DocumentDeletion,
): Promise<boolean> {
  const { organizationId, principal } = metadata
  const target = { result: 'removed', timeColumn: 'removed_at' } as const
  const { rows } = await sql<{ version: number }>`
    with removed as (
      delete from ${getTableName(kind)}
      where organization_id = ${organizationId}
        and ${isOfKind(kind)}
        and external_id = ${externalId}
        and version = ${version}
        and ${condition}
      returning external_id, version, name, ${selectOwner(organizationId, kind)} as team,
        ${nextUpdatedAt(clock.now)} as removed_at
    ),
    marked as (${appendDeletion(organizationId, kind, principal)}
    ),
    announced as (${appendEvents({ ...metadata, kind }, events, target)}
    ),
    recorded as (${appendRemovalEntry(metadata, kind)}
    ),
    dependents as (${appendDependents(metadata, kind)}
    ),
    unindexed as (${recordRemoval(organizationId, kind)}
    )
    select version from removed
  `.execute(db)
  return rows.length > 0
}

/** Finds a document. */
export async function findDocument(
  db: Database,
  kind: DocumentKind,
  organizationId: string,
  externalId: string,
): Promise<RegisteredDocument | undefined> {
  const rows = await readShort(
    db,
    sql<RegisteredDocument>`
    select
      stored.document, stored.document_json as "documentJson", stored.media_type as "mediaType",
      stored.format, stored.digest, owner.external_id as "ownerId"
    from ${sql.raw(getRows(kind))} as stored
    left join team as owner on owner.organization_id = stored.organization_id
      and owner.id = stored.owner_team_id
    where stored.organization_id = ${organizationId}
      and stored.external_id = ${externalId}
  `,
  )
  return rows[0]
}

/** Lists those of some tags that the organization does not manage: no tag has this id. */
export async function listUnmanagedTags(
  db: Database,
  organizationId: string,
  tags: readonly string[],
): Promise<string[]> {
  const rows = await readShort(
    db,
    sql<{ tag: string }>`
    select tag
    from unnest(${[...tags]}::text[]) as sent (tag)
    where not exists (
      select
      from catalog_record
      where catalog_record.organization_id = ${organizationId}
        and catalog_record.kind = 'tag'
        and catalog_record.external_id = sent.tag
    )
  `,
  )
  return rows.map(({ tag }) => tag)
}
