/**
 * Requests at random against the product's own OpenAPI document, and noise: nothing may end in a
 * 5xx, answer what the document does not describe, or show anything of another organization.
 *
 * PORTBOOK_FUZZ_REQUESTS sets how many requests are sent in all, PORTBOOK_FUZZ_SEED repeats a run.
 */

import assert from 'node:assert/strict'
import { randomInt } from 'node:crypto'
import { after, before, test, type TestContext } from 'node:test'
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import * as fc from 'fast-check'
import pino from 'pino'
import { damage, damaged } from './fuzz-bodies.ts'
import { newWireClient, type Outcome, type WireAnswer, type WireClient } from './fuzz-connection.ts'
import {
  bytesOf,
  requests,
  type FuzzRequest,
  type KeyOwner,
  type Operation,
  type Pool,
} from './fuzz-requests.ts'
import { serveRaw, type RawServer } from './raw-http.ts'
import { addIntegration } from './integrations.ts'
import { onStore } from './stores.ts'
import { expectOk, newProduct, newWorld, odps, uniqueId, type World } from './world.ts'

const REQUESTS = Number(process.env['PORTBOOK_FUZZ_REQUESTS'] ?? 2000)
const SEED = Number(process.env['PORTBOOK_FUZZ_SEED'] ?? randomInt(2 ** 31))
// One in so many requests is damaged noise, which is slow: the server waits for what never comes.
const NOISE_PART = 10
const STORES = 2
const SIDE_BY_SIDE = 16
// With as many, every operation succeeds now and then.
const REQUESTS_SURE = 10_000
const SILENCE_MS_MAX = 30_000
const NOISE_SILENCE_MS = 150
// Below this a body may be refused while it is still written, and the refusal get lost.
const BODY_BYTES_SURE = 64 * 1024

// The whole run must fit; a test of its own time limit would cut the long one.
const options = { timeout: 60 * 60_000 }

onStore((store) => {
  let server: RawServer
  let a: World
  let b: World
  let pool: Pool
  let described: Description
  let canaries: Record<'A' | 'B', string[]>
  const clients: WireClient[] = []
  /** What the product logged of requests that it did not expect to fail. */
  const failures: string[] = []

  before(async () => {
    const log = pino({ level: 'error' }, { write: (line) => void failures.push(line) })
    const product = newProduct(store(), { log })
    a = await newWorld(product)
    b = await newWorld(product)
    canaries = { A: await plantCanaries(a), B: await plantCanaries(b) }
    server = await serveRaw(store(), a)
    const answer = await fetch(`${server.url}/openapi.json`)
    described = describe((await answer.json()) as OpenApi)
    pool = await poolOf(a, b)
    const port = Number(new URL(server.url).port)
    for (let index = 0; index < SIDE_BY_SIDE; index += 1) clients.push(newWireClient(port))
  })
  after(async () => {
    for (const client of clients) client.close()
    await server.close()
  })

  test('requests at random › described answers, no 5xx, nothing of others', options, async (t) => {
    const counts = new Map<string, number>()
    const count = Math.ceil((REQUESTS / STORES) * (1 - 1 / NOISE_PART))
    const judged = (request: FuzzRequest, outcome: Outcome): Operation | undefined => {
      try {
        return judge(request, outcome, described, canaries)
      } catch (error) {
        throw new Error(`to ${shown(request)}\n${failures.join('')}`, { cause: error })
      }
    }
    const send = async (request: FuzzRequest, client: WireClient | undefined): Promise<void> => {
      assert.ok(client !== undefined)
      const outcome = await client.ask(bytesOf(request), request.method, SILENCE_MS_MAX)
      const operation = judged(request, outcome)
      const status = outcome === 'closed' ? 'closed' : outcome.status
      const name = `${operation?.method ?? 'other'} ${operation?.template ?? ''} ${status}`
      counts.set(name, (counts.get(name) ?? 0) + 1)
    }
    await check(
      t,
      fc.asyncProperty(
        fc.array(requests(described.operations, pool), {
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
    // A generator that gets nowhere would find nothing.
    const unreached = described.operations.filter(
      ({ method, template, answers }) =>
        ![...answers.keys()].some(
          (status) => status < 300 && counts.has(`${method} ${template} ${status}`),
        ),
    )
    const names = unreached.map(({ method, template }) => `${method} ${template}`)
    assert.ok(names.length < described.operations.length / 2, names.join())
    if (count >= REQUESTS_SURE) assert.deepEqual(names, [], 'these never succeeded')
  })

  test('damaged bytes › no 5xx, and the next request is answered', options, async (t) => {
    const port = Number(new URL(server.url).port)
    const [client] = clients
    assert.ok(client !== undefined)
    const statuses = new Map<string, number>()
    await check(
      t,
      fc.asyncProperty(
        fc.array(fc.tuple(requests(described.operations, pool), damage), {
          minLength: 1,
          maxLength: SIDE_BY_SIDE,
          size: 'max',
        }),
        async (batch) => {
          await Promise.all(
            batch.map(async ([request, marks]) => {
              const noisy = newWireClient(port)
              const bytes = damaged(bytesOf(request), marks)
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
      Math.ceil(((REQUESTS / STORES / NOISE_PART) * 2) / SIDE_BY_SIDE),
    )
    t.diagnostic(`seed ${SEED}: ${summary(statuses)}`)
  })

  test('after all that › the canaries are where they were, and the store serves', async () => {
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
    // What an answer depends on is in the store: a smaller example hardly ever fails again.
    endOnFailure: true,
  })
  if (!details.failed) return
  t.diagnostic(`repeat it with PORTBOOK_FUZZ_SEED=${SEED}`)
  throw details.errorInstance
}

// --- The world ---

const INTEGRATION_IDS = ['i1', 'i2', 'urn:x:3', '__proto__']
const PRODUCT_IDS = ['p1', 'p2', 'p3', 'urn:x:4', '{5}', '__proto__', 'p 7']

async function plantCanaries(world: World): Promise<string[]> {
  const canary = `canary${uniqueId()}`
  await expectOk(
    world.as('O', 'PUT', `/api/teams/${canary}`, {
      body: {
        id: canary,
        name: canary,
        parent: 'a',
        members: [{ emailAddress: `${canary}@example.test`, role: canary }],
      },
    }),
  )
  const ports = [{ name: canary, version: '1', description: canary, contractId: canary }]
  await addIntegration(world, canary, { externalId: canary, name: canary })
  const body = odps(canary, { team: { name: canary }, name: canary, outputPorts: ports })
  await expectOk(world.as('O', 'PUT', `/api/dataproducts/${canary}`, { body }))
  for (const id of PRODUCT_IDS) {
    const path = `/api/dataproducts/${encodeURIComponent(id)}`
    await expectOk(world.as('O', 'PUT', path, { body: odps(id) }))
    const asset = { info: { name: id, owner: 'a' } }
    const assetPath = `/api/assets/${encodeURIComponent(id)}`
    await expectOk(world.as('O', 'PUT', assetPath, { body: asset }))
  }
  return [canary, world.organizationId]
}

async function poolOf(a: World, b: World): Promise<Pool> {
  const keyIds: string[] = []
  for (let index = 0; index < 20; index += 1) {
    const body = { scope: 'team_read', teamId: 'b', displayName: `Fuzz ${index}` }
    const answer = await expectOk(a.as('O', 'POST', '/api/api-keys', { body }))
    keyIds.push(((await answer.json()) as { organizationApiKeyId: string }).organizationApiKeyId)
  }
  for (const id of INTEGRATION_IDS) await addIntegration(a, 'a', { externalId: id })
  return {
    keysOfA: secretsOf(a),
    sessionsOfA: Object.values(a.sessions),
    integrationIds: INTEGRATION_IDS,
    keysOfB: secretsOf(b),
    keyIds,
    teamIds: ['a', 'b', 'c', 'Data Team', 'äö'],
    productIds: PRODUCT_IDS,
  }
}

function secretsOf({ keys }: World): string[] {
  // The organization's key often: most of what it asks is allowed.
  return [keys.O, keys.O, keys.O, keys.O, keys.O, ...Object.values(keys)].filter(
    (key) => key !== undefined,
  )
}

// --- The oracle ---

interface OpenApi {
  paths: Record<string, Record<string, OpenApiOperation>>
}

interface OpenApiOperation {
  parameters?: { name: string; in: string; schema: { enum?: string[]; type?: string } }[]
  requestBody?: { content: Record<string, unknown> }
  responses: Record<string, { content?: Record<string, unknown> }>
}

interface Description {
  operations: Operation[]
  /** Says what is wrong with a JSON value by the schema that is described for it. */
  flawsIn(
    operation: Operation,
    status: number,
    mediaType: string,
    value: unknown,
  ): string | undefined
}

function describe(document: OpenApi): Description {
  const ajv = new Ajv2020({ strict: false, allErrors: true })
  addFormats.default(ajv)
  ajv.addSchema(document, 'openapi')
  const validators = new Map<string, ValidateFunction>()
  const operations = Object.entries(document.paths).flatMap(([template, methods]) =>
    Object.entries(methods).map(([method, operation]) => operationOf(template, method, operation)),
  )
  return {
    operations,
    flawsIn({ method, template }, status, mediaType, value) {
      const pointer = ['paths', template, method.toLowerCase(), 'responses', status, 'content']
      const path = [...pointer, mediaType, 'schema']
        .map((part) => String(part).replaceAll('~', '~0').replaceAll('/', '~1'))
        .map(encodeURIComponent)
        .join('/')
      const validate = validators.get(path) ?? ajv.compile({ $ref: `openapi#/${path}` })
      validators.set(path, validate)
      return validate(value) ? undefined : ajv.errorsText(validate.errors)
    },
  }
}

function operationOf(template: string, method: string, described: OpenApiOperation): Operation {
  const queryNames = (described.parameters ?? [])
    .filter((parameter) => parameter.in === 'query')
    .map(({ name, schema }) => ({ name, values: saneValues(name, schema) }))
  const answers = Object.entries(described.responses).map(
    ([status, { content }]): [number, string[]] => [Number(status), Object.keys(content ?? {})],
  )
  return {
    method: method.toUpperCase(),
    template,
    queryNames,
    bodyMediaTypes: Object.keys(described.requestBody?.content ?? {}),
    answers: new Map(answers),
  }
}

function saneValues(name: string, schema: { enum?: string[]; type?: string }): string[] {
  if (schema.enum !== undefined) return schema.enum
  if (schema.type === 'boolean') return ['true', 'false']
  if (schema.type === 'integer') return ['0', '1', '2']
  if (name === 'asOf') return ['2026-01-01T00:00:00Z', '2999-01-01T00:00:00Z']
  return ['a', 'b', 'active', 'product', 'p', 'T', 'member@example.test']
}

// What the server says before it knows which operation is meant: it is the same for all of them.
const FRAMING_STATUSES = [400, 408, 431]

/** Fails when an answer is not what may be answered; gives the operation that was asked for. */
function judge(
  request: FuzzRequest,
  outcome: Outcome,
  described: Description,
  canaries: Record<'A' | 'B', string[]>,
): Operation | undefined {
  const operation = operationMeant(request, described.operations)
  if (outcome === 'closed') {
    const isLarge = (request.body?.length ?? 0) > BODY_BYTES_SURE
    const mayEnd =
      isLarge || request.headers.some(([name]) => /^(upgrade|connection|expect)$/.test(name))
    assert.ok(mayEnd, 'the connection ended without an answer')
    return operation
  }
  const { status, headers, body } = outcome
  for (const canary of hiddenFrom(request.keyOwner, canaries)) {
    assert.ok(!body.includes(canary) && !JSON.stringify([...headers]).includes(canary), 'a leak')
  }
  assert.ok(status < 500 || (status === 503 && headers.has('retry-after')), `${status}: ${body}`)
  const isFraming = !headers.has('x-request-id')
  if (isFraming) {
    assert.ok(FRAMING_STATUSES.includes(status), `${status} of the framing: ${body}`)
    assertProblem(outcome, request, '/')
    return operation
  }
  const path = request.target.replace(/^[a-z]+:\/\/[^/?#]*/i, '').split(/[?#]/)[0] || '/'
  const isApi = path === '/api' || path.startsWith('/api/')
  if (request.keyOwner === 'nobody' && isApi) assert.equal(status, 401, body)
  // One refusal, that a run is in progress, has a form of its own for the clients that know it.
  const mediaTypes = operation?.answers.get(status) ?? []
  const isOwnForm = status === 409 && mediaTypes.includes('application/json')
  if (status >= 400 && !isOwnForm) assertProblem(outcome, request, path)
  if (operation === undefined) {
    // A session must prove where a change comes from, whatever the address.
    const isForged = status === 403 && request.headers.some(([name]) => name === 'cookie')
    const isUnrouted = [400, 401, 404, 405, 429].includes(status) || isForged
    if (isApi) assert.ok(isUnrouted, `${status} of no operation`)
    return undefined
  }
  assertDescribed(operation, outcome, request, described)
  return operation
}

function hiddenFrom(owner: KeyOwner, canaries: Record<'A' | 'B', string[]>): string[] {
  if (owner === 'A') return canaries.B
  return owner === 'B' ? canaries.A : [...canaries.A, ...canaries.B]
}

function operationMeant(
  { method, target }: FuzzRequest,
  operations: readonly Operation[],
): Operation | undefined {
  const segments = (target.replace(/^[a-z]+:\/\/[^/?#]*/i, '').split(/[?#]/)[0] ?? '').split('/')
  const asked = method === 'HEAD' ? 'GET' : method
  return operations.find((operation) => {
    const parts = operation.template.split('/')
    return (
      operation.method === asked &&
      parts.length === segments.length &&
      parts.every((part, index) =>
        part.startsWith('{') ? segments[index] !== '' : part === segments[index],
      )
    )
  })
}

function assertDescribed(
  operation: Operation,
  { status, headers, body }: WireAnswer,
  { method }: FuzzRequest,
  described: Description,
): void {
  const name = `${operation.method} ${operation.template}`
  const mediaTypes = operation.answers.get(status)
  assert.ok(mediaTypes !== undefined, `${name} does not describe ${status}: ${body}`)
  const mediaType = headers.get('content-type')
  if (mediaTypes.length === 0) {
    assert.deepEqual([mediaType, body], [undefined, ''], `${name} describes no body for ${status}`)
    return
  }
  assert.ok(mediaType !== undefined && mediaTypes.includes(mediaType), `${name}: ${mediaType}`)
  if (method === 'HEAD' || !mediaType.includes('json')) return
  const flaws = described.flawsIn(operation, status, mediaType, JSON.parse(body))
  assert.equal(flaws, undefined, `${name} ${status}: ${body.slice(0, 2000)}`)
}

function assertProblem(answer: WireAnswer, { method }: FuzzRequest, path: string): void {
  assert.equal(answer.headers.get('content-type'), 'application/problem+json')
  if (method === 'HEAD') return
  const problem = JSON.parse(answer.body)
  assert.deepEqual([problem.status, problem.instance], [answer.status, path])
  for (const name of ['type', 'title', 'detail']) {
    assert.ok(typeof problem[name] === 'string' && problem[name] !== '', answer.body)
  }
  if (answer.status === 401) assert.ok(answer.headers.has('www-authenticate'))
  if (answer.status === 405) assert.ok(answer.headers.has('allow'))
  if ([429, 503].includes(answer.status)) assert.ok(answer.headers.has('retry-after'))
}

function shown({ method, target, headers, body }: FuzzRequest): string {
  const lines = [`${method} ${target}`, ...headers.map((header) => header.join(': '))]
  return [...lines, body?.toString('utf8').slice(0, 1000)].join('\n')
}

function summary(counts: ReadonlyMap<string, number>): string {
  const sorted = [...counts].toSorted(([one], [other]) => (one < other ? -1 : 1))
  return sorted.map(([name, count]) => `${name} × ${count}`).join(', ')
}
