/** Backup and restore by an operator: a restored store has the same bytes, keys, secrets and feed. */

import assert from 'node:assert/strict'
import {
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { assertRefused, countRows } from '../operator.ts'
import { runProduct, startProduct, type ProductProcess } from '../process.ts'
import { newOwner, openDesk, type Desk, type Owner } from '../sources.ts'
import { newLocalPlace, newStorePlace, type StorePlace } from '../stores.ts'
import { odps } from '../world.ts'

const folder = mkdtempSync(join(tmpdir(), 'portbook-backups-'))
const places: StorePlace[] = []

after(async () => {
  for (const place of places) await place.remove()
  rmSync(folder, { recursive: true, force: true })
})

function newPlace(place: StorePlace): StorePlace {
  places.push(place)
  return place
}

const getDataDirectory = ({ environment }: StorePlace): string =>
  environment['PORTBOOK_DATA_DIR'] ?? ''

async function succeed(
  { environment }: StorePlace,
  commandLine: readonly string[],
  more: Record<string, string> = {},
): Promise<string> {
  const { code, stdout, stderr } = await runProduct({ ...environment, ...more }, commandLine)
  assert.equal(code, 0, stderr + stdout)
  return stdout
}

async function fill(desk: Desk): Promise<void> {
  for (const tags of [[], ['x']]) {
    const body = odps('journeys', { tags, team: { name: 'platform' } })
    await desk.api('PUT', '/api/dataproducts/journeys', { body })
  }
  const yaml = `# Kept byte for byte\napiVersion: v3.1.0\nkind: DataContract\nid: promise\nname: Promise\nversion: 1.0.0\nstatus: active\nteam: {name: platform}\n`
  await desk.api('PUT', '/api/datacontracts/promise', { yaml })
  await desk.ui('POST', '/ui/integrations', {
    name: 'Sales',
    externalId: 'sales',
    source: 'postgres',
    owningTeamExternalId: 'platform',
    configuration: { host: 'db.portbook.test', user: 'reader' },
    secrets: { password: 'the password of the source' },
  })
}

const READ = [
  '/api/dataproducts/journeys',
  '/api/dataproducts/journeys/versions',
  '/api/datacontracts/promise',
  '/api/datacontracts/promise.yaml',
  '/api/teams',
  '/api/integrations',
  '/api/events?include=document',
  '/api/organization/settings',
]

async function readAll({ url }: ProductProcess, { key }: Owner): Promise<string[]> {
  const headers = { 'x-api-key': key }
  return await Promise.all(
    READ.map(async (path) => {
      const answer = await fetch(`${url}${path}`, { headers })
      assert.equal(answer.status, 200, path)
      // Events contain the URL of their server, whose port differs on each start.
      return (await answer.text()).replaceAll(url, '')
    }),
  )
}

function copyKey(from: StorePlace, to: StorePlace): void {
  mkdirSync(getDataDirectory(to), { recursive: true })
  copyFileSync(
    join(getDataDirectory(from), 'encryption.key'),
    join(getDataDirectory(to), 'encryption.key'),
  )
}

test('a running store is backed up, lost and restored', async (t) => {
  const place = newPlace(newLocalPlace())
  // The first start creates the encryption key.
  await (await startProduct(place.environment)).stop()
  const owner = await newOwner(place)
  const product = await startProduct(place.environment)
  const desk = await openDesk(product.url, owner)
  await fill(desk)
  const [lastEvent] = (await desk.eventsAfter()).slice(-1)
  const before = await readAll(product, owner)
  const summary = await succeed(place, ['backup', folder])
  const [name = ''] = readdirSync(folder)
  const file = join(folder, name)

  await t.test('backup › prints its path, its size, and the key that it needs', () => {
    assert.match(name, /^portbook-\d{8}T\d{6}Z\.jsonl\.gz$/)
    const [first = '', second = ''] = summary.split('\n')
    assert.ok(first.startsWith(`backed up to ${file}: `), first)
    assert.match(first, /: \d+\.\d kB, \d+ rows$/)
    assert.match(second, /encryption key [0-9a-f]{8}, which is not in the file/)
    assert.equal(statSync(file).mode & 0o777, 0o600)
    assert.deepEqual(readdirSync(folder), [name])
  })

  await t.test('restore › is rejected while a server uses the store', async () => {
    assertRefused(
      await runProduct(place.environment, ['restore', folder]),
      /Another process is serving the data directory/,
    )
  })

  desk.close()
  await product.kill('SIGKILL')

  await t.test('restore › is rejected for a store that is not empty', async () => {
    assertRefused(
      await runProduct(place.environment, ['restore', file]),
      /The database is not empty/,
    )
  })

  await t.test(
    'restore › is rejected without the encryption key, and creates nothing',
    async () => {
      const empty = newPlace(newLocalPlace())
      const refused = await runProduct(empty.environment, ['restore', folder])
      assertRefused(
        refused,
        /sealed with the encryption key [0-9a-f]{8}, but the key here is missing/,
      )
      assert.deepEqual(readdirSync(getDataDirectory(empty)), [])
      const key = { PORTBOOK_ENCRYPTION_KEY: Buffer.alloc(32, 9).toString('base64') }
      const other = await runProduct({ ...empty.environment, ...key }, ['restore', folder])
      assertRefused(other, /but the key here is [0-9a-f]{8}\. Set PORTBOOK_ENCRYPTION_KEY/)
    },
  )

  await t.test('restore › restores the newest complete backup of the folder', async () => {
    const later = join(folder, 'portbook-20991231T235959Z.jsonl.gz')
    writeFileSync(later, readFileSync(file).subarray(0, 1000))
    writeFileSync(join(folder, 'portbook-20991231T235959Z.jsonl.gz.0a0a0a0a.partial'), 'half')
    const target = newPlace(newLocalPlace())
    copyKey(place, target)
    const restored = await runProduct(target.environment, ['restore', folder])
    assert.equal(restored.code, 0, restored.stderr)
    const warning = `portbook: skipped: ${later} is truncated: its end is missing.`
    assert.ok(restored.stderr.split('\n').includes(warning), restored.stderr)
    assert.match(restored.stdout, /^restored from .*: 1 organization, 1 user_account,/)
    assert.match(restored.stdout, /\nok   every entry of the search index matches its document\n/)
    rmSync(later)

    const again = await startProduct(target.environment)
    assert.deepEqual(await readAll(again, owner), before)
    const followed = await openDesk(again.url, owner)
    const [next] = await followed.eventsAfter(lastEvent?.id)
    assert.ok(next !== undefined, 'the feed continues where the follower stopped')
    assert.equal((await followed.ask('GET', '/ui/session')).status, 401, 'sessions have ended')
    followed.close()
    await again.stop()
    const rotated = await succeed(target, ['rotate-key'], {
      PORTBOOK_ENCRYPTION_KEY_NEW: Buffer.alloc(32, 3).toString('base64'),
    })
    assert.match(rotated, /^1 credentials re-sealed\n/)
  })

  await t.test(
    'restore › into a configured PostgreSQL works only while no process uses it',
    async () => {
      const server = newPlace(await newStorePlace())
      const key = readFileSync(join(getDataDirectory(place), 'encryption.key'), 'utf8').trim()
      const environment = { ...server.environment, PORTBOOK_ENCRYPTION_KEY: key }
      const running = await startProduct({ ...server.environment, ...environment })
      assertRefused(
        await runProduct(environment, ['restore', folder]),
        /Another Portbook process uses this database/,
      )
      await running.stop()
      // An empty store that already has a key.
      assert.deepEqual(await countRows(server, 'organization', 'encryption_key'), [0, 1])
      await succeed({ ...server, environment }, ['restore', file])
      const again = await startProduct(environment)
      assert.deepEqual(await readAll(again, owner), before)
      await again.stop()
    },
  )
})

test('backup and restore › report each failure in one clear line with exit code 1', async () => {
  const place = newPlace(newLocalPlace())
  const inFile = join(folder, 'a-file')
  writeFileSync(inFile, 'text\n')
  for (const [commandLine, reason] of [
    [['restore', join(folder, 'nothing')], /Cannot read .*nothing: no such file or folder\.$/],
    [
      ['backup', join(inFile, 'below')],
      /Cannot write .*a-file\/below: it is a file, not a folder\.$/,
    ],
    [['import', inFile], /a-file is not a Portbook export\.$/],
  ] as const) {
    assertRefused(await runProduct(place.environment, commandLine), reason)
  }
  const { code, stderr } = await runProduct(place.environment, ['backup'])
  assert.equal(code, 2)
  assert.match(stderr, /backup <folder>/)
})
