import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { afterEach, test } from 'node:test'
import { eventually } from '../../../test/eventually.ts'
import { newHttpClient } from '../../../test/http-client.ts'
import { closePeers, openSilentPeer } from '../../../test/silent-peer.ts'
import type { ConnectionLimits } from './connections.ts'
import { listen, type ListenOptions, type RunningServer } from './server.ts'

const LIMITS: ConnectionLimits = {
  totalMax: 1000,
  perClientMax: 1000,
  tickMs: 10,
  lingerTicks: 2,
  stallTicks: 30,
  stallBytes: 1024,
}
const WAIT_MS = 10_000
const GET = 'GET / HTTP/1.1\r\nhost: x\r\n\r\n'
const LARGE = 'x'.repeat(5 * 1024 * 1024)

const closing: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const close of closing.splice(0)) await close()
})

/** A request that waits for its answer, and how to give it. */
interface Waiting {
  path: string
  answer(): void
}

interface TestServer extends RunningServer {
  port: number
  /** Requests to `/wait`, which are answered by the test. */
  waiting: Waiting[]
}

async function serve(
  limits: Partial<ConnectionLimits> = {},
  options: ListenOptions = {},
): Promise<TestServer> {
  const server = await listen('127.0.0.1', 0, {
    connections: { ...LIMITS, ...limits },
    ...options,
  })
  const waiting: Waiting[] = []
  server.serve(async (request) => {
    const path = new URL(request.url).pathname
    if (path === '/large') return new Response(LARGE)
    if (path === '/refused') return new Response('refused', { status: 413 })
    if (path === '/wait') {
      await new Promise<void>((done) => {
        waiting.push({ path, answer: done })
      })
    }
    return new Response('ok')
  })
  closing.push(() => server.close(0))
  return { ...server, port: Number(new URL(server.url).port), waiting }
}

async function silent(server: TestServer, text: string, from?: string): Promise<Socket> {
  const socket = await openSilentPeer(
    { port: server.port, ...(from === undefined ? {} : { from }) },
    text,
  )
  closing.unshift(() => closePeers([socket]))
  return socket
}

/** Opens connections that wait for a response. */
async function openBusy(server: TestServer, count: number, from?: string): Promise<Socket[]> {
  const before = server.waiting.length
  const opening = Array.from({ length: count }, () =>
    silent(server, GET.replace(' / ', ' /wait '), from),
  )
  const sockets = await Promise.all(opening)
  await untilSo(server, () => server.waiting.length === before + count, 'requests arrive')
  return sockets
}

/** Waits for a state of the server, with a request to it in between. */
async function untilSo(server: TestServer, isSo: () => boolean, message: string): Promise<void> {
  await eventually(
    WAIT_MS,
    async () => {
      const client = newHttpClient(server.url)
      await client.send('GET', '/', { headers: { connection: 'close' } }).catch(() => undefined)
      client.close()
      return isSo()
    },
    message,
  )
}

const untilAlone = (server: TestServer): Promise<void> =>
  untilSo(server, () => server.countConnections() === 0, 'all connections are closed')

/** Reads everything until the server closes. */
async function readAll(socket: Socket): Promise<string> {
  let text = ''
  socket.setEncoding('latin1').on('data', (more: string) => (text += more))
  socket.resume()
  if (!socket.closed) await Promise.race([once(socket, 'end'), once(socket, 'close')])
  return text
}

for (const [status, text] of [
  ['400', 'not HTTP\r\n\r\n'],
  ['400', 'GET / HTTP/1.1\r\n\r\n'],
  ['408', 'GET / HTTP/1.1\r\nhost: x\r\nx-slow: '],
  ['408', ''],
  ['431', `GET / HTTP/1.1\r\nhost: x\r\nx: ${'a'.repeat(17_000)}\r\n\r\n`],
  ['413', 'POST /refused HTTP/1.1\r\nhost: x\r\ncontent-length: 100\r\n\r\n{'],
  ['200', 'GET / HTTP/1.1\r\nhost: x\r\ncontent-length: 100\r\n\r\n{'],
] as const) {
  test(`${status} › after ${JSON.stringify(text.slice(0, 30))} the connection is closed although the peer neither reads nor closes`, async () => {
    const server = await serve({}, { headersTimeoutMs: 50 })
    await silent(server, text)
    await untilAlone(server)
  })
}

test('408 › a peer that reads is answered before the connection is closed', async () => {
  const server = await serve({ tickMs: 200 }, { headersTimeoutMs: 50 })
  const socket = connect(server.port, '127.0.0.1')
  socket.write('GET / HTTP/1.1\r\nhost: x\r\n')
  assert.match(await readAll(socket), /^HTTP\/1\.1 408 Request Timeout\r\n/)
})

test('response › a peer that does not read is cut off', async () => {
  const server = await serve()
  // Several responses, because the operating system takes the first megabytes.
  await silent(server, GET.replace(' / ', ' /large ').repeat(4))
  await untilAlone(server)
})

test('response › a slow but steady reader gets all of it', async () => {
  const server = await serve({ stallTicks: 100 })
  const socket = connect(server.port, '127.0.0.1')
  closing.unshift(() => closePeers([socket]))
  socket.write(GET.replace(' / ', ' /large ').repeat(4))
  let received = 0
  let pauses = 0
  await new Promise<void>((done, failed) => {
    socket.on('data', (chunk: Buffer) => {
      received += chunk.length
      if (received >= 4 * LARGE.length) done()
      socket.pause()
      // The server's clock goes on while this one waits.
      setTimeout(() => socket.resume(), 2)
      pauses += 1
    })
    socket.once('close', () => failed(new Error(`closed after ${received} bytes`)))
  })
  assert.ok(pauses > 100)
})

test('keep-alive › an idle connection outlives every limit of a request', async () => {
  const server = await serve({}, { headersTimeoutMs: 50 })
  const socket = await silent(server, GET)
  for (let round = 0; round < 30; round += 1) {
    await untilSo(server, () => true, 'time passes')
  }
  const answered = readAll(socket)
  socket.write(GET.replace('\r\n\r\n', '\r\nconnection: close\r\n\r\n'))
  assert.equal((await answered).match(/HTTP\/1\.1 200/g)?.length, 2)
})

test('connections of one client › the least recently used without a request is closed, others are kept', async () => {
  const server = await serve({ perClientMax: 3 })
  const other = await silent(server, '', '127.0.0.2')
  const [busy] = await openBusy(server, 1, '127.0.0.3')
  const idle = [
    await silent(server, 'GET / HT', '127.0.0.3'),
    await silent(server, '', '127.0.0.3'),
  ]
  for (let count = 0; count < 5; count += 1) idle.push(await silent(server, '', '127.0.0.3'))
  await untilSo(server, () => server.countConnections() === 4, 'three and one are left')
  for (const waiting of server.waiting) waiting.answer()
  busy?.write(GET.replace('\r\n\r\n', '\r\nconnection: close\r\n\r\n'))
  assert.ok(busy !== undefined)
  assert.equal((await readAll(busy)).match(/HTTP\/1\.1 200/g)?.length, 2)
  other.write(GET.replace('\r\n\r\n', '\r\nconnection: close\r\n\r\n'))
  assert.match(await readAll(other), /^HTTP\/1\.1 200/)
})

test('connections of one client › are refused if all of them wait for a response', async () => {
  const limited: string[] = []
  const server = await serve({ perClientMax: 2 }, { onRefused: (client) => limited.push(client) })
  await openBusy(server, 2, '127.0.0.3')
  const refused = connect({ port: server.port, host: '127.0.0.1', localAddress: '127.0.0.3' })
  refused.on('error', () => undefined)
  refused.write(GET)
  assert.equal(await readAll(refused), '')
  assert.equal(server.waiting.length, 2)
  const again = connect({ port: server.port, host: '127.0.0.1', localAddress: '127.0.0.3' })
  again.on('error', () => undefined)
  assert.equal(await readAll(again), '')
  assert.deepEqual(limited, ['127.0.0.3', '127.0.0.3'])
})

test('connections of a trusted proxy › may be any number', async () => {
  const server = await serve({ perClientMax: 2 }, { resolveClient: () => undefined })
  await Promise.all(Array.from({ length: 10 }, () => silent(server, '')))
  await untilSo(server, () => server.countConnections() >= 10, 'all are open')
})

test('connections altogether › slow ones are closed for new ones, and busy ones are kept', async () => {
  const server = await serve({ totalMax: 20 })
  await openBusy(server, 5, '127.0.0.2')
  const slow = 'POST / HTTP/1.1\r\nhost: x\r\ncontent-length: 5\r\n'
  for (let count = 0; count < 60; count += 1) {
    await silent(server, slow, `127.0.1.${count}`)
  }
  const client = newHttpClient(server.url)
  assert.equal((await client.send('GET', '/')).status, 200)
  client.close()
  assert.ok(server.countConnections() <= 20)
  const [busy, ...more] = await openBusy(server, 1, '127.0.0.4')
  assert.ok(busy !== undefined && more.length === 0)
  assert.equal(server.waiting.length, 6)
  for (const waiting of server.waiting) waiting.answer()
})
