import assert from 'node:assert/strict'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { newDialer, type Dialer } from './dialer.ts'
import { selectDialer, type OwnSource } from './own-source.ts'

const HOST = 'warehouse.example'
const CONNECTION = { host: HOST, port: 5432, database: ['operations'], user: 'reader' }
const CONFIGURATION = { ...CONNECTION, sslMode: 'disable', includeViews: true }

const directory = mkdtempSync(join(tmpdir(), 'portbook-own-source-'))
const path = join(directory, 'socket')
const server = createServer((socket) => socket.end('hello'))
const dialer = newDialer({ privateAddresses: 'deny', allowed: [], ownStore: undefined })
const ownSource: OwnSource = { source: 'postgres', connection: CONNECTION, target: { path } }

before(async () => {
  server.listen(path)
  await once(server, 'listening')
})
after(() => {
  server.close()
  rmSync(directory, { recursive: true })
})

async function connect(selected: Dialer, host: string, port: number): Promise<string> {
  const socket = selected.socket().connect(port, host)
  const answer = await new Promise<string>((resolve) => {
    socket.once('data', (data) => resolve(String(data)))
    socket.on('error', (error) => resolve(`refused: ${error.name}`))
  })
  socket.destroy()
  return answer
}

test('selectDialer › redirects exactly the own connection to its target', async () => {
  const selected = selectDialer({ dialer, ownSource }, 'postgres', CONFIGURATION)
  assert.equal(await connect(selected, HOST, 5432), 'hello')
})

test('selectDialer › keeps every rule for other hosts and ports', async () => {
  const selected = selectDialer({ dialer, ownSource }, 'postgres', CONFIGURATION)
  assert.equal(await connect(selected, '127.0.0.1', 5432), 'refused: DialRefused')
  assert.match(await connect(selected, HOST, 5433), /^refused/)
})

const OTHERS: readonly (readonly [name: string, source: string, change: object])[] = [
  ['source', 'mysql', {}],
  ['host', 'postgres', { host: 'other.example' }],
  ['port', 'postgres', { port: 5433 }],
  ['user', 'postgres', { user: 'portbook' }],
  ['database', 'postgres', { database: ['portbook'] }],
  ['list of databases', 'postgres', { database: ['operations', 'portbook'] }],
  ['glob of databases', 'postgres', { database: [] }],
]
for (const [name, source, change] of OTHERS) {
  test(`selectDialer › makes no exception for another ${name}`, () => {
    const configuration = { ...CONFIGURATION, ...change }
    assert.equal(selectDialer({ dialer, ownSource }, source, configuration), dialer)
  })
}

test('selectDialer › makes no exception without an own source', () => {
  assert.equal(selectDialer({ dialer }, 'postgres', CONFIGURATION), dialer)
})
