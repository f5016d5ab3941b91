/**
 * Hostile sources: malformed, endless, huge and slow responses in the protocols of PostgreSQL, MySQL
 * and Iceberg. The serving process keeps answering and stays small, the failure is reported to the
 * user, and the next source is read.
 */

import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { after, before, describe, test } from 'node:test'
import { gzipSync } from 'node:zlib'
import { eventually, isLong } from '../eventually.ts'
import { newHttpClient, type HttpClient } from '../http-client.ts'
import { startProduct, type ProductProcess } from '../process.ts'
import { startScriptedSource } from '../scripted-source.ts'
import { withSession } from '../world.ts'
import {
  assertSound,
  icebergBody,
  newFaultWorld,
  watchIntegration,
  type FaultWorld,
} from './ingestion.ts'
import {
  mutate,
  MYSQL_GREETING,
  MYSQL_LOGGED_IN,
  mysqlPacket,
  PG_LOG_IN,
  PG_ROWS,
  pgMessage,
  pgRow,
  startHostile,
  type HostileConnection,
  type Script,
} from './hostile-sources.ts'

const MEGABYTE = 1024 * 1024
const MUTATIONS = isLong ? 100 : 4
/** Limit of the serving process, which starts with about 150 MB. */
const MEMORY_BYTES_MAX = 400 * MEGABYTE
const ENDED_MS_MAX = 60_000

let faults: FaultWorld
let server: ProductProcess
let client: HttpClient
let watch: { stop(): Promise<void> }

before(async () => {
  faults = await newFaultWorld()
  server = await startProduct(faults.place.environment)
  client = newHttpClient(server.url, faults.world.keys.T)
  watch = watchServer()
})
after(async () => {
  await watch.stop()
  client.close()
  await server.stop()
  await faults.close()
})

/** Sends requests until it is stopped: the server must answer and stay small. */
function watchServer(): { stop(): Promise<void> } {
  const stopping = new AbortController()
  let answers = 0
  const done = (async () => {
    while (!stopping.signal.aborted) {
      for (const path of ['/healthz', '/api/teams']) {
        const { status } = await client.send('GET', path)
        assert.equal(status, 200, path)
      }
      assert.ok(memoryBytes(server.pid) < MEMORY_BYTES_MAX, `${memoryBytes(server.pid)} bytes`)
      answers += 1
    }
    assert.ok(answers > 10, `${answers} answers`)
  })()
  done.catch(() => undefined)
  return {
    stop: async () => {
      stopping.abort()
      await done
    },
  }
}

function memoryBytes(pid: number): number {
  const [, kilobytes = '0'] =
    /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? []
  return Number(kilobytes) * 1024
}

/** Finds the process that reads a source for a server. */
async function findReader(pid: number): Promise<number> {
  const children = await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8')
  for (const child of children.trim().split(' ').map(Number))
    if (await isReader(child)) return child
  throw new Error('the server has started no reader')
}

async function isReader(pid: number): Promise<boolean> {
  const command = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')
  return /\/reader\.(?:ts|mjs)\b/.test(command)
}

type Source = 'postgres' | 'mysql' | 'iceberg'

function bodyFor(source: Source, port: number): Record<string, unknown> {
  if (source === 'iceberg') return { ...icebergBody(`http://127.0.0.1:${port}`) }
  const tls = source === 'postgres' ? { sslMode: 'disable' } : { ssl: 'off' }
  const configuration = { host: '127.0.0.1', port, user: 'reader', ...tls }
  return { source, configuration, secrets: { password: 'secret-of-the-source' } }
}

interface Finding {
  state: string
  what: string
  hint?: string
}

/** Tests a source on behalf of a user; returns hints for the failed checks. */
async function testSource(source: Source, port: number): Promise<string[]> {
  const { status, text } = await client.send('POST', '/ui/integrations/test', {
    key: null,
    body: { owningTeamExternalId: 'a', ...bodyFor(source, port) },
    headers: withSession(faults.world.sessions.Uo),
    timeoutMs: ENDED_MS_MAX,
  })
  assert.equal(status, 200, text)
  const findings = JSON.parse(text) as { findings?: Finding[] } | Finding[]
  const list = Array.isArray(findings) ? findings : (findings.findings ?? [])
  return list.filter(({ state }) => state !== 'ok').map(({ hint, what }) => hint ?? what)
}

const asPostgres =
  (after: (connection: HostileConnection) => Promise<void>): Script =>
  async (connection) => {
    await connection.asked()
    await connection.send(PG_LOG_IN)
    await connection.asked()
    await after(connection)
    await connection.asked()
  }

const asMysql =
  (after: (connection: HostileConnection) => Promise<void>): Script =>
  async (connection) => {
    await connection.send(MYSQL_GREETING)
    await connection.asked()
    await connection.send(MYSQL_LOGGED_IN)
    await connection.asked()
    await after(connection)
    await connection.asked()
  }

const answering =
  (head: string, body: (connection: HostileConnection) => Promise<void>): Script =>
  async (connection) => {
    await connection.asked()
    await connection.send(`HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n${head}\r\n`)
    await body(connection)
  }

const sends = (bytes: Buffer | string) => (connection: HostileConnection) => connection.send(bytes)
const floods = (bytes: Buffer) => (connection: HostileConnection) => connection.flood(bytes)

const early =
  (bytes: Buffer, flood?: Buffer): Script =>
  async (connection) => {
    await connection.asked()
    await connection.send(bytes)
    if (flood !== undefined) await connection.flood(flood)
    await connection.asked()
  }

const NOT_POSTGRES = /sent a message that violates PostgreSQL's protocol/
const NOT_MYSQL = /sent a packet that violates MySQL's protocol/
const TWO_GIGABYTES = Buffer.from([0x45, 0x7f, 0xff, 0xff, 0xff])
const TEXT = Buffer.alloc(64 * 1024, 'x')
const GZIPPED = gzipSync(Buffer.alloc(100 * MEGABYTE, ' '))
const NESTED = '['.repeat(MEGABYTE)

const CASES: [what: string, source: Source, script: Script, hint: RegExp][] = [
  [
    'an ErrorResponse without a body',
    'postgres',
    early(Buffer.from([0x45, 0, 0, 0, 4])),
    NOT_POSTGRES,
  ],
  ['an ErrorResponse that does not end', 'postgres', early(pgMessage('E', 'SERROR')), NOT_POSTGRES],
  ['a field that does not end', 'postgres', early(pgMessage('E', 'SXX')), NOT_POSTGRES],
  ['an ErrorResponse of 2 GB', 'postgres', early(TWO_GIGABYTES, TEXT), NOT_POSTGRES],
  [
    'notices without end',
    'postgres',
    early(pgMessage('N', `M${'x'.repeat(9000)}\0\0`), pgMessage('N', `M${'x'.repeat(9000)}\0\0`)),
    NOT_POSTGRES,
  ],
  [
    'a RowDescription of 32,767 columns',
    'postgres',
    asPostgres(sends(pgMessage('T', '\x7f\xff'))),
    NOT_POSTGRES,
  ],
  ['a short BackendKeyData', 'postgres', asPostgres(sends(pgMessage('K', '\0'))), NOT_POSTGRES],
  [
    'a short NotificationResponse',
    'postgres',
    asPostgres(sends(pgMessage('A', '\0'))),
    NOT_POSTGRES,
  ],
  ['a short CopyOutResponse', 'postgres', asPostgres(sends(pgMessage('H', '\0'))), NOT_POSTGRES],
  [
    'rows without end',
    'postgres',
    asPostgres(async (connection) => {
      await connection.send(PG_ROWS)
      await connection.flood(Buffer.concat(Array.from({ length: 16 }, () => pgRow(60_000))))
    }),
    /violates PostgreSQL's protocol|more than 128 MiB|more than the memory|no answer/,
  ],
  ['no greeting', 'mysql', async ({ flood }) => flood(TEXT), NOT_MYSQL],
  ['a request for a file', 'mysql', asMysql(sends(mysqlPacket(1, '\xfb/etc/passwd'))), NOT_MYSQL],
  [
    'a result of 2^63 columns',
    'mysql',
    asMysql(sends(mysqlPacket(1, `\xfe${'\xff'.repeat(8)}`))),
    NOT_MYSQL,
  ],
  [
    'a packet without end',
    'mysql',
    asMysql(floods(Buffer.concat([Buffer.from([0xff, 0xff, 0xff, 1]), TEXT]))),
    NOT_MYSQL,
  ],
  ['a body without end', 'iceberg', answering('', floods(TEXT)), /^Try again$/],
  [
    'headers without end',
    'iceberg',
    async (connection) => {
      await connection.asked()
      await connection.send('HTTP/1.1 200 OK\r\n')
      await connection.flood(Buffer.from(`x-${'y'.repeat(1000)}: z\r\n`))
    },
    /not HTTP|Check host and port/,
  ],
  [
    'a body that grows when unpacked',
    'iceberg',
    answering('content-encoding: gzip\r\nconnection: close\r\n', async ({ send }) => send(GZIPPED)),
    /Check/,
  ],
  [
    'a body that is nested a million times',
    'iceberg',
    answering(`content-length: ${NESTED.length}\r\n`, sends(NESTED)),
    /Check/,
  ],
]

describe('hostile sources', { concurrency: 4 }, () => {
  for (const [attack, source, script, expected] of CASES) {
    test(`${source} › ${attack} › is reported by a connection test`, async (t) => {
      const hostile = await startHostile(script)
      t.after(() => hostile.close())
      const hints = await testSource(source, hostile.port)
      assert.ok(
        hints.some((hint) => expected.test(hint)),
        hints.join('\n'),
      )
    })
  }

  const sessions: [Source, Script][] = Array.from({ length: MUTATIONS }, (_, index) => {
    const seed = index + 1
    const log = mutate(PG_LOG_IN, seed)
    const answer = mutate(
      Buffer.concat([PG_ROWS, pgRow(10), pgMessage('C', 'SELECT 1\0'), pgMessage('Z', 'I')]),
      seed,
    )
    const greeting = mutate(
      Buffer.concat([MYSQL_GREETING, MYSQL_LOGGED_IN, mysqlPacket(1, '\x01')]),
      seed,
    )
    return seed % 2 === 0
      ? (['mysql', sends(greeting)] as const)
      : ([
          'postgres',
          async (connection: HostileConnection) => {
            await connection.asked()
            await connection.send(Buffer.concat([log, answer]))
          },
        ] as const)
  }).map(([source, script]) => [source, script])
  for (const [index, [source, script]] of sessions.entries()) {
    test(`${source} › a randomly mutated session (${index + 1}) › fails a test with a finding`, async (t) => {
      const hostile = await startHostile(script)
      t.after(() => hostile.close())
      assert.ok((await testSource(source, hostile.port)).length > 0)
    })
  }

  test('a run of a hostile source fails with a clear message, and the next healthy run succeeds', async (t) => {
    const script = asPostgres(sends(Buffer.from([0x45, 0, 0, 0, 4])))
    const [hostile, healthy] = await Promise.all([startHostile(script), startScriptedSource()])
    t.after(() => Promise.all([hostile.close(), healthy.close()]))
    healthy.state.tables('sales', 10, 'first')
    const broken = await watchIntegration(faults, bodyFor('postgres', hostile.port))
    await broken.trigger()
    const { status, message } = await broken.ended(ENDED_MS_MAX)
    assert.equal(status, 'FAILED')
    assert.match(
      message ?? '',
      /^127\.0\.0\.1:\d+ sent a message that violates PostgreSQL's protocol\. Nothing was published\.$/,
    )
    assert.ok(hostile.count() <= 5, `${hostile.count()} connections`)
    const catalog = await watchIntegration(faults, icebergBody(healthy.url))
    await catalog.trigger()
    assert.equal((await catalog.ended(ENDED_MS_MAX)).status, 'SUCCESS')
    await assertSound(faults)
  })
})

test('a killed server leaves no reader process behind, not even a stopped one', async (t) => {
  const silent = await startHostile(async (connection) => {
    for (;;) await connection.asked()
  })
  const killedServer = await startProduct({ ...faults.place.environment, PORTBOOK_WORKERS: '0' })
  const other = newHttpClient(killedServer.url)
  t.after(async () => {
    other.close()
    await silent.close()
  })
  const testing = other.send('POST', '/ui/integrations/test', {
    body: { owningTeamExternalId: 'a', ...bodyFor('postgres', silent.port) },
    headers: withSession(faults.world.sessions.Uo),
    timeoutMs: ENDED_MS_MAX,
  })
  testing.catch(() => undefined)
  await silent.connected
  const reader = await findReader(killedServer.pid)
  // Like a terminal, which signals all processes: the server decides when a reader stops.
  process.kill(reader, 'SIGINT')
  process.kill(reader, 'SIGTERM')
  process.kill(reader, 'SIGSTOP')
  await killedServer.kill('SIGKILL')
  const isGone = async (): Promise<boolean> => !(await isReader(reader))
  await eventually(10_000, isGone, 'the reader exits')
})
