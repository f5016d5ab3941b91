/** A scripted catalog behind a fault proxy, as the source of tests of the connector. */

import type { TestContext } from 'node:test'
import { checkSource } from '../../../server/connectors/glue/checking.ts'
import { glue } from '../../../server/connectors/glue/connector.ts'
import { openSession } from '../../../server/connectors/glue/session.ts'
import type { AssetPlace, Setup } from '../../../server/connectors/connector.ts'
import {
  newSetup,
  readSource,
  readSourceGrants,
  type GrantsOfSource,
  type SourceReading,
} from '../../source-reading.ts'
import { startFaultProxy, type FaultProxy } from '../fault-proxy.ts'
import { pagingByBody } from '../paging.ts'
import { startGlueServer, type GlueModel, type GlueTableEntry } from './server.ts'

const PAGING = pagingByBody(['DatabaseList', 'TableList'], 'NextToken')

/** Parts of a set-up that differ from that of the scripted source. */
export interface Given extends Partial<Setup> {
  configuration?: Record<string, unknown>
}

/** A running source. */
export interface GlueSource {
  proxy: FaultProxy
  model: GlueModel
  /** The waits before requests, in milliseconds. */
  waitsMs: number[]
  /** The lines of the log. */
  log: string[]
  setup(given?: Given): ReturnType<typeof newSetup>
  read(given?: Given): Promise<SourceReading>
  /** Reads the grants on tables of `sales`. */
  readGrants(tables: readonly string[], given?: Given): Promise<GrantsOfSource>
  check(given?: Given): ReturnType<typeof glue.check>
  /** Returns the operations of the requests, in order. */
  listOperations(): string[]
}

/** Starts a source with one table that stops after the test. */
export async function startGlueSource(t: TestContext): Promise<GlueSource> {
  const server = await startGlueServer()
  const proxy = await startFaultProxy(server.url, { paging: PAGING })
  t.after(async () => {
    await proxy.close()
    await server.close()
  })
  const { model } = server
  model.hosts.add(new URL(proxy.url).host)
  model.databases = { sales: [newTable('orders')] }
  const waitsMs: number[] = []
  const log: string[] = []
  const setup = ({ configuration, ...given }: Given = {}) =>
    newSetup({
      configuration: glue.description.configuration.parse({
        region: model.region,
        catalogId: model.account,
        accessKeyId: 'AKIATEST',
        endpoint: proxy.url,
        stsEndpoint: `${proxy.url}/`,
        lakeFormationEndpoint: proxy.url,
        ...configuration,
      }),
      secrets: { secretAccessKey: 'canary-secret' },
      log: (level, text) => log.push(`${level} ${text}`),
      ...given,
    })
  // Waits are recorded and end at once.
  const wait = async (ms: number): Promise<void> => void waitsMs.push(ms)
  const connector = { ...glue, open: (given: Setup) => openSession(given, wait) }
  return {
    proxy,
    model,
    waitsMs,
    log,
    setup,
    read: async (given) => await readSource(connector, setup(given)),
    readGrants: async (tables, given) =>
      await readSourceGrants(connector, setup(given), tables.map(toPlace)),
    check: async (given) => await checkSource(setup(given), wait),
    listOperations: () =>
      proxy.requests.map(({ headers, target }) =>
        String(headers['x-amz-target'] ?? target).replace('AWSGlue.', ''),
      ),
  }
}

function toPlace(name: string): AssetPlace {
  return { path: ['sales', name], scope: ['sales'], kind: 'table' }
}

/** Creates a table with one column. */
export function newTable(name: string, more: Record<string, unknown> = {}): GlueTableEntry {
  return {
    Name: name,
    TableType: 'EXTERNAL_TABLE',
    StorageDescriptor: { Columns: [{ Name: 'id', Type: 'bigint' }] },
    PartitionKeys: [],
    ...more,
  }
}

/** Lists the paths of assets, joined by dots. */
export function listPaths({ assets }: SourceReading): string[] {
  return assets.map(({ path }) => path.join('.'))
}

/** Lists the names of completely read databases. */
export function listComplete({ outcomes }: SourceReading): string[] {
  return outcomes.filter(({ failure }) => !failure).map(({ path }) => path.join('.'))
}
