import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { onStore } from '../../test/stores.ts'
import { backUp, findBackup } from './backup.ts'
import { exportStore } from './export.ts'
import { TransferError } from './transfer-error.ts'

const NOW = new Date('2026-11-22T16:54:03.123Z')
const NAME = 'portbook-20261122T165403Z.jsonl.gz'

const directory = mkdtempSync(join(tmpdir(), 'portbook-backup-'))
after(() => rmSync(directory, { recursive: true }))

async function assertError(work: Promise<unknown>, reason: RegExp): Promise<void> {
  await assert.rejects(work, (error: Error) => {
    assert.ok(error instanceof TransferError, String(error))
    assert.match(error.message, reason)
    return true
  })
}

onStore((store) => {
  test('backUp › creates the folder, and a file named after the time in UTC', async () => {
    const folder = join(directory, 'new', 'folder')
    const { path, bytes, encryptionKey } = await backUp(store().connection, folder, '0.1.0', NOW)
    assert.equal(path, join(folder, NAME))
    assert.deepEqual(readdirSync(folder), [NAME])
    assert.ok(bytes > 0)
    assert.equal(encryptionKey, undefined)
    await assertError(backUp(store().connection, folder, '0.1.0', NOW), /already exists/)
  })

  test('backUp › deletes only drafts of backups that were interrupted an hour ago', async () => {
    const folder = join(directory, 'drafts')
    mkdirSync(folder)
    const [old, recent] = [`${NAME}.0a0a0a0a.partial`, `${NAME}.0b0b0b0b.partial`]
    const others = ['other.0a0a0a0a.partial', 'portbook-1.jsonl.gz']
    for (const name of [old, recent, ...others]) writeFileSync(join(folder, name), '')
    for (const name of [old, ...others]) utimesSync(join(folder, name), NOW, new Date(0))
    utimesSync(join(folder, recent), NOW, NOW)
    await backUp(store().connection, folder, '0.1.0', NOW)
    assert.deepEqual(readdirSync(folder), [...others, NAME, recent].toSorted())
  })

  test('backUp and exportStore › name the path when it cannot be written', async () => {
    const file = join(directory, 'file')
    writeFileSync(file, '')
    const { connection } = store()
    await assertError(
      backUp(connection, join(file, 'folder'), '0.1.0', NOW),
      /^Cannot write .*file\/folder: it is a file, not a folder\.$/,
    )
    await assertError(
      exportStore(connection, join(directory, 'no', 'folder'), '0.1.0'),
      /^Cannot write .*no\/folder: no such file or folder\.$/,
    )
    await assertError(exportStore(connection, file, '0.1.0'), /file already exists/)
  })
})

test('exportStore › does not report an unreachable database as a file error', async () => {
  const connection = { host: join(directory, 'no-socket'), user: 'a', database: 'a' }
  const path = join(directory, 'never.jsonl')
  await assert.rejects(exportStore(connection, path, '0.1.0'), {
    code: 'ENOENT',
    syscall: 'connect',
  })
})

test('findBackup › rejects a missing file, and a folder without a complete backup', async () => {
  const folder = join(directory, 'empty')
  mkdirSync(folder)
  await assertError(findBackup(join(folder, 'x')), /^Cannot read .*x: no such file or folder\.$/)
  await assertError(findBackup(folder), /contains no complete backup\.$/)
  writeFileSync(join(folder, `${NAME}.0a0a0a0a.partial`), '')
  await assertError(findBackup(folder), /contains no complete backup\.$/)
  writeFileSync(join(folder, NAME), 'text')
  await assertError(findBackup(folder), /contains no complete backup\. .*Z\.jsonl\.gz is truncated/)
  await assertError(findBackup(join(folder, NAME)), /is truncated: its end is missing/)
})
