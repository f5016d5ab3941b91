import { sql } from 'kysely'
import type { Clock } from '../../platform/kit/clock.ts'
import type { Database } from '../../platform/tables.ts'
import type { ReadKind } from './reader-store.ts'

/** The progress of a pass over all documents that have readers. */
export interface ReaderPass {
  /** Null = it has not begun. */
  organizationId: string | null
  kind: ReadKind | null
  /** The last counted document; null = none of the kind. */
  externalId: string | null
}

/** Begins a pass, unless one is under way or began within the period. */
export async function beginPass(db: Database, clock: Clock, periodMinutes: number): Promise<void> {
  await sql`
    insert into search_reader_pass (started_at)
    values ((select ${clock.now}))
    on conflict (only_row) do update
    set organization_id = null, kind = null, external_id = null, finished_at = null,
      started_at = excluded.started_at
    where search_reader_pass.finished_at is not null
      and search_reader_pass.started_at
        <= excluded.started_at - make_interval(mins => ${periodMinutes}::integer)
  `.execute(db)
}

/**
 * Reserves the pass under way until the end of the transaction, and returns its progress. Undefined = none is under way, or
 * another process continues it: skip locked.
 */
export async function lockPass(db: Database): Promise<ReaderPass | undefined> {
  const { rows } = await sql<ReaderPass>`
    select organization_id as "organizationId", kind, external_id as "externalId"
    from search_reader_pass
    where finished_at is null
    for update skip locked
  `.execute(db)
  return rows[0]
}

/** Records the progress of the pass; undefined = it has ended. */
export async function updatePass(
  db: Database,
  clock: Clock,
  pass: ReaderPass | undefined,
): Promise<void> {
  const { organizationId, kind, externalId } = pass ?? {}
  await sql`
    update search_reader_pass
    set organization_id = ${organizationId ?? null}::uuid, kind = ${kind ?? null},
      external_id = ${externalId ?? null},
      finished_at = ${pass === undefined ? sql`(select ${clock.now})` : sql`null`}
  `.execute(db)
}

/** Ends all passes, so that the next one begins immediately. */
export async function deletePass(db: Database): Promise<void> {
  await sql`delete from search_reader_pass`.execute(db)
}

/** Finds the organization after one, by id; undefined if it is the last. */
export async function findNextOrganization(
  db: Database,
  after: string | null,
): Promise<string | undefined> {
  const { rows } = await sql<{ id: string }>`
    select id
    from organization
    where ${after === null ? sql`true` : sql`id > ${after}::uuid`}
    order by id
    limit 1
  `.execute(db)
  return rows[0]?.id
}

/** Lists the next documents of a kind, by id. */
export async function listNextDocuments(
  db: Database,
  organizationId: string,
  kind: ReadKind,
  after: string | null,
  limit: number,
): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select external_id as id
    from search_document
    where organization_id = ${organizationId}
      and kind = ${kind}
      and external_id > ${after ?? ''}
    order by external_id
    limit ${limit}
  `.execute(db)
  return rows.map(({ id }) => id)
}
