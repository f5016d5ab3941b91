/** A platform's scripted server behind a fault proxy, as the source of one case. */

import assert from 'node:assert/strict'
import type { TestContext } from 'node:test'
import {
  SourceFailure,
  type Connector,
  type Finding,
  type Setup,
  type SourceAsset,
} from '../../server/connectors/connector.ts'
import { CONTAINER_KINDS } from '../../server/connectors/description.ts'
import { catchFailure, newSetup, readSource, type SourceReading } from '../source-reading.ts'
import { startFaultProxy, type FaultProxy } from './fault-proxy.ts'
import type { Platform, PlatformServer } from './platform.ts'

/** Parts of a setup that differ from that of the scripted server. */
export type CaseSetup = Partial<Setup>

/** The source of one case. */
export interface CaseSource {
  platform: Platform
  server: PlatformServer
  proxy: FaultProxy
  /** The waits before requests, in milliseconds. */
  waitsMs: number[]
  /** The lines of the log. */
  log: string[]
  setup(given?: CaseSetup): ReturnType<typeof newSetup>
  read(given?: CaseSetup): Promise<SourceReading>
  /** Reads a source that fails, and returns the failure of the run. */
  fail(given?: CaseSetup): ReturnType<typeof catchFailure>
  check(given?: CaseSetup): Promise<Finding[]>
  /** Cuts the listings into pages of this size. */
  cutPages(size: number, addsEmptyPages?: boolean): void
  /** Lists the dotted paths of tables and views, sorted. */
  listTables(reading: SourceReading): string[]
  /** Lists the dotted paths of the completely read schemas, sorted. */
  listComplete(reading: SourceReading): string[]
  /** Returns the dotted path of a schema or table. */
  name(schema: string, table?: string): string
  getTable(reading: SourceReading, schema: string, table: string): SourceAsset
}

/** Starts the source of a case; it stops after the test and then asserts that no text contains a secret. */
export async function startCaseSource(t: TestContext, platform: Platform): Promise<CaseSource> {
  const server = await platform.startServer()
  const proxy = await startFaultProxy(server.url, { paging: platform.paging })
  server.acceptProxy(proxy.url, false)
  const waitsMs: number[] = []
  const log: string[] = []
  const texts: string[] = []
  t.after(async () => {
    await proxy.close()
    await server.close()
    assertNoSecrets(proxy, [...log, ...texts])
  })
  const wait = async (ms: number): Promise<void> => void waitsMs.push(ms)
  const connector: Connector = {
    ...platform.connector,
    open: async (setup) => await platform.open(setup, wait),
  }
  const { configuration, secrets } = platform.configure(proxy.url)
  const setup = (given: CaseSetup = {}): ReturnType<typeof newSetup> =>
    newSetup({
      configuration: connector.description.configuration.parse(configuration),
      secrets,
      log: (level, text) => void log.push(`${level} ${text}`),
      ...given,
    })
  const read = async (given?: CaseSetup): Promise<SourceReading> => {
    try {
      const reading = await readSource(connector, setup(given))
      texts.push(...reading.statements)
      texts.push(...reading.outcomes.flatMap(({ failure }) => failure?.message ?? []))
      texts.push(...reading.unreadable.map(({ message }) => message))
      return reading
    } catch (error) {
      if (error instanceof SourceFailure) texts.push(error.message, String(error.cause))
      throw error
    }
  }
  const name = (schema: string, table?: string): string => platform.toPath(schema, table).join('.')
  return {
    platform,
    server,
    proxy,
    waitsMs,
    log,
    setup,
    read,
    fail: async (given) => await catchFailure(read(given)),
    async check(given) {
      const findings = await connector.check(setup(given))
      texts.push(JSON.stringify(findings))
      return findings
    },
    cutPages(size, addsEmptyPages = false) {
      server.acceptProxy(proxy.url, true)
      Object.assign(proxy, { pageSize: size, addsEmptyPages })
    },
    listTables: ({ assets }) =>
      assets
        .filter(({ kind }) => !CONTAINER_KINDS.includes(kind))
        .map(({ path }) => path.join('.'))
        .toSorted(),
    listComplete: ({ outcomes }) =>
      outcomes
        .filter(({ failure, path }) => !failure && path.length === platform.toPath('x').length)
        .map(({ path }) => path.join('.'))
        .toSorted(),
    name,
    getTable: (reading, schema, table) => reading.table(...platform.toPath(schema, table)),
  }
}

// The tokens and signatures of all requests, and the secrets of the settings.
function assertNoSecrets({ requests }: FaultProxy, texts: readonly string[]): void {
  const secrets = new Set(['canary'])
  for (const { headers } of requests) {
    const token = /([^ =]+)=*$/.exec(headers.authorization ?? '')?.[1]
    if (token !== undefined) secrets.add(token)
  }
  for (const text of texts) {
    assert.ok(![...secrets].some((secret) => text.includes(secret)), `a secret is in: ${text}`)
  }
}

/** A case: the expectations of one situation. */
export type WarehouseCase = (source: CaseSource) => Promise<void>
