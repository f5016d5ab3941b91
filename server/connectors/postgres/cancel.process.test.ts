import assert from 'node:assert/strict'
import { test } from 'node:test'
import { eventually } from '../../../test/eventually.ts'
import { SourceDatabase } from '../../../test/postgres-source.ts'
import { catchFailure } from '../../../test/source-reading.ts'
import { startRewritingProxy } from '../../../test/warehouses/postgres-wire/proxy.ts'
import { asRedshift } from '../../../test/warehouses/postgres-wire/redshift.ts'
import { isolateConnectors } from '../source-process/isolated-connectors.ts'
import { postgres } from './connector.ts'

test('read › cancelled in a statement that a reader runs › cancels it on the server', async (t) => {
  const url = process.env['PORTBOOK_TEST_POSTGRES'] ?? ''
  const database = await SourceDatabase.create(url, 'create table orders (id bigint primary key)')
  t.after(() => database.drop())
  const proxy = await startRewritingProxy(database.url, (statements) =>
    /pg_class c/.test(statements) ? 'select pg_sleep(60)' : asRedshift(statements),
  )
  t.after(() => proxy.close())
  const isolated = isolateConnectors(new Map([[postgres.source, postgres]]), {
    graceMs: 60_000,
  }).get(postgres.source)
  assert.ok(isolated !== undefined)
  const controller = new AbortController()
  const session = await isolated.open(
    database.setup({ configuration: { port: proxy.port }, signal: controller.signal }),
  )
  const scopes = await Array.fromAsync(session.scopes())
  const reading = Array.fromAsync(
    session.read(scopes.filter(({ decision }) => decision === 'included')),
  )
  const failing = catchFailure(reading)
  const isRunning = async (): Promise<boolean> =>
    (await database.countSessions(`query like '%pg_sleep(60)%' and state = 'active'`)) > 0
  await eventually(10_000, isRunning, 'the statement runs')
  controller.abort()
  await session.close().catch(() => undefined)
  assert.equal((await failing).kind, 'cancelled')
  await eventually(10_000, async () => !(await isRunning()), 'the statement has ended')
})
