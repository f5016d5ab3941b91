import { sql } from 'kysely'
import type { Clock } from '../../platform/kit/clock.ts'
import type { Database } from '../../platform/tables.ts'
import { TRANSACTION_SECONDS, type TransactionKind } from './sign-in.ts'

const LIFETIME = sql`make_interval(secs => ${TRANSACTION_SECONDS}::integer)`
const SWEEP_MAX = 20

/** A transaction ready to insert. */
interface NewTransaction {
  id: string
  secretHash: Buffer
  kind: TransactionKind
  organizationId: string
  providerId: string
  /** The person who is signed in; undefined = none is needed. */
  userId: string | undefined
  sealed: Buffer
  keyId: string
}

/**
 * Inserts a transaction, and removes a few expired ones. Returns whether it was inserted: not if the provider was deleted
 * in the meantime.
 */
export async function insertTransaction(
  db: Database,
  clock: Clock,
  { id, secretHash, kind, organizationId, providerId, userId, sealed, keyId }: NewTransaction,
): Promise<boolean> {
  const { numAffectedRows } = await sql`
    with now as (
      select ${clock.now} as instant
    ),
    swept as (
      delete from sign_in_transaction
      where id in (
        select id
        from sign_in_transaction
        where created_at + ${LIFETIME} <= (select instant from now)
        order by created_at
        limit ${SWEEP_MAX}
        for update skip locked
      )
    )
    insert into sign_in_transaction (
      id, secret_hash, kind, organization_id, provider_id, user_id, sealed, key_id, created_at
    )
    select
      ${id}::uuid, ${secretHash}::bytea, ${kind}, provider.organization_id, provider.id,
      ${userId ?? null}::uuid, ${sealed}::bytea, ${keyId}, now.instant
    from identity_provider as provider
    cross join now
    where provider.organization_id = ${organizationId}
      and provider.id = ${providerId}
  `.execute(db)
  return numAffectedRows === 1n
}

/** A transaction that was taken. */
interface TakenTransaction {
  id: string
  kind: TransactionKind
  organizationId: string
  providerId: string
  userId: string | null
  sealed: Buffer
  createdAt: Date
  isExpired: boolean
  /** The database's clock. */
  now: Date
}

/**
 * Deletes a transaction by the hash of its secret and returns it, also if it has expired. Of two concurrent calls, one
 * waits for the other's row lock and then finds nothing: each is used once.
 */
export async function takeTransaction(
  db: Database,
  clock: Clock,
  secretHash: Buffer,
): Promise<TakenTransaction | undefined> {
  const { rows } = await sql<
    Omit<TakenTransaction, 'now' | 'createdAt'> & { now: string; createdAt: string }
  >`
    delete from sign_in_transaction
    using (select ${clock.now} as instant) as now
    where secret_hash = ${secretHash}
    returning id, kind, organization_id as "organizationId", provider_id as "providerId", user_id as "userId", sealed,
      created_at as "createdAt", created_at + ${LIFETIME} <= now.instant as "isExpired", now.instant as now
  `.execute(db)
  const [row] = rows
  return row && { ...row, createdAt: new Date(row.createdAt), now: new Date(row.now) }
}
