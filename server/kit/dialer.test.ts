import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type Socket, type AddressInfo, type Server } from 'node:net'
import { networkInterfaces } from 'node:os'
import { after, before, beforeEach, test } from 'node:test'
import { Client } from 'pg'
import { DialRefused, newDialer, type DialRules, type Resolve } from './dialer.ts'

/** A listener on every address of this machine, reachable only if a test allows it. */
let canary: Server
let port: number
let connections = 0

before(async () => {
  canary = createServer((socket) => {
    connections += 1
    // A test may close the connection before it has read everything.
    socket.on('error', () => {})
    socket.end('hello')
  })
  canary.listen(0)
  await once(canary, 'listening')
  port = (canary.address() as AddressInfo).port
})
after(() => canary.close())
beforeEach(() => {
  connections = 0
})

const DENY: DialRules = { privateAddresses: 'deny', allowed: [], ownStore: undefined }
const ALLOW: DialRules = { ...DENY, privateAddresses: 'allow' }

/** Returns a resolver that resolves every host to the same addresses. */
function always(...addresses: string[]): Resolve {
  return async () => addresses
}

/** Dials; returns the error, or what the other side sent. */
async function dial(
  rules: DialRules,
  host: string,
  resolve?: Resolve,
  at = port,
): Promise<string | Error> {
  const socket = newDialer(rules, resolve).socket()
  return await new Promise((done) => {
    socket.once('error', done)
    socket.once('data', (data: Buffer) => done(data.toString()))
    socket.once('close', () => done(new Error('closed')))
    socket.connect(at, host)
  })
}

function assertRefused(outcome: string | Error, reason: RegExp): void {
  assert.ok(outcome instanceof DialRefused, String(outcome))
  assert.match(outcome.message, reason)
}

const LOOPBACK_SPELLINGS = [
  '127.0.0.1',
  '127.1',
  '127.0.1',
  '127.255.255.254',
  '2130706433',
  '0x7f000001',
  '0x7f.1',
  '0X7F.0.0.1',
  '017700000001',
  '0177.0.0.1',
  '0177.1',
  '127.0.0.1.',
  'localhost',
  'LOCALHOST',
  'LocalHost',
  'localhost.',
  'localhost..',
  '１２７.０.０.１',
  '①②⑦.⓪.⓪.①',
  '127。0。0。1',
  'ｌｏｃａｌｈｏｓｔ',
  '１２７．１',
  '::1',
  '[::1]',
  '0:0:0:0:0:0:0:1',
  '0000::0001',
  '::ffff:127.0.0.1',
  '::ffff:7f00:1',
  '[::ffff:127.0.0.1]',
  '0:0:0:0:0:FFFF:7F00:0001',
  '::127.0.0.1',
  '64:ff9b::7f00:1',
  '64:ff9b:1::127.0.0.1',
  '2002:7f00:1::',
  '2001:0:7f00:1::',
  '::ffff:0:127.0.0.1',
  '0.0.0.0',
  '0',
  '0x0',
  '::',
  '[::]',
  '::ffff:0.0.0.0',
  '0.0.0.1',
  '::%lo',
  'fe80::1%lo',

  '127.0.0.1%00.example',
  ' 127.0.0.1',
  '127.0.0.1 ',
  '127.0.0.1\t',
  '127.0.0.1\n',
  '127.0.0.1#',

  'user@127.0.0.1',
  '127.0.0.1/',
  '127.0.0.1\\',
  '127.0.0.1?',
  '%31%32%37.0.0.1',
  '127.0.0.1\0',
]

for (const host of LOOPBACK_SPELLINGS) {
  test(`Dialer › with deny, rejects ${JSON.stringify(host)}`, async () => {
    const outcome = await dial(DENY, host)
    assert.ok(outcome instanceof Error, String(outcome))
    assert.equal(connections, 0)
    // A host that the system cannot resolve has its own error.
    const isUnknown = 'code' in outcome && /^(ENOTFOUND|EAI_)/.test(String(outcome.code))
    assert.ok(outcome instanceof DialRefused || isUnknown, String(outcome))
  })
}

test('Dialer › with deny, rejects all addresses of this machine', async () => {
  for (const { address } of Object.values(networkInterfaces()).flatMap((each) => each ?? [])) {
    const outcome = await dial(DENY, address)
    assert.ok(outcome instanceof Error, address)
  }
  assert.equal(connections, 0)
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
    assertRefused(await dial(rules, host), /never allowed/)
  })
}

test('Dialer › rejects a name if any of its addresses is forbidden', async () => {
  const rules = { ...ALLOW, allowed: ['metadata.google.internal'] }
  const metadata = await dial(rules, 'metadata.google.internal', always('169.254.169.254'))
  assertRefused(metadata, /^metadata\.google\.internal resolves to an address that is never/)
  for (const addresses of [
    ['93.184.216.34', '127.0.0.1'],
    ['127.0.0.1', '93.184.216.34'],
    ['2606:4700::1111', '::ffff:10.0.0.1'],
  ]) {
    assertRefused(await dial(DENY, 'db.example', always(...addresses)), /private address/)
  }
  assert.equal(connections, 0)
})

test('Dialer › reports the rejected host without its addresses', async () => {
  const outcome = await dial(DENY, 'db.example', always('10.20.30.40'))
  assertRefused(outcome, /^db\.example resolves to a private address/)
  assert.ok(!String(outcome).includes('10.20'))
})

test('Dialer › with allow, connects to loopback with every overload of connect', async () => {
  const forms: ((socket: Socket) => unknown)[] = [
    (socket) => socket.connect(port, '127.0.0.1'),
    (socket) => socket.connect({ port, host: '127.0.0.1' }),
    (socket) => socket.connect(port, 'localhost'),
    (socket) => socket.connect(port),
    (socket) => socket.connect({ port, host: '[::ffff:127.0.0.1]' }),
  ]
  for (const connect of forms) {
    const socket = newDialer(ALLOW).socket()
    connect(socket)
    await once(socket, 'connect')
    const [data] = (await once(socket, 'data')) as [Buffer]
    assert.equal(data.toString(), 'hello')
    socket.destroy()
  }
  assert.equal(connections, forms.length)
})

test('Dialer › calls the listener of connect', async () => {
  const socket = newDialer(ALLOW).socket()
  await new Promise<void>((connected) => {
    socket.connect(port, '127.0.0.1', connected)
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
    const outcome = await dial({ ...DENY, allowed: [entry] }, host)
    if (isAllowed) assert.equal(outcome, 'hello')
    else assertRefused(outcome, /private address/)
    assert.equal(connections, isAllowed ? 1 : 0)
  })
}

test('Dialer › matches allowed names with a trailing dot, in any case and script', async () => {
  const rules = { ...DENY, allowed: ['bücher.internal'] }
  for (const host of ['xn--bcher-kva.internal', 'BÜCHER.internal.', 'bücher。internal']) {
    assert.equal(await dial(rules, host, always('127.0.0.1')), 'hello', host)
  }
  assertRefused(await dial(rules, 'bucher.internal', always('127.0.0.1')), /private/)
})

test('Dialer › resolves a name only once, even if it would resolve differently later', async () => {
  let lookups = 0
  const rebinding: Resolve = async () => {
    lookups += 1
    return lookups === 1 ? ['127.0.0.1'] : ['169.254.169.254']
  }
  assert.equal(await dial(ALLOW, 'rebinding.example', rebinding), 'hello')
  assert.equal(lookups, 1)
  assertRefused(await dial(ALLOW, 'rebinding.example', rebinding), /never/)
})

test('Dialer › tries the next address if one does not respond', async () => {
  const silent = createServer().listen(0, '127.0.0.1')
  await once(silent, 'listening')
  const closedPort = (silent.address() as AddressInfo).port
  silent.close()
  await once(silent, 'close')
  const both = createServer((socket) => socket.end('second')).listen(closedPort, '127.0.0.2')
  await once(both, 'listening')
  const outcome = await dial(ALLOW, 'db.example', always('127.0.0.1', '127.0.0.2'), closedPort)
  both.close()
  assert.equal(outcome, 'second')
})

test('Dialer › returns the error of the system for a closed port', async () => {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const closedPort = (server.address() as AddressInfo).port
  server.close()
  await once(server, 'close')
  const outcome = await dial(ALLOW, '127.0.0.1', undefined, closedPort)
  assert.equal((outcome as NodeJS.ErrnoException).code, 'ECONNREFUSED')
})

test('Dialer › times out after ten seconds if the resolver never returns', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  const outcome = dial(ALLOW, 'slow.example', async () => new Promise<never>(() => {}))
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
  socket.connect(port, 'slow.example')
  await new Promise((done) => setImmediate(done))
  socket.destroy()
  await once(socket, 'close')
  answer?.(['127.0.0.1'])
  await new Promise((done) => setImmediate(done))
  assert.equal(await dial(ALLOW, '127.0.0.1'), 'hello')
  assert.equal(connections, 1)
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

const OWN = [
  ['127.0.0.1', '127.0.0.1'],
  ['127.0.0.1', 'localhost'],
  ['localhost', '127.0.0.1'],
  ['127.0.0.1', '127.0.0.2'],
  ['127.0.0.1', '::1'],
  ['::1', '127.0.0.1'],
  ['', '127.0.0.1'],
  ['/var/run/postgresql', '127.0.0.1'],
  ['%2Fvar%2Frun', 'localhost'],
  ['::ffff:127.0.0.1', '2130706433'],
] as const

for (const [own, host] of OWN) {
  test(`Dialer › rejects the own database at ${own || 'no host'} as ${host}`, async () => {
    const rules = { ...ALLOW, allowed: ['127.0.0.0/8'], ownStore: { host: own, port } }
    assertRefused(await dial(rules, host), /the database of this server/)
    assert.equal(connections, 0)
  })
}

async function resolveStore(host: string): Promise<string[]> {
  return host === 'store.example' ? ['10.1.1.1', '10.1.1.2'] : [host]
}

test('Dialer › rejects the own database by each of its addresses, also by a translated one', async () => {
  const rules = { ...ALLOW, ownStore: { host: 'store.example', port } }
  for (const host of ['10.1.1.1', '10.1.1.2', '64:ff9b::10.1.1.2', 'store.example']) {
    assertRefused(await dial(rules, host, resolveStore), /the database of this server/)
  }
})

for (const host of LOOPBACK_SPELLINGS) {
  test(`Dialer › rejects a port of this server as ${JSON.stringify(host)}, even if it is allowed`, async () => {
    const allowed = ['127.0.0.0/8', '::1', 'localhost']
    const outcome = await dial({ ...ALLOW, allowed, ownPorts: [port] }, host)
    assert.ok(outcome instanceof Error, String(outcome))
    // Some systems do not resolve every notation.
    const isUnknown = 'code' in outcome && /^(ENOTFOUND|EAI_)/.test(String(outcome.code))
    if (!isUnknown) assertRefused(outcome, /port of this server|not a host|never|invalid address/)
    assert.equal(connections, 0)
  })
}

test('Dialer › rejects a port of this server on every address of the machine, by any name', async () => {
  const own = Object.values(networkInterfaces()).flatMap((each) => each ?? [])
  const addresses = own.map(({ address }) => address).filter((one) => !one.startsWith('fe80'))
  for (const address of [...addresses, '64:ff9b::7f00:1', '::ffff:127.0.0.1']) {
    const rules = { ...ALLOW, ownPorts: [1, port] }
    const resolve = always('203.0.113.7', address)
    assertRefused(await dial(rules, 'db.example', resolve), /port of this server/)
  }
  assert.equal(connections, 0)
})

test('Dialer › allows other ports of the machine, and the own ports on other machines', async () => {
  assert.equal(await dial({ ...ALLOW, ownPorts: [port - 1, port + 1] }, '127.0.0.1'), 'hello')
  const elsewhere = await dial({ ...DENY, ownPorts: [port] }, 'db.example', always('10.99.99.99'))
  assertRefused(elsewhere, /private address.*PORTBOOK_PRIVATE_SOURCES/)
})

test('Dialer › allows other ports on the host of the own database', async () => {
  const rules = { ...ALLOW, ownStore: { host: '127.0.0.1', port: port === 1 ? 2 : port - 1 } }
  assert.equal(await dial(rules, '127.0.0.1'), 'hello')
})

test('Dialer › rejects the port of the own database if its host cannot be resolved', async () => {
  const rules = { ...ALLOW, ownStore: { host: 'store.example', port } }
  const outcome = await dial(rules, '127.0.0.1', async (host) => {
    if (host === 'store.example') throw Object.assign(new Error('not found'), { code: 'ENOTFOUND' })
    return ['127.0.0.1']
  })
  assert.ok(outcome instanceof Error)
  assert.equal(connections, 0)
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
