import { sql, type RawBuilder } from 'kysely'
import type { NewEvents } from '../events/event.ts'
import { recordEvents } from '../events/record.ts'
import {
  firstInstant,
  firstVersion,
  nextUpdatedAt,
  recordDeletion,
  recordRevision,
} from '../history/record.ts'
import type { ChangeMetadata } from '../history/revision.ts'
import type { Clock, Instant } from '../kit/clock.ts'
import { readShort } from '../kit/short-reads.ts'
import { recordEntry, recordRemoval, recordWords } from '../search/record.ts'
import type { Database } from '../tables.ts'
import type { DocumentRow, OwnColumns } from './document.ts'
import type { DocumentType } from './document-type.ts'
import type { ReadDocument, RegisteredDocument } from './document.ts'

/** Which documents a statement is about. */
export type DocumentTable = Pick<DocumentType<ReadDocument>, 'kind' | 'table'>

/** The state of a document that a change depends on. */
export interface DocumentState {
  /** The store's clock. */
  now: Instant
  version: number | null
  digest: string | null
  document: string | null
  documentJson: string | null
  mediaType: string | null
  format: string | null
  /** External id of the owning team; null if the document has no owner. */
  owner: string | null
  /** Internal id of the owning team. */
  ownerTeamId: string | null
}

/**
 * Returns the state of a document; all but the clock is null if the document does not exist. If the document
 * has a JSON form, its text is returned only if it has `textBytes` bytes, because both may be megabytes long.
 */
export async function findState(
  db: Database,
  clock: Clock,
  { table }: DocumentTable,
  organizationId: string,
  externalId: string,
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
    left join ${sql.table(table)} as stored on stored.organization_id = ${organizationId}
      and stored.external_id = ${externalId}
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

/**
 * Inserts a document with its first version, events and search entry in one statement. Returns false if
 * another writer was first; nothing is written then.
 */
export async function insertDocument(
  db: Database,
  clock: Clock,
  { kind, table }: DocumentTable,
  metadata: ChangeMetadata,
  row: DocumentRow,
  events: NewEvents,
): Promise<boolean> {
  const { organizationId, principal } = metadata
  const { facts, own, externalId } = row
  const ownNames = Object.keys(own).map((name) => sql`, ${sql.ref(name)}`)
  const ownValues = Object.values(own).map((value) => sql`, ${typed(value)}`)
  const write = sql`
    insert into ${sql.table(table)} (
      organization_id, external_id, document, media_type, document_json, format, version, digest,
      name, description, owner_team_id, status, domain, tags${sql.join(ownNames, sql``)},
      created_at, updated_at, updated_by
    )
    select
      ${organizationId}::uuid, ${externalId}, ${row.document}, ${row.mediaType},
      ${row.documentJson}, ${row.format}, ${firstVersion(organizationId, kind, externalId)},
      ${row.digest}, ${facts.name}, ${facts.description}, ${row.ownerTeamId}::uuid,
      ${facts.status}, ${facts.domain}, ${facts.tags}::text[]${sql.join(ownValues, sql``)},
      now.instant, now.instant, ${principal}
    from (select ${firstInstant(clock, organizationId, kind, externalId)} as instant) as now
    on conflict (organization_id, external_id) do nothing
    returning external_id, version, document, digest, created_at, updated_at`
  return await writeDocument(db, write, kind, metadata, row, events)
}

/**
 * Replaces a version of a document, with its history, events and search entry, in one statement. Returns
 * false if the version is no longer current; nothing is written then.
 */
export async function updateDocument(
  db: Database,
  clock: Clock,
  { kind, table }: DocumentTable,
  metadata: ChangeMetadata,
  row: DocumentRow,
  events: NewEvents,
  version: number,
): Promise<boolean> {
  const { facts, own } = row
  const ownSettings = Object.entries(own).map(
    ([name, value]) => sql`, ${sql.ref(name)} = ${typed(value)}`,
  )
  const write = sql`
    update ${sql.table(table)}
    set document = ${row.document}, media_type = ${row.mediaType},
      document_json = ${row.documentJson}, format = ${row.format}, version = version + 1,
      digest = ${row.digest}, name = ${facts.name}, description = ${facts.description},
      owner_team_id = ${row.ownerTeamId}, status = ${facts.status}, domain = ${facts.domain},
      tags = ${facts.tags}::text[]${sql.join(ownSettings, sql``)},
      updated_at = ${nextUpdatedAt(clock.now)},
      updated_by = ${metadata.principal}
    where organization_id = ${metadata.organizationId}
      and external_id = ${row.externalId}
      and version = ${version}
    returning external_id, version, document, digest, created_at, updated_at`
  return await writeDocument(db, write, kind, metadata, row, events)
}

// An empty list has no type of its own, so each value is cast.
function typed(value: OwnColumns[string]): RawBuilder<unknown> {
  return Array.isArray(value) ? sql`${value}::text[]` : sql`${value}::text`
}

// Lists filter former versions by the same fields as current ones.
function factsOf({ facts, own }: DocumentRow): object {
  return {
    ...facts,
    ...Object.fromEntries(Object.entries(own).filter(([, value]) => !Array.isArray(value))),
  }
}

async function writeDocument(
  db: Database,
  write: RawBuilder<unknown>,
  kind: DocumentTable['kind'],
  metadata: ChangeMetadata,
  row: DocumentRow,
  events: NewEvents,
): Promise<boolean> {
  const told = { result: 'written', timeColumn: 'updated_at' } as const
  const { rows } = await sql<{ version: number }>`
    with written as (${write}
    ),
    revised as (${recordRevision({ ...metadata, ...row, facts: factsOf(row), kind })}
    ),
    announced as (${recordEvents({ ...metadata, kind }, events, told)}
    ),
    indexed as (${recordEntry(metadata.organizationId, row.entry, { teamId: row.ownerTeamId })}
    ),
    vocabulary as (${recordWords(metadata.organizationId, row.entry)}
    )
    select version from written
  `.execute(db)
  return rows.length > 0
}

/**
 * Deletes a version of a document, ends its history, and records the events, in one statement. Returns false
 * if the version is no longer current.
 */
export async function deleteDocument(
  db: Database,
  clock: Clock,
  { kind, table }: DocumentTable,
  metadata: ChangeMetadata,
  externalId: string,
  version: number,
  events: NewEvents,
): Promise<boolean> {
  const { organizationId, principal } = metadata
  const told = { result: 'removed', timeColumn: 'removed_at' } as const
  const { rows } = await sql<{ version: number }>`
    with removed as (
      delete from ${sql.table(table)}
      where organization_id = ${organizationId}
        and external_id = ${externalId}
        and version = ${version}
      returning external_id, version,
        ${nextUpdatedAt(clock.now)} as removed_at
    ),
    marked as (${recordDeletion(organizationId, kind, principal)}
    ),
    announced as (${recordEvents({ ...metadata, kind }, events, told)}
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
  { table }: DocumentTable,
  organizationId: string,
  externalId: string,
): Promise<RegisteredDocument | undefined> {
  const rows = await readShort(
    db,
    sql<RegisteredDocument>`
    select
      stored.document, stored.document_json as "documentJson", stored.media_type as "mediaType",
      stored.format, stored.digest, owner.external_id as "ownerId"
    from ${sql.table(table)} as stored
    left join team as owner on owner.organization_id = stored.organization_id
      and owner.id = stored.owner_team_id
    where stored.organization_id = ${organizationId}
      and stored.external_id = ${externalId}
  `,
  )
  return rows[0]
}
