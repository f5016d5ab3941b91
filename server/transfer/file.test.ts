import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import {
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { gunzipSync, gzipSync } from 'node:zlib'
import { sql } from 'kysely'
import { fillStore, FULL_STORE_KEY, testConfig } from '../../test/full-store.ts'
import { SEALED_TABLE_NAMES } from '../platform/sealed-secrets.ts'
import { openTestStore } from '../../test/stores.ts'
import { assertFileKey, EncryptionKeyMismatch } from '../encryption.ts'
import { newEncryptionKey, secretBox } from '../platform/kit/secret-box.ts'
import type { Store } from '../store.ts'
import { exportStore } from './export.ts'
import { LINE_BYTES_MAX } from './file-format.ts'
import { importStore } from './import.ts'
import { checkExport } from './read-file.ts'
import { UNMOVED_TABLES } from './tables.ts'
import { TransferError } from './transfer-error.ts'
import { verifyStore } from './verify.ts'
import { writeNewFile } from './write-file.ts'

const directory = mkdtempSync(join(tmpdir(), 'portbook-file-'))
const file = join(directory, 'export.jsonl')
let source: Store
let target: Store
let lines: string[] = []

before(async () => {
  ;[source, target] = await Promise.all([openTestStore(), openTestStore()])
  await fillStore(source)
  await exportStore(source.connection, file, '0.1.0')
  lines = readFileSync(file, 'utf8').trimEnd().split('\n')
})

after(async () => {
  await Promise.all([source.close(), target.close()])
  rmSync(directory, { recursive: true })
})

const last = (): number => lines.length - 1

const noCheck = (): void => undefined

async function assertRefused(name: string, contents: string | Buffer, reason: RegExp) {
  const path = join(directory, name)
  writeFileSync(path, contents)
  const options = { connection: target.connection, path, assertEncryptionKey: noCheck }
  await assert.rejects(importStore(options), (error: Error) => {
    assert.ok(error instanceof TransferError, `${name}: ${error.stack}`)
    assert.match(error.message, reason, name)
    assert.ok(error.message.startsWith(path), error.message)
    return true
  })
  for (const table of ['organization', 'user_account', 'encryption_key', 'revision']) {
    const { rows } = await sql`select from ${sql.table(table)}`.execute(target.db)
    assert.equal(rows.length, 0, `${name}: ${table}`)
  }
}

const joined = (changed: readonly string[]): string => `${changed.join('\n')}\n`

test('export › ends with the SHA-256 of all bytes before the last line', () => {
  const body = joined(lines.slice(0, -1))
  const footer = JSON.parse(lines.at(-1) ?? '')
  assert.equal(footer.sha256, createHash('sha256').update(body).digest('hex'))
})

test('export › compresses the same lines if the name ends in .gz', async () => {
  const path = join(directory, 'export.jsonl.gz')
  const { bytes, encryptionKey } = await exportStore(source.connection, path, '0.1.0')
  const compressed = readFileSync(path)
  assert.equal(bytes, compressed.length)
  assert.ok(bytes < Buffer.byteLength(joined(lines)) / 2)
  assert.equal(gunzipSync(compressed).toString(), joined(lines))
  assert.equal(encryptionKey, secretBox(FULL_STORE_KEY).keyId)
})

test('import › rejects a changed text, role or order, and writes nothing', async () => {
  const at = (text: string): number => lines.findIndex((line) => line.includes(text))
  const replaced = (index: number, line: string): string[] => lines.with(index, line)
  const [text, role] = [at('Contract promise'), at('"table":"organization_member"')]
  const event = at('"table":"event"')
  const changed = /was changed or damaged: its contents do not match its checksum/
  await assertRefused(
    'text',
    joined(replaced(text, (lines[text] ?? '').replace('promise', 'promisf'))),
    changed,
  )
  const ordinary = lines.findIndex(
    (line) => line.includes('"organization_member"') && line.includes('"Member"'),
  )
  await assertRefused(
    'role',
    joined(replaced(ordinary, (lines[ordinary] ?? '').replace('"Member"', '"Owner"'))),
    changed,
  )
  const swapped = lines.with(event, lines[event + 1] ?? '').with(event + 1, lines[event] ?? '')
  await assertRefused('order', joined(swapped), changed)
  assert.ok(role > 0)
})

test('import › rejects a truncated file, and writes nothing', async () => {
  const cut = /is truncated: its end is missing/
  await assertRefused('footer', joined(lines.slice(0, -1)), cut)
  await assertRefused('half a line', joined(lines).slice(0, -300), cut)
  await assertRefused('newline', joined(lines).trimEnd(), cut)
  await assertRefused('nothing', '', cut)
  const zipped = join(directory, 'cut.jsonl.gz')
  await exportStore(source.connection, zipped, '0.1.0')
  const whole = readFileSync(zipped)
  await assertRefused('cut.gz', whole.subarray(0, whole.length - 9), cut)
  await assertRefused('half.gz', whole.subarray(0, whole.length / 2), cut)
  truncateSync(zipped, 1)
  const middle = Math.floor(whole.length / 2)
  await assertRefused('changed.gz', whole.fill(0, middle, middle + 20), / damaged: /)
})

test('import › rejects a file that is not an export or is of a newer version', async () => {
  await assertRefused('row', joined(lines.toSpliced(-2, 1)), /rows of \w+ instead of/)
  await assertRefused('header', joined(lines.slice(1)), /is not a Portbook export/)
  await assertRefused('text.txt', 'Dear operator\n', /is not a Portbook export/)
  await assertRefused('twice', `${joined(lines)}${joined(lines)}`, /lines follow its last line/)
  const header = JSON.parse(lines[0] ?? '')
  const newer = { ...header, migrations: [...header.migrations, '9999_x.sql'] }
  await assertRefused(
    'migrations',
    joined(lines.with(0, JSON.stringify(newer))),
    /newer Portbook.*9999_x\.sql/,
  )
  const format = { ...header, format: 3 }
  await assertRefused('format', joined(lines.with(0, JSON.stringify(format))), /newer Portbook/)
  const unknown = lines.toSpliced(1, 0, '{"table":"pg_authid","row":{}}')
  await assertRefused('table', joined(unknown), /contains an unknown table, pg_authid/)
  const injected = lines.toSpliced(1, 0, '{"table":"team; drop table team","row":{}}')
  await assertRefused('injection', joined(injected), /a line is not a row/)
  const checksumless = lines.with(
    last(),
    JSON.stringify({ rows: JSON.parse(lines.at(-1) ?? '').rows }),
  )
  await assertRefused('no checksum', joined(checksumless), /do not match its checksum/)
})

test('import › limits the length of a line', async () => {
  const path = join(directory, 'endless.jsonl.gz')
  const endless = Buffer.alloc(LINE_BYTES_MAX + 1, 0x20)
  writeFileSync(
    path,
    gzipSync(Buffer.concat([Buffer.from(`${lines[0]}\n`), endless]), { level: 1 }),
  )
  await assert.rejects(checkExport(path), /a line is too long/)
  rmSync(path)
})

test('import › rejects another encryption key immediately, unless no credentials are sealed', async () => {
  const options = { connection: target.connection, path: file }
  const other = testConfig(Buffer.from(newEncryptionKey(), 'base64'))
  const { encryptionKey: _, ...keyless } = testConfig()
  for (const [config, reason] of [
    [other, /sealed with the encryption key [0-9a-f]{8}, but the key here is [0-9a-f]{8}\./],
    [
      keyless as typeof other,
      /but the key here is missing.*put its file at \/nonexistent\/encryption\.key/,
    ],
  ] as const) {
    const assertEncryptionKey = (ids: readonly string[]): void => assertFileKey(file, config, ids)
    await assert.rejects(importStore({ ...options, assertEncryptionKey }), (error: Error) => {
      assert.ok(error instanceof EncryptionKeyMismatch)
      assert.match(error.message, reason)
      return true
    })
  }
  const without = await openTestStore()
  const keyIds = sql<{ id: string }>`select id from encryption_key`
  // The secrets that stay, of sessions and sign-ins, are not counted.
  const moved = SEALED_TABLE_NAMES.filter((name) => !Object.hasOwn(UNMOVED_TABLES, name))
  for (const name of moved) await sql`delete from ${sql.table(name)}`.execute(source.db)
  const path = join(directory, 'without.jsonl')
  await exportStore(source.connection, path, '0.1.0')
  const assertEncryptionKey = (ids: readonly string[]): void => assertFileKey(path, other, ids)
  await importStore({ connection: without.connection, path, assertEncryptionKey })
  assert.deepEqual((await keyIds.execute(without.db)).rows, [])
  await without.close()
})

test('import › accepts a file of format version 1, and reports that it has no checksum', async () => {
  const early = await openTestStore()
  const path = join(directory, 'early.jsonl')
  const { portbook, migrations } = JSON.parse(lines[0] ?? '')
  const { rows } = JSON.parse(lines.at(-1) ?? '')
  const body = lines
    .with(0, JSON.stringify({ portbook, migrations }))
    .with(last(), JSON.stringify({ rows }))
  writeFileSync(path, joined(body))
  const options = { connection: early.connection, path, assertEncryptionKey: () => assert.fail() }
  const imported = await importStore(options)
  assert.deepEqual([imported.hasChecksum, imported.rows], [false, rows])
  await early.close()
})

test('import › derives the consumers and months of usage, which earlier files do not have', async () => {
  const early = await openTestStore()
  const path = join(directory, 'usage.jsonl')
  const header = JSON.parse(lines[0] ?? '')
  const { rows } = JSON.parse(lines.at(-1) ?? '')
  const { usage_month: _, ...columns } = header.columns
  const migrations = header.migrations.filter((name: string) => name < '0038')
  columns.usage_day = columns.usage_day.filter((name: string) => name !== 'consumer_digest')
  const earlyHeader = { ...header, migrations, columns }
  const earlyRows = lines
    .slice(1, -1)
    .filter((line) => !line.startsWith('{"table":"usage_month"'))
    .map((line) => {
      if (!line.startsWith('{"table":"usage_day"')) return line
      const { table, row } = JSON.parse(line)
      const { consumer_digest: digest, ...others } = row
      assert.match(digest, /^[0-9a-f]{32}$/)
      return JSON.stringify({ table, row: others })
    })
  const body = joined([JSON.stringify(earlyHeader), ...earlyRows])
  const sha256 = createHash('sha256').update(body).digest('hex')
  const footer = { rows: { ...rows, usage_month: 0 }, sha256 }
  writeFileSync(path, `${body}${JSON.stringify(footer)}\n`)
  const options = { connection: early.connection, path, assertEncryptionKey: noCheck }
  await importStore(options)
  for (const table of ['usage_day', 'usage_month']) {
    const read = sql`
      select *
      from ${sql.table(table)}
      order by organization_id, data_product_id, consumer_digest, 3
    `
    const { rows: expected } = await read.execute(source.db)
    assert.ok(expected.length > 0)
    assert.deepEqual((await read.execute(early.db)).rows, expected)
  }
  for (const { rule, findings } of await verifyStore(early.db)) {
    if (rule.includes('usage')) assert.deepEqual(findings, [])
  }
  await early.close()
})

async function failCheck(): Promise<void> {
  throw new Error('not the same')
}

test('writeNewFile › names a file only when it is complete, and deletes an incomplete one', async () => {
  const path = join(directory, 'new.txt')
  const names = (): string[] => readdirSync(directory).filter((name) => name.startsWith('new.txt'))
  async function* content(): AsyncGenerator<Buffer> {
    yield Buffer.from('a')
    assert.match(names().join(), /^new\.txt\.[0-9a-f]{8}\.partial$/)
    yield Buffer.from('b')
  }
  async function* broken(): AsyncGenerator<Buffer> {
    yield* content()
    throw new Error('the source broke')
  }
  const check = async (): Promise<void> => assert.equal(names().length, 1)
  await assert.rejects(writeNewFile(path, broken(), check), /the source broke/)
  assert.deepEqual(names(), [])
  await assert.rejects(writeNewFile(path, content(), failCheck), /not the same/)
  assert.deepEqual(names(), [])
  await writeNewFile(path, content(), check)
  assert.deepEqual([names(), readFileSync(path, 'utf8')], [['new.txt'], 'ab'])
  await assert.rejects(writeNewFile(path, content(), async () => undefined))
  assert.deepEqual([names(), readFileSync(path, 'utf8')], [['new.txt'], 'ab'])
})
