// Names that a database takes for the same, by product: a change of the spelling is wording, and every other change of a
// name stays breaking.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { diffContracts, DCS, ODCS, readContract } from '../../test/contract-versions.ts'
import { Losses } from '../schema/losses.ts'
import type { Value } from '../text/value.ts'
import { highestLevel, type Level } from './level.ts'

function sql(type: string | undefined, script: string): Value {
  const servers = type === undefined ? {} : { servers: { prod: { type } } }
  const schema = { type: 'sql-ddl', specification: script }
  return { ...DCS, dataContractSpecification: '0.9.3', ...servers, schema }
}

function getLevel(before: Value, after: Value): Level {
  return highestLevel(diffContracts(before, after))
}

/** The products with names that are stored in upper case unless they are in quotes. */
const UPPER = ['snowflake', 'oracle', 'db2']
/** The products that ignore the case of all names. */
const IGNORED = ['sqlserver', 'synapse', 'databricks', 'hive', 'athena', 'impala', 'duckdb']
/** The products that ignore the case of columns, but not that of tables. */
const COLUMNS = ['mysql', 'mariadb', 'bigquery']
/** The products with other rules, or with settings. */
const OTHERS = ['clickhouse', 'kafka', 'fabric', 'redshift', undefined]
const ALL = [...UPPER, ...IGNORED, ...COLUMNS, ...OTHERS, 'postgresql']

function quote(type: string | undefined, name: string): string {
  if (/^(?:mysql|mariadb|bigquery|databricks|hive|athena|impala)$/.test(type ?? ''))
    return `\`${name}\``
  return type === 'sqlserver' || type === 'synapse' ? `[${name}]` : `"${name}"`
}

/** Pairs of scripts, with the products for which the change is wording; the others break consumers. */
const PAIRS: readonly {
  change: string
  write: (quote: (name: string) => string) => [string, string]
  wording: readonly (string | undefined)[]
}[] = [
  {
    change: 'a column in another case',
    write: () => ['create table t (Id int, b int)', 'create table t (ID int, b int)'],
    wording: [...UPPER, ...IGNORED, ...COLUMNS, 'postgresql', 'redshift'],
  },
  {
    change: 'a table in another case',
    write: () => ['create table Orders (a int)', 'create table ORDERS (a int)'],
    wording: [...UPPER, ...IGNORED, 'postgresql', 'redshift'],
  },
  {
    change: 'a schema in another case',
    write: () => ['create table Sales.t (a int)', 'create table SALES.t (a int)'],
    wording: [...UPPER, ...IGNORED, 'postgresql', 'redshift'],
  },
  {
    change: 'a column in quotes in another case',
    write: (name) => [`create table t (${name('Id')} int)`, `create table t (${name('ID')} int)`],
    wording: [...IGNORED, ...COLUMNS],
  },
  {
    change: 'a column that gets quotes, in upper case',
    write: (name) => ['create table t (id int)', `create table t (${name('ID')} int)`],
    wording: [...UPPER, ...IGNORED, ...COLUMNS],
  },
  {
    change: 'the keys, conditions and references of columns in another case',
    write: () => [
      'create table r (X int primary key); create table t (A int references r (X), B int, unique (A, B), primary key (B), check (A > B))',
      'create table r (x int primary key); create table t (a int references R (x), b int, unique (a, b), primary key (b), check (a > b))',
    ],
    wording: [...UPPER, ...IGNORED, 'postgresql', 'redshift'],
  },
  {
    change: 'one of two columns with nearly the same name is removed',
    write: (name) => [
      `create table t (${name('Id')} int, ${name('id')} int, b int)`,
      `create table t (${name('ID')} int, b int)`,
    ],
    wording: [],
  },
  {
    change: 'another name',
    write: () => ['create table t (ids int, b int)', 'create table t (id int, b int)'],
    wording: [],
  },
  {
    change: 'a letter that only some rules put in lower case',
    write: (name) => [
      `create table t (${name('K')} int)`,
      `create table t (${name('\u212A')} int)`,
    ],
    wording: [],
  },
]

for (const { change, write, wording } of PAIRS) {
  for (const type of ALL) {
    const expected = wording.includes(type) ? 'wording' : 'breaking'
    test(`a script of ${type ?? 'an unknown product'} › ${change} is ${expected}`, () => {
      const [before, after] = write((name) => quote(type, name))
      const there = diffContracts(sql(type, before), sql(type, after))
      assert.equal(highestLevel(there), expected, JSON.stringify(there))
      // Both directions, except for columns that are added.
      const back = getLevel(sql(type, after), sql(type, before))
      assert.equal(back, expected)
    })
  }
}

test('Snowflake, Oracle and Db2 › quotes that keep the case are another name', () => {
  for (const type of UPPER) {
    const [quoted, plain] = ['create table t ("id" int)', 'create table t (id int)'].map((one) =>
      sql(type, one),
    )
    assert.equal(getLevel(quoted ?? null, plain ?? null), 'breaking', type)
    assert.equal(getLevel(plain ?? null, quoted ?? null), 'breaking', type)
    const table = 'create table "orders" (a int)'
    assert.equal(getLevel(sql(type, table), sql(type, table.replaceAll('"', ''))), 'breaking')
    const both = 'create table t (id int, "id" text)'
    assert.equal(getLevel(sql(type, both), sql(type, 'create table t (id int)')), 'breaking')
    assert.equal(getLevel(sql(type, both), sql(type, both)), 'none')
  }
})

test('a message names both spellings', () => {
  const changes = diffContracts(
    sql('oracle', 'create table t (Id int)'),
    sql('oracle', 'create table t (ID int)'),
  )
  assert.deepEqual(
    changes.map(({ message }) => message),
    ['Field t.ID: name changed from Id to ID; the database takes both for the same name.'],
  )
})

test('a change of a column in another case is compared with the column', () => {
  for (const type of [...UPPER, ...IGNORED, ...COLUMNS]) {
    const [before, after] = ['create table t (Id bigint)', 'create table t (ID int not null)']
    const changes = diffContracts(sql(type, before), sql(type, after))
    const isCompared = changes.length > 1 && changes.every(({ kind }) => kind === 'changed')
    assert.ok(isCompared, `${type}: ${JSON.stringify(changes)}`)
  }
})

function odcs(types: readonly string[], [model, field]: readonly [string, string]): Value {
  const servers = types.map((type, at) => ({ server: `s${at}`, type }))
  const properties = [
    { name: field, logicalType: 'string' },
    { name: 'b', logicalType: 'string' },
  ]
  return { ...ODCS, servers, schema: [{ name: model, properties }] }
}

function dcs(types: readonly string[], [model, field]: readonly [string, string]): Value {
  const servers = Object.fromEntries(types.map((type, at) => [`s${at}`, { type }]))
  const fields = { [field]: { type: 'string' }, b: { type: 'string' } }
  return { ...DCS, servers, models: { [model]: { type: 'table', fields } } }
}

for (const [standard, write] of [
  ['ODCS', odcs],
  ['DCS', dcs],
] as const) {
  test(`${standard} › names of models and fields have the case that the server distinguishes`, () => {
    const levels = ALL.filter((type) => type !== undefined).map((type) => [
      type,
      getLevel(write([type], ['t', 'Id']), write([type], ['t', 'ID'])),
      getLevel(write([type], ['T', 'id']), write([type], ['t', 'id'])),
    ])
    const expected = ALL.filter((type) => type !== undefined).map((type) => [
      type,
      IGNORED.includes(type) || COLUMNS.includes(type) ? 'wording' : 'breaking',
      IGNORED.includes(type) ? 'wording' : 'breaking',
    ])
    assert.deepEqual(levels, expected)
  })

  test(`${standard} › names are compared exactly if one server does`, () => {
    const types = ['databricks', 'kafka']
    assert.equal(getLevel(write(types, ['t', 'Id']), write(types, ['t', 'ID'])), 'breaking')
    assert.equal(getLevel(write([], ['t', 'Id']), write([], ['t', 'ID'])), 'breaking')
    assert.equal(
      getLevel(write(['databricks'], ['t', 'Id']), write(['snowflake'], ['t', 'ID'])),
      'breaking',
    )
  })
}

function odcsTable(type: string, table: string, column: string): Value {
  const properties = [{ name: 'id', physicalName: column, logicalType: 'string' }]
  return {
    ...ODCS,
    servers: [{ server: 's', type }],
    schema: [{ name: 'orders', physicalName: table, properties }],
  }
}

function compareTables(type: string, one: [string, string], other: [string, string]): Level {
  return getLevel(odcsTable(type, ...one), odcsTable(type, ...other))
}

test('ODCS › physical names have the case that the server distinguishes', () => {
  assert.equal(compareTables('databricks', ['s.Orders', 'Id'], ['s.ORDERS', 'ID']), 'wording')
  assert.equal(compareTables('databricks', ['s.Orders', 'Id'], ['s.Order', 'ID']), 'breaking')
  assert.equal(compareTables('mysql', ['Orders', 'Id'], ['Orders', 'ID']), 'wording')
  assert.equal(compareTables('mysql', ['Orders', 'Id'], ['ORDERS', 'Id']), 'breaking')
  assert.equal(compareTables('snowflake', ['Orders', 'Id'], ['Orders', 'ID']), 'breaking')
  assert.equal(compareTables('postgresql', ['Orders', 'Id'], ['Orders', 'ID']), 'breaking')
})

test('quotes of a script are no loss in an export', () => {
  const { contract } = readContract(sql('oracle', 'create table t ("id" int, b int)'))
  const losses = new Losses('Avro')
  for (const model of contract.models) losses.addAllTraits(model)
  assert.deepEqual(losses.all, [])
  assert.deepEqual(contract.models[0]?.fields[0]?.traits, { quotedNames: { id: 'always' } })
})
