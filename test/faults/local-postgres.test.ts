/**
 * The product with a PostgreSQL of its own, as whole processes: either of them is killed, they are
 * stopped, and other processes use the same data directory.
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
import { test } from 'node:test'
import { eventually } from '../eventually.ts'
import { newHttpClient, type HttpClient } from '../http-client.ts'
import { assertRefused, onLocalPlace, postmasterPid, settingsOf } from '../operator.ts'
import { runProduct, startProduct, startWorker, unattended } from '../process.ts'
import { newLocalPlace, type StorePlace } from '../stores.ts'
import {
  checkStore,
  checkThroughHttp,
  isLong,
  newLedger,
  registerTeam,
  startWriters,
} from './load.ts'

const isRoot = process.getuid?.() === 0
const ROUNDS = isLong ? 20 : 2
const WRITERS = 10
const HEALED_WITHIN_MS = 10_000
const REFUSED_WITHIN_MS = 2000

test(`PostgreSQL is killed under load, ${ROUNDS} times › 503 until it is back, the process stays, nothing is lost`, async () => {
  await onLocalPlace(async (place) => {
    const start = unattended(place)
    const product = await startProduct(start.environment)
    const client = newHttpClient(product.url, start.key())
    await registerTeam(client)
    const ledger = newLedger(WRITERS)
    for (let round = 0; round < ROUNDS; round += 1) {
      const writers = startWriters(client, ledger)
      await writers.acknowledged(50)
      const pid = postmasterPid(place)
      process.kill(pid, 'SIGKILL')
      await eventually(
        HEALED_WITHIN_MS,
        async () => {
          const { status } = await client.send('GET', '/readyz')
          assert.ok(status === 200 || status === 503, String(status))
          return status === 200 && postmasterPid(place) !== pid
        },
        'PostgreSQL is started again',
      )
      await writers.acknowledged(WRITERS)
      await writers.stop()
      await checkThroughHttp(client, ledger)
    }
    for (const status of ledger.statuses.keys()) assert.ok([200, 404, 503].includes(status))
    client.close()
    await product.stop()
    assert.deepEqual(processesOf(place), [])
    await checkStore(place, ledger)
  })
})

test('both processes are killed at once › the next start recovers, nothing is lost', async () => {
  await onLocalPlace(async (place) => {
    const start = unattended(place)
    const ledger = newLedger(WRITERS)
    for (let round = 0; round <= ROUNDS; round += 1) {
      const product = await startProduct(start.environment)
      assert.ok(product.startMs < HEALED_WITHIN_MS, `ready after ${product.startMs} ms`)
      const client = newHttpClient(product.url, start.key())
      await checkThroughHttp(client, ledger)
      if (round === 0) await registerTeam(client)
      if (round === ROUNDS) await product.stop()
      else {
        const writers = startWriters(client, ledger)
        await writers.acknowledged(50)
        process.kill(postmasterPid(place), 'SIGKILL')
        await product.kill('SIGKILL')
        await writers.stop()
      }
      client.close()
    }
    await checkStore(place, ledger)
  })
})

test('kill -9 of the product › PostgreSQL ends with it', async () => {
  await onLocalPlace(async (place) => {
    const product = await startProduct(place.environment)
    assert.ok(processesOf(place).length > 1)
    await product.kill('SIGKILL')
    await eventually(HEALED_WITHIN_MS, async () => await haveEnded(place), 'PostgreSQL ends')
  })
})

test('kill -9 of the product and of the guard › the next start replaces the PostgreSQL left behind', async () => {
  await onLocalPlace(async (place) => {
    const start = unattended(place)
    const product = await startProduct(start.environment)
    const pid = postmasterPid(place)
    for (const guard of guardsOf(pid)) process.kill(guard, 'SIGKILL')
    await product.kill('SIGKILL')
    process.kill(pid, 0)
    const again = await startProduct(start.environment)
    assert.notEqual(postmasterPid(place), pid)
    assert.equal((await settingsOf(again, start.key())).name, start.organization)
    await again.stop()
    assert.deepEqual(processesOf(place), [])
  })
})

test('a second serving process › ends within two seconds with a line that names DATABASE_URL', async () => {
  await onLocalPlace(async (place) => {
    const start = unattended(place)
    const first = await startProduct(start.environment)
    // On a busy machine a process needs long to do nothing at all.
    const { durationMs: idleMs } = await runProduct({}, ['no-such-command'])
    const second = await runProduct(start.environment)
    assertRefused(second, /Another process is serving .*DATABASE_URL/)
    assert.ok(second.stderr.includes(place.environment['PORTBOOK_DATA_DIR'] ?? ''))
    const limitMs = Math.max(REFUSED_WITHIN_MS, 4 * idleMs)
    assert.ok(second.durationMs < limitMs, `${second.durationMs} ms`)
    assert.equal((await settingsOf(first, start.key())).name, start.organization)
    await first.stop()
  })
})

test('commands use the server that runs: export under load is one snapshot, which import takes', async () => {
  const files = mkdtempSync(join(tmpdir(), 'portbook-files-'))
  const file = join(files, 'export.jsonl')
  await onLocalPlace(async (place) => {
    const start = unattended(place)
    const product = await startProduct(start.environment)
    const client = newHttpClient(product.url, start.key())
    await registerTeam(client)
    const pid = postmasterPid(place)
    const ledger = newLedger(WRITERS)
    const writers = startWriters(client, ledger)
    await writers.acknowledged(100)
    await succeed(place, ['export', file])
    await writers.acknowledged(10)
    await writers.stop()
    assert.match(await succeed(place, ['verify']), /^ok /)
    await succeed(place, ['migrate'])
    const worker = await startWorker(place.environment)
    await worker.stop()
    const next = { PORTBOOK_ENCRYPTION_KEY_NEW: Buffer.alloc(32, 3).toString('base64') }
    assert.match(await succeed(place, ['rotate-key'], next), /the encryption key of this store is/)
    assert.equal(postmasterPid(place), pid, 'the server was never stopped')
    for (const status of ledger.statuses.keys()) assert.ok([200, 404].includes(status))
    client.close()
    await product.stop()
    await checkStore(place, ledger)
  })
  // Without a server that runs, each command starts one for as long as it takes.
  const target = newLocalPlace()
  await succeed(target, ['import', file])
  const verified = await succeed(target, ['verify'])
  assert.ok(!verified.includes('FAIL'), verified)
  assert.deepEqual(processesOf(target), [])
  await checkStore(target, newLedger(0))
  await target.remove()
  rmSync(files, { recursive: true })
})

test('a follower of the events misses none while the product is killed', async () => {
  await onLocalPlace(async (place) => {
    const start = unattended(place)
    const ledger = newLedger(WRITERS)
    const seen: string[] = []
    for (let round = 0; round <= ROUNDS; round += 1) {
      const product = await startProduct(start.environment)
      const client = newHttpClient(product.url, start.key())
      if (round === 0) await registerTeam(client)
      const writers = startWriters(client, ledger)
      const enough = new AbortController()
      void writers.acknowledged(80).then(() => enough.abort())
      while (!enough.signal.aborted) seen.push(...(await readEvents(client, seen.at(-1))))
      await product.kill('SIGKILL')
      await writers.stop()
      client.close()
    }
    const product = await startProduct(start.environment)
    const client = newHttpClient(product.url, start.key())
    // The last event: when it is in the feed, so are all before it.
    await client.ok('PUT', '/api/teams/last', { body: { id: 'last', name: 'Last' } })
    const all: string[] = []
    for (const ids of [seen, all]) {
      const isLast = async (): Promise<boolean> => {
        const { text } = await client.ok('GET', `/api/events${after(ids.at(-1))}`)
        const events = JSON.parse(text) as { id: string; subject: string }[]
        ids.push(...events.map(({ id }) => id))
        return events.at(-1)?.subject === 'last'
      }
      await eventually(HEALED_WITHIN_MS, isLast, 'the feed ends')
    }
    assert.ok(all.length > ROUNDS * 80)
    assert.deepEqual(seen, all)
    client.close()
    await product.stop()
  })
})

test('an ordinary user starts it, and root uses the same data', { skip: !isRoot }, async (t) => {
  const [uid, gid] = [65_534, 65_534]
  if (spawnSync(process.execPath, ['--version'], { uid, gid }).status !== 0) {
    return t.skip('this clone is closed to other users')
  }
  await onLocalPlace(async (place) => {
    chownSync(place.environment['PORTBOOK_DATA_DIR'] ?? '', uid, gid)
    const start = unattended(place)
    const product = await startProduct(start.environment, [], { uid, gid })
    assert.equal((await settingsOf(product, start.key())).name, start.organization)
    for (const pid of processesOf(place)) assert.equal(statSync(`/proc/${pid}`).uid, uid)
    await product.stop()
    const again = await startProduct(start.environment)
    assert.equal((await settingsOf(again, start.key())).name, start.organization)
    for (const pid of processesOf(place)) assert.equal(statSync(`/proc/${pid}`).uid, uid)
    await again.stop()
  })
})

const after = (last: string | undefined): string =>
  last === undefined ? '' : `?lastEventId=${last}`

async function readEvents(client: HttpClient, last: string | undefined): Promise<string[]> {
  const { text } = await client.ok('GET', `/api/events${after(last)}`)
  return (JSON.parse(text) as { id: string }[]).map(({ id }) => id)
}

/** Runs a command that must succeed; returns what it printed. */
async function succeed(
  { environment }: StorePlace,
  commandLine: readonly string[],
  more: Record<string, string> = {},
): Promise<string> {
  const { code, stdout, stderr } = await runProduct({ ...environment, ...more }, commandLine)
  assert.equal(code, 0, stderr)
  return stdout
}

async function haveEnded(place: StorePlace): Promise<boolean> {
  // Lets the event loop turn between two looks.
  await new Promise((done) => setImmediate(done))
  return processesOf(place).length === 0
}

/** Lists the processes of PostgreSQL that work in the data directory of a place. */
function processesOf({ environment }: StorePlace): number[] {
  const cluster = join(environment['PORTBOOK_DATA_DIR'] ?? '', 'postgres', 'cluster')
  return livingProcesses().filter((pid) => read(() => readlinkSync(`/proc/${pid}/cwd`)) === cluster)
}

/** Lists the shells that guard a server: its parent, and what that started beside it. */
function guardsOf(pid: number): number[] {
  const parent = readParent(pid)
  const siblings = livingProcesses().filter((one) => one !== pid && readParent(one) === parent)
  return [parent, ...siblings]
}

function readParent(pid: number): number {
  const status = read(() => readFileSync(`/proc/${pid}/status`, 'utf8'))
  return Number(/^PPid:\s+(\d+)/m.exec(status)?.[1])
}

function livingProcesses(): number[] {
  return readdirSync('/proc')
    .map(Number)
    .filter((pid) => pid > 0)
}

// A process may end between two looks at it.
function read(look: () => string): string {
  try {
    return look()
  } catch {
    return ''
  }
}
