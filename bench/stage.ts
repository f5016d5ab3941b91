import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startPostgres, type TestPostgres } from '../test/postgres.ts'
import { runStatement, type DatabasePlace } from './database-place.ts'
import { OWNER_TEAM, PRODUCTS_COUNT } from './documents.ts'
import { startLoad, type Load } from './load.ts'
import { startBare, startProduct, type RunningServer } from './servers.ts'

/** The kinds of PostgreSQL servers for figures. */
export const SERVER_KINDS = ['configured', 'local'] as const

/**
 * `configured`: a durable server of the benchmark with default settings, in DATABASE_URL. `local`: a server
 * that the product runs in its data directory. Both run the same programs and write to the same disk.
 */
export type ServerKind = (typeof SERVER_KINDS)[number]

/** The number and length of measurements. */
export interface Effort {
  /** The number of rounds of each side. */
  rounds: number
  roundMs: number
  warmUpMs: number
}

/** The product and the bare server on one kind of PostgreSQL, with the same documents in both. */
export interface Pair {
  product: RunningServer
  bare: RunningServer
  /** The secret of an organization key. */
  key: string
  /** The environment of the product. */
  environment: Record<string, string>
  /** The database of the product. */
  database: DatabasePlace
}

/** The database and environment of a product. */
export interface ProductPlace {
  /** The environment with which the product uses it; the first start sets it up. */
  environment: Record<string, string>
  database: DatabasePlace
  /** The file to which the first start writes the key. */
  keyFile: string
}

/** The shared resources of figures: a PostgreSQL, the load generator, and running servers. */
export class Stage {
  readonly effort: Effort
  readonly serverKinds: readonly ServerKind[]
  readonly load: Load = startLoad()
  readonly #directory = mkdtempSync(join(tmpdir(), 'portbook-bench-'))
  readonly #pairs = new Map<ServerKind, Pair>()
  readonly #programs: string | undefined
  #postgres: TestPostgres | undefined
  #databaseCount = 0

  /** `programs`: the folder of the PostgreSQL that `configured` runs; undefined = the product's own. */
  constructor(effort: Effort, serverKinds: readonly ServerKind[], programs?: string) {
    this.effort = effort
    this.serverKinds = serverKinds
    this.#programs = programs
    process.once('exit', () => this.#removeDirectory())
  }

  /** Whether figures can compare the two kinds of servers. */
  get isOnBothKinds(): boolean {
    return this.serverKinds.length === SERVER_KINDS.length
  }

  /** Returns the two servers on a kind of PostgreSQL; starts and fills them on first use. */
  async getPair(kind: ServerKind): Promise<Pair> {
    const existing = this.#pairs.get(kind)
    if (existing !== undefined) return existing
    const { environment, database, keyFile } = await this.newPlace(kind)
    const bareDatabase = await this.newDatabase(kind)
    const product = await startProduct({ ...environment, ...createBootstrapEnvironment(keyFile) })
    const bare = await startBare(bareDatabase)
    const key = readFileSync(keyFile, 'utf8').trim()
    const pair = { product, bare, key, environment, database }
    this.#pairs.set(kind, pair)
    await putTeam(product, key)
    for (const server of [product, bare]) await this.putEach(server, key)
    // Otherwise autovacuum does this within a minute after the load, in the middle of a round.
    for (const place of [database, bareDatabase]) await runStatement(place, 'analyze')
    return pair
  }

  /** Puts the first version of every document. */
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

  /** Creates an empty place for the product. */
  async newPlace(kind: ServerKind): Promise<ProductPlace> {
    const database = await this.newDatabase(kind)
    const directory = 'dataDirectory' in database ? database.dataDirectory : this.newDirectory()
    const environment: Record<string, string> = {
      PORTBOOK_DATA_DIR: directory,
      // With the default, a key with more than 10,000 requests per second gets 429.
      PORTBOOK_RATE_LIMIT: '1000000000',
      PORTBOOK_LOG_LEVEL: 'info',
    }
    if ('databaseUrl' in database) {
      environment.DATABASE_URL = database.databaseUrl
      environment.PORTBOOK_ENCRYPTION_KEY = Buffer.alloc(32, 7).toString('base64')
    }
    return { environment, database, keyFile: join(directory, 'api-key') }
  }

  /** Creates an empty database, or the empty data directory of a local server. */
  async newDatabase(kind: ServerKind): Promise<DatabasePlace> {
    if (kind === 'local') return { dataDirectory: this.newDirectory() }
    this.#postgres ??= await startPostgres({ durable: true, programs: this.#programs })
    const { url } = this.#postgres
    const name = `bench_${(this.#databaseCount += 1)}`
    await runStatement({ databaseUrl: url }, `create database ${name}`)
    return { databaseUrl: url.replace(/postgres$/, name) }
  }

  /** Deletes an unused database, so that autovacuum does not affect later measurements. */
  async deleteDatabase(place: DatabasePlace): Promise<void> {
    if ('dataDirectory' in place) {
      rmSync(place.dataDirectory, { recursive: true, force: true })
    } else if (this.#postgres !== undefined) {
      const name = new URL(place.databaseUrl).pathname.slice(1)
      await runStatement({ databaseUrl: this.#postgres.url }, `drop database ${name} with (force)`)
    }
  }

  /** Creates an empty directory, which is removed at the end. */
  newDirectory(): string {
    return mkdtempSync(join(this.#directory, 'store-'))
  }

  /** Stops every server, so that none affects later measurements. */
  async clear(): Promise<void> {
    for (const { product, bare } of this.#pairs.values()) {
      await product.stop()
      await bare.stop()
    }
    this.#pairs.clear()
    await this.#postgres?.stop()
    this.#postgres = undefined
  }

  /** Stops everything and removes its files. */
  async close(): Promise<void> {
    await this.clear()
    this.load.stop()
    this.#removeDirectory()
  }

  #removeDirectory(): void {
    rmSync(this.#directory, { recursive: true, force: true, maxRetries: 5 })
  }
}

/** Returns the environment in which a first start sets up an empty database and writes a key. */
export function createBootstrapEnvironment(keyFile: string): Record<string, string> {
  return {
    PORTBOOK_ORGANIZATION: 'Velmora Rail Cargo',
    PORTBOOK_OWNER_EMAIL: 'owner@velmora.example',
    PORTBOOK_OWNER_PASSWORD: 'a password only for the benchmark',
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
