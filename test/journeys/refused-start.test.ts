/** Everything that must keep the product from starting: one clear line with exit code 1. */

import assert from 'node:assert/strict'
import { once } from 'node:events'
import { existsSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { test } from 'node:test'
import { runProduct, startProduct, createUnattendedStart } from '../process.ts'
import { assertRefused, onLocalPlace, onPlace, query, readSettings } from '../operator.ts'

test('an unwritable key file leaves the store empty', async () => {
  await onPlace(async (place) => {
    const start = createUnattendedStart(place)
    const broken = { ...start.environment, PORTBOOK_API_KEY_FILE: `${start.keyFile}/key` }
    assertRefused(await runProduct(broken), /key/)
    const product = await startProduct(start.environment)
    assert.equal((await readSettings(product, start.key())).name, start.organization)
    await product.stop()
  })
})

test('an edited migration, a newer schema and another key are each reported in one line', async () => {
  await onPlace(async (place) => {
    const start = createUnattendedStart(place)
    await (await startProduct(start.environment)).stop()
    const name = '0001_catalog.sql'

    const setChecksum = (to: string): string =>
      `update schema_migration set checksum = ${to} where name = '${name}'`
    await query(place, setChecksum("'other:' || checksum"))
    assertRefused(await runProduct(start.environment), new RegExp(`${name}.*edited`))

    await query(
      place,
      `${setChecksum("substr(checksum, length('other:') + 1)")};
        insert into schema_migration (name, checksum) values ('9999_x.sql', 'x')`,
    )
    assertRefused(await runProduct(start.environment), /9999_x\.sql.*newer/)
    assertRefused(await runProduct(start.environment, ['migrate']), /9999_x\.sql.*newer/)

    const [{ id: keyId } = {}] = await query(
      place,
      `with deleted as (delete from schema_migration where name = '9999_x.sql')
        select id from encryption_key`,
    )
    const otherKey = Buffer.alloc(32, 9).toString('base64')
    const other = { ...start.environment, PORTBOOK_ENCRYPTION_KEY: otherKey }
    const failure = await runProduct(other)
    assertRefused(failure, new RegExp(`encryption key .*\\(${String(keyId)}\\)`))
    assert.ok(!failure.stderr.includes(otherKey))

    const product = await startProduct(start.environment)
    assert.equal((await readSettings(product, start.key())).name, start.organization)
    await product.stop()
  })
})

test('a port in use is reported in one line', async () => {
  await onPlace(async (place) => {
    const usedPort = createServer().listen(0, '127.0.0.1')
    await once(usedPort, 'listening')
    const address = usedPort.address()
    assert.ok(address !== null && typeof address === 'object')
    const environment = { ...place.environment, PORT: String(address.port) }
    assertRefused(await runProduct(environment), new RegExp(`in use.*:${address.port}`))
    usedPort.close()
  })
})

test('all invalid settings are reported at once, before anything is opened', async () => {
  const bad = {
    PORT: '99999',
    PORTBOOK_BASE_URL: 'ftp://portbook.example',
    DATABASE_URL: 'mysql://root:canary-of-the-url@db/portbook',
    PORTBOOK_DATABASE_CONNECTIONS: 'many',
    PORTBOOK_ENCRYPTION_KEY: 'canary-of-the-key',
    PORTBOOK_OWNER_EMAIL: 'nobody',
    PORTBOOK_OWNER_PASSWORD: 'canary-pass',
    PORTBOOK_DPS_UNTIL: '2026-02-30',
    PORTBOOK_EVENT_PREFIX: 'a b',
    PORTBOOK_RATE_LIMIT: '0',
    PORTBOOK_METRICS_PORT: '-1',
    PORTBOOK_METRICS_TOKEN: 'canary',
    PORTBOOK_LOG_LEVEL: 'loud',
    PORTBOOK_DATA_DIR: '/never/opened',
  }
  const { code, stdout, stderr } = await runProduct(bad)
  assert.deepEqual([code, stdout], [1, ''])
  const lines = stderr.trimEnd().split('\n')
  const names = lines.map((line) => line.replace('portbook: ', '').split(' ')[0])
  const { PORTBOOK_DATA_DIR: _, ...invalidSettings } = { ...bad, PORTBOOK_ORGANIZATION: 'missing' }
  assert.deepEqual(new Set(names), new Set(Object.keys(invalidSettings)))
  assert.equal(names.length, Object.keys(invalidSettings).length)
  assert.ok(!stderr.includes('canary'), 'no invalid value is printed, because it may be a secret')
})

test('settings that require others are reported', async () => {
  const { code, stderr } = await runProduct({
    DATABASE_URL: 'postgres://a:b@127.0.0.1:9/c',
    PORTBOOK_OWNER_EMAIL: 'owner@rail.example',
  })
  assert.equal(code, 1)
  assert.match(stderr, /PORTBOOK_ENCRYPTION_KEY is required with DATABASE_URL/)
  assert.match(stderr, /PORTBOOK_ORGANIZATION and PORTBOOK_OWNER_PASSWORD must also be set/)
})

test('an unavailable PostgreSQL is reported in one line without its password', async () => {
  const failure = await runProduct({
    DATABASE_URL: 'postgres://portbook:canary-password@127.0.0.1:9/portbook',
    PORTBOOK_ENCRYPTION_KEY: Buffer.alloc(32, 1).toString('base64'),
  })
  assertRefused(failure, /127\.0\.0\.1:9/)
  assert.ok(!failure.stderr.includes('canary'))
})

test('a missing or invalid encryption key is reported in one line', async () => {
  await onLocalPlace(async (place) => {
    const start = createUnattendedStart(place)
    await (await startProduct(start.environment)).stop()
    const file = join(place.environment['PORTBOOK_DATA_DIR'] ?? '', 'encryption.key')
    assert.equal(statSync(file).mode & 0o777, 0o600)
    const key = readFileSync(file)
    rmSync(file)
    assertRefused(await runProduct(start.environment), /encryption key .* is missing/)
    assert.ok(!existsSync(file), 'no new key is created while there are encrypted secrets')
    writeFileSync(file, 'not a key')
    assertRefused(await runProduct(start.environment), /does not contain an encryption key/)
    writeFileSync(file, key)
    await (await startProduct(start.environment)).stop()
  })
})

test('an unknown command is refused with a pointer to the help', async () => {
  const { code, stderr, stdout } = await runProduct({}, ['dance'])
  assert.deepEqual([code, stdout], [2, ''])
  assert.match(
    stderr,
    /^portbook: Unknown command "dance"\. "portbook --help" lists the commands\.\n$/,
  )
})
