import assert from 'node:assert/strict'
import test, { type TestContext } from 'node:test'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { newDialer } from '../../platform/kit/dialer.ts'
import { openHttpClient } from '../../platform/kit/http-client.ts'
import { NO_FILTERS } from '../filter.ts'
import { newTransport, readRetryAfter, type SourceRequest, type Transport } from './transport.ts'

/** Creates a transport to a server that runs until the test ends. */
async function openTransport(
  t: TestContext,
  listener: RequestListener,
): Promise<{ transport: Transport; request: SourceRequest }> {
  const server = createServer(listener)
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  const dialer = newDialer({ privateAddresses: 'allow', allowed: [], ownStore: undefined })
  const http = await openHttpClient(dialer, { totalTimeoutMs: 400 })
  t.after(() => {
    http.close()
    server.closeAllConnections()
    server.close()
  })
  const transport = newTransport(
    http,
    {
      configuration: {},
      filters: NO_FILTERS,
      secrets: {},
      dialer,
      signal: new AbortController().signal,
      log: () => undefined,
      sent: () => undefined,
    },
    { service: 'The source' },
  )
  const url = new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}/v1/config`)
  return { transport, request: { method: 'GET', url, headers: async () => ({}) } }
}

test('newTransport › sends one request to a source that never answered, and retries one that did', async (t) => {
  let requestCount = 0
  let isSilent = true
  const { transport, request } = await openTransport(t, (_request, response) => {
    requestCount += 1
    if (!isSilent) response.end('{}')
  })
  await assert.rejects(transport.send(request), { kind: 'unreachable' })
  assert.equal(requestCount, 1)
  isSilent = false
  await transport.send(request)
  isSilent = true
  await assert.rejects(transport.send(request), { kind: 'unreachable' })
  assert.equal(requestCount, 5)
})

test('newTransport › retries when the server closes an idle connection as it is reused', async (t) => {
  const ports: (number | undefined)[] = []
  const { transport, request } = await openTransport(t, ({ socket }, response) => {
    ports.push(socket.remotePort)
    if (ports.length === 2) socket.destroy()
    else response.end('{}')
  })
  assert.equal((await transport.send(request)).status, 200)
  // A connection is free again in the turn after its response.
  await new Promise((done) => setImmediate(done))
  assert.equal((await transport.send(request)).status, 200)
  assert.equal(ports[1], ports[0])
  assert.notEqual(ports[2], ports[1])
})

test('readRetryAfter › accepts only seconds and dates', () => {
  const now = Date.UTC(2026, 6, 1, 12)
  assert.equal(readRetryAfter('0', now), 0)
  assert.equal(readRetryAfter('120', now), 120_000)
  assert.equal(readRetryAfter('Wed, 01 Jul 2026 12:00:30 GMT', now), 30_000)
  assert.equal(readRetryAfter('Wed, 01 Jul 2026 11:00:00 GMT', now), 0)
  for (const text of [undefined, '', 'soon', '-5 s', '99999999999999']) {
    assert.equal(readRetryAfter(text, now), undefined, String(text))
  }
})

test('newTransport › sends only repeated attempts to the URL for them', async (t) => {
  const targets: (string | undefined)[] = []
  const { transport, request } = await openTransport(t, ({ url }, response) => {
    targets.push(url)
    response.writeHead(targets.length === 1 ? 500 : 200).end('{}')
  })
  await transport.send({ ...request, retryUrl: new URL(`${request.url.href}?retry=true`) })
  assert.deepEqual(targets, ['/v1/config', '/v1/config?retry=true'])
})
