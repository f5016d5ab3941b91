import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect } from 'node:net'
import { Writable } from 'node:stream'
import { after, before, test } from 'node:test'
import pino from 'pino'
import { newHttpClient } from '../../../test/http-client.ts'
import { serveRaw, type RawAnswer, type RawServer } from '../../../test/raw-http.ts'
import { onStore } from '../../../test/stores.ts'
import { newProduct, newWorld, odps, type World } from '../../../test/world.ts'

function expectRejection([answer, ...more]: RawAnswer[], status: number): void {
  assert.ok(answer)
  assert.deepEqual(more, [], 'one answer, then the connection is closed')
  assert.equal(answer.status, status, answer.body)
  assert.equal(answer.headers.get('content-type'), 'application/problem+json')
  assert.equal(answer.headers.get('connection'), 'close')
  const problem = JSON.parse(answer.body) as { status: number; instance: string }
  assert.deepEqual([problem.status, problem.instance], [status, '/'])
}

onStore((store) => {
  let world: World
  let server: RawServer
  const lines: string[] = []
  before(async () => {
    const memory = new Writable({
      write(line: Buffer, _, done) {
        lines.push(line.toString())
        done()
      },
    })
    world = await newWorld(newProduct(store(), { log: pino(memory) }))
    server = await serveRaw(world)
  })
  after(() => server.close())

  const DOCUMENT = JSON.stringify(odps('framed'))
  const CHUNKED = `${DOCUMENT.length.toString(16)}\r\n${DOCUMENT}\r\n0\r\n\r\n`

  const put = (headers: string, body: string, last = 'Connection: close'): Promise<RawAnswer[]> =>
    server.exchange(
      `PUT /api/dataproducts/framed HTTP/1.1\r\nHost: x\r\nx-api-key: ${world.keys.O}\r\n${last}\r\n${headers}\r\n\r\n${body}`,
    )

  const length = DOCUMENT.length
  const SMUGGLING: Record<string, [headers: string, body: string]> = {
    'Content-Length and Transfer-Encoding': [
      `Content-Length: ${length}\r\nTransfer-Encoding: chunked`,
      CHUNKED,
    ],
    'Transfer-Encoding and Content-Length': [
      `Transfer-Encoding: chunked\r\nContent-Length: ${length}`,
      CHUNKED,
    ],
    'two lengths': [`Content-Length: ${length}\r\nContent-Length: 1`, DOCUMENT],
    'the same length twice': [`Content-Length: ${length}\r\nContent-Length: ${length}`, DOCUMENT],
    'a list of lengths': [`Content-Length: ${length}, ${length}`, DOCUMENT],
    'a length with a sign': [`Content-Length: +${length}`, DOCUMENT],
    'a negative length': ['Content-Length: -1', DOCUMENT],
    'a hexadecimal length': ['Content-Length: 0x10', DOCUMENT],
    'a length beyond all measure': [`Content-Length: ${'9'.repeat(40)}`, DOCUMENT],
    'a coding like chunked': ['Transfer-Encoding: xchunked', CHUNKED],
    'chunked before another coding': ['Transfer-Encoding: chunked, identity', CHUNKED],
    'another coding before chunked': ['Transfer-Encoding: gzip, chunked', CHUNKED],
    'chunked twice': ['Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked', CHUNKED],
    'a space before the colon': ['Transfer-Encoding : chunked', CHUNKED],
    'a folded header': ['Transfer-Encoding:\r\n chunked', CHUNKED],
    'a vertical tab': ['Transfer-Encoding:\u000bchunked', CHUNKED],
    'a bare line feed': [`X: y\nContent-Length: ${length}`, DOCUMENT],
    'a bare carriage return': [`X: y\rZ: 1\r\nContent-Length: ${length}`, DOCUMENT],
    'a NUL in a header': [`X: y\0\r\nContent-Length: ${length}`, DOCUMENT],
    'a chunk size that is not a number': [
      'Transfer-Encoding: chunked',
      `zz\r\n${DOCUMENT}\r\n0\r\n\r\n`,
    ],
    'a chunk size with a sign': ['Transfer-Encoding: chunked', `+${CHUNKED}`],
  }
  for (const [what, [headers, body]] of Object.entries(SMUGGLING)) {
    test(`request smuggling › 400 for ${what}`, async () => {
      const smuggled = 'GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n'
      expectRejection(await put(headers, body + smuggled, 'Connection: keep-alive'), 400)
    })
  }

  test('chunked › 200 for a body in chunks', async () => {
    const [answer] = await put('Transfer-Encoding: chunked', CHUNKED)
    assert.equal(answer?.status, 200)
    assert.equal(answer.body, DOCUMENT)
  })

  for (const host of [
    '',
    'a b',
    'a/b',
    '[',
    'évil',
    'x:99999',
    '@',
    'user@x',
    'x?y',
    'x#y',
    '%00',
  ]) {
    test(`Host › 400 for "${host}"`, async () => {
      const answer = server.exchange(
        `GET /healthz HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`,
      )
      expectRejection(await answer, 400)
    })
  }

  test('Host › 400 for none, and for two', async () => {
    for (const hosts of ['', 'Host: a\r\nHost: a\r\n', 'Host: a\r\nHOST: b\r\n']) {
      expectRejection(await server.exchange(`GET /healthz HTTP/1.1\r\n${hosts}\r\n`), 400)
    }
  })

  test('Host › is used for nothing: links have the configured address', async () => {
    const [answer] = await put(`Content-Length: ${length}`, DOCUMENT)
    assert.equal(answer?.headers.get('location-html'), 'http://portbook.test/data-products/framed')
  })

  test('headers › 431 above 16 KiB, in any header', async () => {
    for (const request of [
      `GET /healthz HTTP/1.1\r\nHost: x\r\nX: ${'a'.repeat(17_000)}\r\n\r\n`,
      `GET /healthz HTTP/1.1\r\nHost: x\r\n${'a: b\r\n'.repeat(4000)}\r\n`,
      `GET /healthz?${'a'.repeat(17_000)} HTTP/1.1\r\nHost: x\r\n\r\n`,
    ]) {
      expectRejection(await server.exchange(request), 431)
    }
  })

  for (const [what, bytes] of Object.entries({
    text: 'hello\r\n\r\n',
    'a TLS greeting': Buffer.from([0x16, 3, 1, 0, 5, 1, 0, 0, 1, 3]),
    'HTTP/2': 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n',
    'HTTP/0.9': 'GET /healthz\r\n\r\n',
    'an unknown method': 'HELLO /healthz HTTP/1.1\r\nHost: x\r\n\r\n',
    'a method in small letters': 'get /healthz HTTP/1.1\r\nHost: x\r\n\r\n',
    'lines that end with a bare LF': 'GET /healthz HTTP/1.1\nHost: x\n\n',
    zeros: Buffer.alloc(100),
  })) {
    test(`not HTTP › 400 for ${what}`, async () => {
      expectRejection(await server.exchange(bytes), 400)
    })
  }

  test('framing › credentials: 400 before 401', async () => {
    const answers = await server.exchange('GET /api/teams HTTP/1.1\r\nConnection: close\r\n\r\n')
    expectRejection(answers, 400)
    const overflow = `GET /api/teams HTTP/1.1\r\nHost: x\r\nX: ${'a'.repeat(17_000)}\r\n\r\n`
    expectRejection(await server.exchange(overflow), 431)
  })

  test('pipelining › answers come in order, and no body is taken for a request', async () => {
    const key = `x-api-key: ${world.keys.O}`
    const get = `GET /api/dataproducts/framed HTTP/1.1\r\nHost: x\r\n${key}\r\n`
    const answers = await server.exchange(
      `PUT /api/dataproducts/framed HTTP/1.1\r\nHost: x\r\n${key}\r\nContent-Length: ${length}\r\n\r\n${DOCUMENT}`,
      `GET /healthz HTTP/1.1\r\nHost: x\r\nContent-Length: 3\r\n\r\nabc`,
      `${get}Content-Type: application/json\r\nContent-Length: 0\r\n\r\n`,
      `PATCH /healthz HTTP/1.1\r\nHost: x\r\n\r\n`,
      `${get}Connection: close\r\n\r\n`,
    )
    assert.deepEqual(
      answers.map(({ status }) => status),
      [200, 200, 200, 404, 200],
    )
    assert.equal(answers[1]?.body, '{"status":"ok"}')
    assert.equal(answers.at(-1)?.body, DOCUMENT)
  })

  test('Expect › 100-continue is answered, another expectation is ignored', async () => {
    const [first, second] = await put(`Expect: 100-continue\r\nContent-Length: ${length}`, DOCUMENT)
    assert.deepEqual([first?.status, second?.status], [100, 200])
    const [only] = await put(`Expect: something\r\nContent-Length: ${length}`, DOCUMENT)
    assert.equal(only?.status, 200)
  })

  test('413 › over a socket, with and without a length, and the connection is still in step', async () => {
    const large = 'x'.repeat(3 * 1024 * 1024)
    const next = 'GET /healthz HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n'
    for (const [headers, body] of [
      [`Content-Length: ${large.length}`, large],
      ['Transfer-Encoding: chunked', `${large.length.toString(16)}\r\n${large}\r\n0\r\n\r\n`],
    ] as const) {
      const [answer, ...more] = await put(headers, body + next, 'Connection: keep-alive')
      assert.equal(answer?.status, 413)
      assert.ok(more.length <= 1)
      for (const { status, body } of more)
        assert.deepEqual([status, body], [200, '{"status":"ok"}'])
    }
  })

  test('413 › a client that sends all before it reads still gets the answer', async () => {
    const client = newHttpClient(server.url, world.keys.O)
    const body = 'x'.repeat(8 * 1024 * 1024)
    const { status, text } = await client.send('PUT', '/api/dataproducts/x', { body })
    assert.equal(status, 413, text)
    client.close()
  })

  test('a body that breaks off › no 5xx, and the server goes on', async () => {
    const from = lines.length
    for (const headers of ['Content-Length: 1000', 'Transfer-Encoding: chunked']) {
      const socket = connect(Number(new URL(server.url).port), '127.0.0.1')
      await once(socket, 'connect')
      const start = `PUT /api/dataproducts/broken HTTP/1.1\r\nHost: x\r\nx-api-key: ${world.keys.O}\r\n${headers}\r\n\r\n`
      socket.write(`${start}${headers.startsWith('C') ? '{' : '1\r\n{\r\n'}`)
      socket.end()
      socket.on('error', () => undefined)
      socket.resume()
      await once(socket, 'close')
    }
    const listPuts = () => lines.slice(from).filter((line) => line.includes('"method":"PUT"'))
    while (listPuts().length < 2) {
      const [answer] = await server.exchange(
        'GET /healthz HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n',
      )
      assert.equal(answer?.status, 200)
    }
    for (const line of lines.slice(from)) {
      assert.doesNotMatch(line, /"status":5|"level":50/, line)
    }
  })
})
