/** The cases about sources that are away in the middle of a run. */

import assert from 'node:assert/strict'
import { matches, type Fault, type ProxiedRequest } from './fault-proxy.ts'
import type { CaseContents } from './platform.ts'
import type { RunCase } from './run-cases.ts'
import type { RunWorld } from './run-world.ts'

const CONTENTS: CaseContents = {
  sales: [{ name: 'orders' }, { name: 'lines' }],
  'archive/later': [{ name: 'notes' }, { name: 'parts' }],
}
const CHANGED: CaseContents = {
  sales: [{ name: 'orders', columns: [{ name: 'id' }, { name: 'added' }] }, { name: 'fresh' }],
  'archive/later': [{ name: 'notes' }, { name: 'more' }],
}
const UNCHANGED = ['SUCCESS', 0, 0, 0, 0]

/** A request is sent so often before its failure ends an attempt to read. */
const TRIES = 3
/** The attempts of a run, of which the last one succeeds. */
const FAILED_ATTEMPTS = 2

async function runFirst(source: RunWorld): Promise<void> {
  const { platform, server, proxy } = source
  if (platform.archive !== undefined) await source.configure(platform.archive)
  if (platform.paging.lists.length > 0) {
    server.acceptProxy(proxy.url, true)
    proxy.pageSize = 1
  }
  server.setContents(CONTENTS)
  assert.equal((await source.run())[0], 'SUCCESS')
}

/** Selects the first or a later request for the tables of a schema. */
const selectRequest =
  ({ platform }: RunWorld, schema: string, isLater: boolean) =>
  (request: ProxiedRequest): boolean => {
    const { requests, laterRequests, paging } = platform
    if (!`${request.target} ${request.body}`.includes(schema)) return false
    if (laterRequests !== undefined) {
      return matches(isLater ? laterRequests : requests.tables, request)
    }
    return matches(requests.tables, request) && (paging.getToken(request) !== '') === isLater
  }

const READINGS = [
  ['the first reading', 'sales'],
  ['a later reading', 'later'],
] as const

const REQUESTS = [
  ['the first request', false],
  ['a later request', true],
] as const

const FAULTS: readonly (readonly [string, Fault])[] = [
  ['a lost connection', 'hang up'],
  ['an answer that breaks off', 'drop'],
  ['failing answers', { status: 503 }],
]

const recovers =
  (schema: string, isLater: boolean, how: Fault): RunCase =>
  async (source) => {
    await runFirst(source)
    source.server.setContents(CHANGED)
    const when = selectRequest(source, schema, isLater)
    source.proxy.fail(when, how, TRIES * FAILED_ATTEMPTS)
    const before = source.proxy.count(when)
    assert.deepEqual(await source.run(), ['SUCCESS', 2, 1, 2, 0])
    assert.ok(source.proxy.count(when) - before > TRIES * FAILED_ATTEMPTS)
    assert.deepEqual(await source.run(), UNCHANGED)
  }

/** The cases by their names. */
export const LOST_CONNECTION_CASES: Readonly<Record<string, RunCase>> = Object.fromEntries([
  ...READINGS.flatMap(([reading, schema]) =>
    REQUESTS.flatMap(([request, isLater]) =>
      FAULTS.map(([fault, how]): [string, RunCase] => [
        `${fault} at ${request} of ${reading}, until the second retry › the run is complete`,
        recovers(schema, isLater, how),
      ]),
    ),
  ),
  [
    'a reading that fails for good › names the cause and leaves the others complete',
    async (source: RunWorld): Promise<void> => {
      await runFirst(source)
      source.server.setContents(CHANGED)
      source.proxy.fail(selectRequest(source, 'sales', false), 'hang up')
      const { status, scopes } = await source.runWithScopes()
      assert.equal(status, 'SUCCESS')
      const path = (schema: string, table: string): string =>
        source.platform.toPath(schema, table).join('.')
      const assets = await source.world.assets()
      assert.ok(assets.has(path('archive/later', 'more')))
      assert.ok(!assets.has(path('archive/later', 'parts')))
      assert.ok(assets.has(path('sales', 'lines')) && !assets.has(path('sales', 'fresh')))
      const sales = scopes.get(JSON.stringify(source.platform.toPath('sales')))
      assert.equal(sales?.state, 'failed')
      assert.match(sales.message ?? '', /closed the connection/)
    },
  ] as const,
])
