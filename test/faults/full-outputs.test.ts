/**
 * Logs and outputs that cannot be written: on a full device, on a full disk, and to a reader that is gone. Every process
 * serves and ends as usual, and every command runs to its end.
 */

import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { once } from 'node:events'
import {
  closeSync,
  constants,
  mkdtempSync,
  openSync,
  readFileSync,
  rmSync,
  statfsSync,
  writeFileSync,
} from 'node:fs'
import { createServer, type AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, test, type TestContext } from 'node:test'
import { eventually, toLimit } from '../eventually.ts'
import { newHttpClient } from '../http-client.ts'
import { onLocalPlace, onPlace, postmasterPid } from '../operator.ts'
import {
  createUnattendedStart,
  runProduct,
  startCommand,
  startProduct,
  startWorker,
  type Ended,
  type LogLine,
  type Outputs,
  type ProductProcess,
} from '../process.ts'
import { mountSmallDisk } from '../small-disk.ts'

const METRICS_TOKEN = 'metrics-token-of-this-test'
const GRACE_MS = 10_000
const HEALED_WITHIN_MS = 30_000
// Replaced by the file of a run.
const FILE = 'file'
// Two backups of the same second would have the same name.
const BACKUPS = 'the folder of this run'
const isLinux = process.platform === 'linux'

async function countDropped(product: ProductProcess): Promise<number> {
  const headers = { authorization: `Bearer ${METRICS_TOKEN}` }
  const text = await (await fetch(`${product.url}/metrics`, { headers })).text()
  return Number(/^portbook_log_lines_dropped_total (\d+)$/m.exec(text)?.[1])
}

/** Opens the device on which every write fails as on a full disk. */
function openFull(t: TestContext): number {
  const descriptor = openSync('/dev/full', 'w')
  t.after(() => closeSync(descriptor))
  return descriptor
}

/** Checks that a product reads and writes. */
async function useProduct(product: ProductProcess, key: string): Promise<void> {
  const client = newHttpClient(product.url, key)
  for (let at = 0; at < 5; at += 1) {
    await client.ok('PUT', `/api/teams/team-${at}`, { body: { id: `team-${at}`, name: 'Team' } })
    await client.ok('GET', '/api/teams')
  }
  assert.equal((await client.send('GET', '/readyz')).status, 200)
  client.close()
}

function assertEnded({ code, signal, durationMs }: Ended, startedAtMs: number): void {
  assert.deepEqual([code, signal], [0, null])
  assert.ok(durationMs - startedAtMs < toLimit(GRACE_MS))
}

describe('outputs that cannot be written', { concurrency: 2, skip: !isLinux }, () => {
  test('serve › with its log on a full device, it serves, counts the lost lines, and ends', async (t) => {
    await onPlace(async (place) => {
      const start = createUnattendedStart(place)
      const environment = { ...start.environment, PORTBOOK_METRICS_TOKEN: METRICS_TOKEN }
      const product = await startProduct(environment, [], undefined, { stderr: openFull(t) })
      await useProduct(product, start.key())
      await eventually(
        HEALED_WITHIN_MS,
        async () => (await countDropped(product)) >= 10,
        'the lost lines are counted',
      )
      assertEnded(await product.stop(), product.startMs)
    })
  })

  test('serve › with both outputs on a full device, it serves and ends', async (t) => {
    await onPlace(async (place) => {
      const start = createUnattendedStart(place)
      const port = await findFreePort()
      const full = openFull(t)
      const environment = { ...start.environment, PORT: String(port) }
      const product = startCommand(environment, [], undefined, { stdout: full, stderr: full })
      const url = `http://127.0.0.1:${port}`
      const isServing = (): Promise<boolean> =>
        fetch(`${url}/readyz`).then(
          ({ ok }) => ok,
          () => false,
        )
      await eventually(HEALED_WITHIN_MS, isServing, 'it serves')
      const headers = { 'x-api-key': start.key() }
      assert.equal((await fetch(`${url}/api/teams`, { headers })).status, 200)
      assertEnded(await product.stop(), 0)
    })
  })

  test('serve › with its own PostgreSQL, whose lines cannot be logged either, it recovers and ends', async (t) => {
    await onLocalPlace(async (place) => {
      const start = createUnattendedStart(place)
      const product = await startProduct(start.environment, [], undefined, { stderr: openFull(t) })
      await useProduct(product, start.key())
      const pid = postmasterPid(place)
      process.kill(pid, 'SIGKILL')
      const client = newHttpClient(product.url, start.key())
      await eventually(
        HEALED_WITHIN_MS,
        async () => {
          const { status } = await client.send('GET', '/api/teams')
          return status === 200 && ![0, pid].includes(postmasterPid(place))
        },
        'PostgreSQL is started again',
      )
      client.close()
      assertEnded(await product.stop(), 0)
    })
  })

  test('serve › an unexpected error ends it at once, although its last line cannot be written', async (t) => {
    await onPlace(async (place) => {
      const start = createUnattendedStart(place)
      const script = 'process.on("SIGUSR2", () => { throw new Error("unexpected") })'
      const environment = {
        ...start.environment,
        NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(script)}`,
      }
      const product = await startProduct(environment, [], undefined, { stderr: openFull(t) })
      await product.kill('SIGUSR2')
      const { code, signal } = await product.untilEnd()
      assert.deepEqual([code, signal], [1, null])
    })
  })

  test('serve › with a reader of its log that is gone, it serves, counts the lost lines, and ends', async (t) => {
    await onPlace(async (place) => {
      const directory = mkdtempSync(join(tmpdir(), 'portbook-pipe-'))
      t.after(() => rmSync(directory, { recursive: true }))
      const path = join(directory, 'pipe')
      assert.equal(spawnSync('mkfifo', [path]).status, 0)
      const reader = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK)
      const writer = openSync(path, 'w')
      const start = createUnattendedStart(place)
      const environment = { ...start.environment, PORTBOOK_METRICS_TOKEN: METRICS_TOKEN }
      const product = await startProduct(environment, [], undefined, { stderr: writer })
      closeSync(writer)
      closeSync(reader)
      await useProduct(product, start.key())
      await eventually(
        HEALED_WITHIN_MS,
        async () => (await countDropped(product)) >= 10,
        'the lost lines are counted',
      )
      assertEnded(await product.stop(), 0)
    })
  })

  test('serve › with its log on a full disk, it logs how many lines were lost once there is space', async (t) => {
    const disk = mountSmallDisk(t, '1m')
    if (disk === undefined) return
    await onPlace(async (place) => {
      const log = join(disk, 'log')
      const descriptor = openSync(log, 'a')
      const { bavail, bsize } = statfsSync(disk)
      writeFileSync(join(disk, 'filled'), Buffer.alloc(bavail * bsize))
      const start = createUnattendedStart(place)
      const environment = { ...start.environment, PORTBOOK_METRICS_TOKEN: METRICS_TOKEN }
      const product = await startProduct(environment, [], undefined, { stderr: descriptor })
      await useProduct(product, start.key())
      await eventually(
        HEALED_WITHIN_MS,
        async () => (await countDropped(product)) > 0,
        'lines are lost',
      )
      rmSync(join(disk, 'filled'))
      const client = newHttpClient(product.url, start.key())
      const readLost = (): LogLine | undefined => {
        const lines = readFileSync(log, 'utf8').split('\n').slice(0, -1)
        const whole = lines.filter((line) => line !== '')
        return whole
          .map((line) => JSON.parse(line) as LogLine)
          .find(({ msg }) => msg?.includes('lines of the log were lost'))
      }
      await eventually(
        HEALED_WITHIN_MS,
        async () => {
          await client.ok('GET', '/api/teams')
          return Number(readLost()?.['lines']) > 0
        },
        'the loss is logged',
      )
      client.close()
      assertEnded(await product.stop(), 0)
      closeSync(descriptor)
    })
  })

  test('work › with its log on a full device, it works and ends', async (t) => {
    await onPlace(async (place) => {
      const start = createUnattendedStart(place)
      await (await startProduct(start.environment)).stop()
      const worker = await startWorker(start.environment, { stderr: openFull(t) })
      assertEnded(await worker.stop(), worker.startMs)
    })
  })

  test('every command › runs to its end with the same exit code', async (t) => {
    await onPlace(async (place) => {
      const start = createUnattendedStart(place)
      const product = await startProduct(start.environment)
      await useProduct(product, start.key())
      await product.stop()
      const directory = mkdtempSync(join(tmpdir(), 'portbook-outputs-'))
      t.after(() => rmSync(directory, { recursive: true }))
      const environment = { ...place.environment, PORTBOOK_BASE_URL: 'http://portbook.test' }
      const full = openFull(t)
      const runs: { outputs: Outputs; keys: Record<string, string>; file: string }[] = [
        {
          outputs: { stderr: full },
          keys: { PORTBOOK_ENCRYPTION_KEY: newKey(7), PORTBOOK_ENCRYPTION_KEY_NEW: newKey(8) },
          file: join(directory, 'errors.jsonl'),
        },
        {
          outputs: { stdout: full, stderr: full },
          keys: { PORTBOOK_ENCRYPTION_KEY: newKey(8), PORTBOOK_ENCRYPTION_KEY_NEW: newKey(9) },
          file: join(directory, 'both.jsonl'),
        },
      ]
      // The exit codes with the log on a full device, and with both outputs on one.
      const commands: [string[], number, number][] = [
        [['migrate'], 0, 0],
        [['export', FILE], 0, 0],
        // Into a database that is not empty.
        [['import', FILE], 1, 1],
        [['backup', BACKUPS], 0, 0],
        [['restore', BACKUPS], 1, 1],
        [['verify'], 0, 0],
        [['rotate-key'], 0, 0],
        [['send-test-mail', 'ada@portbook.test'], 1, 1],
        [['--help'], 0, 0],
        [['no-such-command'], 2, 2],
        // Their output is what they were called for.
        [['reset-password', 'owner@velmora.example'], 0, 1],
        [['openapi'], 0, 1],
      ]
      for (const [command, errorsLost, allLost] of commands) {
        const codes: (number | null)[] = []
        for (const { outputs, keys, file } of runs) {
          const line = command.map((word) => {
            if (word === BACKUPS) return `${file}-backups`
            return word === FILE ? file : word
          })
          const rotation = command[0] === 'rotate-key' ? keys : {}
          const { code } = await runProduct({ ...environment, ...rotation }, line, outputs)
          codes.push(code)
        }
        assert.deepEqual(codes, [errorsLost, allLost], command.join(' '))
      }
      for (const { file } of runs) assert.match(readFileSync(file, 'utf8'), /team-4/)
    })
  })

  test('a key file that cannot be written › one line, exit code 1, and the next start sets up', async (t) => {
    const disk = mountSmallDisk(t, '1m')
    if (disk === undefined) return
    await onPlace(async (place) => {
      const { bavail, bsize } = statfsSync(disk)
      writeFileSync(join(disk, 'filled'), Buffer.alloc(bavail * bsize))
      const start = createUnattendedStart(place)
      const environment = { ...start.environment, PORTBOOK_API_KEY_FILE: join(disk, 'key') }
      const { code, stderr } = await runProduct(environment)
      assert.equal(code, 1)
      assert.match(stderr, /^portbook: .*ENOSPC/m)
      rmSync(join(disk, 'filled'))
      const product = await startProduct(environment)
      await useProduct(product, readFileSync(join(disk, 'key'), 'utf8').trim())
      await product.stop()
    })
  })
})

function newKey(byte: number): string {
  return Buffer.alloc(32, byte).toString('base64')
}

async function findFreePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return port
}
