/** The statements that change tables, executed by MariaDB, and parsed by sqlglot for the other products. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { PRODUCTS, writeExample } from '../../../test/alterations.ts'
import { onMariadb } from '../../../test/mariadb.ts'
import { onPeers, runPeerScript } from '../../../test/peers/peers.ts'

// The names of dialects in sqlglot.
const PARSED = new Map([
  ['postgres', 'postgres'],
  ['yugabytedb', 'postgres'],
  ['redshift', 'redshift'],
  ['mysql', 'mysql'],
  ['mssql', 'tsql'],
  ['fabric', 'tsql'],
  ['snowflake', 'snowflake'],
  ['bigquery', 'bigquery'],
  ['databricks', 'databricks'],
  ['glue', 'hive'],
  ['iceberg', 'spark'],
])

interface ParseResult {
  parse: (string | null)[]
}

onPeers(['python'], () => {
  test('sqlglot parses the statements of each product', async () => {
    const parse = PRODUCTS.flatMap((one) => {
      const dialect = PARSED.get(one[0])
      return dialect === undefined ? [] : [{ dialect, text: writeExample(one).alteration.sql }]
    })
    const result = (await runPeerScript('sql.py', { parse, execute: [] })) as ParseResult
    assert.deepEqual(
      result.parse.flatMap((error, at) => (error === null ? [] : [`${error}: ${parse[at]?.text}`])),
      [],
    )
  })
})

onMariadb((mariadb) => {
  test('MariaDB executes the statements, and the table then keeps the contract', async () => {
    const one = PRODUCTS.find(([product]) => product === 'mariadb')
    assert.ok(one !== undefined)
    const { created, alteration } = writeExample(one)
    await mariadb().execute(
      `create database alterations; use alterations; ${created} ${alteration.sql}`,
    )
    const rows = await mariadb().execute(
      `select column_name as name, column_type as type, is_nullable as nullable, column_key as part
       from information_schema.columns
       where table_schema = 'alterations'
       order by ordinal_position`,
    )
    assert.deepEqual(
      rows.map(({ name, type, nullable, part }) => [name, type, nullable, part]),
      [
        ['id', 'bigint(20)', 'NO', 'PRI'],
        ['name', 'varchar(20)', 'NO', ''],
        ['Sales region', 'varchar(5)', 'NO', 'UNI'],
        ['since', 'date', 'NO', ''],
      ],
    )
  })
})
