/**
 * The databases of tests. One PostgreSQL serves a whole test run; every test file clones its own database
 * from a template that is migrated once, so that tests are isolated.
 */

import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { Client } from 'pg'
import type { ClientConfig } from 'pg'
import pino from 'pino'
import { sql } from 'kysely'
import { openDatabase } from '../server/platform/kit/database.ts'
import { migrate } from '../server/platform/kit/migrate.ts'
import { openLocalServer } from '../server/platform/postgres/local-server.ts'
import { MIGRATIONS, type Store } from '../server/store.ts'
import type { Database, Tables } from '../server/platform/tables.ts'

const TEMPLATE = 'portbook_template'

/** Migrates the template; returns the environment with which test files find it. */
export async function prepareStores(postgresUrl: string): Promise<Record<string, string>> {
  await onServer(postgresUrl, `create database ${TEMPLATE}`)
  await migrate({ connectionString: databaseUrl(postgresUrl, TEMPLATE) }, MIGRATIONS)
  return { PORTBOOK_TEST_POSTGRES: postgresUrl }
}

/** The database and data directory of a product process. */
export interface StorePlace {
  /** The environment with which the product uses it. */
  environment: Record<string, string>
  remove(): Promise<void>
}

/** Creates an empty, migrated database and a data directory. */
export async function newStorePlace(): Promise<StorePlace> {
  const { url, drop } = await newDatabase()
  const { environment, remove } = newLocalPlace()
  return {
    environment: {
      ...environment,
      DATABASE_URL: url,
      PORTBOOK_ENCRYPTION_KEY: Buffer.alloc(32, 7).toString('base64'),
    },
    async remove() {
      await drop()
      await remove()
    },
  }
}

/** Creates an empty data directory for the product's own PostgreSQL. */
export function newLocalPlace(): StorePlace {
  const directory = mkdtempSync(join(tmpdir(), 'portbook-data-'))
  return {
    environment: { PORTBOOK_DATA_DIR: directory },
    remove: async () => rmSync(directory, { recursive: true, force: true, maxRetries: 5 }),
  }
}

/** Calls a function with a connection to the database of a place, whether or not a process uses it. */
export async function withConnection<T>(
  { environment }: StorePlace,
  use: (connection: ClientConfig) => Promise<T>,
): Promise<T> {
  const { DATABASE_URL: connectionString, PORTBOOK_DATA_DIR: dataDirectory = '' } = environment
  if (connectionString !== undefined) return await use({ connectionString })
  const server = await openLocalServer({
    dataDirectory,
    programs: { configured: undefined, searchPath: process.env.PATH ?? '' },
    purpose: 'command',
    connectionsMax: 10,
    log: pino({ level: 'silent' }),
  })
  try {
    await migrate(server.connection, MIGRATIONS)
    return await use(server.connection)
  } finally {
    await server.close()
  }
}

/** Opens an empty, migrated database in this process. */
export async function openTestStore(): Promise<Store> {
  const { url, drop } = await newDatabase()
  const connection: ClientConfig = { connectionString: url }
  const limits = {
    connectionsMax: 10,
    connectTimeoutMs: 30_000,
    queryTimeoutMs: 30_000,
  }
  const database = openDatabase<Tables>(connection, limits, fail)
  return {
    ...database,
    connection,
    isDiskFull: () => false,
    async close() {
      await database.close()
      await drop()
    },
  }
}

/**
 * Disables autovacuum for all tables of a database, so that they have statistics only once a test analyzes them. The
 * other databases of the server keep it.
 */
export async function disableAutovacuum(db: Database): Promise<void> {
  await sql`
    do $$
    declare name text;
    begin
      for name in select oid::regclass from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace loop
        execute format('alter table %s set (autovacuum_enabled = false)', name);
      end loop;
    end $$
  `.execute(db)
}

/** Defines a suite with its own database; `store()` is open while its tests run. */
export function onStore(define: (store: () => Store) => void): void {
  describe('on PostgreSQL', () => {
    let store: Store | undefined
    before(async () => {
      store = await openTestStore()
    })
    after(async () => store?.close())
    define(() => {
      if (store === undefined) throw new Error('the store is open only while tests run')
      return store
    })
  })
}

const MARK_PAUSE_MS = 50

/**
 * Makes a database read-only for all later sessions, as a demoted primary is, or writable again. The pool closes the
 * connections that it has opened before; one that is being opened may keep the former setting.
 */
export async function setReadOnly({ db, health }: Store, isOn: boolean): Promise<void> {
  const setting = isOn ? 'on' : 'off'
  await db.transaction().execute(async (transaction) => {
    await sql`set transaction read write`.execute(transaction)
    const { rows } = await sql<{ name: string }>`select current_database() as name`.execute(
      transaction,
    )
    const name = sql.id(rows[0]?.name ?? '')
    await sql`alter database ${name} set default_transaction_read_only = ${sql.lit(setting)}`.execute(
      transaction,
    )
  })
  // The sessions of the pool have the former setting. A mark soon after another one has no effect.
  const changedAtMs = performance.now()
  for (;;) {
    health.markReadOnly()
    if (health.isStale(changedAtMs)) return
    await sleep(MARK_PAUSE_MS)
  }
}

/** Runs one statement as the superuser of the test server. */
export async function onServer(url: string, statement: string): Promise<void> {
  const client = new Client({ connectionString: url })
  await client.connect()
  try {
    await client.query(statement)
  } finally {
    await client.end()
  }
}

async function newDatabase(): Promise<{ url: string; drop(): Promise<void> }> {
  const server = process.env['PORTBOOK_TEST_POSTGRES']
  if (server === undefined) {
    throw new Error('this test needs a database: run it with `npm test -- <file>`')
  }
  const name = `test_${randomBytes(6).toString('hex')}`
  // The default strategy writes every page to the log, which takes twice the time.
  await onServer(server, `create database ${name} template ${TEMPLATE} strategy file_copy`)
  return {
    url: databaseUrl(server, name),
    drop: () => onServer(server, `drop database ${name} with (force)`),
  }
}

function databaseUrl(server: string, name: string): string {
  const url = new URL(server)
  url.pathname = `/${name}`
  return url.href
}

function fail(error: Error): void {
  throw error
}
