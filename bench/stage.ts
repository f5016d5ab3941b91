import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client } from 'pg'
import { startPostgres, type TestPostgres } from '../test/postgres.ts'
import { OWNER_TEAM, PRODUCTS_COUNT } from './documents.ts'
import { startLoad, type Load } from './load.ts'
import { startBare, startProduct, type RunningServer } from './servers.ts'

/** The stores that figures are measured on. */
export const STORE_KINDS = ['postgres', 'embedded'] as const

/** One of them. */
export type StoreKind = (typeof STORE_KINDS)[number]

/** How long and how often to measure. */
export interface Effort {
  /** Rounds of each side, one side after the other. */
  rounds: number
  roundMs: number
  warmUpMs: number
}

/** The product and its limit, side by side on one kind of store, with the same documents in both. */
export interface Pair {
  product: RunningServer
  bare: RunningServer
  /** The secret of an organization key. */
  key: string
}

/** What a store is opened with. */
export interface StorePlace {
  /** The environment that makes the product use it; the first start sets it up. */
  environment: Record<string, string>
  /** Where the first start writes the key. */
  keyFile: string
}

/** What figures share: a PostgreSQL, the load generator, and the servers that are running. */
export class Stage {
  readonly effort: Effort
  readonly storeKinds: readonly StoreKind[]
  readonly load: Load = startLoad()
  readonly #directory = mkdtempSync(join(tmpdir(), 'portbook-bench-'))
  readonly #pairs = new Map<StoreKind, Pair>()
  #postgres: TestPostgres | undefined
  #placeCount = 0

  constructor(effort: Effort, storeKinds: readonly StoreKind[]) {
    this.effort = effort
    this.storeKinds = storeKinds
    process.once('exit', () => rmSync(this.#directory, { recursive: true, force: true }))
  }

  /** The two servers on a kind of store, started and filled at first use. */
  async pairOn(kind: StoreKind): Promise<Pair> {
    const known = this.#pairs.get(kind)
    if (known !== undefined) return known
    const { environment, keyFile } = await this.newPlace(kind)
    const product = await startProduct({ ...environment, ...bootstrapOf(keyFile) })
    const bareUrl = kind === 'postgres' ? await this.newDatabase() : undefined
    const bare = await startBare(
      bareUrl === undefined ? { directory: this.newDirectory() } : { databaseUrl: bareUrl },
    )
    const key = readFileSync(keyFile, 'utf8').trim()
    const pair = { product, bare, key }
    this.#pairs.set(kind, pair)
    await putTeam(product, key)
    for (const server of [product, bare]) await this.putEach(server, key)
    // What PostgreSQL does by itself within a minute of such a load must not happen in mid-round.
    for (const url of [environment.DATABASE_URL, bareUrl]) {
      if (url !== undefined) await runStatement(url, 'analyze')
    }
    return pair
  }

  /** Puts every document as it was at first. */
  async putEach(server: RunningServer, key: string): Promise<void> {
    const { sentCount } = await this.load.run({
      kind: 'put-each',
      port: server.port,
      key,
      connections: 8,
      milliseconds: 120_000,
    })
    if (sentCount < PRODUCTS_COUNT) throw new Error(`only ${sentCount} documents were put in time`)
  }

  /** An empty store for the product. */
  async newPlace(kind: StoreKind): Promise<StorePlace> {
    const directory = this.newDirectory()
    const environment: Record<string, string> = {
      PORTBOOK_DATA_DIR: directory,
      // The documented default answers 429 to a single key that asks more than 10,000 times a second.
      PORTBOOK_RATE_LIMIT: '1000000000',
      PORTBOOK_LOG_LEVEL: 'info',
    }
    if (kind === 'postgres') {
      environment.DATABASE_URL = await this.newDatabase()
      environment.PORTBOOK_ENCRYPTION_KEY = Buffer.alloc(32, 7).toString('base64')
    }
    return { environment, keyFile: join(directory, 'api-key') }
  }

  /** An empty directory, removed at the end. */
  newDirectory(): string {
    return mkdtempSync(join(this.#directory, 'store-'))
  }

  /** Ends the servers on a kind of store, so that they take nothing from what follows. */
  async clear(kind: StoreKind): Promise<void> {
    const pair = this.#pairs.get(kind)
    this.#pairs.delete(kind)
    await pair?.product.stop()
    await pair?.bare.stop()
  }

  /** Ends everything and removes it. */
  async close(): Promise<void> {
    for (const kind of this.#pairs.keys()) await this.clear(kind)
    this.load.stop()
    await this.#postgres?.stop()
    rmSync(this.#directory, { recursive: true, force: true, maxRetries: 5 })
  }

  /** Makes an empty database and gives its URL. */
  async newDatabase(): Promise<string> {
    this.#postgres ??= await startPostgres({ durable: true })
    const { url } = this.#postgres
    const name = `bench_${(this.#placeCount += 1)}`
    await runStatement(url, `create database ${name}`)
    return url.replace(/postgres$/, name)
  }
}

async function runStatement(url: string, statement: string): Promise<void> {
  const client = new Client({ connectionString: url })
  await client.connect()
  await client.query(statement)
  await client.end()
}

/** The environment in which a first start sets an empty store up and writes a key. */
export function bootstrapOf(keyFile: string): Record<string, string> {
  return {
    PORTBOOK_ORGANIZATION: 'Velmora Rail Cargo',
    PORTBOOK_OWNER_EMAIL: 'owner@velmora.example',
    PORTBOOK_OWNER_PASSWORD: 'a password for a bench only',
    PORTBOOK_API_KEY_FILE: keyFile,
  }
}

/** Registers the team that owns the documents. */
export async function putTeam(product: RunningServer, key: string): Promise<void> {
  const response = await fetch(`${product.url}/api/teams/${OWNER_TEAM.id}`, {
    method: 'PUT',
    headers: { 'x-api-key': key, 'content-type': 'application/json' },
    body: JSON.stringify(OWNER_TEAM),
  })
  if (response.status !== 200) throw new Error(await response.text())
}
