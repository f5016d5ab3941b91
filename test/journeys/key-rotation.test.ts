/** Rotation of the encryption key by the operator: stop, rotate, start with the new key. */

import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { newEncryptionKey, secretBox } from '../../server/platform/kit/secret-box.ts'
import { assertRefused, onPlace, readSettings } from '../operator.ts'
import { runProduct, startProduct, createUnattendedStart } from '../process.ts'

const COMMAND = ['rotate-key']

test('rotate-key › the product starts with the new key, and no longer with the old one', async () => {
  await onPlace(async (place) => {
    const start = createUnattendedStart(place)
    await (await startProduct(start.environment)).stop()
    const directory = place.environment['PORTBOOK_DATA_DIR'] ?? ''
    const old = place.environment['PORTBOOK_ENCRYPTION_KEY'] ?? ''
    const next = newEncryptionKey()
    const nextFile = join(directory, 'next-key')
    writeFileSync(nextFile, next)

    const environment = { ...start.environment, PORTBOOK_ENCRYPTION_KEY_NEW_FILE: nextFile }
    const { code, stdout, stderr } = await runProduct(environment, COMMAND)
    assert.equal(code, 0, stderr)
    for (const key of [old, next]) assert.ok(!`${stdout}${stderr}`.includes(key))
    const { keyId } = secretBox(Buffer.from(next, 'base64'))
    assert.match(stdout, /^0 credentials re-sealed\n/)
    assert.match(stdout, new RegExp(`\nthe encryption key of this store is ${keyId}, no longer `))

    const withOld = { ...start.environment, PORTBOOK_ENCRYPTION_KEY: old }
    assertRefused(await runProduct(withOld), new RegExp(`\\(${keyId}\\)`))
    const product = await startProduct({ ...start.environment, PORTBOOK_ENCRYPTION_KEY: next })
    assert.equal((await readSettings(product, start.key())).name, start.organization)
    await product.stop()
  })
})

test('rotate-key › reports each wrong use in one line', async () => {
  await onPlace(async (place) => {
    const start = createUnattendedStart(place)
    await (await startProduct(start.environment)).stop()
    assertRefused(await runProduct(start.environment, COMMAND), /PORTBOOK_ENCRYPTION_KEY_NEW/)
    const next = newEncryptionKey()
    for (const [present, reason] of [
      [newEncryptionKey(), /is not the one of this database/],
      [next, /nothing to change/],
    ] as const) {
      const keys = { PORTBOOK_ENCRYPTION_KEY: present, PORTBOOK_ENCRYPTION_KEY_NEW: next }
      const wrong = await runProduct({ ...start.environment, ...keys }, COMMAND)
      assertRefused(wrong, reason)
      for (const key of [present, next]) assert.ok(!wrong.stderr.includes(key))
    }
  })
})
