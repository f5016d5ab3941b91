/** The façade that gives fakesnow Snowflake's SQL API. */

import assert from 'node:assert/strict'
import { beforeEach, test } from 'node:test'
import { onPeer } from '../../peers/server.ts'
import { SNOWFLAKE, SNOWFLAKE_TOKEN } from '../../peers/servers.ts'

interface ApiAnswer {
  status: number
  body: {
    code?: string
    message?: string
    statementHandle?: string
    resultSetMetaData?: {
      numRows: number
      partitionInfo: { rowCount: number }[]
      rowType: { name: string; type: string }[]
    }
    data?: (string | null)[][]
  }
}

onPeer(SNOWFLAKE, (peer) => {
  const send = async (
    path: string,
    body?: object,
    token: string = SNOWFLAKE_TOKEN,
  ): Promise<ApiAnswer> => {
    const response = await fetch(`${peer().url}${path}`, {
      method: body === undefined ? 'GET' : 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    return { status: response.status, body: (await response.json()) as ApiAnswer['body'] }
  }
  const run = (statement: string, more: object = {}): Promise<ApiAnswer> =>
    send('/api/v2/statements', { statement, ...more })
  const configure = (settings: object): Promise<ApiAnswer> => send('/facade/settings', settings)

  beforeEach(async () => {
    await configure({ partitionRows: 10_000, pendingPolls: 0 })
  })

  test('the façade › returns values as texts, with the types of the columns', async () => {
    // Fakesnow has its functions in every database, and nowhere else.
    await run('create or replace database types')
    const { status, body } = await run(
      `select 1::number(38,0) as n, 1.50::number(5,2) as d, true as b, 'it''s' as t, null as x,
        to_date('2020-01-02') as day, '2020-01-02 03:04:05.5'::timestamp_ntz as at`,
      { database: 'types' },
    )
    assert.equal(status, 200, String(body.message))
    assert.deepEqual(body.data, [
      ['1', '1.50', 'true', "it's", null, '18263', '1577934245.500000000'],
    ])
    assert.deepEqual(
      body.resultSetMetaData?.rowType.map(({ name, type }) => `${name} ${type}`),
      ['N fixed', 'D fixed', 'B boolean', 'T text', 'X text', 'DAY date', 'AT timestamp_ntz'],
    )
  })

  test('the façade › runs DDL, and shows it in the information schema with bound values', async () => {
    await run('create or replace database shop')
    await run('create schema shop.sales')
    await run("create table shop.sales.orders (id number(10,0) not null) comment = 'Sold'")
    const bindings = { 1: { type: 'TEXT', value: 'SALES' } }
    const { body } = await run(
      'select table_name, comment from information_schema.tables where table_schema = ?',
      { database: 'shop', bindings },
    )
    assert.deepEqual(body.data, [['ORDERS', 'Sold']])
    const databases = await run('show databases')
    assert.ok(databases.body.data?.some((row) => row.includes('SHOP')))
  })

  test('the façade › returns a result in partitions', async () => {
    await configure({ partitionRows: 2 })
    const { body } = await run('select column1 from values (1), (2), (3), (4), (5) order by 1')
    assert.deepEqual(
      body.resultSetMetaData?.partitionInfo.map(({ rowCount }) => rowCount),
      [2, 2, 1],
    )
    const rows = [...(body.data ?? [])]
    for (const partition of [1, 2]) {
      const path = `/api/v2/statements/${body.statementHandle}?partition=${partition}`
      rows.push(...((await send(path)).body.data ?? []))
    }
    assert.deepEqual(rows.flat(), ['1', '2', '3', '4', '5'])
  })

  test('the façade › answers 202 while a statement runs, which can be cancelled', async () => {
    await configure({ pendingPolls: 2 })
    const { status, body } = await run('select 1')
    assert.deepEqual([status, body.code, body.data], [202, '333334', undefined])
    const path = `/api/v2/statements/${body.statementHandle}`
    assert.equal((await send(path)).status, 202)
    assert.deepEqual((await send(path)).body.data, [['1']])
    const other = await run('select 1')
    const cancelled = `/api/v2/statements/${other.body.statementHandle}`
    assert.equal((await send(`${cancelled}/cancel`, {})).status, 200)
    const after = await send(cancelled)
    assert.deepEqual([after.status, after.body.code], [422, '000604'])
  })

  test('the façade › runs a statement once for each request id', async () => {
    const statement = { statement: 'create database once' }
    const path = '/api/v2/statements?requestId=8c5f5b4e&retry=true'
    const [first, second] = [await send(path, statement), await send(path, statement)]
    assert.deepEqual([first.status, second.status], [200, 200])
    assert.equal(first.body.statementHandle, second.body.statementHandle)
  })

  test('the façade › rejects wrong tokens, statements and handles', async () => {
    const wrong = await send('/api/v2/statements', { statement: 'select 1' }, 'wrong')
    assert.deepEqual([wrong.status, wrong.body.code], [401, '390144'])
    const missing = await run('select * from shop.sales.nothing')
    assert.equal(missing.status, 422)
    assert.match(missing.body.code ?? '', /^\d{6}$/)
    assert.equal((await run('selec 1')).status, 422)
    assert.equal((await send('/api/v2/statements/none')).status, 404)
  })
})
