/** Real databases whose tables are created from contracts and read by connectors, to compare both. */

import mysql from 'mysql2/promise'
import { readActual, type ActualModel } from '../formats/reality/actual.ts'
import type { Platform } from '../formats/schema/types/native-type.ts'
import type { ObjectValue, Value } from '../formats/text/value.ts'
import type { SourceAsset } from '../server/connectors/connector.ts'
import { mariadb } from '../server/connectors/mysql/connector.ts'
import { postgres } from '../server/connectors/postgres/connector.ts'
import { toSeenAsset } from '../server/ingestion/runs/asset-document.ts'
import type { RealSource } from './ingestion.ts'
import type { TestMariadb } from './mariadb.ts'
import { readSource as readPostgres, SourceDatabase } from './postgres-source.ts'
import { newSetup, readSource } from './source-reading.ts'

/** A database in which the tables of contracts are created. */
export interface ContractDatabase {
  /** The dialect of its statements. */
  dialect: Platform
  /** Returns the server of contracts whose tables are in a schema, which MariaDB calls a database. */
  server(schema: string): ObjectValue
  /** Creates schemas. */
  create(schemas: readonly string[]): Promise<unknown>
  /** Executes statements whose unqualified names are in a schema. */
  execute(schema: string, statements: string): Promise<unknown>
  /** Reads all tables and views by their paths, `["database","schema","table"]`. */
  read(): Promise<ReadonlyMap<string, ActualModel>>
  /** Removes all schemas. */
  clear(): Promise<void>
}

/** A database whose tables tests change. */
export interface DriftDatabase extends ContractDatabase {
  dialect: 'postgresql' | 'mysql'
  /** The source that an integration reads. */
  source: RealSource
  end(): Promise<void>
}

/** Creates a database in PostgreSQL; `url` is the superuser's. */
export async function newPostgresDatabase(url: string): Promise<DriftDatabase> {
  const source = await SourceDatabase.create(url, 'select 1')
  // Connecting takes longer than most statements.
  const client = await source.connect()
  return {
    dialect: 'postgresql',
    server: (schema) => ({
      server: 'production',
      type: 'postgres',
      environment: 'prod',
      host: source.url.hostname,
      port: Number(source.url.port),
      database: source.name,
      schema,
    }),
    source: {
      connector: postgres,
      configuration: source.setup().configuration,
      secrets: { password: source.password },
    },
    create: (schemas) =>
      client.query(schemas.map((name) => `create schema ${quote(name)};`).join('')),
    execute: (schema, statements) =>
      client.query(`set search_path = ${quote(schema)}; ${statements}`),
    read: async () => toModels((await readPostgres(source.setup())).assets, 'postgres'),
    async clear() {
      const { rows } = await client.query<{ nspname: string }>(`
        select nspname from pg_namespace
        where nspname <> 'information_schema' and nspname not like 'pg\\_%'`)
      // A transaction can lock a limited number of tables.
      for (const { nspname } of rows) await client.query(`drop schema ${quote(nspname)} cascade`)
    },
    async end() {
      await client.end()
      await source.drop()
    },
  }
}

/** Creates a database in MariaDB. */
export async function newMariadbDatabase(server: TestMariadb): Promise<DriftDatabase> {
  const { host, port, user, password } = server
  const access = { host, port, user, password, multipleStatements: true }
  const connection = await mysql.createConnection(access)
  const listDatabases = async (): Promise<string[]> => {
    const [rows] = await connection.query<mysql.RowDataPacket[]>(`
      select schema_name as name from information_schema.schemata
      where schema_name not in ('mysql', 'information_schema', 'performance_schema', 'sys')`)
    return rows.map((row) => String(row['name']))
  }
  const clear = async (): Promise<void> => {
    const names = await listDatabases()
    const drops = names.map((one) => `drop database \`${one.replaceAll('`', '``')}\`;`)
    await connection.query(drops.join('') || 'select 1')
  }
  return {
    dialect: 'mysql',
    server: (schema) => ({
      server: 'production',
      type: 'mysql',
      environment: 'prod',
      host,
      port,
      database: schema,
    }),
    source: {
      connector: mariadb,
      configuration: { host, port, user, ssl: 'off' },
      secrets: { password },
    },
    create: (schemas) =>
      connection.query(schemas.map((name) => `create database \`${name}\`;`).join('')),
    execute: (schema, statements) => connection.query(`use \`${schema}\`; ${statements}`),
    async read() {
      const setup = newSetup({
        configuration: { host, port, user, ssl: 'off' },
        secrets: { password },
      })
      return toModels((await readSource(mariadb, setup)).assets, 'mariadb')
    },
    clear,
    async end() {
      // The server is shared with other tests of the process.
      await clear()
      await connection.end()
    },
  }
}

/** Converts what a connector has read to what is compared, as a run stores it. */
export function toModels(
  assets: readonly SourceAsset[],
  source: string,
): ReadonlyMap<string, ActualModel> {
  const models = new Map<string, ActualModel>()
  for (const asset of assets) {
    if (asset.columns === undefined) continue
    const { document, path } = toSeenAsset(asset, { integrationId: 'i', source })
    const value: Value = JSON.parse(document)
    models.set(path, readActual(value))
  }
  return models
}

function quote(name: string): string {
  return `"${name.replaceAll('"', '""')}"`
}
