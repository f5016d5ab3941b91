/** A scripted server as the source of tests of the connector. */

import type { TestContext } from 'node:test'
import { mssql } from '../../../server/connectors/mssql/connector.ts'
import type { Setup } from '../../../server/connectors/connector.ts'
import {
  newSetup,
  readSource,
  type KeepingSetup,
  type SourceReading,
} from '../../source-reading.ts'
import type { DatabaseModel, MssqlModel, ObjectModel } from './catalog.ts'
import { startTdsServer, type TdsServer } from './server.ts'

/** Parts of a set-up that differ from that of the scripted source. */
export interface Given extends Partial<Setup> {
  configuration?: Record<string, unknown>
}

/** A running source. */
export interface MssqlSource {
  server: TdsServer
  model: MssqlModel
  /** The lines of the log. */
  log: string[]
  setup(given?: Given): KeepingSetup
  read(given?: Given): Promise<SourceReading>
  check(given?: Given): ReturnType<typeof mssql.check>
}

/** Starts a server with the database `shop` that stops after the test. */
export async function startMssqlSource(t: Pick<TestContext, 'after'>): Promise<MssqlSource> {
  const model: MssqlModel = {
    edition: 3,
    version: '16.0.4085.2',
    serverName: 'SCRIPTED',
    hidesDatabases: false,
    databases: {
      master: newDatabase([], { id: 1 }),
      shop: newDatabase([newTable('orders')], { id: 5 }),
    },
  }
  const server = await startTdsServer(model)
  t.after(() => server.close())
  const log: string[] = []
  const setup = ({ configuration, ...given }: Given = {}): KeepingSetup =>
    newSetup({
      configuration: mssql.description.configuration.parse({
        host: server.host,
        port: server.port,
        user: 'reader',
        encryption: 'off',
        ...configuration,
      }),
      secrets: { password: 'canary-secret' },
      log: (level, text) => log.push(`${level} ${text}`),
      ...given,
    })
  return {
    server,
    model,
    log,
    setup,
    read: async (given) => await readSource(mssql, setup(given)),
    check: async (given) => await mssql.check(setup(given)),
  }
}

/** Creates a database with the schema `dbo` and system schemas. */
export function newDatabase(
  objects: Iterable<ObjectModel>,
  more: Partial<DatabaseModel> = {},
): DatabaseModel {
  const schemas = { dbo: { id: 1 }, guest: { id: 2 }, sys: { id: 4 }, db_owner: { id: 16_384 } }
  return { id: 5, schemas, objects, ...more }
}

/** Creates a table with one column. */
export function newTable(name: string, more: Partial<ObjectModel> = {}): ObjectModel {
  const columns = [{ name: 'id', type: 'int', maxLength: 4, isNullable: false }]
  return { id: 1000, schema: 'dbo', name, columns, ...more }
}

/** Lists the paths of assets, joined by dots. */
export function listPaths({ assets }: SourceReading): string[] {
  return assets.map(({ path }) => path.join('.'))
}
