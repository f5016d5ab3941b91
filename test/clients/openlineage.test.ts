/**
 * The public OpenLineage clients: `openlineage-python` with each of its HTTP transports, and `dbt-ol`, which
 * runs dbt on DuckDB. Every event that they send is stored as it was sent.
 */

import assert from 'node:assert/strict'
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { before, describe, test } from 'node:test'
import { stringify } from 'yaml'
import { readJson } from '../answers.ts'
import type { World } from '../world.ts'
import { makeFolder, onClient, runProgram } from './client.ts'

/** The members of an event that the tests read. */
interface LineageEvent {
  eventType?: string
  run?: { runId: string; facets?: object }
  job?: { namespace: string; name: string; facets?: object }
  dataset?: { namespace: string; name: string; facets?: object }
  inputs?: { facets: { schema: { fields: unknown[] } } }[]
}

const SEND_LINEAGE = join(import.meta.dirname, 'send_lineage.py')
const RUNS = 5
const COLUMNS = 200
const OF_PRODUCT = 'api/v1/lineage?dataProductId=orders&outputPortName=current'

/** The transports, by the namespace of the jobs that they send. */
const TRANSPORTS: Readonly<Record<string, object>> = {
  plain: { type: 'http' },
  gzip: { type: 'http', compression: 'gzip' },
  product: { type: 'http', endpoint: OF_PRODUCT },
  async: { type: 'async_http' },
  'async-gzip': { type: 'async_http', compression: 'gzip' },
}

const DBT_PROJECT: Readonly<Record<string, string>> = {
  'dbt_project.yml': stringify({ name: 'shop', version: '1.0', profile: 'shop' }),
  'profiles.yml': stringify({
    shop: { target: 'dev', outputs: { dev: { type: 'duckdb', path: 'shop.duckdb' } } },
  }),
  'seeds/payments.csv': 'id,amount\n1,5\n2,7\n',
  'models/orders.sql': `{{ config(materialized='table') }} select * from {{ ref('payments') }}`,
  'models/revenue.sql': `select sum(amount) as total from {{ ref('orders') }}`,
  'models/schema.yml': stringify({
    models: [{ name: 'orders', columns: [{ name: 'id', data_tests: ['unique', 'not_null'] }] }],
  }),
}

onClient('openlineage', (installation) => {
  let world: World
  before(async () => {
    world = await installation().newOrganization()
  })
  const transport = (more: object): object => ({
    url: installation().url,
    auth: { type: 'api_key', apiKey: world.keys.O },
    ...more,
  })
  const listEvents = async (query: string): Promise<LineageEvent[]> =>
    await readJson<LineageEvent[]>(world.as('O', 'GET', `/api/v1/lineage?${query}`))

  describe('openlineage-python', { concurrency: true }, () => {
    for (const [namespace, more] of Object.entries(TRANSPORTS)) {
      test(`sends every event, transport ${namespace}`, async () => {
        const request = { transport: transport(more), namespace, runs: RUNS }
        const { exitCode, stdout, stderr } = await runProgram(
          'openlineage',
          'python',
          [SEND_LINEAGE],
          { input: JSON.stringify(request) },
        )
        assert.deepEqual([exitCode, stdout], [0, `${RUNS * 3 + 2}\n`], stderr)
        const events = await listEvents(`jobNamespace=${namespace}`)
        // The event of a data set has no job.
        assert.equal(events.length, RUNS * 3 + 1)
        const completed = await listEvents(`jobNamespace=${namespace}&eventType=COMPLETE`)
        assert.equal(completed.length, RUNS)
        const [{ run, inputs } = {}] = completed
        assert.equal(inputs?.[0]?.facets.schema.fields.length, COLUMNS)
        assert.equal((await listEvents(`runId=${run?.runId}`)).length, 3)
      })
    }
  })

  describe('the events', () => {
    test('are those of the data product in the address', async () => {
      const events = await listEvents('dataProductId=orders')
      assert.deepEqual([...new Set(events.flatMap(({ job }) => job?.namespace ?? []))].toSorted(), [
        'product',
      ])
    })
    test('may be about a data set, without a job', async () => {
      const events = await listEvents('')
      const datasets = events.filter(({ dataset }) => dataset !== undefined)
      assert.equal(datasets.length, Object.keys(TRANSPORTS).length)
      assert.equal(events.length, Object.keys(TRANSPORTS).length * (RUNS * 3 + 2))
    })
  })

  test('dbt-ol sends every event of a build and of a compressed run', async () => {
    const folder = makeFolder()
    for (const [name, text] of Object.entries(DBT_PROJECT)) {
      mkdirSync(dirname(join(folder, name)), { recursive: true })
      writeFileSync(join(folder, name), text)
    }
    const run = async (
      args: readonly string[],
      namespace: string,
      more: object,
    ): Promise<number> => {
      const environment = {
        OPENLINEAGE_NAMESPACE: namespace,
        OPENLINEAGE__TRANSPORT: JSON.stringify(transport({ type: 'http', ...more })),
        DBT_SEND_ANONYMOUS_USAGE_STATS: 'false',
      }
      const options = { environment, folder }
      const result = await runProgram('openlineage', 'dbt-ol', args, options)
      const output = `${result.stdout}\n${result.stderr}`
      assert.equal(result.exitCode, 0, output)
      const [, count] = /Emitted (\d+) OpenLineage events/.exec(output) ?? []
      return Number(count)
    }
    // Two events of dbt, of each model and of the seed; and those of the tests.
    const ofBuild = await run(['build'], 'build', {})
    assert.ok(ofBuild >= 8, String(ofBuild))
    assert.equal((await listEvents('jobNamespace=build')).length, ofBuild)
    const ofRun = await run(['run'], 'run', { compression: 'gzip', endpoint: OF_PRODUCT })
    assert.ok(ofRun >= 6, String(ofRun))
    assert.equal((await listEvents('jobNamespace=run&dataProductId=orders')).length, ofRun)
  })
})
