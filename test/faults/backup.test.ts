/**
 * A backup that is killed or runs out of disk leaves no file that looks like a backup, and the next one
 * succeeds.
 */

import assert from 'node:assert/strict'
import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { eventually, isLong } from '../eventually.ts'
import { assertRefused, query } from '../operator.ts'
import { runProduct, startCommand, startProduct, createUnattendedStart } from '../process.ts'
import { mountSmallDisk } from '../small-disk.ts'
import { newStorePlace, type StorePlace } from '../stores.ts'

const ROUNDS = isLong ? 20 : 2
// Random text, which gzip compresses to 0.5 MB each: more than the last round waits for.
const DOCUMENTS = isLong ? 120 : 60
const STARTS_WITHIN_MS = 20_000
const TRIES_MAX = 5

let place: StorePlace
const folder = mkdtempSync(join(tmpdir(), 'portbook-backups-'))

before(async () => {
  place = await newStorePlace()
  await (await startProduct(createUnattendedStart(place).environment)).stop()
  // Only its size matters to a backup, so it is inserted without a service.
  await query(
    place,
    `insert into revision (
       organization_id, kind, external_id, version, document, media_type, format, digest, level,
       facts, created_at, valid_from, principal, request_id, deleted_at
     )
     select organization.id, 'data-product', 'large-' || number, 1, text, 'application/json', 'odps',
       'x', 'none', '{}', now(), now(), 'test', 'test', now()
     from organization, generate_series(1, ${DOCUMENTS}) as number, lateral (
       select string_agg(md5(number || ' ' || part), '') as text
       from generate_series(1, 30000) as part
     ) as random`,
  )
})

after(async () => {
  await place.remove()
  rmSync(folder, { recursive: true, force: true })
})

test(`a backup is killed, ${ROUNDS} times › the folder has no backup, and the next one succeeds`, async () => {
  for (let round = 0; round < ROUNDS; round += 1) {
    const backup = startCommand(place.environment, ['backup', folder])
    const hasWritten = async (): Promise<boolean> => {
      await new Promise((done) => setImmediate(done))
      return readdirSync(folder).some((name) => statSync(join(folder, name)).size > round * 1e6)
    }
    await eventually(STARTS_WITHIN_MS, hasWritten, 'the backup begins')
    await backup.kill('SIGKILL')
    assert.equal(backup.stdout(), '', 'it was killed before it finished')
    const names = readdirSync(folder)
    assert.ok(names.length > 0 && names.every((name) => name.endsWith('.partial')), names.join())
    assertRefused(
      await runProduct(place.environment, ['restore', folder]),
      /contains no complete backup/,
    )
  }
  const { code, stdout, stderr } = await runProduct(place.environment, ['backup', folder])
  assert.equal(code, 0, stderr)
  assert.match(stdout, /^backed up to /)
})

test('a full backup disk › is reported in one line, and leaves no file', async (t) => {
  const disk = mountSmallDisk(t, '2m')
  if (disk === undefined) return
  const failedBackup = await runProduct(place.environment, ['backup', disk])
  assertRefused(failedBackup, /^portbook: Cannot write .*: no space left on the disk\.$/)
  assert.deepEqual(readdirSync(disk), [])
})

test('a database that stops during a backup › is reported in one line, and leaves no file', async () => {
  for (let tries = 1; ; tries += 1) {
    const empty = mkdtempSync(join(tmpdir(), 'portbook-backups-'))
    const backup = startCommand(place.environment, ['backup', empty])
    await eventually(STARTS_WITHIN_MS, endReadingSession, 'the backup reads')
    const ended = await backup.untilEnd()
    const files = readdirSync(empty)
    rmSync(empty, { recursive: true })
    // On a busy machine, a backup may have read everything before its session is ended.
    if (ended.code === 0 && tries < TRIES_MAX) continue
    assertRefused(ended, /./)
    assert.deepEqual(files, [])
    break
  }
})

/** Ends the session with which a backup reads; returns whether it found one. */
async function endReadingSession(): Promise<boolean> {
  const [{ count } = {}] = await query(
    place,
    `select count(pg_terminate_backend(pid))::int as count
     from pg_stat_activity
     where datname = current_database() and query like 'fetch % from exported'`,
  )
  return Number(count) > 0
}
