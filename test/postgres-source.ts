/**
 * PostgreSQL as a source: separate databases for tests on each supported server, and the complete reading
 * of one.
 */

import { randomBytes } from 'node:crypto'
import { describe } from 'node:test'
import { Client } from 'pg'
import type {
  Scope,
  ScopeOutcome,
  Setup,
  SourceAsset,
  UnreadableAsset,
} from '../server/connectors/connector.ts'
import { postgres } from '../server/connectors/postgres/connector.ts'
import { NO_FILTERS } from '../server/connectors/filter.ts'
import { newDialer } from '../server/platform/kit/dialer.ts'

/** Defines tests on a PostgreSQL server; `url` returns the superuser's URL. */
type OnServer = (define: (url: () => string) => void) => void

let onOther: OnServer | undefined

/** Defines the tests of files that are imported after this call on another server than the usual one. */
export function useOtherServer(on: OnServer): void {
  onOther = on
}

/**
 * Defines tests on PostgreSQL 18; `server/connectors/postgres/postgres-15.peer.test.ts` defines the same tests on the
 * oldest version that Portbook reads.
 */
export const onEveryPostgres: OnServer = (define) => {
  if (onOther !== undefined) return onOther(define)
  describe('on PostgreSQL 18', () => {
    define(() => {
      const url = process.env.PORTBOOK_TEST_POSTGRES
      if (url === undefined)
        throw new Error('this test needs a database: run it with `npm test -- <file>`')
      return url
    })
  })
}

/** A database with a user who may only connect to it. */
export class SourceDatabase {
  readonly name: string
  readonly url: URL
  readonly user = `user_${randomBytes(4).toString('hex')}`
  readonly password = randomBytes(8).toString('hex')

  private constructor(serverUrl: string, name: string) {
    this.name = name
    this.url = new URL(serverUrl)
    this.url.pathname = `/${encodeURIComponent(name)}`
  }

  /** Creates a database with statements, with a random name unless one is given. */
  static async create(
    serverUrl: string,
    statements: string,
    name = `source_${randomBytes(5).toString('hex')}`,
  ): Promise<SourceDatabase> {
    const database = new SourceDatabase(serverUrl, name)
    await onUrl(new URL(serverUrl), `create database "${name}"`)
    await database.execute(`create role ${database.user} login password '${database.password}'`)
    await database.execute(statements)
    return database
  }

  /** Runs statements as superuser, in one transaction; returns the rows of the last one. */
  async execute(statements: string): Promise<Record<string, unknown>[]> {
    return await onUrl(this.url, statements)
  }

  /** Opens a connection as superuser; the test closes it. */
  async connect(): Promise<Client> {
    const client = new Client({ connectionString: this.url.href })
    await client.connect()
    return client
  }

  /** Returns the same database on another server, such as a standby. */
  elsewhere(serverUrl: string): SourceDatabase {
    const url = new URL(this.url)
    url.port = new URL(serverUrl).port
    return Object.assign(Object.create(SourceDatabase.prototype) as SourceDatabase, this, { url })
  }

  async drop(): Promise<void> {
    const server = new URL(this.url)
    server.pathname = '/postgres'
    await onUrl(server, `drop database "${this.name}" with (force)`)
    await onUrl(server, `drop role ${this.user}`)
  }

  /** Returns the setup of the connector; it records sent statements and log entries. */
  setup(more: Partial<Setup> = {}): RecordedSetup {
    const sent: string[] = []
    const logged: string[] = []
    return {
      filters: NO_FILTERS,
      secrets: { password: this.password },
      dialer: newDialer({ privateAddresses: 'allow', allowed: [], ownStore: undefined }),
      signal: new AbortController().signal,
      log: (_, text) => logged.push(text),
      sent: (statement) => sent.push(statement),
      ...more,
      configuration: {
        host: this.url.hostname,
        port: Number(this.url.port),
        database: [this.name],
        user: this.user,
        sslMode: 'disable',
        ...more.configuration,
      },
      sentStatements: sent,
      loggedLines: logged,
    }
  }

  /** Counts the connector's open sessions in this database. */
  async countSessions(condition = 'true'): Promise<number> {
    const [row] = await this.execute(`
      select count(*)::int from pg_stat_activity
      where datname = current_database() and application_name = 'portbook' and ${condition}`)
    return Number(row?.['count'])
  }
}

/** A setup that records. */
export type RecordedSetup = Setup & {
  readonly sentStatements: readonly string[]
  readonly loggedLines: readonly string[]
}

/** Everything that a source returned. */
export type Reading = {
  readonly scopes: readonly Scope[]
  readonly batches: readonly (readonly SourceAsset[])[]
  readonly assets: readonly SourceAsset[]
  /** Assets by path, its parts joined by slashes. */
  readonly byPath: ReadonlyMap<string, SourceAsset>
  readonly outcomes: readonly ScopeOutcome[]
  readonly unreadable: readonly UnreadableAsset[]
}

/** Lists and reads everything that is included, like a run. */
export async function readSource(
  setup: Setup,
  between: () => Promise<unknown> = async () => undefined,
): Promise<Reading> {
  const session = await postgres.open(setup)
  try {
    const scopes = await Array.fromAsync(session.scopes())
    await between()
    const included = scopes.filter(({ decision }) => decision === 'included')
    const batches = []
    for (const together of Map.groupBy(included, ({ reading }) => reading).values()) {
      batches.push(...(await Array.fromAsync(session.read(together))))
    }
    const assets = batches.flatMap((batch) => batch.assets)
    return {
      scopes,
      batches: batches.map((batch) => batch.assets),
      assets,
      byPath: new Map(assets.map((asset) => [asset.path.join('/'), asset])),
      outcomes: batches.flatMap(({ outcomes }) => outcomes ?? []),
      unreadable: batches.flatMap(({ unreadable }) => unreadable ?? []),
    }
  } finally {
    await session.close()
  }
}

async function onUrl(url: URL, statements: string): Promise<Record<string, unknown>[]> {
  const client = new Client({ connectionString: url.href })
  await client.connect()
  try {
    const answer = (await client.query(statements)) as unknown
    const last = (Array.isArray(answer) ? answer.at(-1) : answer) as { rows: [] }
    return last.rows
  } finally {
    await client.end()
  }
}
