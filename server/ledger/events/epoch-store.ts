import { sql } from 'kysely'
import type { Database } from '../../platform/tables.ts'

/** The epoch of the feed, compared with the PostgreSQL server of the store. */
export interface EpochState {
  epoch: number
  /** Decimal digits; null = unknown. */
  systemIdentifier: string | null
  /** Whether the server has run without interruption since the epoch was last examined. */
  isSameServer: boolean
  /**
   * Whether events of this epoch or a later one have transaction ids that the server has not assigned yet.
   */
  isAhead: boolean
}

/** Reports whether the server is the one that the epoch was last examined on. */
export async function isServerExamined(db: Database): Promise<boolean> {
  const { rows } = await sql`
    select
    from feed_epoch
    where server_started_at = pg_postmaster_start_time()
  `.execute(db)
  return rows.length > 0
}

/**
 * Returns the system identifier of the PostgreSQL cluster in decimal digits; undefined if this role may
 * not read it.
 */
export async function findSystemIdentifier(db: Database): Promise<string | undefined> {
  const { rows: allowed } = await sql`
    select
    where has_function_privilege(to_regprocedure('pg_control_system()'), 'execute')
  `.execute(db)
  if (allowed.length === 0) return undefined
  const { rows } = await sql<{ systemIdentifier: string }>`
    select system_identifier::text as "systemIdentifier"
    from pg_control_system()
  `.execute(db)
  return rows[0]?.systemIdentifier
}

/** Locks the epoch until the end of the transaction, so that processes examine it one after the other. */
export async function lockEpoch(db: Database): Promise<void> {
  await sql`
    insert into feed_epoch (epoch, server_started_at)
    values (0, '-infinity')
    on conflict (only_row) do update set epoch = feed_epoch.epoch
  `.execute(db)
}

/** Waits for transactions that insert events, and blocks new ones until the end of this transaction. */
export async function lockEvents(db: Database): Promise<void> {
  await sql`lock table event in share mode`.execute(db)
}

/** Finds the epoch; undefined if its row is missing. */
export async function findEpoch(db: Database): Promise<EpochState | undefined> {
  const { rows } = await sql<EpochState>`
    select
      feed_epoch.epoch, system_identifier::text as "systemIdentifier",
      server_started_at = pg_postmaster_start_time() as "isSameServer",
      coalesce(
        (last.epoch, last.transaction_id)
          >= (feed_epoch.epoch, pg_snapshot_xmax(pg_current_snapshot())),
        false
      ) as "isAhead"
    from feed_epoch
    left join (${LAST_EVENT}) as last on true
  `.execute(db)
  return rows[0]
}

/** Lists events, as subject and id, that the next event would not follow. */
export async function listMisplacedEvents(db: Database, limit: number): Promise<string[]> {
  const { rows } = await sql<{ finding: string }>`
    select event.subject || ' ' || event.id::text as finding
    from event
    left join feed_epoch on true
    where (event.epoch, event.transaction_id)
      < (feed_epoch.epoch, pg_snapshot_xmax(pg_current_snapshot())) is not true
    order by finding
    limit ${limit}
  `.execute(db)
  return rows.map(({ finding }) => finding)
}

/** Raises the epoch above that of every event, and binds it to the current server. */
export async function raiseEpoch(
  db: Database,
  systemIdentifier: string | undefined,
): Promise<void> {
  await sql`
    update feed_epoch
    set epoch = greatest(epoch, (select epoch from (${LAST_EVENT}) as last)) + 1,
      system_identifier = ${systemIdentifier ?? null}::bigint,
      server_started_at = pg_postmaster_start_time()
  `.execute(db)
}

/** Binds the epoch to the present server; an identifier that is known stays if none is given. */
export async function keepEpoch(db: Database, systemIdentifier: string | undefined): Promise<void> {
  await sql`
    update feed_epoch
    set system_identifier = coalesce(${systemIdentifier ?? null}::bigint, system_identifier),
      server_started_at = pg_postmaster_start_time()
  `.execute(db)
}

// The key begins with the organization, so the last event of each organization is looked up, not searched.
const LAST_EVENT = sql`
      select of_organization.epoch, of_organization.transaction_id
      from organization
      cross join lateral (
        select event.epoch, event.transaction_id
        from event
        where event.organization_id = organization.id
        order by event.epoch desc, event.transaction_id desc, event.position desc
        limit 1
      ) as of_organization
      order by of_organization.epoch desc, of_organization.transaction_id desc
      limit 1`
