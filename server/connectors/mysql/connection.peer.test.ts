import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { createServer, type Server, type Socket } from 'node:net'
import { after, before, describe, test } from 'node:test'
import { eventually } from '../../../test/eventually.ts'
import { onMariadb, type TestMariadb } from '../../../test/mariadb.ts'
import { catchFailure, newSetup, readSource } from '../../../test/source-reading.ts'
import { newDialer } from '../../platform/kit/dialer.ts'
import type { Batch, Setup } from '../connector.ts'
import { mariadb } from './connector.ts'

// So much text that the server blocks if the client stops reading.
const HUGE = `huge_${randomBytes(4).toString('hex')}`
const HUGE_TABLES = 300

// The first packet of a server without TLS: version, thread, salt, capabilities (a half before and a half
// after the character set and the status), length and rest of the salt.
const GREETING_WITHOUT_TLS = Buffer.concat([
  Buffer.from([61, 0, 0, 0]),
  Buffer.from('\n10.11.6-MariaDB\0\u0001\0\0\0saltsalt\0', 'latin1'),
  Buffer.from([0x01, 0x82, 0x2d, 0x02, 0x00, 0x08, 0x00, 21]),
  Buffer.from(`${'\0'.repeat(10)}saltsaltsalt\0`, 'latin1'),
])

onMariadb((server) => {
  const createSetup = (configuration: object = {}, more: Partial<Setup> = {}) =>
    setupFor(server(), configuration, more)
  const opening = (configuration: object, more: Partial<Setup> = {}): Promise<unknown> =>
    mariadb.open(createSetup(configuration, more)).then((session) => session.close())

  describe('open', () => {
    test('open › fails with auth for a wrong password and an unknown user', async () => {
      const secrets = { password: 'canary-of-a-password' }
      for (const configuration of [{}, { user: 'unknown' }]) {
        const error = await catchFailure(opening(configuration, { secrets }))
        assert.equal(error.kind, 'auth')
        assert.ok(!JSON.stringify([error.message, String(error.cause)]).includes('canary'))
      }
      assert.equal((await catchFailure(opening({}, { secrets: {} }))).kind, 'auth')
    })

    test('open › fails with auth for a locked account', async () => {
      await server().execute(`create user locked@'127.0.0.1' identified by 'p' account lock`)
      const secrets = { password: 'p' }
      assert.equal((await catchFailure(opening({ user: 'locked' }, { secrets }))).kind, 'auth')
    })

    test('open › reports that an account requires TLS', async () => {
      await server().execute(`create user secured@'127.0.0.1' identified by 'p' require ssl`)
      const secrets = { password: 'p' }
      const { kind, message } = await catchFailure(opening({ user: 'secured' }, { secrets }))
      assert.equal(kind, 'auth')
      assert.match(message, /wrong name, password or host, or an account .* only with TLS\.$/)
    })

    test('open › reports an expired password', async () => {
      await server().execute(
        `create user late@'127.0.0.1' identified by 'p'; alter user late@'127.0.0.1' password expire`,
      )
      const { kind, message } = await catchFailure(
        readSource(mariadb, createSetup({ user: 'late' }, { secrets: { password: 'p' } })),
      )
      assert.equal(kind, 'auth')
      assert.equal(message, 'The password of late has expired: set a new one on the server.')
    })

    test('open › fails with unreachable for a closed port and an unknown host name', async () => {
      const closed = await listen(() => undefined)
      await new Promise((resolve) => closed.server.close(resolve))
      const { kind, message } = await catchFailure(opening({ port: closed.port }))
      assert.equal(kind, 'unreachable')
      assert.equal(message, `Nothing listens at 127.0.0.1:${closed.port}.`)
      assert.equal(
        (await catchFailure(opening({ host: 'no.such.host.invalid' }))).kind,
        'unreachable',
      )
    })

    test('open › fails with unreachable and the dialer’s message for a forbidden address', async () => {
      const dialer = newDialer({ privateAddresses: 'deny', allowed: [], ownStore: undefined })
      const { kind, message } = await catchFailure(opening({}, { dialer }))
      assert.equal(kind, 'unreachable')
      assert.match(message, /private address/)
    })

    test('open › fails with protocol for another service, with unreachable if it hangs up', async () => {
      const answers = { protocol: 'HTTP/1.1 400 Bad Request\r\n\r\n', unreachable: '' }
      for (const [kind, answer] of Object.entries(answers)) {
        const other = await listen((socket) => socket.end(answer))
        assert.equal((await catchFailure(opening({ port: other.port }))).kind, kind)
        other.server.close()
      }
    })

    test('open › fails with unreachable if TLS is required but not offered', async () => {
      const other = await listen((socket) => socket.write(GREETING_WITHOUT_TLS))
      const configuration = { port: other.port, ssl: 'required' }
      const { kind, message } = await catchFailure(opening(configuration))
      other.server.close()
      assert.equal(kind, 'unreachable')
      assert.match(
        message,
        /does not support TLS\. Enable TLS on the server, or set Encryption to "Off"/,
      )
    })

    test('open › cancels before connecting and while the server does not answer', async () => {
      const early = await catchFailure(opening({}, { signal: AbortSignal.abort() }))
      assert.equal(early.kind, 'cancelled')
      const ending = new AbortController()
      const silent = await listen(() => ending.abort())
      const late = await catchFailure(opening({ port: silent.port }, { signal: ending.signal }))
      assert.equal(late.kind, 'cancelled')
      silent.server.close()
    })

    test('open › opens a read-only session', async () => {
      const result = await readSource(mariadb, createSetup())
      assert.ok(result.statements.includes('read only'))
    })
  })

  describe('read', () => {
    before(async () => {
      const columns = Array.from(
        { length: 60 },
        (_, at) => `c${at} int comment '${'x'.repeat(1000)}'`,
      )
      const others = Array.from(
        { length: HUGE_TABLES - 1 },
        (_, at) => `create table t${at + 1} like t0`,
      )
      await server().execute(`
        create database ${HUGE}; use ${HUGE};
        create table t0 (${columns.join()}) engine = aria; ${others.join(';')}`)
    })

    test('read › cancels immediately and stops the statement on the server', async () => {
      const ending = new AbortController()
      const setup = createSetup({}, { signal: ending.signal })
      const session = await mariadb.open(setup)
      const reading = await begin(session.read([scope]))
      await eventually(5000, async () => (await countRunning(server())) === 1, 'the statement runs')
      ending.abort()
      // Buffered rows still arrive.
      const error = await catchFailure(drain(reading))
      assert.equal(error.kind, 'cancelled')
      await eventually(
        5000,
        async () => (await countRunning(server())) === 0,
        'the statement is gone',
      )
      await session.close()
      assert.ok(setup.statements.includes('kill query'))
      assert.equal((await catchFailure(drain(session.read([scope])))).kind, 'cancelled')
    })

    test('read › cancels while the server is busy and stops the statement there', async () => {
      // The reader waits for the lock on a table that is being filled.
      const table = `${HUGE}.filled`
      const filling = assert.rejects(
        server().execute(`create table ${table} as select sleep(600) as a`),
      )
      const ending = new AbortController()
      const setup = createSetup({}, { signal: ending.signal })
      const session = await mariadb.open(setup)
      const draining = catchFailure(drain(session.read([scope])))
      const waiting = (): Promise<number> =>
        countStatements(server(), '%table_schema%', 'Waiting for table%')
      await eventually(5000, async () => (await waiting()) === 1, 'the statement waits')
      ending.abort()
      assert.equal((await draining).kind, 'cancelled')
      await eventually(5000, async () => (await waiting()) === 0, 'the statement is gone')
      await session.close()
      assert.ok(setup.statements.includes('kill query'))
      await stopStatement(server(), `create table ${table}`)
      await filling
    })

    test('read › stops the statement on the server if reading ends early, and keeps the session', async () => {
      const session = await mariadb.open(createSetup())
      const reading = await begin(session.read([scope]))
      await eventually(5000, async () => (await countRunning(server())) === 1, 'the statement runs')
      await reading.return(undefined)
      await eventually(
        5000,
        async () => (await countRunning(server())) === 0,
        'the statement is gone',
      )
      assert.equal(await drain(session.read([scope])), HUGE_TABLES + 1)
      await session.close()
    })

    test('read › does not fetch rows that the consumer does not take', async () => {
      const session = await mariadb.open(createSetup())
      const reading = await begin(session.read([scope]))
      await eventually(5000, async () => (await countRunning(server())) === 1, 'the statement runs')
      // Check again after another statement.
      await server().execute('select sleep(0.5)')
      assert.equal(await countRunning(server()), 1)
      assert.ok((await drain(reading)) > HUGE_TABLES / 2)
      await session.close()
    })

    test('read › fails with unreachable if the server drops the connection', async () => {
      const session = await mariadb.open(createSetup())
      const reading = await begin(session.read([scope]))
      await server().execute(
        `select concat('kill ', id) into @kill from information_schema.processlist
         where info like '%partition_expression%' and id <> connection_id();
         execute immediate @kill`,
      )
      assert.equal((await catchFailure(drain(reading))).kind, 'unreachable')
      assert.equal(await drain(session.read([scope])), HUGE_TABLES + 1)
      await session.close()
    })
  })
})

onMariadb((server) => {
  const getFailureKind = async (configuration: object, secrets = {}): Promise<string> => {
    const setup = setupFor(server(), configuration)
    const opening = mariadb.open({ ...setup, secrets: { ...setup.secrets, ...secrets } })
    try {
      await (await opening).close()
      return 'open'
    } catch (error) {
      return (error as { kind: string }).kind
    }
  }

  test('open › connects with required, verified and disabled TLS', async () => {
    const { authority: ca, stranger } = server().certificates
    assert.equal(await getFailureKind({ ssl: 'off' }), 'open')
    assert.equal(await getFailureKind({ ssl: 'required' }), 'open')
    assert.equal(await getFailureKind({ ssl: 'required', ca }), 'open')
    assert.equal(await getFailureKind({ ssl: 'required', ca: stranger }), 'unreachable')
    assert.equal(await getFailureKind({ ssl: 'verify', ca }), 'open')
    assert.equal(await getFailureKind({ ssl: 'verify', ca, host: 'localhost' }), 'open')
    assert.equal(await getFailureKind({ ssl: 'verify' }), 'unreachable')
    assert.equal(await getFailureKind({ ssl: 'verify', ca: stranger }), 'unreachable')
    const findings = await mariadb.check(setupFor(server(), { ssl: 'verify', ca }))
    assert.ok(findings.some(({ what }) => what.includes('TLSv1')))
  })

  test('open › fails with unreachable if the certificate belongs to another host', async () => {
    const { authority: ca } = server().certificates
    // The same server, under a name and an address that its certificate does not contain.
    const rules = { privateAddresses: 'allow', allowed: [], ownStore: undefined } as const
    const dialer = newDialer(rules, async () => ['127.0.0.1'])
    for (const host of ['db.example', '127.0.0.2']) {
      const setup = setupFor(server(), { ssl: 'verify', ca, host }, { dialer })
      assert.equal((await catchFailure(mariadb.open(setup))).kind, 'unreachable')
      const lenient = setupFor(server(), { ssl: 'required', ca, host }, { dialer })
      await (await mariadb.open(lenient)).close()
    }
  })

  test('open › a user with a required certificate connects only with it', async () => {
    const { authority: ca, client: clientCertificate, clientKey } = server().certificates
    await server().execute(`create user shown@'127.0.0.1' identified by 'p' require x509`)
    const configuration = { ssl: 'verify', ca, user: 'shown' }
    const password = 'p'
    assert.equal(await getFailureKind(configuration, { password }), 'auth')
    assert.equal(await getFailureKind({ ...configuration, ssl: 'off' }, { password }), 'auth')
    const shown = { ...configuration, clientCertificate }
    assert.equal(await getFailureKind(shown, { password, clientKey }), 'open')
    const unreadable = { ...shown, clientCertificate: '-----BEGIN CERTIFICATE-----' }
    assert.equal(await getFailureKind(unreadable, { password, clientKey }), 'auth')
  })
})

function setupFor(
  server: TestMariadb,
  configuration: object,
  more: Partial<Setup> = {},
): ReturnType<typeof newSetup> {
  const { host, port, user, password } = server
  return newSetup({
    configuration: { host, port, user, ssl: 'off', ...configuration },
    secrets: { password },
    filters: { include: { database: [HUGE] }, exclude: {} },
    ...more,
  })
}

const scope = { path: [HUGE], kind: 'database', reading: HUGE, decision: 'included' } as const

function countRunning(server: TestMariadb): Promise<number> {
  return countStatements(server, '%partition_expression%')
}

async function countStatements(
  server: TestMariadb,
  text: string,
  state: string = '%',
): Promise<number> {
  const rows = await server.execute(
    `select id from information_schema.processlist
     where info like '${text}' and state like '${state}' and id <> connection_id()`,
  )
  return rows.length
}

async function stopStatement(server: TestMariadb, beginning: string): Promise<void> {
  await server.execute(`
    select concat('kill query ', id) into @kill from information_schema.processlist
    where info like '${beginning}%'; execute immediate @kill`)
}

/** Counts the assets of a reading. */
async function drain(reading: AsyncIterable<Batch>): Promise<number> {
  let count = 0
  for await (const { assets } of reading) count += assets.length
  return count
}

/** Takes the first batch and leaves the rest. */
async function begin(reading: AsyncIterable<Batch>): Promise<AsyncGenerator<Batch>> {
  const iterator = reading[Symbol.asyncIterator]()
  assert.ok(((await iterator.next()).value as Batch).assets.length > 0)
  return iterator as AsyncGenerator<Batch>
}

async function listen(answer: (socket: Socket) => void): Promise<{ port: number; server: Server }> {
  const server = createServer((socket) => {
    socket.on('error', () => undefined)
    answer(socket)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  after(() => server.close())
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('no port')
  return { port: address.port, server }
}
