import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { eventually } from '../../../test/eventually.ts'
import { SourceDatabase } from '../../../test/postgres-source.ts'
import { readSetup } from './configuration.ts'
import { connect } from './connection.ts'

describe('rows of ordinary queries', () => {
  let database: SourceDatabase
  before(async () => {
    database = await SourceDatabase.create(process.env['PORTBOOK_TEST_POSTGRES'] ?? '', '')
  })
  after(() => database.drop())

  it('are streamed: more than the limit of a buffered answer, no faster than they are consumed', async () => {
    const connection = await connect(readSetup(database.setup()), database.name)
    const rows = connection.rows(
      'many',
      `begin; select i, repeat('x', 100000) from generate_series(1, 1500) i; commit`,
    )
    let count = 0
    let longest = 0
    for await (const list of rows) {
      // The server waits for a consumer that is busy.
      if (count === 0) {
        const isWaiting = async (): Promise<boolean> =>
          (await database.countSessions(`wait_event = 'ClientWrite'`)) === 1
        await eventually(20_000, isWaiting, 'the server waits')
      }
      count += list.length
      longest = Math.max(longest, list.length)
    }
    assert.ok(longest < 30, `${longest} rows of 100,000 characters waited`)
    assert.equal(count, 1500)
    assert.deepEqual(await connection.query('after', 'select 1'), [[1]])
    await connection.close()
  })

  it('are texts or null, and an error comes after them and leaves the connection usable', async () => {
    const connection = await connect(readSetup(database.setup()), database.name)
    const seen: unknown[] = []
    const statement = `select i, null, 1 / (3 - i) from generate_series(1, 3) i`
    await assert.rejects(async () => {
      for await (const list of connection.rows('failing', statement)) seen.push(...list)
    }, /division by zero/)
    assert.deepEqual(seen, [
      ['1', null, '0'],
      ['2', null, '1'],
    ])
    assert.deepEqual(await connection.query('after', 'select 1'), [[1]])
    await connection.close()
  })

  it('end on the server when the consumer stops early', async () => {
    const connection = await connect(readSetup(database.setup()), database.name)
    for await (const _ of connection.rows(
      'many',
      `select repeat('x', 1000000) from generate_series(1, 500)`,
    ))
      break
    await connection.close()
    assert.equal(await database.countSessions(`state = 'active'`), 0)
  })
})
