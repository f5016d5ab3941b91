import { sql, type RawBuilder } from 'kysely'
import type { NewEvents } from '../events/event.ts'
import { recordEvents } from '../events/record.ts'
import { firstInstant, firstVersion, recordDeletion, recordRevision } from '../history/record.ts'
import type { Clock, Instant } from '../kit/clock.ts'
import { readShort } from '../kit/short-reads.ts'
import { recordEntry, recordRemoval, recordWords } from '../search/record.ts'
import type { Database } from '../tables.ts'
import type { DocumentRow, OwnColumns } from './document.ts'
import type { DocumentType } from './document-type.ts'
import type { ReadDocument, RegisteredDocument } from './document.ts'

/** Which documents a statement is about. */
export type DocumentTable = Pick<DocumentType<ReadDocument>, 'kind' | 'table'>

/** A document as it stands, and what a change of it must know. */
export interface DocumentState {
  /** The store's clock. */
  now: Instant
  version: number | null
  digest: string | null
  document: string | null
  documentJson: string | null
  mediaType: string | null
  format: string | null
  /** External id of the team that owns it; null = no team does. */
  owner: string | null
  /** Internal id of that team. */
  ownerTeamId: string | null
}

/** Who changes a document, for history and events. */
export interface ChangeOrigin {
  organizationId: string
  principal: string
  requestId: string
}

/**
 * Finds a document's state. Everything but the clock is null if there is no such document. If the document has a JSON
 * form, its text is returned only if it has `textBytes` bytes, because both may be megabytes long.
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

/** Finds the internal id of a team by its external id; null = there is no such team. */
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
 * Adds a document with its first revision, its events and its entry for search, in one statement. Says false when another
 * writer was first: nothing was written then.
 */
export async function insertDocument(
  db: Database,
  clock: Clock,
  { kind, table }: DocumentTable,
  origin: ChangeOrigin,
  row: DocumentRow,
  events: NewEvents,
): Promise<boolean> {
  const { organizationId, principal } = origin
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
  return await writeDocument(db, write, kind, origin, row, events)
}

/**
 * Replaces one version of a document by the next, with its revision, its events and its entry for
 * search, in one statement. Says false when that version is no longer the current one: nothing was written then.
 */
export async function updateDocument(
  db: Database,
  clock: Clock,
  { kind, table }: DocumentTable,
  origin: ChangeOrigin,
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
      -- Later than the version before, even when the clock stands still.
      updated_at = greatest(${clock.now}, updated_at + interval '1 microsecond'),
      updated_by = ${origin.principal}
    where organization_id = ${origin.organizationId}
      and external_id = ${row.externalId}
      and version = ${version}
    returning external_id, version, document, digest, created_at, updated_at`
  return await writeDocument(db, write, kind, origin, row, events)
}

// A list without items says nothing of its type, so the type stands beside each value.
function typed(value: OwnColumns[string]): RawBuilder<unknown> {
  return Array.isArray(value) ? sql`${value}::text[]` : sql`${value}::text`
}

// Lists filter former versions by what they filter current ones by.
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
  origin: ChangeOrigin,
  row: DocumentRow,
  events: NewEvents,
): Promise<boolean> {
  const told = { result: 'written', timeColumn: 'updated_at' } as const
  const { rows } = await sql<{ version: number }>`
    with written as (${write}
    ),
    revised as (${recordRevision({ ...origin, ...row, facts: factsOf(row), kind })}
    ),
    announced as (${recordEvents({ ...origin, kind }, events, told)}
    ),
    indexed as (${recordEntry(origin.organizationId, row.entry, { teamId: row.ownerTeamId })}
    ),
    learned as (${recordWords(origin.organizationId, row.entry)}
    )
    select version from written
  `.execute(db)
  return rows.length > 0
}

/**
 * Deletes a version of a document, marks its last revision, tells it and takes it out of search, in
 * one statement. Says
 * false when that version is no longer the current one.
 */
export async function deleteDocument(
  db: Database,
  clock: Clock,
  { kind, table }: DocumentTable,
  origin: ChangeOrigin,
  externalId: string,
  version: number,
  events: NewEvents,
): Promise<boolean> {
  const { organizationId, principal } = origin
  const told = { result: 'removed', timeColumn: 'removed_at' } as const
  const { rows } = await sql<{ version: number }>`
    with removed as (
      delete from ${sql.table(table)}
      where organization_id = ${organizationId}
        and external_id = ${externalId}
        and version = ${version}
      returning external_id, version,
        greatest(${clock.now}, updated_at + interval '1 microsecond') as removed_at
    ),
    marked as (${recordDeletion(organizationId, kind, principal)}
    ),
    announced as (${recordEvents({ ...origin, kind }, events, told)}
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
