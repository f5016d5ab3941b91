/**
 * Random requests against the product's own OpenAPI document, and noise: no request may cause a 5xx or a
 * response that the document does not describe, or reveal anything of another organization.
 *
 * PORTBOOK_FUZZ_REQUESTS sets the number of requests, PORTBOOK_FUZZ_SEED repeats a run.
 */

import assert from 'node:assert/strict'
import { randomInt } from 'node:crypto'
import { after, before, test, type TestContext } from 'node:test'
import * as fc from 'fast-check'
import pino from 'pino'
import { api } from '../server/api.ts'
import { ui } from '../server/ui.ts'
import { openApiDocument } from '../server/requests/http/openapi.ts'
import { damage, damageBytes } from './fuzz-bodies.ts'
import { newWireClient, type Outcome, type WireClient } from './fuzz-connection.ts'
import { describeApi, judge, type Description, type OpenApi } from './fuzz-oracle.ts'
import type { FuzzRequest, Operation, Pool } from './fuzz-pool.ts'
import { toBytes, requests } from './fuzz-requests.ts'
import { plantCanaries, collectPool } from './fuzz-world.ts'
import { serveRaw, type RawServer } from './raw-http.ts'
import { onStore } from './stores.ts'
import { expectOk, newProduct, newWorld, type World } from './world.ts'

const REQUESTS = Number(process.env['PORTBOOK_FUZZ_REQUESTS'] ?? 2500)
const SEED = Number(process.env['PORTBOOK_FUZZ_SEED'] ?? randomInt(2 ** 31))
// The share of damaged noise is small, because it is slow: the server waits for missing bytes.
const NOISE_PART = 10
const SIDE_BY_SIDE = 16
// An organization is set up once, and only a finished run can be corrected.
const RUN = '/ui/integrations/{externalId}/runs/{ingestionRunId}'
const UNREACHABLE = [
  'POST /ui/set-up',
  `POST ${RUN}/undo`,
  `POST ${RUN}/confirm`,
  `POST ${RUN}/reject`,
  // They need the id of an output port in a body or a query of their own.
  'POST /api/dataproducts/{id}/outputports/{portId}/request-access',
  'GET /ui/access-requests/facts',
]
// With this many requests, every operation succeeds at least once.
const REQUESTS_SURE = 10_000
const SILENCE_MS_MAX = 30_000
const NOISE_SILENCE_MS = 150

// The whole run must fit; a separate time limit of a test would cut the long one.
const options = { timeout: 60 * 60_000 }

onStore((store) => {
  let server: RawServer
  let a: World
  let b: World
  let pool: Pool
  let described: Description
  let canaries: Record<'A' | 'B', string[]>
  const clients: WireClient[] = []
  /** Log entries of requests that failed unexpectedly. */
  const failures: string[] = []

  before(async () => {
    const log = pino({ level: 'error' }, { write: (line) => void failures.push(line) })
    const product = newProduct(store(), { log })
    a = await newWorld(product)
    b = await newWorld(product)
    canaries = { A: await plantCanaries(a), B: await plantCanaries(b) }
    server = await serveRaw(a)
    described = describeApi(openApiDocument([...api, ...ui], 'test') as OpenApi)
    pool = await collectPool(a, b)
    const port = Number(new URL(server.url).port)
    for (let index = 0; index < SIDE_BY_SIDE; index += 1) clients.push(newWireClient(port))
  })
  after(async () => {
    for (const client of clients) client.close()
    await server.close()
  })

  test(
    'random requests › documented responses, no 5xx, no data of other organizations',
    options,
    async (t) => {
      const counts = new Map<string, number>()
      const count = Math.ceil(REQUESTS * (1 - 1 / NOISE_PART))
      const judged = (request: FuzzRequest, outcome: Outcome): Operation | undefined => {
        try {
          return judge(request, outcome, described, canaries)
        } catch (error) {
          throw new Error(`to ${shown(request)}\n${failures.join('')}`, { cause: error })
        }
      }
      const send = async (request: FuzzRequest, client: WireClient | undefined): Promise<void> => {
        assert.ok(client !== undefined)
        const outcome = await client.ask(toBytes(request), request.method, SILENCE_MS_MAX)
        const operation = judged(request, outcome)
        const status = outcome === 'closed' ? 'closed' : outcome.status
        const name = `${operation?.method ?? 'other'} ${operation?.template ?? ''} ${status}`
        counts.set(name, (counts.get(name) ?? 0) + 1)
      }
      await check(
        t,
        fc.asyncProperty(
          fc.array(requests(described, pool), {
            minLength: 1,
            maxLength: SIDE_BY_SIDE,
            size: 'max',
          }),
          async (batch) => {
            await Promise.all(batch.map((request, index) => send(request, clients[index])))
          },
        ),
        Math.ceil((count * 2) / SIDE_BY_SIDE),
      )
      t.diagnostic(`seed ${SEED}: ${summary(counts)}`)
      // A generator that reaches no operation would find no problem.
      const unreached = described.operations
        .filter(
          ({ method, template, answers }) =>
            ![...answers.keys()].some(
              (status) => status < 300 && counts.has(`${method} ${template} ${status}`),
            ),
        )
        .map(({ method, template }) => `${method} ${template}`)
        .filter((name) => !UNREACHABLE.includes(name))
      assert.ok(unreached.length < described.operations.length / 2, unreached.join())
      if (count >= REQUESTS_SURE) assert.deepEqual(unreached, [], 'operations that never succeeded')
    },
  )

  test('exports of the activity › the documented media types, and lines that match the schema', async () => {
    const [key = ''] = pool.keysOfA
    const [client] = clients
    assert.ok(client !== undefined)
    for (const target of [
      '/api/activity?format=csv',
      '/api/activity?format=jsonl',
      '/api/activity?format=json&limit=2',
      '/api/activity?format=csv&kind=account&actor=user:unknown',
    ]) {
      for (const method of ['GET', 'HEAD']) {
        const headers: [string, string][] = [['x-api-key', key]]
        const request = { method, target, headers, body: undefined, isChunked: false } as const
        // One connection sends one request after the other.
        // oxlint-disable-next-line no-await-in-loop
        const outcome = await client.ask(
          toBytes({ ...request, keyOwner: 'A' }),
          method,
          SILENCE_MS_MAX,
        )
        assert.ok(outcome !== 'closed' && outcome.status === 200, target)
        judge({ ...request, keyOwner: 'A' }, outcome, described, canaries)
      }
    }
  })

  test('damaged bytes › no 5xx, and the next request succeeds', options, async (t) => {
    const port = Number(new URL(server.url).port)
    const [client] = clients
    assert.ok(client !== undefined)
    const statuses = new Map<string, number>()
    await check(
      t,
      fc.asyncProperty(
        fc.array(fc.tuple(requests(described, pool), damage), {
          minLength: 1,
          maxLength: SIDE_BY_SIDE,
          size: 'max',
        }),
        async (batch) => {
          await Promise.all(
            batch.map(async ([request, marks]) => {
              const noisy = newWireClient(port)
              const bytes = damageBytes(toBytes(request), marks)
              const text = await noisy.blurt(bytes, NOISE_SILENCE_MS)
              for (const [, status = ''] of text.matchAll(/HTTP\/1\.1 (\d{3}) [A-Z][\w -]*\r\n/g)) {
                statuses.set(status, (statuses.get(status) ?? 0) + 1)
                assert.ok(Number(status) < 500, `${status} to ${bytes.toString('latin1')}`)
              }
              for (const canary of canaries[request.keyOwner === 'B' ? 'A' : 'B']) {
                assert.ok(!text.includes(canary))
              }
            }),
          )
          const alive = Buffer.from('GET /healthz HTTP/1.1\r\nhost: portbook.test\r\n\r\n')
          const answer = await client.ask(alive, 'GET', SILENCE_MS_MAX)
          assert.ok(answer !== 'closed' && answer.status === 200)
        },
      ),
      Math.ceil(((REQUESTS / NOISE_PART) * 2) / SIDE_BY_SIDE),
    )
    t.diagnostic(`seed ${SEED}: ${summary(statuses)}`)
  })

  test('after all requests › the canaries are unchanged, and the database works', async () => {
    for (const [world, planted] of [
      [a, canaries.A],
      [b, canaries.B],
    ] as const) {
      const [id = ''] = planted
      const product = await expectOk(world.as('O', 'GET', `/api/dataproducts/${id}`))
      assert.match(await product.text(), new RegExp(id))
      await expectOk(world.as('O', 'GET', '/api/events?include=document'))
    }
    assert.deepEqual(failures, [], `repeat it with PORTBOOK_FUZZ_SEED=${SEED}`)
  })
})

async function check(
  t: TestContext,
  property: fc.IAsyncProperty<unknown>,
  numRuns: number,
): Promise<void> {
  const details = await fc.check(property, {
    seed: SEED,
    numRuns,
    unbiased: true,
    // The result of a request depends on the database, so a smaller example rarely fails again.
    endOnFailure: true,
  })
  if (!details.failed) return
  t.diagnostic(`repeat it with PORTBOOK_FUZZ_SEED=${SEED}`)
  throw details.errorInstance
}

function shown({ method, target, headers, body }: FuzzRequest): string {
  const lines = [`${method} ${target}`, ...headers.map((header) => header.join(': '))]
  return [...lines, body?.toString('utf8').slice(0, 1000)].join('\n')
}

function summary(counts: ReadonlyMap<string, number>): string {
  const sorted = [...counts].toSorted(([one], [other]) => (one < other ? -1 : 1))
  return sorted.map(([name, count]) => `${name} × ${count}`).join(', ')
}
