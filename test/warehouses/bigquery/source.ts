/** A scripted BigQuery behind a fault proxy, as the source of tests of the connector. */

import type { TestContext } from 'node:test'
import { checkSource } from '../../../server/connectors/bigquery/checking.ts'
import { bigquery } from '../../../server/connectors/bigquery/connector.ts'
import { openSession } from '../../../server/connectors/bigquery/session.ts'
import type { AssetPlace, Setup } from '../../../server/connectors/connector.ts'
import {
  newSetup,
  readSource,
  readSourceGrants,
  type GrantsOfSource,
  type SourceReading,
} from '../../source-reading.ts'
import { startFaultProxy, type FaultProxy } from '../fault-proxy.ts'
import { pagingByQuery } from '../paging.ts'
import { startBigQueryServer, type BigQueryModel, type BigQueryTableEntry } from './server.ts'

/** The paging of the listings of BigQuery. */
export const BIGQUERY_PAGING = pagingByQuery(['datasets', 'tables'], 'pageToken', 'nextPageToken')

/** Parts of a set-up that differ from that of the scripted source. */
export interface Given extends Partial<Setup> {
  configuration?: Record<string, unknown>
}

/** A running source. */
export interface BigQuerySource {
  proxy: FaultProxy
  model: BigQueryModel
  /** The waits before requests, in milliseconds. */
  waitsMs: number[]
  /** The lines of the log. */
  log: string[]
  read(given?: Given): Promise<SourceReading>
  /** Reads the grants on tables of `shop.sales`. */
  readGrants(tables: readonly string[], given?: Given): Promise<GrantsOfSource>
  check(given?: Given): ReturnType<typeof bigquery.check>
}

/** Starts a source with one table that stops after the test. */
export async function startBigQuerySource(t: TestContext): Promise<BigQuerySource> {
  const server = await startBigQueryServer()
  const proxy = await startFaultProxy(server.url, { paging: BIGQUERY_PAGING })
  t.after(async () => {
    await proxy.close()
    await server.close()
  })
  const { model } = server
  model.projects = { shop: { sales: [newTable('orders')] } }
  const waitsMs: number[] = []
  const log: string[] = []
  const setup = ({ configuration, ...given }: Given = {}) =>
    newSetup({
      configuration: bigquery.description.configuration.parse({
        projects: 'shop',
        authentication: 'none',
        endpoint: proxy.url,
        tokenEndpoint: `${proxy.url}/token`,
        ...configuration,
      }),
      secrets: {},
      log: (level, text) => log.push(`${level} ${text}`),
      ...given,
    })
  // Waits are recorded and end at once.
  const wait = async (ms: number): Promise<void> => void waitsMs.push(ms)
  const connector = { ...bigquery, open: (given: Setup) => openSession(given, wait) }
  return {
    proxy,
    model,
    waitsMs,
    log,
    read: async (given) => await readSource(connector, setup(given)),
    readGrants: async (tables, given) =>
      await readSourceGrants(connector, setup(given), tables.map(toPlace)),
    check: async (given) => await checkSource(setup(given), wait),
  }
}

function toPlace(name: string): AssetPlace {
  return { path: ['shop', 'sales', name], scope: ['shop', 'sales'], kind: 'table' }
}

/** Creates a table with one column. */
export function newTable(name: string, more: Record<string, unknown> = {}): BigQueryTableEntry {
  return { name, schema: { fields: [{ name: 'id', type: 'INTEGER' }] }, ...more }
}

/** Lists the paths of assets, joined by dots. */
export function listPaths({ assets }: SourceReading): string[] {
  return assets.map(({ path }) => path.join('.'))
}

/** Lists the paths of completely read scopes. */
export function listComplete({ outcomes }: SourceReading): string[] {
  return outcomes.filter(({ failure }) => !failure).map(({ path }) => path.join('.'))
}
