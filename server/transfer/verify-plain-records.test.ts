import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import { addPlainRecord } from '../../test/plain-records.ts'
import { onStore } from '../../test/stores.ts'
import { newProduct, newWorld } from '../../test/world.ts'
import { PLAIN_RECORDS } from '../../formats/record/plain-kinds.ts'
import { verifyStore } from './verify.ts'

onStore((store) => {
  test('verify › reports plain records whose columns differ from their text', async () => {
    const { db } = store()
    const world = await newWorld(newProduct(store()))
    for (const kind of PLAIN_RECORDS)
      await addPlainRecord(world, kind, { id: kind.kind, team: 'a' })
    const listFindings = async (): Promise<string[]> =>
      (await verifyStore(db)).flatMap(({ rule, findings }) =>
        rule.startsWith('the columns of records') ? findings : [],
      )
    assert.deepEqual(await listFindings(), [])
    await sql`update plain_record set digest = 'other'`.execute(db)
    const whole = PLAIN_RECORDS.filter(({ secretAddress }) => secretAddress === undefined)
    assert.equal((await listFindings()).length, whole.length)
    await sql`update plain_record set digest = encode(sha256(document::bytea), 'hex')`.execute(db)
    await sql`update plain_record set filter_values = '{"x": "y"}'`.execute(db)
    const findings = await listFindings()
    assert.equal(findings.length, PLAIN_RECORDS.length)
    assert.match(
      findings[0] ?? '',
      /^connector "connector" \(organization .*\): the texts by which/,
    )
  })
})
