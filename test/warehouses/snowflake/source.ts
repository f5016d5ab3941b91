/** A scripted Snowflake account behind a fault proxy, and readings of it. */

import type { TestContext } from 'node:test'
import type { Finding, KnownVersions, Setup } from '../../../server/connectors/connector.ts'
import { snowflake } from '../../../server/connectors/snowflake/connector.ts'
import { openSession } from '../../../server/connectors/snowflake/session.ts'
import {
  newSetup,
  readSource,
  readSourceGrants,
  type GrantsOfSource,
  type SourceReading,
} from '../../source-reading.ts'
import { startFaultProxy, type FaultProxy } from '../fault-proxy.ts'
import type { ModelColumn, ModelTable, SnowflakeModel } from './model.ts'
import { startSnowflakeServer } from './server.ts'

/** A setup that differs from the usual one: an account with a programmatic access token. */
export interface SnowflakeSetup extends Partial<Setup> {
  configuration?: Record<string, unknown>
}

/** A running account. */
export interface SnowflakeSource {
  proxy: FaultProxy
  model: SnowflakeModel
  /** The address of the account without the proxy. */
  serverUrl: string
  /** The waits before requests, in milliseconds; they end at once. */
  waitsMs: number[]
  logs: string[]
  read(given?: SnowflakeSetup, known?: KnownVersions): Promise<SourceReading>
  readGrants(given?: SnowflakeSetup): Promise<GrantsOfSource>
  check(given?: SnowflakeSetup): Promise<Finding[]>
}

/** Starts an account with one table, `SHOP.SALES.ORDERS`, for one test. */
export async function startSnowflake(t: TestContext): Promise<SnowflakeSource> {
  const server = await startSnowflakeServer()
  const proxy = await startFaultProxy(server.url)
  t.after(async () => {
    await proxy.close()
    await server.close()
  })
  const { model } = server
  model.databases = { SHOP: { schemas: { SALES: { tables: { ORDERS: newTable() } } } } }
  const waitsMs: number[] = []
  const logs: string[] = []
  const setup = ({ configuration, ...given }: SnowflakeSetup = {}) =>
    newSetup({
      configuration: snowflake.description.configuration.parse({
        account: 'myorg-account1',
        url: proxy.url,
        authentication: 'token',
        ...configuration,
      }),
      secrets: { token: 'canary-pat' },
      log: (_, text) => logs.push(text),
      ...given,
    })
  const connector = {
    ...snowflake,
    open: (given: Setup) =>
      openSession(given, async (ms) => {
        waitsMs.push(ms)
      }),
  }
  return {
    proxy,
    model,
    serverUrl: server.url,
    waitsMs,
    logs,
    read: async (given, known) => await readSource(connector, setup(given), known),
    readGrants: async (given) => await readSourceGrants(connector, setup(given)),
    check: async (given) => await snowflake.check(setup(given)),
  }
}

/** Creates a table with the column ID, unless others are given. */
export function newTable(more: Partial<ModelTable> = {}): ModelTable {
  return { columns: [newColumn('ID')], ...more }
}

/** Creates a column of the type NUMBER(38,0). */
export function newColumn(
  name: string,
  more: Record<string, string | number | null> = {},
): ModelColumn {
  return { name, type: 'NUMBER', numeric_precision: 38, numeric_scale: 0, ...more }
}

/** Lists the paths of the assets of a reading. */
export function listPaths({ assets }: SourceReading): string[] {
  return assets.map(({ path }) => path.join('.'))
}

/** Lists the scopes of a reading that were completely read. */
export function listComplete({ outcomes }: SourceReading): string[] {
  return outcomes.filter(({ failure }) => !failure).map(({ path }) => path.join('.'))
}

/** Lists the scopes of a reading that failed, each with the kind of its failure. */
export function listFailures({ outcomes }: SourceReading): string[] {
  return outcomes.flatMap(({ path, failure }) =>
    failure === undefined ? [] : [`${path.join('.')} ${failure.kind}`],
  )
}
