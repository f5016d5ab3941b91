import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { after, afterEach, before, test } from 'node:test'
import { eventually } from '../../../test/eventually.ts'
import { newHttpClient } from '../../../test/http-client.ts'
import { serveRaw, type RawServer, type RawServerOptions } from '../../../test/raw-http.ts'
import { closePeers, openSilentPeer } from '../../../test/silent-peer.ts'
import { onStore } from '../../../test/stores.ts'
import { expectOk, newProduct, newWorld, odps, uniqueId, type World } from '../../../test/world.ts'
import { ADMISSION_LIMITS } from './admission.ts'
import type { UploadLimits } from './upload.ts'

const MEBIBYTE = 1024 * 1024
/** 50 ms of grace, then 100 bytes within every 50 ms. */
const HASTY: UploadLimits = {
  tickMs: 10,
  graceTicks: 5,
  windowTicks: 5,
  windowBytesMin: 100,
  totalTicks: 50,
}
const WAIT_MS = 10_000

const SIGN_IN =
  'POST /ui/sign-in HTTP/1.1\r\nhost: x\r\nsec-fetch-site: same-origin\r\ncontent-type: application/json\r\ncontent-length: 100\r\n\r\n{'

async function untilSo(server: RawServer, isSo: () => boolean, message: string): Promise<void> {
  const client = newHttpClient(server.url)
  await eventually(
    WAIT_MS,
    async () => {
      await client.ok('GET', '/healthz')
      return isSo()
    },
    message,
  )
  client.close()
}

const untilReceiving = (server: RawServer, count: number): Promise<void> =>
  untilSo(server, () => server.pipeline.uploads.count === count, `${count} bodies are on the way`)

/** The first line and the headers of the answer to what a socket sent. */
async function readHead(socket: Socket): Promise<string> {
  let text = ''
  socket.setEncoding('latin1').on('data', (more: string) => (text += more))
  socket.resume()
  while (!text.includes('\r\n\r\n')) {
    await Promise.race([once(socket, 'data'), once(socket, 'close')])
    if (socket.closed) break
  }
  return text
}

onStore((store) => {
  let world: World
  before(async () => {
    world = await newWorld(newProduct(store()))
  })
  const peers: Socket[] = []
  const servers: RawServer[] = []
  afterEach(async () => {
    await closePeers(peers.splice(0))
    for (const server of servers.splice(0)) await server.close()
  })

  async function serve(options: RawServerOptions = {}): Promise<RawServer> {
    const server = await serveRaw(world, options)
    servers.push(server)
    return server
  }

  function getHead(length: number | 'chunked', key = world.keys.O, path = 'dataproducts'): string {
    const framing =
      length === 'chunked' ? 'transfer-encoding: chunked' : `content-length: ${length}`
    return `PUT /api/${path}/${uniqueId()} HTTP/1.1\r\nhost: x\r\nx-api-key: ${key}\r\n${framing}\r\n\r\n`
  }

  async function openSilent(server: RawServer, text: string, from?: string): Promise<Socket> {
    const peer = await openSilentPeer(
      { port: server.port, ...(from === undefined ? {} : { from }) },
      text,
    )
    peers.push(peer)
    return peer
  }

  for (const [what, head] of Object.entries({
    'a silent body': (): string => `${getHead(1000)}{`,
    'a silent body in chunks': (): string => `${getHead('chunked')}1\r\n{\r\n`,
    'a silent sign-in': (): string => SIGN_IN,
  })) {
    test(`408 › ${what} is given up, and its connection closed although the peer neither reads nor closes`, async () => {
      const connections = {
        totalMax: 100,
        perClientMax: 100,
        tickMs: 10,
        lingerTicks: 2,
        stallTicks: 100,
        stallBytes: 1,
      }
      const server = await serve({ uploadLimits: HASTY, connections })
      await openSilent(server, head())
      await untilReceiving(server, 1)
      await untilSo(server, () => server.countConnections() === 1, 'only the test is connected')
      assert.equal(server.pipeline.uploads.count, 0)
      assert.equal(server.pipeline.admission.bodyBytes.inUse, 0)
    })
  }

  test('408 › a body that drips below the minimum rate, with a problem', async () => {
    const server = await serve({ uploadLimits: HASTY })
    const socket = connect(server.port, '127.0.0.1')
    peers.push(socket)
    socket.on('error', () => undefined)
    socket.write(getHead(100_000))
    const drip = setInterval(() => socket.writable && socket.write('x'), 5)
    const head = await readHead(socket)
    clearInterval(drip)
    assert.match(head, /^HTTP\/1\.1 408 /)
    assert.match(head, /content-type: application\/problem\+json/i)
  })

  test('200 › a body above the minimum rate, however many pieces it comes in', async () => {
    const server = await serve({ uploadLimits: { ...HASTY, totalTicks: 100_000 } })
    const id = uniqueId()
    const text = JSON.stringify(odps(id, { description: { purpose: 'x'.repeat(20_000) } }))
    for (const isChunked of [false, true]) {
      const socket = connect(server.port, '127.0.0.1')
      peers.push(socket)
      const framing = isChunked ? 'transfer-encoding: chunked' : `content-length: ${text.length}`
      socket.write(
        `PUT /api/dataproducts/${id} HTTP/1.1\r\nhost: x\r\nx-api-key: ${world.keys.O}\r\n${framing}\r\n\r\n`,
      )
      const head = readHead(socket)
      for (let at = 0; at < text.length; at += 100) {
        const piece = text.slice(at, at + 100)
        const sent = isChunked ? `${piece.length.toString(16)}\r\n${piece}\r\n` : piece
        await new Promise((done) => socket.write(sent, done))
      }
      if (isChunked) socket.write('0\r\n\r\n')
      assert.match(await head, /^HTTP\/1\.1 200 /)
    }
    const { text: stored } = await getClient(server).ok('GET', `/api/dataproducts/${id}`)
    assert.equal(stored, text)
  })

  function getClient(server: RawServer, key = world.keys.O) {
    const client = newHttpClient(server.url, key)
    after(() => client.close())
    return client
  }

  test('in flight › requests with unfinished bodies take no place of complete ones', async () => {
    const authenticated = { totalMax: 2, perNameMax: 2 }
    const server = await serve({ admissionLimits: { ...ADMISSION_LIMITS, authenticated } })
    for (let count = 0; count < 5; count += 1) await openSilent(server, `${getHead(1000)}{`)
    await untilReceiving(server, 5)
    const id = uniqueId()
    await getClient(server).ok('PUT', `/api/dataproducts/${id}`, { body: odps(id) })
  })

  test('in flight › unfinished sign-ins take no place of requests with a key, nor of other sign-ins', async () => {
    const tiny = { totalMax: 2, perNameMax: 2 }
    const server = await serve({
      admissionLimits: { ...ADMISSION_LIMITS, authenticated: tiny, public: tiny },
    })
    for (let count = 0; count < 5; count += 1) await openSilent(server, SIGN_IN)
    await untilReceiving(server, 5)
    await getClient(server).ok('GET', '/api/teams')
    const body = { email: 'unknown@example.test', password: 'x' }
    const headers = { 'sec-fetch-site': 'same-origin' }
    const signIn = await getClient(server).send('POST', '/ui/sign-in', { key: null, body, headers })
    assert.equal(signIn.status, 401, signIn.text)
  })

  const BODY_BYTES = { totalMax: 6 * MEBIBYTE, perNameMax: 3 * MEBIBYTE }
  const withBudget: RawServerOptions = {
    admissionLimits: { ...ADMISSION_LIMITS, bodyBytes: BODY_BYTES },
  }

  test('body budget › 503 with Retry-After for a key above its share, before its body is sent', async () => {
    const server = await serve(withBudget)
    for (let count = 0; count < 3; count += 1) await openSilent(server, getHead(MEBIBYTE))
    await untilReceiving(server, 3)
    const refused = connect(server.port, '127.0.0.1')
    peers.push(refused)
    refused.write(getHead(MEBIBYTE))
    const head = await readHead(refused)
    assert.match(head, /^HTTP\/1\.1 503 /)
    assert.match(head, /\r\nretry-after: \d+\r\n/i)
    assert.equal(server.pipeline.uploads.count, 3)
  })

  test('body budget › another key from another address is served, until all share nothing more', async () => {
    const server = await serve(withBudget)
    const open = (key: string | undefined, from: string): Promise<Socket> =>
      openSilent(server, getHead(MEBIBYTE, key), from)
    for (let count = 0; count < 3; count += 1) await open(world.keys.O, '127.0.0.2')
    await untilReceiving(server, 3)
    const id = uniqueId()
    const { T, Uo } = world.keys
    const put = async (key: string | undefined): Promise<number> =>
      (await getClient(server, key).send('PUT', `/api/dataproducts/${id}`, { body: odps(id) }))
        .status
    assert.equal(await put(T), 200)
    for (let count = 0; count < 3; count += 1) await open(T, '127.0.0.3')
    await untilReceiving(server, 6)
    assert.equal(await put(Uo), 503)
  })

  test('body budget › 503 for a client above its share, with any number of keys', async () => {
    const server = await serve(withBudget)
    for (const key of [world.keys.O, world.keys.T, world.keys.Uo]) {
      await openSilent(server, getHead(MEBIBYTE, key))
    }
    await untilReceiving(server, 3)
    const id = uniqueId()
    const { status } = await getClient(server, world.keys.Ue).send(
      'PUT',
      `/api/dataproducts/${id}`,
      { body: odps(id) },
    )
    assert.equal(status, 503)
  })

  test('body budget › a body in chunks is counted as it arrives', async () => {
    const server = await serve(withBudget)
    const chunk = `${(900 * 1024).toString(16)}\r\n${'x'.repeat(900 * 1024)}\r\n`
    for (let count = 0; count < 3; count += 1) {
      await openSilent(server, `${getHead('chunked', world.keys.O)}${chunk}`)
    }
    await untilSo(
      server,
      () => server.pipeline.admission.bodyBytes.inUse >= 3 * 900 * 1024,
      'the bytes are counted',
    )
    const refused = connect(server.port, '127.0.0.1')
    peers.push(refused)
    refused.write(`${getHead('chunked', world.keys.O)}${chunk}`)
    assert.match(await readHead(refused), /^HTTP\/1\.1 503 /)
  })

  test('body budget › is whole again after every ending: success, error, abort', async () => {
    const server = await serve(withBudget)
    const id = uniqueId()
    const client = getClient(server)
    await client.ok('PUT', `/api/dataproducts/${id}`, { body: odps(id) })
    assert.equal((await client.send('PUT', `/api/dataproducts/${id}`, { body: '{' })).status, 400)
    const large = 'x'.repeat(2 * MEBIBYTE)
    assert.equal((await client.send('PUT', `/api/dataproducts/${id}`, { body: large })).status, 413)
    const aborted = [
      await openSilent(server, `${getHead(MEBIBYTE)}{`),
      await openSilent(server, `${getHead('chunked')}1\r\n{\r\n`),
    ]
    await untilReceiving(server, 2)
    assert.ok(server.pipeline.admission.bodyBytes.inUse > MEBIBYTE)
    for (const socket of aborted) socket.resetAndDestroy()
    await untilReceiving(server, 0)
    await untilSo(
      server,
      () => server.pipeline.admission.bodyBytes.inUse === 0,
      'the budget is whole',
    )
  })

  test('large responses › 429 with Retry-After while one key leaves too many unread, and not for other keys', async () => {
    const responseBytes = { totalMax: 4 * MEBIBYTE, perNameMax: MEBIBYTE }
    const server = await serve({ admissionLimits: { ...ADMISSION_LIMITS, responseBytes } })
    const id = uniqueId()
    const document = odps(id, { description: { purpose: 'x'.repeat(700 * 1024) } })
    await expectOk(world.as('O', 'PUT', `/api/dataproducts/${id}`, { body: document }))
    const get = `GET /api/dataproducts/${id} HTTP/1.1\r\nhost: x\r\nx-api-key: ${world.keys.O}\r\n\r\n`
    // Large enough that the operating system does not take all of it from one connection.
    await openSilent(server, get.repeat(12), '127.0.0.2')
    const { inUse } = server.pipeline.admission.responseBytes
    assert.ok(inUse <= MEBIBYTE)
    const other = await getClient(server, world.keys.Tr).ok('GET', `/api/dataproducts/${id}`)
    assert.equal(other.text, JSON.stringify(document))
    await closePeers(peers.splice(0))
    await untilSo(
      server,
      () => server.pipeline.admission.responseBytes.inUse === 0,
      'nothing is held for a peer that is gone',
    )
  })
})
