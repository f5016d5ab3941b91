/**
 * Twins: rows that differ from those of a test only in one part of their key, such as the organization. A statement
 * that forgets a condition reads or changes them, too.
 */

import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import type { Database } from '../server/platform/tables.ts'

/** Rows that an action must leave as they are. */
export interface Twin {
  organizationId: string
  /** Computes a digest of its rows in each table that has some. */
  digest(): Promise<Map<string, string>>
}

/** A text that names and documents of a twin organization have, and those of its original do not. */
export const TWIN_MARK = 'twin-mark'

interface Column {
  table: string
  name: string
  type: string
  /** Whether it is in a unique index without the organization. */
  isUnique: boolean
}

/**
 * Copies everything that an organization has to another one, with equal ids and equal contents, except for a mark in
 * names and documents. The copies are the first rows of each index and table, so that a statement without its
 * condition finds them.
 */
export async function addTwin({
  services: { db },
  organizationId,
}: {
  services: { db: Database }
  organizationId: string
}): Promise<Twin> {
  const twinId = `00000000${randomUUID().slice(8)}`
  const tables = Map.groupBy(await listColumns(db), ({ table }) => table)
  await db.transaction().execute(async (transaction) => {
    // Rows are copied in any order, and the history of activities may otherwise not be changed.
    await sql`set local session_replication_role = replica`.execute(transaction)
    for (const [table, columns] of tables) {
      const key = sql.ref(table === 'organization' ? 'id' : 'organization_id')
      const names = columns.map(({ name }) => sql.ref(name))
      const values = columns.map((column) => {
        const isKey = column.name === (table === 'organization' ? 'id' : 'organization_id')
        return isKey ? sql`${twinId}::uuid` : sql.raw(toValue(column))
      })
      await sql`
        insert into ${sql.table(table)} (${sql.join(names)})
        overriding system value
        select ${sql.join(values)}
        from ${sql.table(table)}
        where ${key} = ${organizationId}
      `.execute(transaction)
      // An updated row moves behind the copies.
      await sql`
        update ${sql.table(table)}
        set ${key} = ${key}
        where ${key} = ${organizationId}
      `.execute(transaction)
    }
  })
  return await selectTwin(db, { organization_id: twinId })
}

/** Returns the SQL of a column's value in the copy. */
function toValue({ table, name, type, isUnique }: Column): string {
  const quoted = `"${name}"`
  // A session acts in the organization of which the person has been a member for longest.
  if (table === 'organization_member' && name === 'created_at') return `${quoted} + interval '1 s'`
  if (isUnique && type === 'bytea') return `sha256(${quoted} || uuid_send(gen_random_uuid()))`
  if (isUnique && type === 'uuid') return 'gen_random_uuid()'
  if (isUnique) return `'${TWIN_MARK}-' || gen_random_uuid()`
  if (type !== 'text') return quoted
  // An entry about a person has an empty name.
  if (/^(name|display_name)$/.test(name))
    return `case ${quoted} when '' then '' else ${quoted} || ' ${TWIN_MARK}' end`
  // Signed texts and settings have a form that is checked.
  if (name !== 'document' || table === 'organization_document') return quoted
  return `regexp_replace(${quoted}, '^\\{(?=")', '{"${TWIN_MARK}":true,')`
}

/** Lists the columns of the organization and of all tables with rows of organizations. */
async function listColumns(db: Database): Promise<Column[]> {
  const { rows } = await sql<Column>`
    select class.relname as table, attribute.attname as name,
      format_type(attribute.atttypid, null) as type,
      exists (
        select
        from pg_index as index
        join pg_attribute as owner on owner.attrelid = class.oid
          and owner.attname = 'organization_id'
        where index.indrelid = class.oid
          and index.indisunique
          and class.relname <> 'organization'
          and attribute.attnum = any(index.indkey)
          and owner.attnum <> all(index.indkey)
      ) or (class.relname = 'organization' and attribute.attname = 'vanity_url') as "isUnique"
    from pg_class as class
    join pg_attribute as attribute on attribute.attrelid = class.oid
    where class.relkind = 'r'
      and class.relnamespace = 'public'::regnamespace
      and attribute.attnum > 0
      and not attribute.attisdropped
      and attribute.attgenerated = ''
      and (
        class.relname = 'organization'
        or exists (
          select
          from pg_attribute as owner
          where owner.attrelid = class.oid
            and owner.attname = 'organization_id'
            and owner.attnotnull
        )
      )
    order by class.relname, attribute.attnum
  `.execute(db)
  return rows
}

/**
 * Returns the rows whose columns have the given values, in every table that has all of these columns:
 * `{ organization_id, integration_id }`.
 */
export async function selectTwin(
  db: Database,
  where: { organization_id: string } & Readonly<Record<string, string>>,
): Promise<Twin> {
  const names = Object.keys(where)
  const tables = Map.groupBy(await listColumns(db), ({ table }) => table)
  const parts = [...tables].flatMap(([table, columns]) => {
    const isOrganization = table === 'organization' && names.length === 1
    if (!isOrganization && !names.every((name) => columns.some((column) => column.name === name))) {
      return []
    }
    const conditions = names.map(
      (name) => sql`${sql.ref(isOrganization ? 'id' : name)}::text = ${where[name]}`,
    )
    return sql`
      select ${sql.lit(table)} as table,
        md5(string_agg(stored::text, ' ' order by stored::text)) as digest
      from ${sql.table(table)} as stored
      where ${sql.join(conditions, sql` and `)}
      having count(*) > 0`
  })
  return {
    organizationId: where.organization_id,
    async digest() {
      const { rows } = await sql<{ table: string; digest: string }>`
        ${sql.join(parts, sql` union all `)}
      `.execute(db)
      return new Map(rows.map((row) => [row.table, row.digest]))
    },
  }
}

/** Checks that an action changes no row of twins, each of which must have rows. Returns the action's result. */
export async function expectUntouched<Result>(
  twins: readonly Twin[],
  action: () => Promise<Result>,
): Promise<Result> {
  const before = await digestAll(twins)
  for (const digest of before) assert.ok(digest.size > 0, 'a twin has no rows')
  const result = await action()
  assert.deepEqual(await digestAll(twins), before, 'the action changes rows of a twin')
  return result
}

async function digestAll(twins: readonly Twin[]): Promise<Map<string, string>[]> {
  return await Promise.all(twins.map((twin) => twin.digest()))
}

/** The changes of the rows of a table with one id, of one kind if the table has kinds. */
export interface RowChange {
  organizationId: string
  table: string
  kind: string
  /** The external id if the table has one; empty if it has no id. */
  id: string
  /** Whether a row existed before. */
  isOld: boolean
  /** Whether the rows differ in more than the time of their last use, which any request changes. */
  isMore: boolean
}

type Row = Readonly<Record<string, unknown>>

/** A change as the trigger records it; an inserted row has no former state, a deleted one no new state. */
interface RecordedChange {
  organizationId: string
  table: string
  before: Row | null
  after: Row | null
}

/**
 * Records all changes of rows of organizations from now on, by triggers. Returns a function that lists the changes
 * since its last call; rows that were replaced by equal ones are not listed.
 */
export async function watchRows(db: Database): Promise<() => Promise<RowChange[]>> {
  await sql`create table changed_row (organization_id text, name text, before jsonb, after jsonb)`.execute(
    db,
  )
  await sql`
    create function record_change() returns trigger language plpgsql as $$
    declare before jsonb := to_jsonb(old); after jsonb := to_jsonb(new);
      stored jsonb := coalesce(before, after);
    begin
      if before is distinct from after then
        insert into changed_row
        values (coalesce(stored ->> 'organization_id', stored ->> 'id'), tg_table_name, before, after);
      end if;
      return null;
    end $$
  `.execute(db)
  const tables = new Set((await listColumns(db)).map(({ table }) => table))
  for (const table of tables) {
    await sql`
      create trigger record_change after insert or update or delete on ${sql.table(table)}
      for each row execute function record_change()
    `.execute(db)
  }
  return async () => {
    const { rows } = await sql<RecordedChange>`
      delete from changed_row
      returning organization_id as "organizationId", name as "table", before, after
    `.execute(db)
    return mergeChanges(rows)
  }
}

/** Merges the changes of the rows of a table with one id; equal states before and after are no change. */
function mergeChanges(changes: readonly RecordedChange[]): RowChange[] {
  const groups = Map.groupBy(changes, ({ organizationId, table, before, after }) => {
    const row = before ?? after ?? {}
    // A secret has the id of its endpoint.
    const id = row['external_id'] ?? row['endpoint_id'] ?? row['id'] ?? ''
    return JSON.stringify([organizationId, table, row['kind'] ?? '', id])
  })
  return [...groups].flatMap(([key, group]) => {
    const [organizationId, table, kind, id] = JSON.parse(key) as [string, string, string, string]
    const [before, after] = [
      group.map((change) => change.before),
      group.map((change) => change.after),
    ]
    if (toText(before) === toText(after)) return []
    const isMore = toText(before, 'last_used_at') !== toText(after, 'last_used_at')
    const isOld = before.some((row) => row !== null)
    return [{ organizationId, table, kind, id, isOld, isMore }]
  })
}

/** Writes rows in one order, without one of their columns. */
function toText(rows: readonly (Row | null)[], omitted?: string): string {
  const texts = rows
    .filter((row) => row !== null)
    .map((row) => JSON.stringify(Object.entries(row).filter(([name]) => name !== omitted)))
  return JSON.stringify(texts.toSorted())
}
