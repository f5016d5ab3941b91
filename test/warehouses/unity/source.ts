/** A scripted Unity Catalog behind a fault proxy, and readings of it. */

import type { TestContext } from 'node:test'
import type { AssetPlace, Setup } from '../../../server/connectors/connector.ts'
import { databricks } from '../../../server/connectors/databricks/connector.ts'
import { openSession } from '../../../server/connectors/databricks/session.ts'
import {
  newSetup,
  readSource,
  readSourceGrants,
  type GrantsOfSource,
  type SourceReading,
} from '../../source-reading.ts'
import { startFaultProxy, type FaultProxy } from '../fault-proxy.ts'
import { pagingByQuery } from '../paging.ts'
import { startUnityServer, type UnityModel, type UnityTable } from './server.ts'

const PAGING = pagingByQuery(['catalogs', 'schemas', 'tables'], 'page_token', 'next_page_token')

/** A running server with its readings. */
export interface UnitySource {
  proxy: FaultProxy
  model: UnityModel
  /** The waits before requests, in milliseconds. */
  waitsMs: number[]
  setup(given?: UnitySetup): ReturnType<typeof newSetup>
  read(given?: UnitySetup): Promise<SourceReading>
  /** Reads the grants on tables of `main.sales`. */
  readGrants(...tables: readonly string[]): Promise<GrantsOfSource>
  check(given?: UnitySetup): ReturnType<typeof databricks.check>
}

/** A setup that differs from one without credentials. */
export interface UnitySetup extends Partial<Setup> {
  configuration?: Record<string, unknown>
}

/** Starts a server with one table, `main.sales.orders`, for one test. */
export async function startUnitySource(t: TestContext): Promise<UnitySource> {
  const server = await startUnityServer()
  const proxy = await startFaultProxy(server.url, { paging: PAGING })
  t.after(async () => {
    await proxy.close()
    await server.close()
  })
  const { model } = server
  model.catalogs = { main: { sales: [newTable('orders')] } }
  const waitsMs: number[] = []
  const setup = ({ configuration, ...given }: UnitySetup = {}) =>
    newSetup({
      configuration: databricks.description.configuration.parse({
        url: proxy.url,
        authentication: 'none',
        ...configuration,
      }),
      secrets: {},
      ...given,
    })
  // Waits are recorded and end at once.
  const connector = {
    ...databricks,
    open: (given: Setup) =>
      openSession(given, async (ms) => {
        waitsMs.push(ms)
      }),
  }
  return {
    proxy,
    model,
    waitsMs,
    setup,
    read: async (given) => await readSource(connector, setup(given)),
    readGrants: async (...tables) =>
      await readSourceGrants(connector, setup(), tables.map(toPlace)),
    check: async (given) => await databricks.check(setup(given)),
  }
}

function toPlace(name: string): AssetPlace {
  return { path: ['main', 'sales', name], scope: ['main', 'sales'], kind: 'table' }
}

/** Creates a managed table with the column `id`. */
export function newTable(name: string, more: Record<string, unknown> = {}): UnityTable {
  const id = newColumn('id', '"long"', { type_text: 'bigint', nullable: false })
  return { name, table_type: 'MANAGED', columns: [id], ...more }
}

/** Creates a column with a type in the form of Spark. */
export function newColumn(name: string, type: string, more: Record<string, unknown> = {}): object {
  const json = `{"name":"${name}","type":${type},"nullable":true,"metadata":{}}`
  return { name, type_json: json, nullable: true, ...more }
}

/** Lists the paths of the assets of a reading. */
export function listPaths({ assets }: SourceReading): string[] {
  return assets.map(({ path }) => path.join('.'))
}

/** Lists the scopes of a reading that were completely read. */
export function listComplete({ outcomes }: SourceReading): string[] {
  return outcomes.filter(({ failure }) => !failure).map(({ path }) => path.join('.'))
}
