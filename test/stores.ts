/**
 * The two stores under test. A template of each is migrated once for a whole run; every test file
 * clones its own from it, so that no test meets another's rows.
 */

import { randomBytes } from 'node:crypto'
import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe } from 'node:test'
import { setFlagsFromString } from 'node:v8'
import { Client } from 'pg'
import type { ClientConfig } from 'pg'
import { openDatabase } from '../server/kit/database.ts'
import { openEmbeddedStore } from '../server/kit/embedded-store.ts'
import { migrate } from '../server/kit/migrate.ts'
import { MIGRATIONS, type Store } from '../server/store.ts'
import type { Tables } from '../server/tables.ts'

/** The kinds of stores. */
export type StoreKind = 'postgres' | 'embedded'

const STORE_KINDS: readonly StoreKind[] = ['postgres', 'embedded']
const TEMPLATE = 'portbook_template'

/**
 * The flag of Node with which the embedded store is compiled for a short life: less of it is
 * optimized, because most of that would not pay before a test ends. It changes nothing else.
 */
export const SHORT_LIFE = '--wasm-tiering-budget=130000000'

/** Migrates the templates; returns the environment that leads test files to them. */
export async function prepareStores(options: {
  postgresUrl: string
  directory: string
}): Promise<Record<string, string>> {
  const { postgresUrl, directory } = options
  await onServer(postgresUrl, `create database ${TEMPLATE}`)
  await migrate({ connectionString: databaseUrl(postgresUrl, TEMPLATE) }, MIGRATIONS)
  const embedded = join(directory, 'embedded-template')
  const store = await openEmbeddedStore(embedded, fail)
  await migrate(store.connection, MIGRATIONS)
  await store.close()
  return { PORTBOOK_TEST_POSTGRES: postgresUrl, PORTBOOK_TEST_EMBEDDED: embedded }
}

/** A store of a test file's own, as settings for a whole process. */
export interface StorePlace {
  kind: StoreKind
  /** The environment that makes the product use it. */
  environment: Record<string, string>
  remove(): Promise<void>
}

/** Makes an empty, migrated store for a process to open. */
export async function newStorePlace(kind: StoreKind): Promise<StorePlace> {
  if (kind === 'embedded') {
    const directory = newEmbeddedDirectory()
    return {
      kind,
      environment: { PORTBOOK_DATA_DIR: directory },
      remove: async () => rmSync(directory, { recursive: true, force: true }),
    }
  }
  const { url, drop } = await newDatabase()
  const directory = mkdtempSync(join(tmpdir(), 'portbook-data-'))
  return {
    kind,
    environment: {
      DATABASE_URL: url,
      PORTBOOK_DATA_DIR: directory,
      PORTBOOK_ENCRYPTION_KEY: Buffer.alloc(32, 7).toString('base64'),
    },
    async remove() {
      await drop()
      rmSync(directory, { recursive: true, force: true })
    },
  }
}

/** Opens an empty, migrated store in this process. */
export async function openTestStore(kind: StoreKind): Promise<Store> {
  if (kind === 'embedded') return await openTestEmbedded()
  const { url, drop } = await newDatabase()
  const connection: ClientConfig = { connectionString: url }
  const limits = {
    connectionsMax: 10,
    waitingMax: 20_000,
    connectTimeoutMs: 30_000,
    queryTimeoutMs: 30_000,
  }
  const database = openDatabase<Tables>(connection, limits, fail)
  return {
    ...database,
    connection,
    embedded: false,
    async close() {
      await database.close()
      await drop()
    },
  }
}

/** Defines tests once for every kind of store; `store()` is open while they run. */
export function onEveryStore(define: (store: () => Store, kind: StoreKind) => void): void {
  for (const kind of STORE_KINDS) {
    describe(`on ${kind}`, () => {
      let store: Store | undefined
      before(async () => {
        store = await openTestStore(kind)
      })
      after(async () => store?.close())
      define(() => {
        if (store === undefined) throw new Error('the store is open only while tests run')
        return store
      }, kind)
    })
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

async function openTestEmbedded(): Promise<Store> {
  setFlagsFromString(SHORT_LIFE)
  const directory = newEmbeddedDirectory()
  const embedded = await openEmbeddedStore(directory, fail)
  const limits = {
    connectionsMax: 1,
    waitingMax: 20_000,
    connectTimeoutMs: 60_000,
    queryTimeoutMs: 60_000,
  }
  const database = openDatabase<Tables>(embedded.connection, limits, fail)
  return {
    ...database,
    connection: embedded.connection,
    embedded: true,
    async close() {
      await database.close()
      await embedded.close()
      rmSync(directory, { recursive: true, force: true })
    },
  }
}

function newEmbeddedDirectory(): string {
  const directory = mkdtempSync(join(tmpdir(), 'portbook-embedded-'))
  cpSync(prepared('PORTBOOK_TEST_EMBEDDED'), directory, { recursive: true })
  return directory
}

async function newDatabase(): Promise<{ url: string; drop(): Promise<void> }> {
  const server = prepared('PORTBOOK_TEST_POSTGRES')
  const name = `test_${randomBytes(6).toString('hex')}`
  await onServer(server, `create database ${name} template ${TEMPLATE}`)
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

function prepared(name: string): string {
  const value = process.env[name]
  if (value === undefined) {
    throw new Error('this test needs stores: run it by `npm test -- <file>`')
  }
  return value
}

function fail(error: Error): void {
  throw error
}
