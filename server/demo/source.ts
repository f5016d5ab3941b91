import { randomBytes } from 'node:crypto'
import { Client, escapeIdentifier, escapeLiteral, type ClientConfig } from 'pg'
import type { Log } from '../platform/kit/log.ts'
import type { OwnSource } from '../platform/kit/own-source.ts'
import { CATALOG } from '../platform/postgres/session.ts'
import type { Store } from '../store.ts'

/**
 * The database that the demo reads as a source. It is on the catalog's database server, and a separate role has
 * read-only access to it.
 */

const HOST = 'warehouse.velmora.example'
const PORT = 5432
const NAME = 'operations'
const NAME_BYTES_MAX = 63
const READER_ENDING = '_reader'
const READER_CONNECTIONS_MAX = 20

/** The comment on the role, which marks it and its database as those of a demo. */
const MARK = 'Reads the example database of a Portbook demo.'

type DemoStore = Pick<Store, 'connection' | 'admin'>

/** The database of the demo, open for changes. */
export interface DemoSource {
  own: OwnSource
  sslMode: 'disable' | 'require'
  /** The password of the reader. */
  password: string
  /** Changes the tables, in one transaction. */
  execute(statements: string): Promise<void>
  /** The names of the roles with which data products read, for the settings of grants. */
  rolePattern: string
  /** Lets a data product read a table, with the role of its name. */
  grantRead(product: string, table: readonly [schema: string, name: string]): Promise<void>
  /** Gives the reader another password and returns it. */
  changePassword(): Promise<string>
  close(): Promise<void>
}

/** Returns the connection of the demo's integrations, and the address to which it is redirected. */
export function findDemoSource({ connection, admin }: DemoStore): OwnSource {
  const { host, port, database: storeName = '' } = new Client(connection)
  // On a shared server, the name shows which catalog the database belongs to.
  const isShared = admin === undefined
  const prefix = isShared ? `${storeName}_` : ''
  const lengthMax = NAME_BYTES_MAX - toProductRole(NAME, UNAGREED_PRODUCT).length
  const name = `${Buffer.from(prefix).subarray(0, lengthMax).toString()}${NAME}`
  const target = host.startsWith('/') ? { path: `${host}/.s.PGSQL.${port}` } : { host, port }
  return {
    source: 'postgres',
    connection: { host: HOST, port: PORT, database: [name], user: `${name}${READER_ENDING}` },
    target,
  }
}

/**
 * Creates the database and its reader. Returns undefined and logs the reason if the server or the role of the catalog
 * does not allow that.
 */
export async function createDemoSource(
  store: DemoStore,
  own: OwnSource,
  log: Log,
): Promise<DemoSource | undefined> {
  const { user: reader } = own.connection
  const [database = ''] = own.connection.database
  const admin = new Client(store.admin ?? store.connection)
  try {
    await admin.connect()
    const password = await createDatabase(admin, { database, reader, store })
    const client = new Client(withDatabase(store.admin ?? store.connection, database))
    await client.connect()
    return {
      own,
      sslMode: await findSslMode(client),
      password,
      async execute(statements) {
        await client.query(statements)
        // A run reads how many rows changed; the server counts them up to a second later.
        await client.query('select pg_stat_force_next_flush()')
      },
      rolePattern: toProductRole(database, '{product}'),
      async grantRead(product, [schema, name]) {
        const role = escapeIdentifier(toProductRole(database, product))
        const namespace = escapeIdentifier(schema)
        await client.query(
          `grant connect on database ${escapeIdentifier(database)} to ${role};
           grant usage on schema ${namespace} to ${role};
           grant select on ${namespace}.${escapeIdentifier(name)} to ${role}`,
        )
      },
      changePassword: () => setPassword(client, reader),
      close: () => client.end(),
    }
  } catch (error) {
    log.warn(
      { database, reason: error instanceof Error ? error.message : String(error) },
      'the demo source is skipped: its database could not be created on the database server of the catalog',
    )
    return undefined
  } finally {
    await admin.end().catch(() => undefined)
  }
}

/** The data product with a role that no agreement covers. */
export const UNAGREED_PRODUCT = 'corridor-margin'

// Roles belong to the server: the name of the database keeps those of two catalogs apart.
function toProductRole(database: string, product: string): string {
  return `${database}_dp_${product}`
}

function withDatabase(config: ClientConfig, database: string): ClientConfig {
  if (config.connectionString === undefined) return { ...config, database }
  const url = new URL(config.connectionString)
  url.pathname = `/${encodeURIComponent(database)}`
  return { ...config, connectionString: url.href }
}

interface NewDatabase {
  database: string
  reader: string
  store: DemoStore
}

async function createDatabase(
  admin: Client,
  { database, reader, store }: NewDatabase,
): Promise<string> {
  const [name, role] = [escapeIdentifier(database), escapeIdentifier(reader)]
  const productRole = escapeIdentifier(toProductRole(database, UNAGREED_PRODUCT))
  // Left behind by a start that ended before it had loaded the demo, or by a catalog that was dropped since. On a server
  // that others use, only what has the mark of a demo is dropped.
  if (store.admin !== undefined || (await isMarked(admin, reader))) {
    await admin.query(`drop database if exists ${name} with (force)`)
    await admin.query(`drop role if exists ${role}, ${productRole}`)
  }
  // Otherwise a new role may connect to all databases, including the catalog's.
  if (store.admin !== undefined) {
    await admin.query(`revoke connect on database ${CATALOG}, postgres, template1 from public`)
  }
  // The role and its mark are created together, and before the database: all that exists of a demo is marked.
  await admin.query(
    `create role ${role} login connection limit ${READER_CONNECTIONS_MAX};
     comment on role ${role} is ${escapeLiteral(MARK)};
     create role ${productRole}`,
  )
  try {
    await admin.query(`alter role ${role} set default_transaction_read_only = on`)
    await admin.query(`create database ${name}`)
    await admin.query(`revoke all on database ${name} from public`)
    await admin.query(`grant connect on database ${name} to ${role}`)
    return await setPassword(admin, reader)
  } catch (error) {
    await admin.query(`drop role if exists ${role}, ${productRole}`).catch(() => undefined)
    throw error
  }
}

/** Returns whether a role is that of a demo. */
async function isMarked(admin: Client, role: string): Promise<boolean> {
  const { rows } = await admin.query(
    `select
     from pg_roles
     where rolname = $1
       and shobj_description(oid, 'pg_authid') = $2`,
    [role, MARK],
  )
  return rows.length > 0
}

async function setPassword(client: Client, reader: string): Promise<string> {
  const password = randomBytes(24).toString('base64url')
  await client.query(`alter role ${escapeIdentifier(reader)} password ${escapeLiteral(password)}`)
  return password
}

async function findSslMode(client: Client): Promise<DemoSource['sslMode']> {
  const { rows } = await client.query<{ ssl: boolean }>(
    'select ssl from pg_stat_ssl where pid = pg_backend_pid()',
  )
  return rows[0]?.ssl === true ? 'require' : 'disable'
}
