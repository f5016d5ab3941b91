import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type AddressInfo, type Socket } from 'node:net'
import { networkInterfaces } from 'node:os'
import { test } from 'node:test'
import { Client } from 'pg'
import {
  ALLOW,
  always,
  assertRefused,
  DENY,
  LOOPBACK_SPELLINGS,
  useCanary,
} from '../../../test/dialing.ts'
import { DialRefused, newDialer, type Resolve } from './dialer.ts'

const canary = useCanary()

for (const host of LOOPBACK_SPELLINGS) {
  test(`Dialer › with deny, rejects ${JSON.stringify(host)}`, async () => {
    const outcome = await canary.dial(DENY, host)
    assert.ok(outcome instanceof Error, String(outcome))
    assert.equal(canary.connections, 0)
    // A host that the system cannot resolve has its own error.
    const isUnknown = 'code' in outcome && /^(ENOTFOUND|EAI_)/.test(String(outcome.code))
    assert.ok(outcome instanceof DialRefused || isUnknown, String(outcome))
  })
}

test('Dialer › with deny, rejects all addresses of this machine', async () => {
  for (const { address } of Object.values(networkInterfaces()).flatMap((each) => each ?? [])) {
    const outcome = await canary.dial(DENY, address)
    assert.ok(outcome instanceof Error, address)
  }
  assert.equal(canary.connections, 0)
})

const ALWAYS_REFUSED = [
  '169.254.169.254',
  '169.254.1.1',
  '::ffff:169.254.169.254',
  '64:ff9b::a9fe:a9fe',
  '2002:a9fe:a9fe::',
  '100.100.100.200',
  '168.63.129.16',
  'fd00:ec2::254',
  'fe80::1',
  '224.0.0.1',
  'ff02::1',
  '255.255.255.255',
  '0.0.0.0',
  '::',
  '[::ffff:0:0]',
  '2852039166',
  '0xa9fea9fe',
  '0251.0376.0251.0376',
  '169.254.43518',
  '::169.254.169.254',
]

for (const host of ALWAYS_REFUSED) {
  test(`Dialer › rejects ${host} even if it is allowed`, async () => {
    const rules = { ...ALLOW, allowed: ['0.0.0.0/0', '::/0', 'metadata.google.internal'] }
    assertRefused(await canary.dial(rules, host), /never allowed/)
  })
}

test('Dialer › rejects a name if any of its addresses is forbidden', async () => {
  const rules = { ...ALLOW, allowed: ['metadata.google.internal'] }
  const metadata = await canary.dial(rules, 'metadata.google.internal', always('169.254.169.254'))
  assertRefused(metadata, /^metadata\.google\.internal resolves to an address that is never/)
  for (const addresses of [
    ['93.184.216.34', '127.0.0.1'],
    ['127.0.0.1', '93.184.216.34'],
    ['2606:4700::1111', '::ffff:10.0.0.1'],
  ]) {
    assertRefused(await canary.dial(DENY, 'db.example', always(...addresses)), /private address/)
  }
  assert.equal(canary.connections, 0)
})

test('Dialer › reports the rejected host without its addresses', async () => {
  const outcome = await canary.dial(DENY, 'db.example', always('10.20.30.40'))
  assertRefused(outcome, /^db\.example resolves to a private address/)
  assert.ok(!String(outcome).includes('10.20'))
})

test('Dialer › with allow, connects to loopback with every overload of connect', async () => {
  const forms: ((socket: Socket) => unknown)[] = [
    (socket) => socket.connect(canary.port, '127.0.0.1'),
    (socket) => socket.connect({ port: canary.port, host: '127.0.0.1' }),
    (socket) => socket.connect(canary.port, 'localhost'),
    (socket) => socket.connect(canary.port),
    (socket) => socket.connect({ port: canary.port, host: '[::ffff:127.0.0.1]' }),
  ]
  for (const connect of forms) {
    const socket = newDialer(ALLOW).socket()
    connect(socket)
    await once(socket, 'connect')
    const [data] = (await once(socket, 'data')) as [Buffer]
    assert.equal(data.toString(), 'hello')
    socket.destroy()
  }
  assert.equal(canary.connections, forms.length)
})

test('Dialer › calls the listener of connect', async () => {
  const socket = newDialer(ALLOW).socket()
  await new Promise<void>((connected) => {
    socket.connect(canary.port, '127.0.0.1', connected)
  })
  socket.destroy()
})

const ALLOWED: readonly (readonly [entry: string, host: string, isAllowed: boolean])[] = [
  ['127.0.0.1', '127.0.0.1', true],
  ['127.0.0.1', '127.1', true],
  ['127.0.0.1', '127.0.0.2', false],
  ['127.0.0.0/8', '127.0.0.2', true],
  ['127.0.0.0/30', '127.0.0.4', false],
  ['127.0.0.0/8', '::ffff:127.0.0.1', true],
  ['10.0.0.0/8', '127.0.0.1', false],
  ['localhost', 'localhost', true],
  ['LocalHost.', 'LOCALHOST', true],
  ['localhost', '127.0.0.1', false],
  ['other.example', 'localhost', false],
  ['local', 'localhost', false],
]

for (const [entry, host, isAllowed] of ALLOWED) {
  test(`Dialer › with deny and ${entry} allowed, ${isAllowed ? 'connects to' : 'rejects'} ${host}`, async () => {
    const outcome = await canary.dial({ ...DENY, allowed: [entry] }, host)
    if (isAllowed) assert.equal(outcome, 'hello')
    else assertRefused(outcome, /private address/)
    assert.equal(canary.connections, isAllowed ? 1 : 0)
  })
}

test('Dialer › matches allowed names with a trailing dot, in any case and script', async () => {
  const rules = { ...DENY, allowed: ['bücher.internal'] }
  for (const host of ['xn--bcher-kva.internal', 'BÜCHER.internal.', 'bücher。internal']) {
    assert.equal(await canary.dial(rules, host, always('127.0.0.1')), 'hello', host)
  }
  assertRefused(await canary.dial(rules, 'bucher.internal', always('127.0.0.1')), /private/)
})

test('Dialer › resolves a name only once, even if it would resolve differently later', async () => {
  let lookups = 0
  const rebinding: Resolve = async () => {
    lookups += 1
    return lookups === 1 ? ['127.0.0.1'] : ['169.254.169.254']
  }
  assert.equal(await canary.dial(ALLOW, 'rebinding.example', rebinding), 'hello')
  assert.equal(lookups, 1)
  assertRefused(await canary.dial(ALLOW, 'rebinding.example', rebinding), /never/)
})

test('Dialer › tries the next address if one does not respond', async () => {
  const silent = createServer().listen(0, '127.0.0.1')
  await once(silent, 'listening')
  const closedPort = (silent.address() as AddressInfo).port
  silent.close()
  await once(silent, 'close')
  const both = createServer((socket) => socket.end('second')).listen(closedPort, '127.0.0.2')
  await once(both, 'listening')
  const outcome = await canary.dial(
    ALLOW,
    'db.example',
    always('127.0.0.1', '127.0.0.2'),
    closedPort,
  )
  both.close()
  assert.equal(outcome, 'second')
})

test('Dialer › returns the error of the system for a closed port', async () => {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const closedPort = (server.address() as AddressInfo).port
  server.close()
  await once(server, 'close')
  const outcome = await canary.dial(ALLOW, '127.0.0.1', undefined, closedPort)
  assert.equal((outcome as NodeJS.ErrnoException).code, 'ECONNREFUSED')
})

test('Dialer › times out after ten seconds if the resolver never returns', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  const outcome = canary.dial(ALLOW, 'slow.example', async () => new Promise<never>(() => {}))
  t.mock.timers.tick(9999)
  t.mock.timers.tick(1)
  assert.equal(((await outcome) as NodeJS.ErrnoException).code, 'ETIMEDOUT')
})

test('Dialer › does not connect a socket that is destroyed during the DNS lookup', async () => {
  let answer: ((addresses: string[]) => void) | undefined
  const socket = newDialer(
    ALLOW,
    async () => new Promise<string[]>((done) => (answer = done)),
  ).socket()
  socket.connect(canary.port, 'slow.example')
  await new Promise((done) => setImmediate(done))
  socket.destroy()
  await once(socket, 'close')
  answer?.(['127.0.0.1'])
  await new Promise((done) => setImmediate(done))
  assert.equal(await canary.dial(ALLOW, '127.0.0.1'), 'hello')
  assert.equal(canary.connections, 1)
})

test('Dialer › rejects paths and invalid ports', async () => {
  const targets: ((socket: Socket) => unknown)[] = [
    (socket) => socket.connect('/var/run/postgresql/.s.PGSQL.5432'),
    (socket) => socket.connect({ path: '/run/mysqld/mysqld.sock' }),
    (socket) => socket.connect(0, '127.0.0.1'),
    (socket) => socket.connect({ port: 70_000, host: '127.0.0.1' }),
    (socket) => socket.connect({ port: Number.NaN, host: '127.0.0.1' }),
  ]
  for (const connect of targets) {
    const socket = newDialer(ALLOW).socket()
    const failed = once(socket, 'error')
    connect(socket)
    const [failure] = await failed
    assert.ok(failure instanceof DialRefused, String(failure))
  }
})

test('Dialer › carries a session of pg, and none to a forbidden address', async () => {
  const connectionString = process.env['PORTBOOK_TEST_POSTGRES']
  assert.ok(connectionString, 'this test needs stores: run it by `npm test -- <file>`')
  const client = new Client({ connectionString, stream: () => newDialer(ALLOW).socket() })
  await client.connect()
  const { rows } = await client.query('select 1 as one')
  await client.end()
  assert.deepEqual(rows, [{ one: 1 }])

  const refused = new Client({ connectionString, stream: () => newDialer(DENY).socket() })
  await assert.rejects(refused.connect(), DialRefused)
})

test('newDialer › rejects an invalid entry of allowed', () => {
  assert.throws(() => newDialer({ ...DENY, allowed: ['10.0.0.0/33'] }), /10\.0\.0\.0\/33/)
})

test('Dialer › check rejects what a connection would, without one', async () => {
  const dialer = newDialer(DENY, always('127.0.0.1'))
  const { signal } = new AbortController()
  await assert.rejects(dialer.check('example.test', 443, signal), DialRefused)
  await newDialer(DENY, always('8.8.8.8')).check('example.test', 443, signal)
  await newDialer(ALLOW, always('127.0.0.1')).check('example.test', 443, signal)
  assert.equal(canary.connections, 0)
})
