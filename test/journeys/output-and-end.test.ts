/** The output of the product while it runs, and its shutdown. */

import assert from 'node:assert/strict'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { connect, type Socket } from 'node:net'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { toLimit } from '../eventually.ts'
import { newHttpClient } from '../http-client.ts'
import { startProduct, createUnattendedStart, type ProductProcess } from '../process.ts'
import { onPlace } from '../operator.ts'

const GRACE_MS = 10_000

describe('the product', { concurrency: 2 }, () => {
  // Starts first, because it takes longest.
  test('SIGTERM › aborts a request that never ends after ten seconds', async () => {
    await onPlace(async (place) => {
      const start = createUnattendedStart(place)
      const product = await startProduct(start.environment)
      const begun = await beginPut(product, start.key(), 'never')
      const { code, durationMs } = await stopTimed(product)
      assert.equal(code, 0)
      assert.ok(
        durationMs > GRACE_MS - 500 && durationMs < toLimit(GRACE_MS + 3000),
        `${durationMs} ms`,
      )
      assert.equal(await begun.untilEnd(), '')
    })
  })

  test('the log is JSON lines without secrets', async () => {
    await onPlace(async (place) => {
      const start = createUnattendedStart(place)
      const product = await startProduct({
        ...start.environment,
        PORTBOOK_METRICS_TOKEN: 'metrics-token-canary-0123456789',
        PORTBOOK_LOG_LEVEL: 'debug',
      })
      const secrets = await useEverySecret(product, start.key())
      const encryptionKeyFile = join(place.environment['PORTBOOK_DATA_DIR'] ?? '', 'encryption.key')
      secrets.push(
        start.password,
        'metrics-token-canary-0123456789',
        place.environment['PORTBOOK_ENCRYPTION_KEY'] ??
          readFileSync(encryptionKeyFile, 'utf8').trim(),
        new URL(place.environment['DATABASE_URL'] ?? 'postgres://a:none-in-the-log@b/c').password,
      )
      const { stdout, stderr } = await product.stop()
      for (const secret of secrets) {
        assert.ok(secret.length >= 8)
        assert.ok(!stderr.includes(secret) && !stdout.includes(secret), 'a secret was logged')
      }
      assert.equal(stdout, `portbook listening on ${product.url}\n`)
      const lines = product.log()
      assert.ok(stderr.endsWith('\n'))
      for (const { level, time } of lines) {
        assert.ok(['debug', 'info', 'warn', 'error', 'fatal'].includes(level))
        assert.equal(new Date(time).toISOString(), time)
      }
      const requests = lines.filter((line) => line['method'] !== undefined)
      assert.deepEqual(
        Object.keys(requests.find(({ status }) => status === 200) ?? {}).join(' '),
        'level time method route status ms caller requestId',
      )
      assert.ok(requests.some(({ route }) => route === '/api/teams/{id}'))
      assert.ok(requests.some(({ requestId }) => requestId === 'a-request-of-mine'))
    })
  })

  test('SIGTERM completes requests in progress, accepts no others, and exits with 0', async () => {
    await onPlace(async (place) => {
      const start = createUnattendedStart(place)
      const product = await startProduct(start.environment)
      const idle = await dial(product)
      const begun = await beginPut(product, start.key(), 'late')
      const startedAtMs = performance.now()
      await product.kill('SIGTERM')
      await product.logged(({ msg }) => msg === 'stopping')
      await assert.rejects(fetch(`${product.url}/healthz`))
      await waitForClose(idle)
      const answer = await begun.finish()
      assert.match(answer, /^HTTP\/1\.1 200 OK\r\n/)
      const { code, signal } = await product.untilEnd()
      assert.deepEqual([code, signal], [0, null])
      assert.ok(performance.now() - startedAtMs < toLimit(GRACE_MS))

      const again = await startProduct(start.environment)
      const client = newHttpClient(again.url, start.key())
      assert.equal(JSON.parse((await client.ok('GET', '/api/teams/late')).text).name, 'Late')
      client.close()
      await again.stop()
    })
  })
})

/** Sends every kind of secret in every way that could reach a log; returns the secrets. */
async function useEverySecret(product: ProductProcess, key: string): Promise<string[]> {
  const client = newHttpClient(product.url, key)
  await client.ok('PUT', '/api/teams/a', { body: { id: 'a', name: 'A' } })
  const created = await client.ok('POST', '/api/api-keys', {
    body: { scope: 'team', teamId: 'a', displayName: 'Canary' },
    headers: { 'x-request-id': 'a-request-of-mine' },
  })
  const { key: teamKey } = JSON.parse(created.text) as { key: string }
  const mistyped = `${key.slice(0, -1)}${key.endsWith('0') ? '1' : '0'}`
  const bearer = `Bearer ${key}`
  const answers = await Promise.all([
    client.send('GET', '/api/teams', { key: teamKey }),
    client.send('GET', '/api/teams', { key: mistyped }),
    client.send('GET', '/api/teams', { headers: { authorization: bearer } }),
    client.send('GET', `/api/teams?key=${key}`),
    client.send('GET', `/api/${key}`),
    client.send('GET', '/metrics', { headers: { authorization: bearer } }),
    client.send('PUT', '/api/teams/b', { body: `{"id":"b","name":"body-canary-0123456789"` }),
    client.send('POST', '/ui/invitations/look', {
      key: null,
      body: { token: 'pbi_canary-token-0123456789' },
      headers: { 'sec-fetch-site': 'same-origin' },
    }),
    client.send('POST', '/ui/sign-in', {
      key: null,
      body: { email: 'canary@o.example', password: 'password-canary-0123456789' },
      headers: { 'sec-fetch-site': 'same-origin', cookie: `a=cookie-canary-0123456789` },
    }),
    client.send('GET', '/api/teams', { headers: { 'x-request-id': `${key} not an id` } }),
  ])
  assert.deepEqual(
    answers.map(({ status }) => status),
    [200, 401, 200, 400, 404, 401, 400, 404, 401, 200],
  )
  client.close()
  const typed = ['body', 'password', 'cookie'].map((what) => `${what}-canary-0123456789`)
  return [key, teamKey, mistyped, ...typed, 'pbi_canary-token-0123456789']
}

async function dial(product: ProductProcess): Promise<Socket> {
  const { hostname, port } = new URL(product.url)
  const socket = connect(Number(port), hostname)
  socket.setEncoding('utf8')
  socket.on('error', () => undefined)
  await once(socket, 'connect')
  return socket
}

/** Waits until the other side has closed a connection. */
async function waitForClose(socket: Socket): Promise<void> {
  if (!socket.closed) await once(socket, 'close')
}

/** Starts to PUT a team: the server has read the headers and waits for the body. */
async function beginPut(product: ProductProcess, key: string, id: string) {
  const socket = await dial(product)
  const body = JSON.stringify({ id, name: `${id[0]?.toUpperCase()}${id.slice(1)}` })
  socket.write(
    `PUT /api/teams/${id} HTTP/1.1\r\nhost: portbook\r\nx-api-key: ${key}\r\n` +
      `content-type: application/json\r\ncontent-length: ${body.length}\r\n` +
      `expect: 100-continue\r\n\r\n`,
  )
  const [interim] = await once(socket, 'data')
  assert.equal(interim, 'HTTP/1.1 100 Continue\r\n\r\n')
  let received = ''
  socket.on('data', (text: string) => (received += text))
  const untilEnd = async (): Promise<string> => {
    if (!socket.closed) await once(socket, 'close')
    return received
  }
  return {
    untilEnd,
    finish: async (): Promise<string> => {
      socket.write(body)
      return await untilEnd()
    },
  }
}

async function stopTimed(
  product: ProductProcess,
): Promise<{ code: number | null; durationMs: number }> {
  const startedAtMs = performance.now()
  const { code } = await product.stop()
  return { code, durationMs: performance.now() - startedAtMs }
}
