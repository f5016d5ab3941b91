/**
 * The product with its own PostgreSQL, as whole processes: either of them is killed or stopped, and
 * other processes use the same data directory.
 */

import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import {
  chownSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  statSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { eventually, isLong, toLimit } from '../eventually.ts'
import { newHttpClient, type HttpClient } from '../http-client.ts'
import { assertRefused, onLocalPlace, postmasterPid, readSettings } from '../operator.ts'
import {
  runProduct,
  startProduct,
  startWorker,
  createUnattendedStart,
  type ProductProcess,
} from '../process.ts'
import { newLocalPlace, type StorePlace } from '../stores.ts'
import { checkStore, checkThroughHttp, newLedger, registerTeam, startWriters } from './load.ts'

const isRoot = process.getuid?.() === 0
const ROUNDS = isLong ? 20 : 1
const WRITERS = 10
const ACKNOWLEDGED_EACH = 80
const HEALED_WITHIN_MS = 10_000
const REFUSED_WITHIN_MS = 2000

// All tests use one data directory, one after the other, and the last one checks everything.
const place = newLocalPlace()
const start = createUnattendedStart(place)
const ledger = newLedger(WRITERS)
/** The ids of the events that the follower has received. */
const receivedIds: string[] = []

before(async () => {
  await withProduct(async ({ client }) => await registerTeam(client))
})
after(async () => await place.remove())

/** Runs the product during `use`, and then stops it. */
async function withProduct(
  work: (running: { product: ProductProcess; client: HttpClient }) => Promise<void>,
): Promise<void> {
  const product = await startProduct(start.environment)
  const client = newHttpClient(product.url, start.key())
  await work({ product, client })
  client.close()
  await product.stop()
}

/**
 * Writes and follows the events until enough writes are acknowledged. Returns a function that stops the
 * writers.
 */
async function writeAndFollow(client: HttpClient): Promise<() => Promise<void>> {
  const writers = startWriters(client, ledger)
  const enough = new AbortController()
  void writers.acknowledged(ACKNOWLEDGED_EACH).then(() => enough.abort())
  while (!enough.signal.aborted) {
    const path = `/api/events${followingQuery(receivedIds.at(-1))}`
    const { status, text } = await client.send('GET', path)
    // Connections that were lost with the last server can still fail a request.
    assert.ok(status === 200 || status === 503, text)
    if (status === 200)
      receivedIds.push(...(JSON.parse(text) as { id: string }[]).map(({ id }) => id))
  }
  return async () => await writers.stop()
}

test('a PostgreSQL killed under load › causes 503 until it is back, and the process survives', async () => {
  await withProduct(async ({ client }) => {
    for (let round = 0; round < ROUNDS; round += 1) {
      const stopWriters = await writeAndFollow(client)
      const pid = postmasterPid(place)
      process.kill(pid, 'SIGKILL')
      await eventually(
        HEALED_WITHIN_MS,
        async () => {
          const { status } = await client.send('GET', '/readyz')
          assert.ok(status === 200 || status === 503, String(status))
          return status === 200 && postmasterPid(place) !== pid
        },
        'PostgreSQL is restarted',
      )
      await stopWriters()
      await checkThroughHttp(client, ledger)
    }
    for (const status of ledger.statuses.keys()) assert.ok([200, 404, 503].includes(status))
  })
  assert.deepEqual(findPostgresProcesses(place), [])
})

test('both processes killed under load › the next start recovers', async () => {
  for (let round = 0; round < ROUNDS; round += 1) {
    const product = await startProduct(start.environment)
    assert.ok(product.startMs < toLimit(HEALED_WITHIN_MS), `ready after ${product.startMs} ms`)
    const client = newHttpClient(product.url, start.key())
    const stopWriters = await writeAndFollow(client)
    process.kill(postmasterPid(place), 'SIGKILL')
    await product.kill('SIGKILL')
    await stopWriters()
    client.close()
  }
  await withProduct(async ({ client }) => await checkThroughHttp(client, ledger))
})

test('the product killed under load › PostgreSQL stops with it', async () => {
  for (let round = 0; round < ROUNDS; round += 1) {
    const product = await startProduct(start.environment)
    assert.ok(findPostgresProcesses(place).length > 1)
    const client = newHttpClient(product.url, start.key())
    const stopWriters = await writeAndFollow(client)
    await product.kill('SIGKILL')
    await stopWriters()
    client.close()
    await eventually(HEALED_WITHIN_MS, async () => await haveExited(place), 'PostgreSQL ends')
  }
})

test('the product and the guard killed › the next start replaces the orphaned PostgreSQL', async () => {
  const product = await startProduct(start.environment)
  const pid = postmasterPid(place)
  for (const guard of findGuards(pid)) process.kill(guard, 'SIGKILL')
  await product.kill('SIGKILL')
  process.kill(pid, 0)
  await withProduct(async ({ client }) => {
    assert.notEqual(postmasterPid(place), pid)
    await checkThroughHttp(client, ledger)
  })
  // A process of the orphaned server, which the start replaced, may still be exiting.
  await eventually(HEALED_WITHIN_MS, async () => await haveExited(place), 'PostgreSQL ends')
})

test('commands and a second server next to a running server', async (t) => {
  const files = mkdtempSync(join(tmpdir(), 'portbook-files-'))
  const file = join(files, 'export.jsonl')
  await withProduct(async ({ client }) => {
    const pid = postmasterPid(place)
    const writers = startWriters(client, ledger)
    await writers.acknowledged(ACKNOWLEDGED_EACH)
    await t.test('export under load writes one snapshot', async () => {
      await succeed(place, ['export', file])
      await writers.acknowledged(WRITERS)
    })
    await writers.stop()
    await t.test('rotate-key and work use the running server', async () => {
      const next = { PORTBOOK_ENCRYPTION_KEY_NEW: Buffer.alloc(32, 3).toString('base64') }
      assert.match(
        await succeed(place, ['rotate-key'], next),
        /the encryption key of this store is/,
      )
      await (await startWorker(place.environment)).stop()
    })
    await t.test('a second server exits immediately and mentions DATABASE_URL', async () => {
      const second = await runProduct(start.environment)
      assertRefused(second, /Another process is serving .*DATABASE_URL/)
      assert.ok(second.stderr.includes(place.environment['PORTBOOK_DATA_DIR'] ?? ''))
      assert.ok(second.durationMs < toLimit(REFUSED_WITHIN_MS), `${second.durationMs} ms`)
    })
    assert.equal(postmasterPid(place), pid, 'the server was never stopped')
    await client.ok('GET', '/readyz')
  })
  await t.test('import and verify start a server while they run', async () => {
    const target = newLocalPlace()
    await succeed(target, ['import', file])
    const verified = await succeed(target, ['verify'])
    assert.ok(verified.startsWith('ok ') && !verified.includes('FAIL'), verified)
    assert.deepEqual(findPostgresProcesses(target), [])
    await target.remove()
  })
  rmSync(files, { recursive: true })
})

test('after all kills › no acknowledged write is missing, and the follower missed no event', async () => {
  await withProduct(async ({ client }) => {
    // The last event: once it is in the feed, so are all earlier ones.
    await client.ok('PUT', '/api/teams/last', { body: { id: 'last', name: 'Last' } })
    const all: string[] = []
    for (const ids of [receivedIds, all]) {
      const isLast = async (): Promise<boolean> => {
        const { text } = await client.ok('GET', `/api/events${followingQuery(ids.at(-1))}`)
        const events = JSON.parse(text) as { id: string; subject: string }[]
        ids.push(...events.map(({ id }) => id))
        return events.at(-1)?.subject === 'last'
      }
      await eventually(HEALED_WITHIN_MS, isLast, 'the follower reaches the last event')
    }
    assert.ok(all.length > 3 * ROUNDS * ACKNOWLEDGED_EACH)
    assert.deepEqual(receivedIds, all)
  })
  await checkStore(place, ledger)
})

test('an unprivileged user and root use the same data', { skip: !isRoot }, async (t) => {
  const [uid, gid] = [65_534, 65_534]
  if (spawnSync(process.execPath, ['--version'], { uid, gid }).status !== 0) {
    return t.skip('other users cannot read this clone')
  }
  await onLocalPlace(async (owned) => {
    chownSync(owned.environment['PORTBOOK_DATA_DIR'] ?? '', uid, gid)
    const { environment, key, organization } = createUnattendedStart(owned)
    const product = await startProduct(environment, [], { uid, gid })
    assert.equal((await readSettings(product, key())).name, organization)
    for (const pid of findPostgresProcesses(owned)) assert.equal(statSync(`/proc/${pid}`).uid, uid)
    await product.stop()
    const again = await startProduct(environment)
    assert.equal((await readSettings(again, key())).name, organization)
    for (const pid of findPostgresProcesses(owned)) assert.equal(statSync(`/proc/${pid}`).uid, uid)
    await again.stop()
  })
})

function followingQuery(id: string | undefined): string {
  return id === undefined ? '' : `?lastEventId=${id}`
}

/** Runs a command that must succeed; returns its output. */
async function succeed(
  { environment }: StorePlace,
  commandLine: readonly string[],
  more: Record<string, string> = {},
): Promise<string> {
  const { code, stdout, stderr } = await runProduct({ ...environment, ...more }, commandLine)
  assert.equal(code, 0, stderr)
  return stdout
}

async function haveExited(place: StorePlace): Promise<boolean> {
  // Yields to the event loop between two checks.
  await new Promise((done) => setImmediate(done))
  return findPostgresProcesses(place).length === 0
}

/** Lists the processes of PostgreSQL that run in the data directory of a place. */
function findPostgresProcesses({ environment }: StorePlace): number[] {
  const cluster = join(environment['PORTBOOK_DATA_DIR'] ?? '', 'postgres', 'cluster')
  return listProcesses().filter((pid) => read(() => readlinkSync(`/proc/${pid}/cwd`)) === cluster)
}

/** Lists the shells that guard a server: its parent and their siblings. */
function findGuards(pid: number): number[] {
  const parent = readParent(pid)
  const siblings = listProcesses().filter((one) => one !== pid && readParent(one) === parent)
  return [parent, ...siblings]
}

function readParent(pid: number): number {
  const status = read(() => readFileSync(`/proc/${pid}/status`, 'utf8'))
  return Number(/^PPid:\s+(\d+)/m.exec(status)?.[1])
}

function listProcesses(): number[] {
  return readdirSync('/proc')
    .map(Number)
    .filter((pid) => pid > 0)
}

// A process may exit between two calls.
function read(readEntry: () => string): string {
  try {
    return readEntry()
  } catch {
    return ''
  }
}
