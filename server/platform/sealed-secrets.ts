/**
 * The secrets that the database keeps sealed: **every table of them**, and the change of their encryption key.
 */

import { sql, type RawBuilder } from 'kysely'
import type { SecretBox } from './kit/secret-box.ts'
import type { Database } from './tables.ts'

/** A table of sealed secrets, with the columns `sealed` and `key_id`. */
interface SealedTable {
  /** The columns of its primary key. The seal is bound to their values, so that no row can take the secret of another. */
  key: readonly string[]
  /** The content of a row, in messages. */
  called: string
  /** The place of a row, in findings: an SQL expression over its columns. */
  place: string
  /** The action for the operator if a secret cannot be opened. */
  repair: string
}

/** **Every table of sealed secrets.** */
export const SEALED_TABLES = {
  credential: {
    key: ['organization_id', 'integration_id', 'field'],
    called: 'credential',
    place: `format('integration "%s": its %s', (
        select external_id from integration
        where integration.organization_id = credential.organization_id and id = integration_id
      ), field)`,
    repair: 'enter the credential of the integration again.',
  },
  webhook_secret: {
    key: ['organization_id', 'endpoint_id', 'id'],
    called: 'webhook secret',
    place: `format('webhook "%s": its secret', endpoint_id)`,
    repair: 'give the webhook a new secret, and enter it at the receiver.',
  },
  plain_record_secret: {
    key: ['organization_id', 'kind', 'scope', 'external_id'],
    called: 'channel address',
    place: `format('%s "%s" of team "%s": its address', replace(kind, '-', ' '), external_id, scope)`,
    repair: 'enter the address of the notification channel again.',
  },
  identity_provider_secret: {
    key: ['organization_id', 'provider_id'],
    called: 'client secret',
    place: `format('identity provider "%s": its client secret', (
        select name from identity_provider
        where identity_provider.organization_id = identity_provider_secret.organization_id and id = provider_id
      ))`,
    repair: 'enter the client secret of the identity provider again.',
  },
  test_account: {
    key: ['organization_id', 'integration_id'],
    called: 'password of an account for tests',
    place: `format('integration "%s": the password of its account for tests', (
        select external_id from integration
        where integration.organization_id = test_account.organization_id and id = integration_id
      ))`,
    repair: 'enter the account for tests of the integration again.',
  },
  sign_in_transaction: {
    key: ['id'],
    called: 'sign-in',
    place: `format('sign-in %s', id)`,
    repair: 'nothing: the person starts the sign-in again.',
  },
  session_id_token: {
    key: ['session_id'],
    called: 'ID token',
    place: `format('session %s: its ID token', session_id)`,
    repair: 'nothing: signing out does not sign out of the provider.',
  },
} as const satisfies Readonly<Record<string, SealedTable>>

/** The name of a table of sealed secrets. */
type SealedTableName = keyof typeof SEALED_TABLES

/** The names of all tables of sealed secrets. */
export const SEALED_TABLE_NAMES = listNames(SEALED_TABLES)

const RESEALED_AT_ONCE = 100

/** A secret that the current encryption key cannot open: it was sealed with another key. */
export class SecretUnreadable extends Error {
  override readonly name = 'SecretUnreadable'
  /** The last part of its place: the field of a credential, the id of a channel. */
  readonly field: string

  constructor(keyId: string, table: SealedTableName, place: readonly string[], cause: unknown) {
    const { called, key } = SEALED_TABLES[table]
    const names = key.map((column, index) => `${column} ${place[index]}`).join(', ')
    super(`the encryption key ${keyId} cannot decrypt the ${called} (${names}): set it again`, {
      cause,
    })
    this.field = place.at(-1) ?? ''
  }
}

/** Returns the context to which a secret is bound: its table and the values of its primary key, in their order. */
export function toSealContext(table: SealedTableName, place: readonly string[]): string {
  return [table, ...place.map(encodeURIComponent)].join('/')
}

/** Opens a secret. Errors: SecretUnreadable. */
export function openSealed(
  box: SecretBox,
  table: SealedTableName,
  place: readonly string[],
  sealed: Buffer,
): string {
  try {
    return box.open(sealed, toSealContext(table, place))
  } catch (error) {
    throw new SecretUnreadable(box.keyId, table, place, error)
  }
}

/**
 * Seals all secrets that are sealed with one key with another. It can be repeated, also after a crash and while secrets
 * are being set. Returns their number. Errors: SecretUnreadable.
 */
export async function resealSecrets(db: Database, from: SecretBox, to: SecretBox): Promise<number> {
  let count = 0
  if (from.keyId === to.keyId) return count
  for (const table of SEALED_TABLE_NAMES) count += await resealTable(db, table, from, to)
  return count
}

async function resealTable(
  db: Database,
  table: SealedTableName,
  from: SecretBox,
  to: SecretBox,
): Promise<number> {
  let count = 0
  for (;;) {
    const rows = await listSealedWith(db, table, from.keyId)
    for (const { place, sealed } of rows) {
      const secret = openSealed(from, table, place, sealed)
      const renewed = { sealed: to.seal(secret, toSealContext(table, place)), keyId: to.keyId }
      await updateSealed(db, table, { place, sealed }, renewed)
    }
    count += rows.length
    if (rows.length < RESEALED_AT_ONCE) return count
  }
}

/** Counts the secrets of all organizations that are sealed with another key. */
export async function countSealedOtherwise(
  db: Database,
  { keyId }: Pick<SecretBox, 'keyId'>,
): Promise<number> {
  const counts = SEALED_TABLE_NAMES.map(
    (table) => sql`(select count(*) from ${sql.table(table)} where key_id <> ${keyId})`,
  )
  const { rows } = await sql<{ count: number }>`
    select (${sql.join(counts, sql` + `)})::integer as count
  `.execute(db)
  return rows[0]?.count ?? 0
}

/** Prevents other processes from sealing anything until the end of the transaction. */
export async function lockSealedTables(transaction: Database): Promise<void> {
  const tables = ['encryption_key', ...SEALED_TABLE_NAMES].map((name) => sql.table(name))
  await sql`lock table ${sql.join(tables)} in share row exclusive mode`.execute(transaction)
}

interface SealedRow {
  place: string[]
  sealed: Buffer
}

async function listSealedWith(
  db: Database,
  table: SealedTableName,
  keyId: string,
): Promise<SealedRow[]> {
  const columns = SEALED_TABLES[table].key.map((column) => sql.ref(column))
  const texts = columns.map((column) => sql`${column}::text`)
  const { rows } = await sql<SealedRow>`
    select array[${sql.join(texts)}] as place, sealed
    from ${sql.table(table)}
    where key_id = ${keyId}
    order by ${sql.join(columns)}
    limit ${RESEALED_AT_ONCE}
  `.execute(db)
  return rows
}

/** Replaces a sealed secret by the same secret, sealed with another key, unless it was changed in the meantime. */
async function updateSealed(
  db: Database,
  table: SealedTableName,
  { place, sealed }: SealedRow,
  renewed: { sealed: Buffer; keyId: string },
): Promise<void> {
  const isPlace: RawBuilder<unknown>[] = SEALED_TABLES[table].key.map(
    (column, index) => sql`${sql.ref(column)} = ${place[index]}`,
  )
  await sql`
    update ${sql.table(table)}
    set sealed = ${renewed.sealed}, key_id = ${renewed.keyId}
    where ${sql.join(isPlace, sql` and `)}
      and sealed = ${sealed}
  `.execute(db)
}

function listNames<Name extends string>(tables: Readonly<Record<Name, SealedTable>>): Name[] {
  return Object.keys(tables).filter((name): name is Name => name in tables)
}
