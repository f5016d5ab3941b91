// The statements of every product, read back by the reader of SQL scripts.

import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { prepareModels } from '../../data-contract/export-models.ts'
import { scanSql } from '../../schema/sql/scan.ts'
import { splitStatements } from '../../schema/sql/split-statements.ts'
import { writeSqlDdl } from '../../schema/sql/write.ts'
import { AFTER, PRODUCTS, readContract, readOne, writeExample } from '../../../test/alterations.ts'
import { writeAlteration } from './alter-table.ts'
import { getAlteringProduct } from './products.ts'

describe('writeAlteration', () => {
  for (const one of PRODUCTS) {
    const [product, , dialect] = one
    test(`${product} › the statements make the table keep the contract, or a note names what they leave`, () => {
      const { contract, created, asset, alteration } = writeExample(one)
      const actual = readOne(`${created}\n${toRead(alteration.sql)}`, dialect)
      const promised = prepareModels(contract, dialect).models[0]
      const wanted = readOne(
        writeSqlDdl([promised ?? asset], { dialect, name: '', id: '' }).text,
        dialect,
      )
      const noted = new Set(alteration.notes.map(({ field }) => field))
      for (const field of wanted.fields) {
        const column = actual.fields.find(({ name }) => name === field.name)
        assert.ok(column !== undefined, field.name)
        if (column.physicalType !== field.physicalType) assert.ok(noted.has(field.name), field.name)
        if (column.required !== field.required) assert.ok(noted.has(field.name), field.name)
        if (column.unique !== field.unique) assert.ok(noted.has(field.name), field.name)
      }
      if (actual.primaryKey.join() !== wanted.primaryKey.join()) assert.ok(noted.has(''))
    })
  }

  test('postgres, mysql and snowflake › nothing is left', () => {
    for (const one of PRODUCTS) {
      const [product, , dialect] = one
      if (!['postgres', 'mysql', 'snowflake', 'mssql'].includes(product)) continue
      const { created, alteration } = writeExample(one)
      const { fields, primaryKey } = readOne(`${created}\n${alteration.sql}`, dialect)
      assert.deepEqual(
        fields.map(({ required }) => required),
        [true, true, true, true],
        product,
      )
      assert.deepEqual(primaryKey, ['id'], product)
      assert.equal(fields[2]?.unique, true, product)
      assert.equal(fields[1]?.maxLength, 20, product)
    }
  })

  test('a missing column gets its key and its unique values at once, after those it has', () => {
    const created = 'create table orders (code integer primary key);'
    const findings = ['id', 'name', 'Sales region', 'since'].map((field) => ({
      field,
      aspect: 'column.missing',
    }))
    for (const [product, server, dialect] of PRODUCTS) {
      if (!['postgres', 'mysql', 'snowflake', 'mssql'].includes(product)) continue
      const contract = readContract(server, AFTER)
      const table = { contract, model: 'orders', product, path: ['orders'], findings }
      const asset = readOne('create table orders (code integer)', dialect)
      const { sql = '', notes } = writeAlteration({ ...table, asset }) ?? { notes: [] }
      const { fields, primaryKey } = readOne(`create table orders (code integer);\n${sql}`, dialect)
      assert.deepEqual(primaryKey, ['id'], product)
      assert.deepEqual(
        fields.map(({ required, unique }) => [required, unique]),
        [
          [false, false],
          [true, false],
          [true, false],
          [true, true],
          [true, false],
        ],
        product,
      )
      assert.ok(!notes.some(({ message }) => message.startsWith('Drop the primary key')))
      const renamed = writeAlteration({ ...table, asset: readOne(created, dialect) })
      assert.equal(renamed?.sql, sql)
      assert.ok(renamed.notes.some(({ message }) => message.startsWith('Drop the primary key')))
    }
  })

  test('no key is written while another of its columns is missing and accepted', () => {
    const contract = readContract('postgres', [newKeyPart('a', 1), newKeyPart('b', 2)])
    const asset = readOne('create table orders (code integer)', 'postgresql')
    const findings = [{ field: 'a', aspect: 'column.missing' }]
    const table = { contract, model: 'orders', product: 'postgres', path: ['orders'] }
    const { sql = '' } = writeAlteration({ ...table, asset, findings }) ?? {}
    assert.match(sql, /ADD COLUMN "?a/)
    assert.ok(!sql.includes('PRIMARY KEY'), sql)
  })

  test('a column in another case is not the missing one where the platform keeps cases', () => {
    const contract = readContract('postgres', [{ name: 'note', logicalType: 'string' }])
    const asset = readOne('create table orders ("NOTE" text)', 'postgresql')
    const findings = [{ field: 'note', aspect: 'column.missing' }]
    const table = { contract, model: 'orders', product: 'postgres', path: ['orders'] }
    const { sql = '' } = writeAlteration({ ...table, asset, findings }) ?? {}
    assert.match(sql, /ADD COLUMN "?note"? /)
  })

  test('a table without constraints › a note names what the next run compares', () => {
    const contract = readContract('postgres', AFTER)
    const asset = readOne('create table orders (id integer, name varchar(20))', 'postgresql')
    const findings = [{ field: 'since', aspect: 'column.missing' }]
    const table = { contract, model: 'orders', product: 'postgres', path: ['orders'] }
    const { notes = [] } = writeAlteration({ ...table, asset, findings }) ?? {}
    assert.ok(notes.some(({ message }) => message.startsWith('The table declares no constraint')))
    const constrained = readOne('create table orders (id integer primary key)', 'postgresql')
    const other = writeAlteration({ ...table, asset: constrained, findings })
    assert.ok(!other?.notes.some(({ message }) => message.startsWith('The table declares no')))
  })

  test('a table that is missing is created at the place of the server', () => {
    const contract = readContract('postgres', AFTER)
    const path = ['db', 'sales', 'orders']
    const alteration = writeAlteration({
      contract,
      model: 'orders',
      product: 'postgres',
      path,
      asset: undefined,
      findings: [{ field: '', aspect: 'object' }],
    })
    const model = readOne(alteration?.sql ?? '', 'postgresql')
    assert.deepEqual([model.namespace, model.name, model.fields.length], ['sales', 'orders', 4])
  })

  test('a view is not altered, and no column is dropped', () => {
    const contract = readContract('postgres', AFTER)
    const table = { contract, model: 'orders', product: 'postgres', path: ['orders'] }
    const asset = readOne('create table orders (id integer, extra text)', 'postgresql')
    const findings = [{ field: 'extra', aspect: 'column.extra' }]
    const view = writeAlteration({ ...table, asset: { ...asset, kind: 'view' }, findings })
    assert.deepEqual([view?.sql, view?.notes.length], ['', 1])
    const extra = writeAlteration({ ...table, asset, findings })
    assert.deepEqual([extra?.sql, extra?.notes[0]?.field], ['', 'extra'])
  })

  test('mysql › MODIFY COLUMN keeps NOT NULL and the comment of the column', () => {
    const contract = readContract('mysql', AFTER)
    const asset = readOne(
      "create table orders (id bigint not null, name varchar(10) not null comment 'it''s')",
      'mysql',
    )
    const findings = [{ field: 'name', aspect: 'type' }]
    const table = { contract, model: 'orders', product: 'mysql', path: ['shop', 'orders'] }
    const { sql } = writeAlteration({ ...table, asset, findings }) ?? {}
    assert.equal(
      sql,
      "ALTER TABLE `shop`.`orders` MODIFY COLUMN `name` varchar(20) NOT NULL COMMENT 'it\\'s';\n",
    )
  })

  test('hostile names and comments cannot end a quote', () => {
    const name = 'a"; drop table x; --`]\n'
    const contract = readContract('postgres', [{ name, logicalType: 'date' }])
    const asset = readOne('create table orders (id integer)', 'postgresql')
    for (const [product, , dialect] of PRODUCTS) {
      const { sql = '' } =
        writeAlteration({
          contract,
          model: 'orders',
          product,
          path: ['db', 's"`]', 'orders'],
          asset,
          findings: [{ field: name, aspect: 'column.missing' }],
        }) ?? {}
      assert.equal([...splitStatements(scanSql(sql, dialect), sql)].length, 1, `${product}: ${sql}`)
    }
  })

  test('no SQL is written for topics and unknown products', () => {
    const contract = readContract('kafka', AFTER)
    const table = { contract, model: 'orders', path: ['orders'], asset: undefined, findings: [] }
    assert.equal(writeAlteration({ ...table, product: 'kafka' }), undefined)
    assert.equal(writeAlteration({ ...table, product: 'constructor' }), undefined)
    assert.equal(getAlteringProduct('__proto__'), undefined)
  })
})

// The reader has no words of CockroachDB only.
function toRead(sql: string): string {
  return sql.replace('ALTER PRIMARY KEY USING COLUMNS', 'ADD PRIMARY KEY')
}

function newKeyPart(name: string, position: number) {
  return { name, logicalType: 'integer', primaryKey: true, primaryKeyPosition: position }
}
