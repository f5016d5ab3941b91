import { sql, type RawBuilder } from 'kysely'
import type { Clock, Instant } from '../../platform/kit/clock.ts'
import type { OrganizationPage } from '../../platform/kit/organization-turns.ts'
import type { Database } from '../../platform/tables.ts'

/** A seal of a batch of entries. */
export interface Seal {
  number: number
  /** The ids of the first and the last entry. */
  firstId: string
  lastId: string
  entryCount: number
  /** SHA-256, hexadecimal. */
  hash: string
  sealedAt: Instant
}

const SEAL_COLUMNS = sql`number, first_id as "firstId", last_id as "lastId",
      entry_count as "entryCount", encode(hash, 'hex') as hash, sealed_at as "sealedAt"`

/** Finds a seal by its number; undefined = the newest one. */
export async function findSeal(
  db: Database,
  organizationId: string,
  number: number | undefined,
): Promise<Seal | undefined> {
  const { rows } = await sql<Seal>`
    select ${SEAL_COLUMNS}
    from activity_seal
    where organization_id = ${organizationId}
      and number = coalesce(${number ?? null}::integer, (
        select max(number)
        from activity_seal
        where organization_id = ${organizationId}
      ))
  `.execute(db)
  return rows[0]
}

/**
 * Adds the missing rows of `activity_sealing`: of new organizations, and of all after an import. Entries of an imported
 * store are found by their ids, once.
 */
export async function insertSealings(db: Database): Promise<void> {
  await sql`
    insert into activity_sealing (
      organization_id, number, hash, epoch, transaction_id, position
    )
    select organization.id, coalesce(last.number, 0), last.hash, coalesce(entry.epoch, -1),
      coalesce(entry.transaction_id, '0'), coalesce(entry.position, 0)
    from organization
    left join lateral (
      select number, hash, last_id
      from activity_seal
      where organization_id = organization.id
      order by number desc
      limit 1
    ) as last on true
    left join lateral (
      select epoch, transaction_id, position
      from activity_entry
      where organization_id = organization.id
        and id = last.last_id
    ) as entry on true
    where not exists (
      select from activity_sealing
      where organization_id = organization.id
    )
    on conflict do nothing
  `.execute(db)
}

/** Lists the next organizations with entries that can be sealed. */
export async function listUnsealed(
  db: Database,
  { after, except, limit }: OrganizationPage,
): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select organization_id as id
    from activity_sealing as sealing
    -- Looked up in the key for each organization, not compared with all entries.
    where exists (select from activity_entry where ${isOpen(sql`sealing`)} offset 0)
      and organization_id > ${after}::uuid
      and organization_id <> all (${except}::uuid[])
    order by organization_id
    limit ${limit}
  `.execute(db)
  return rows.map(({ id }) => id)
}

// Only transactions below every open one: later commits have higher transaction ids, so no entry can appear among those
// that are sealed. This is the order of the event feed.
function isOpen(sealing: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`activity_entry.organization_id = ${sealing}.organization_id
        and (activity_entry.epoch, activity_entry.transaction_id, activity_entry.position)
          > (${sealing}.epoch, ${sealing}.transaction_id, ${sealing}.position)
        and (activity_entry.epoch, activity_entry.transaction_id) < (
          (select feed_epoch.epoch from feed_epoch), pg_snapshot_xmin(pg_current_snapshot())
        )`
}

// The next entries after the sealed ones, with their hashes, in their order.
function selectNext(entriesMax: number): RawBuilder<unknown> {
  return sql`select next.*
      from sealing
      cross join lateral (
        select activity_entry.id, activity_entry.epoch, activity_entry.transaction_id,
          activity_entry.position, hash_activity_entry(activity_entry) as entry_hash
        from activity_entry
        where ${isOpen(sql`sealing`)}
        order by activity_entry.epoch, activity_entry.transaction_id, activity_entry.position
        limit ${entriesMax}
      ) as next`
}

/**
 * Seals the next settled entries of an organization in one statement, at most `entriesMax`. Returns the seal; undefined
 * if there are none, or if another process seals the organization at the same time: the lock of the row of
 * `activity_sealing` lets only one do so.
 */
export async function insertSeal(
  db: Database,
  clock: Clock,
  organizationId: string,
  entriesMax: number,
): Promise<Seal | undefined> {
  const { rows } = await sql<Seal>`
    with sealing as materialized (
      select *
      from activity_sealing
      where organization_id = ${organizationId}
      for update skip locked
    ),
    batch as materialized (
      ${selectNext(entriesMax)}
    ),
    summary as (
      select count(*)::integer as entry_count,
        (array_agg(id order by epoch, transaction_id, position))[1] as first_id,
        (array_agg(id order by epoch desc, transaction_id desc, position desc))[1] as last_id,
        string_agg(entry_hash, '' order by epoch, transaction_id, position) as entry_hashes,
        string_agg(substr(entry_hash, 1, 8), '' order by epoch, transaction_id, position)
          as fingerprints
      from batch
    ),
    added as (
      insert into activity_seal (
        organization_id, number, first_id, last_id, entry_count, fingerprints, hash, sealed_at
      )
      select sealing.organization_id, sealing.number + 1, first_id, last_id, entry_count,
        fingerprints,
        hash_activity_seal(
          sealing.hash, sealing.organization_id, sealing.number + 1, first_id, last_id, entry_count, now.instant,
          entry_hashes
        ),
        now.instant
      from sealing
      cross join summary
      cross join (select ${clock.now} as instant) as now
      where entry_count > 0
      returning *
    ),
    advanced as (
      update activity_sealing
      set number = added.number, hash = added.hash, epoch = last.epoch, transaction_id = last.transaction_id,
        position = last.position
      from added
      join batch as last on last.id = added.last_id
      where activity_sealing.organization_id = added.organization_id
    )
    select ${SEAL_COLUMNS}
    from added
  `.execute(db)
  return rows[0]
}
