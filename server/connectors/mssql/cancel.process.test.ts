import assert from 'node:assert/strict'
import { test } from 'node:test'
import { eventually } from '../../../test/eventually.ts'
import { catchFailure } from '../../../test/source-reading.ts'
import { newDatabase, newTable, startMssqlSource } from '../../../test/warehouses/mssql/source.ts'
import { isolateConnectors } from '../source-process/isolated-connectors.ts'
import { mssql } from './connector.ts'

test('read › sends ATTENTION on cancel before the process that reads the source is killed', async (t) => {
  const source = await startMssqlSource(t)
  const { server, model } = source
  model.databases['shop'] = newDatabase([newTable('orders')])
  const isolated = isolateConnectors(new Map([[mssql.source, mssql]]), { graceMs: 60_000 }).get(
    mssql.source,
  )
  assert.ok(isolated !== undefined)
  const controller = new AbortController()
  server.behaviour.silent = /with o as/
  const session = await isolated.open(source.setup({ signal: controller.signal }))
  const scopes = await Array.fromAsync(session.scopes())
  const failing = catchFailure(Array.fromAsync(session.read(scopes)))
  const isRunning = async (): Promise<boolean> =>
    server.statements.some((text) => text.includes('with o as'))
  await eventually(30_000, isRunning, 'the statement runs')
  controller.abort()
  await session.close().catch(() => undefined)
  assert.equal((await failing).kind, 'cancelled')
  const isClosed = async (): Promise<boolean> => server.connectionCount === 0
  await eventually(5000, isClosed, 'all connections are closed')
  assert.equal(server.attentions, 1)
})
