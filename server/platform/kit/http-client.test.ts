import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type RequestListener, type Server } from 'node:http'
import { createServer as createSecureServer } from 'node:https'
import { createServer as createRawServer, type AddressInfo } from 'node:net'
import { text as readStream } from 'node:stream/consumers'
import test, { type TestContext } from 'node:test'
import { gzipSync } from 'node:zlib'
import { LOCALHOST_CERTIFICATE } from '../../../test/certificate.ts'
import { newDialer } from './dialer.ts'
import {
  HttpFailure,
  openHttpClient,
  type HttpAnswer,
  type HttpFailureKind,
  type HttpLimits,
} from './http-client.ts'

const dialer = newDialer({ privateAddresses: 'allow', allowed: [], ownStore: undefined })
const never = new AbortController().signal

/** Starts a server that runs until the test ends, and returns its address. */
async function serve(
  t: TestContext,
  listener: RequestListener,
  make: (listener: RequestListener) => Server = createServer,
): Promise<URL> {
  const server = make(listener).listen(0, '127.0.0.1')
  t.after(() => {
    server.closeAllConnections()
    server.close()
  })
  await once(server, 'listening')
  return new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`)
}

/** Serves raw bytes. */
async function serveRaw(t: TestContext, text: string): Promise<URL> {
  const server = createRawServer((socket) => {
    socket.on('error', () => {})
    socket.once('data', () => socket.end(text))
  }).listen(0, '127.0.0.1')
  t.after(() => server.close())
  await once(server, 'listening')
  return new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`)
}

async function get(t: TestContext, url: URL, limits?: Partial<HttpLimits>): Promise<HttpAnswer> {
  const client = await openHttpClient(dialer, limits)
  t.after(() => client.close())
  return await client.send({ method: 'GET', url, signal: never })
}

async function assertFails(
  sending: Promise<unknown>,
  kind: HttpFailureKind,
  message = /./,
): Promise<void> {
  await assert.rejects(sending, (error) => {
    assert.ok(error instanceof HttpFailure, String(error))
    assert.equal(error.kind, kind, error.message)
    assert.match(error.message, message)
    return true
  })
}

test('HttpClient › sends method, headers and body, and reads status, headers and text', async (t) => {
  const url = await serve(t, (request, response) => {
    response.writeHead(418, { 'x-two': ['a', 'b'] })
    const { method, url, headers } = request
    void readStream(request).then((body) => {
      response.end(JSON.stringify({ method, url, headers, body }))
    })
  })
  const client = await openHttpClient(dialer)
  t.after(() => client.close())
  const answer = await client.send({
    method: 'POST',
    url: new URL('/a%1Fb?c=%20d#e', url),
    headers: { authorization: 'Bearer x', 'content-type': 'text/plain' },
    body: 'grüße',
    signal: never,
  })
  assert.equal(answer.status, 418)
  assert.equal(answer.headers['x-two'], 'a, b')
  const got = JSON.parse(answer.text)
  assert.deepEqual([got.method, got.url, got.body], ['POST', '/a%1Fb?c=%20d', 'grüße'])
  assert.equal(got.headers.authorization, 'Bearer x')
  assert.equal(got.headers['accept-encoding'], 'identity')
  assert.equal(got.headers['content-length'], '7')
  assert.equal(got.headers.host, url.host)
  assert.equal(got.headers['user-agent'], undefined)
})

test('HttpClient › reuses its connection, and reports a reused one that ended', async (t) => {
  const ports: (number | undefined)[] = []
  const url = await serve(t, (request, response) => {
    ports.push(request.socket.remotePort)
    if (ports.length === 3) request.socket.destroy()
    else response.end('yes')
  })
  const client = await openHttpClient(dialer)
  t.after(() => client.close())
  const send = async () => {
    // A connection is free again in the turn after its response.
    await new Promise((done) => setImmediate(done))
    return await client.send({ method: 'GET', url, signal: never })
  }
  assert.equal((await send()).text, 'yes')
  assert.equal((await send()).text, 'yes')
  await assertFails(send(), 'broken', /closed the connection before its response was complete/)
  assert.equal((await send()).text, 'yes')
  assert.equal(new Set(ports.slice(0, 3)).size, 1)
  assert.notEqual(ports[3], ports[0])
})

test('HttpClient › does not follow redirects', async (t) => {
  for (const status of [301, 302, 303, 307, 308, 300]) {
    let requests = 0
    const url = await serve(t, (_request, response) => {
      requests += 1
      response.writeHead(status, { location: 'http://169.254.169.254/' }).end()
    })
    await assertFails(get(t, url), 'redirect', /redirects are not followed/)
    assert.equal(requests, 1)
  }
})

test('HttpClient › rejects addresses that the dialer rejects, other schemes and credentials', async (t) => {
  const denying = await openHttpClient(
    newDialer({ privateAddresses: 'deny', allowed: [], ownStore: undefined }),
  )
  t.after(() => denying.close())
  let requests = 0
  const url = await serve(t, (_request, response) => {
    requests += 1
    response.end()
  })
  const secure = new URL(url)
  secure.protocol = 'https:'
  for (const each of [
    url,
    secure,
    new URL('http://[::ffff:127.0.0.1]/'),
    new URL('http://0x7f.1/'),
  ]) {
    await assertFails(denying.send({ method: 'GET', url: each, signal: never }), 'refused')
  }
  const user = new URL(url)
  user.username = 'canary'
  await assertFails(get(t, user), 'refused')
  await assertFails(get(t, new URL('ftp://127.0.0.1/')), 'refused')
  await assertFails(get(t, new URL('file:///etc/passwd')), 'refused')
  assert.equal(requests, 0)
})

test('HttpClient › fails with unreachable for a closed port', async (t) => {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const url = new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`)
  server.close()
  await once(server, 'close')
  await assertFails(get(t, url), 'unreachable', /^Nothing listens at /)
  await assertFails(
    get(t, new URL('http://nowhere.invalid/')),
    'unreachable',
    /^The host name of nowhere\.invalid/,
  )
})

test('HttpClient › fails with broken for an incomplete response, however its length was declared', async (t) => {
  for (const text of [
    'HTTP/1.1 200 OK\r\ncontent-length: 10\r\n\r\nshort',
    'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n5\r\nshort\r\n',
    'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\nzz\r\n',
    'HTTP/1.1 200 OK\r\ncontent-le',
    'SSH-2.0-OpenSSH_9.2\r\n',
    '',
  ]) {
    await assertFails(get(t, await serveRaw(t, text)), 'broken')
  }
})

test('HttpClient › decodes the response as UTF-8 and does not decompress it', async (t) => {
  const zipped = await serve(t, (_request, response) => {
    response.setHeader('content-encoding', 'gzip')
    response.end(gzipSync('x'))
  })
  await assertFails(get(t, zipped), 'broken', /encoding/)
  const latin = await serve(t, (_request, response) => response.end(Buffer.from([0xe4])))
  await assertFails(get(t, latin), 'broken')
})

test('HttpClient › decompresses a response if the request accepts gzip, up to the limit of bytes', async (t) => {
  const zeros = gzipSync('0'.repeat(1_000_000))
  const url = await serve(t, ({ headers, url: path }, response) => {
    if (headers['accept-encoding'] === 'gzip') response.setHeader('content-encoding', 'gzip')
    response.end(path === '/zeros' ? zeros : path === '/broken' ? 'plain' : gzipSync('zipped'))
  })
  const client = await openHttpClient(dialer, { bodyBytesMax: 10_000 })
  t.after(() => client.close())
  const send = (path: string) =>
    client.send({ method: 'GET', url: new URL(path, url), acceptsGzip: true, signal: never })
  assert.equal((await send('/')).text, 'zipped')
  assert.ok(zeros.length < 10_000)
  await assertFails(send('/zeros'), 'too_large', /10000 bytes/)
  await assertFails(send('/broken'), 'broken')
})

test('HttpClient › accepts a body up to the limit, and no more', async (t) => {
  const url = await serve(t, (_request, response) => response.end('x'.repeat(1000)))
  assert.equal((await get(t, url, { bodyBytesMax: 1000 })).text.length, 1000)
  await assertFails(get(t, url, { bodyBytesMax: 999 }), 'too_large', /999 bytes/)
})

test('HttpClient › times out when the server stops responding, before and during the response', async (t) => {
  const mute = await serve(t, () => {})
  await assertFails(get(t, mute, { idleTimeoutMs: 50 }), 'timeout', /stopped responding/)
  const half = await serve(t, (_request, response) => response.write('half'))
  await assertFails(get(t, half, { idleTimeoutMs: 50 }), 'timeout', /stopped responding/)
})

test('HttpClient › ends a slow response at the total timeout', async (t) => {
  const url = await serve(t, (_request, response) => {
    const drip = setInterval(() => response.write('x'), 10)
    response.on('close', () => clearInterval(drip))
  })
  const limits = { idleTimeoutMs: 5000, totalTimeoutMs: 200 }
  await assertFails(get(t, url, limits), 'timeout', /in time/)
})

test('HttpClient › cancels before the request, while waiting and during the response', async (t) => {
  const client = await openHttpClient(dialer)
  t.after(() => client.close())
  const before = AbortSignal.abort()
  const nowhere = new URL('http://127.0.0.1:1/')
  await assertFails(client.send({ method: 'GET', url: nowhere, signal: before }), 'cancelled')
  for (const begin of [false, true]) {
    const controller = new AbortController()
    const closed = Promise.withResolvers<void>()
    const url = await serve(t, (request, response) => {
      request.socket.once('close', () => closed.resolve())
      if (begin) response.write('half')
      setImmediate(() => controller.abort())
    })
    await assertFails(client.send({ method: 'GET', url, signal: controller.signal }), 'cancelled')
    await closed.promise
  }
})

test('HttpClient › connects with TLS to a host whose certificate is from a trusted authority', async (t) => {
  const { key, cert } = LOCALHOST_CERTIFICATE
  let requests = 0
  const url = await serve(
    t,
    (_request, response) => {
      requests += 1
      response.end('safe')
    },
    (listener) => createSecureServer({ key, cert }, listener),
  )
  url.protocol = 'https:'
  const named = new URL(url)
  named.hostname = 'localhost'
  const trusting = await openHttpClient(dialer, {}, [cert])
  t.after(() => trusting.close())
  for (let turn = 0; turn < 2; turn += 1) {
    const answer = await trusting.send({ method: 'GET', url: named, signal: never })
    assert.equal(answer.text, 'safe')
  }
  // Nothing is sent with another host name or an unknown authority.
  await assertFails(trusting.send({ method: 'GET', url, signal: never }), 'certificate', /ALTNAME/)
  await assertFails(get(t, named), 'certificate', /not trusted/)
  assert.equal(requests, 2)
  const plain = new URL(named)
  plain.protocol = 'http:'
  await assertFails(get(t, plain), 'broken')
  await assertFails(get(t, new URL(`https://${(await serve(t, () => {})).host}/`)), 'broken')
})

test('HttpClient › reads only the beginning of a response of which only the status matters', async (t) => {
  const client = await openHttpClient(dialer)
  t.after(() => client.close())
  for (const [listener, text] of [
    [(_, response) => response.end('short'), 'short'],
    [(_, response) => response.end('x'.repeat(5000)), 'x'.repeat(10)],
    [(_, response) => response.end(Buffer.from([0x61, 0xff, 0x62])), 'a\uFFFDb'],
    [(_, response) => response.writeHead(200, { 'content-encoding': 'br' }).end('kept'), 'kept'],
    [
      (_, response) => {
        response.writeHead(200, { 'content-length': '100' })
        response.write('broken', () => response.destroy())
      },
      'broken',
    ],
  ] satisfies [RequestListener, string][]) {
    const url = await serve(t, listener)
    const answer = await client.send({ method: 'POST', url, excerptBytesMax: 10, signal: never })
    assert.equal(answer.status, 200)
    assert.equal(answer.text, text)
  }
  const redirecting = await serve(t, (_, response) => {
    response.writeHead(307, { location: '/' }).end()
  })
  const request = { method: 'POST', url: redirecting, excerptBytesMax: 10, signal: never } as const
  await assertFails(client.send(request), 'redirect')
})
