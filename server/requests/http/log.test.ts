import assert from 'node:assert/strict'
import { Writable } from 'node:stream'
import { before, test } from 'node:test'
import pino from 'pino'
import { sql } from 'kysely'
import { expectProblem, readText } from '../../../test/answers.ts'
import { onStore } from '../../../test/stores.ts'
import { expectOk, newProduct, newWorld, odps, uniqueId, type World } from '../../../test/world.ts'

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

interface Line {
  level: number
  method?: string
  route?: string
  status?: number
  ms?: number
  caller?: string
  requestId?: string
}

onStore((store) => {
  let world: World
  let written = ''
  before(async () => {
    const memory = new Writable({
      write(chunk: Buffer, _, done) {
        written += chunk.toString()
        done()
      },
    })
    world = await newWorld(newProduct(store(), { log: pino(memory) }))
  })

  /** Returns the log lines of some requests as JSON. */
  async function getLines(work: () => Promise<unknown>): Promise<Line[]> {
    written = ''
    await work()
    return written
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line) as Line)
  }

  test('log › one line for each request: method, route pattern, status, ms, caller, request id', async () => {
    const id = uniqueId()
    const headers = { 'x-request-id': 'from-the-client.1' }
    const requests: [string, string, number, string | undefined][] = [
      ['PUT', `/api/dataproducts/${id}`, 200, '/api/dataproducts/{id}'],
      ['GET', `/api/dataproducts/${id}?format=odps`, 200, '/api/dataproducts/{id}'],
      [
        'GET',
        `/api/dataproducts/${id}/versions/1`,
        200,
        '/api/dataproducts/{id}/versions/{version}',
      ],
      ['HEAD', '/api/teams?email=someone', 200, '/api/teams'],
      ['GET', `/api/teams/${id}`, 404, '/api/teams/{id}'],
      ['GET', '/api/dataproducts?p=x', 400, '/api/dataproducts'],
      ['GET', `/api/${id}`, 404, 'unmatched'],
      ['PATCH', '/api/teams', 405, 'unmatched'],
      ['GET', '/healthz', 200, '/healthz'],
      ['GET', `/nowhere/${id}`, 404, 'unmatched'],
    ]
    const lines = await getLines(async () => {
      for (const [method, path] of requests) {
        const body = method === 'PUT' ? odps(id) : undefined
        await world.as('T', method, path, { headers, body })
      }
    })
    assert.deepEqual(
      lines.map(({ method, route, status }) => [method, route, status]),
      requests.map(([method, , status, route]) => [method, route, status]),
    )
    for (const { level, ms, requestId, caller, route } of lines) {
      assert.equal(level, 30)
      assert.ok(ms !== undefined && ms >= 0)
      assert.equal(requestId, 'from-the-client.1')
      if (route?.startsWith('/api')) assert.match(caller ?? '', /^api-key:[0-9a-f-]{36}$/)
    }
  })

  test('log › never a secret, a body, a query or an id', async () => {
    const canary = `canary${uniqueId()}`
    const [line, ...more] = await getLines(async () => {
      const path = `/api/dataproducts/${canary}-id?strict=false&${canary}-q=1`
      const headers = { cookie: `${canary}-cookie`, 'x-custom': `${canary}-header` }
      await expectOk(
        world.as('T', 'PUT', path, { body: odps(`${canary}-id`, { x: canary }), headers }),
      )
    })
    assert.ok(line)
    assert.deepEqual(more, [])
    await getLines(async () => {
      const path = `/api/dataproducts/${canary}-id`
      await world.as('T', 'PUT', path, { body: `{"${canary}":` })
      await world.as('T', 'PUT', path, { yaml: `${canary}: [` })
      await world.as('T', 'PUT', path, { body: odps(path, { team: { name: canary } }) })
      await world.as('T', 'GET', `/api/dataproducts?q=${canary}&p=${canary}`)
      await world.as('T', 'GET', `/api/events?lastEventId=${canary}`)
      await world.as('T', 'GET', path, { headers: { 'if-none-match': canary } })
      await world.call('GET', '/api/teams', { key: `pbk_${canary}` })
      await world.call('GET', '/api/teams', { headers: { authorization: `Bearer ${canary}` } })
      await world.call('GET', '/metrics', { headers: { authorization: `Bearer ${canary}` } })
      await world.as('T', 'GET', path, { headers: { 'x-request-id': `${canary} ${canary}` } })
    })
    assert.ok(written.length > 0)
    assert.ok(!written.includes(canary), written)
    for (const secret of Object.values(world.keys)) {
      assert.ok(secret === undefined || !written.includes(secret))
    }
  })

  test('log › an unexpected error is logged with its cause and answered without it', async () => {
    const id = uniqueId()
    const { db } = world.services
    await sql`
      create function fail() returns trigger language plpgsql as $$
      begin raise exception 'cause-of-the-failure'; end $$`.execute(db)
    await sql`
      create trigger fail before insert on data_product
      for each row execute function fail()`.execute(db)
    try {
      const lines = await getLines(async () => {
        const answer = world.as('T', 'PUT', `/api/dataproducts/${id}`, { body: odps(id) })
        const problem = await expectProblem(answer, 500)
        assert.ok(!JSON.stringify(problem).includes('cause-of-the-failure'))
      })
      assert.deepEqual(
        lines.map(({ level }) => level),
        [50, 30],
      )
      assert.ok(written.includes('cause-of-the-failure'))
      assert.equal(lines[0]?.requestId, lines[1]?.requestId)
      assert.ok(!written.includes(`Product ${id}`), 'no body, not even in an error')
    } finally {
      await sql`drop trigger fail on data_product`.execute(db)
      await sql`drop function fail`.execute(db)
    }
  })

  /** Sends an id of a request to every kind of address; gives what comes back. */
  const echo = async (sent: string | undefined): Promise<string> => {
    const headers: Record<string, string> = sent === undefined ? {} : { 'x-request-id': sent }
    const answers = await Promise.all(
      ['/api/teams', '/api/unknown', '/healthz'].map((path) =>
        world.as('T', 'GET', path, { headers }),
      ),
    )
    const ids = answers.map((answer) => answer.headers.get('x-request-id') ?? '')
    if (sent === ids[0]) assert.deepEqual(new Set(ids), new Set([sent]))
    else assert.equal(new Set(ids).size, 3)
    return ids[0] ?? ''
  }

  test('x-request-id › echoed when it is safe, otherwise one of our own', async () => {
    for (const safe of ['a', 'A-1._z', 'x'.repeat(64)]) assert.equal(await echo(safe), safe)
    for (const unsafe of [
      undefined,
      '',
      'x'.repeat(65),
      'a b',
      'a,b',
      '<script>',
      'é',
      'a"',
      '{}',
    ]) {
      assert.match(await echo(unsafe), UUID)
    }
  })

  test('GET /metrics › 401 without the token or with another, else requests by route and status', async () => {
    const id = uniqueId()
    await expectOk(world.as('T', 'PUT', `/api/dataproducts/${id}`, { body: odps(id) }))
    await readText(world.as('T', 'GET', '/api/teams'))
    await expectProblem(world.as('T', 'GET', `/api/${id}`), 404)
    await expectProblem(world.call('GET', '/metrics'), 401)
    for (const token of ['x', '', world.keys.O]) {
      const headers = { authorization: `Bearer ${token}` }
      await expectProblem(world.call('GET', '/metrics', { headers }), 401)
    }
    const headers = { authorization: 'Bearer metrics-token-of-the-tests' }
    const answer = await world.call('GET', '/metrics', { headers })
    assert.match(answer.headers.get('content-type') ?? '', /^text\/plain/)
    const text = await answer.text()
    const name = 'portbook_http_request_duration_seconds'
    assert.match(
      text,
      new RegExp(`^${name}_count\\{method="GET",route="/api/teams",status="200"\\} \\d+$`, 'm'),
    )
    assert.match(
      text,
      new RegExp(
        `^${name}_bucket\\{le="0.1",method="PUT",route="/api/dataproducts/\\{id\\}",status="200"\\} \\d+$`,
        'm',
      ),
    )
    assert.match(text, /^portbook_http_problems_total\{code="not_found"\} \d+$/m)
    assert.ok(!text.includes(id) && !text.includes('api-key'), 'no id of anything')
  })

  test('GET /healthz and /readyz › 200 without a key', async () => {
    assert.equal(await readText(world.call('GET', '/healthz')), '{"status":"ok"}')
    assert.equal(await readText(world.call('GET', '/readyz')), '{"status":"ready","writable":true}')
  })
})
