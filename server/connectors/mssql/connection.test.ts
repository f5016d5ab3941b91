import assert from 'node:assert/strict'
import { createServer, type AddressInfo, type Socket } from 'node:net'
import { describe, test, type TestContext } from 'node:test'
import { LOCALHOST_CERTIFICATE } from '../../../test/certificate.ts'
import { eventually } from '../../../test/eventually.ts'
import { catchFailure } from '../../../test/source-reading.ts'
import type { ObjectModel } from '../../../test/warehouses/mssql/catalog.ts'
import type { TdsServer } from '../../../test/warehouses/mssql/server.ts'
import { newDatabase, newTable, startMssqlSource } from '../../../test/warehouses/mssql/source.ts'
import { newDialer } from '../../platform/kit/dialer.ts'
import type { Batch, Scope, Setup } from '../connector.ts'
import { mssql } from './connector.ts'
import { loadDriver } from './driver.ts'

const SCOPE: Scope = {
  path: ['shop', 'dbo'],
  kind: 'schema',
  reading: 'shop',
  decision: 'included',
}

const open = async (setup: Setup): Promise<void> => {
  const session = await mssql.open(setup)
  await session.close()
}

describe('open', () => {
  test('open › fails with the reason if the server rejects the log-in, without the password', async (t) => {
    const source = await startMssqlSource(t)
    const secrets = { password: 'canary-of-a-password' }
    const failure = await catchFailure(open(source.setup({ secrets })))
    assert.equal(failure.kind, 'auth')
    assert.equal(
      failure.message,
      'The server rejects the log-in of reader: check name, secret and database.',
    )
    assert.ok(!JSON.stringify([failure.message, String(failure.cause)]).includes('canary'))
    const cases = [
      [18456, 'auth', /rejects the log-in of reader/],
      [18470, 'auth', /is disabled/],
      [18486, 'auth', /is locked/],
      [18487, 'auth', /has expired/],
      [40615, 'auth', /The firewall of .* rejects/],
      [4060, 'auth', /cannot open the database/],
      [40613, 'unreachable', /is not available/],
      [40501, 'unreachable', /is busy/],
    ] as const
    for (const [number, kind, message] of cases) {
      source.server.behaviour.loginError = number
      const found = await catchFailure(open(source.setup()))
      assert.equal(found.kind, kind, String(number))
      assert.match(found.message, message)
    }
  })

  test('open › fails at once if nothing listens, the host is unknown or a private address is forbidden', async (t) => {
    const source = await startMssqlSource(t)
    await source.server.close()
    const closed = await catchFailure(open(source.setup()))
    assert.equal(closed.kind, 'unreachable')
    assert.match(closed.message, /^Nothing listens at 127\.0\.0\.1:\d+\.$/)
    const dialer = newDialer({ privateAddresses: 'deny', allowed: [], ownStore: undefined })
    const forbidden = await catchFailure(open(source.setup({ dialer })))
    assert.equal(forbidden.kind, 'unreachable')
    assert.match(forbidden.message, /resolves to a private address/)
  })

  test('open › fails if the server closes the connection, sends garbage or stays silent', async (t) => {
    const source = await startMssqlSource(t)
    const answers: ((socket: Socket) => void)[] = [
      (socket) => socket.once('data', () => socket.end()),
      (socket) => socket.once('data', () => socket.resetAndDestroy()),
      (socket) => socket.once('data', () => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n')),
    ]
    for (const answer of answers) {
      const port = await listen(t, answer)
      const failure = await catchFailure(open(source.setup({ configuration: { port } })))
      assert.equal(failure.kind, 'unreachable')
    }
    const controller = new AbortController()
    const port = await listen(t, (socket) => socket.once('data', () => controller.abort()))
    const { signal } = controller
    const silent = await catchFailure(open(source.setup({ signal, configuration: { port } })))
    assert.equal(silent.kind, 'cancelled')
  })

  test('open › follows a redirect through the dialer, to allowed addresses only', async (t) => {
    const [gateway, node] = [await startMssqlSource(t), await startMssqlSource(t)]
    const { host, port } = node.server
    gateway.server.behaviour.redirect = { host, port }
    await open(gateway.setup())
    assert.equal(node.server.logins.length, 1)
    gateway.server.behaviour.redirect = { host: '169.254.169.254', port: 1433 }
    const failure = await catchFailure(open(gateway.setup()))
    assert.match(failure.message, /resolves to an address that is never allowed/)
    gateway.server.behaviour.redirect = { host, port: gateway.server.port }
    const loop = await catchFailure(open(gateway.setup()))
    assert.match(loop.message, /redirects too often\.$/)
  })

  test('open › encrypts, and verifies the certificate and the host', async (t) => {
    const source = await startMssqlSource(t)
    const { cert: ca, key } = LOCALHOST_CERTIFICATE
    const setup = (encryption: string, more: object = {}): Setup =>
      source.setup({ configuration: { host: 'localhost', encryption, ...more } })
    const plain = await catchFailure(open(setup('verify')))
    assert.match(plain.message, /disagree about encryption/)
    source.server.behaviour.tls = { cert: ca, key }
    await open(setup('require'))
    await open(setup('verify', { ca }))
    for (const more of [{}, { ca, host: '127.0.0.1' }]) {
      const failure = await catchFailure(open(setup('verify', more)))
      assert.equal(failure.kind, 'unreachable')
      assert.match(failure.message, /does not match the host or is not trusted/)
    }
    assert.equal((await catchFailure(open(setup('off')))).kind, 'unreachable')
  })
})

describe('driver', () => {
  test('loadDriver › explains how to install a missing driver', async () => {
    const missing = Object.assign(new Error('none'), { code: 'ERR_MODULE_NOT_FOUND' })
    const failure = await catchFailure(loadDriver(async () => await Promise.reject(missing)))
    assert.equal(failure.kind, 'protocol')
    assert.match(failure.message, /is not installed.*npm install tedious@20/)
  })
})

describe('read', () => {
  test('read › fails if the server closes the connection in the middle of a result', async (t) => {
    const source = await startMssqlSource(t)
    source.model.databases['shop'] = newDatabase(manyTables(5000))
    source.server.behaviour.closeAfterBytes = 40_000
    for (const isReset of [false, true]) {
      source.server.behaviour.isReset = isReset
      const failure = await catchFailure(source.read())
      assert.equal(failure.kind, 'unreachable')
      assert.match(failure.message, /was lost\.$/)
    }
  })

  test('read › sends ATTENTION and closes the connection on cancel, while waiting and while rows arrive', async (t) => {
    const source = await startMssqlSource(t)
    const { server, model } = source
    model.databases['shop'] = newDatabase(manyTables(20_000))
    for (const silent of [/with o as/, undefined]) {
      const controller = new AbortController()
      server.behaviour.silent = silent
      const attentionsBefore = server.attentions
      const session = await mssql.open(source.setup({ signal: controller.signal }))
      const batches = session.read([SCOPE])[Symbol.asyncIterator]()
      await batches.next()
      const next = batches.next()
      if (silent === undefined) await next
      else {
        const isRunning = async () => server.statements.some((text) => silent.test(text))
        await eventually(5000, isRunning, 'the statement runs')
      }
      controller.abort()
      const failure = await catchFailure(silent === undefined ? batches.next() : next)
      assert.equal(failure.kind, 'cancelled')
      await session.close()
      await untilClosed(server)
      assert.equal(server.attentions, attentionsBefore + 1)
      server.statements.length = 0
    }
  })

  test('read › stops a statement that takes longer than the timeout', async (t) => {
    const source = await startMssqlSource(t)
    source.server.behaviour.silent = /all_views/
    const configuration = { statementTimeoutMs: 1000 }
    const result = await source.read({ configuration })
    const denied = result.scopes.filter(({ decision }) => decision === 'denied')
    assert.deepEqual(denied, [
      {
        path: ['shop'],
        kind: 'database',
        reading: 'shop',
        decision: 'denied',
        message: 'A statement took longer than 1 s and was stopped.',
      },
    ])
    assert.equal(source.server.attentions, 1)
  })

  test('read › fails if one row has more bytes than the limit', async (t) => {
    const source = await startMssqlSource(t)
    const table = newTable('huge', { description: 'x'.repeat(4_500_000) })
    source.model.databases['shop'] = newDatabase([table])
    const failure = await catchFailure(source.read())
    assert.equal(failure.kind, 'too_large')
    assert.match(failure.message, /sent more than 8 MB in one row\.$/)
  })

  const TABLES = 5000
  test('read › takes rows no faster than the reader, and limits batches', async (t) => {
    const source = await startMssqlSource(t)
    const { server, model } = source
    model.databases['shop'] = newDatabase(manyTables(TABLES, { description: 'x'.repeat(4000) }))
    const session = await mssql.open(source.setup())
    const batches = session.read([SCOPE])[Symbol.asyncIterator]()
    await batches.next()
    const first = (await batches.next()).value as Batch
    assert.ok(first.assets.length <= 1000)
    // The server is blocked when it could send no more for many turns of the event loop.
    let sentBytes = -1
    for (let idleTurns = 0; idleTurns < 200; idleTurns += 1) {
      if (server.sentBytes !== sentBytes) idleTurns = 0
      sentBytes = server.sentBytes
      await new Promise(setImmediate)
    }
    const sentBytesOfAll = TABLES * 8000
    assert.ok(sentBytes < sentBytesOfAll / 2, `${sentBytes} bytes were sent for one batch`)
    await batches.return?.(undefined)
    await session.close()
    await untilClosed(server)
  })
})

/** Yields tables; each iteration starts again. */
function manyTables(count: number, more: Partial<ObjectModel> = {}): Iterable<ObjectModel> {
  return {
    *[Symbol.iterator]() {
      for (let at = 0; at < count; at += 1) {
        yield newTable(`table_${at}`, { id: 1000 + at, ...more })
      }
    },
  }
}

async function untilClosed(server: TdsServer): Promise<void> {
  await eventually(5000, async () => server.connectionCount === 0, 'all connections are closed')
}

async function listen(t: TestContext, answer: (socket: Socket) => void): Promise<number> {
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    sockets.add(socket)
    socket.on('error', () => undefined)
    answer(socket)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  t.after(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  return (server.address() as AddressInfo).port
}
