import assert from 'node:assert/strict'
import { test } from 'node:test'
import { toColumn } from './columns.ts'
import { toFailure } from './failure.ts'
import { readFlavour } from './flavour.ts'
import { factsStatement, ROW_KINDS, type FactRow } from './statements.ts'
import { toTable } from './tables.ts'

test('flavour › is detected from version()', () => {
  assert.deepEqual(describe('10.11.6-MariaDB-0+deb12u1'), [
    'MariaDB 10.11.6',
    true,
    false,
    false,
    true,
  ])
  assert.deepEqual(describe('5.5.5-10.3.39-MariaDB'), [
    'MariaDB 10.3.39',
    true,
    false,
    false,
    false,
  ])
  assert.deepEqual(describe('10.1.48-MariaDB'), ['MariaDB 10.1.48', true, true, false, false])
  assert.deepEqual(describe('8.0.35-google'), ['MySQL 8.0.35', false, false, true, false])
  assert.deepEqual(describe('9.1.0'), ['MySQL 9.1.0', false, false, true, false])
  assert.deepEqual(describe('5.7.44-log'), ['MySQL 5.7.44', false, false, false, false])
  assert.deepEqual(describe('5.6.51'), ['MySQL 5.6.51', false, true, false, false])
  assert.deepEqual(describe('8.0.11-TiDB-v7.5.0'), ['TiDB 8.0.11', false, false, true, false])
})

test('column › reads defaults, which MySQL returns as bare values and MariaDB as expressions', () => {
  assert.equal(toDefault('8.0.35', 'varchar(10)', `it's`), `'it''s'`)
  assert.equal(toDefault('8.0.35', 'varchar(10)', ''), `''`)
  assert.equal(toDefault('8.0.35', 'varchar(10)', null), undefined)
  assert.equal(toDefault('8.0.35', 'int unsigned', '3'), '3')
  assert.equal(toDefault('8.0.35', 'bit(1)', `b'1'`), `b'1'`)
  assert.equal(toDefault('5.7.44', 'timestamp', 'CURRENT_TIMESTAMP'), 'CURRENT_TIMESTAMP')
  assert.equal(toDefault('8.0.35', 'char(36)', 'uuid()', 'DEFAULT_GENERATED'), 'uuid()')
  assert.equal(toDefault('10.11.6-MariaDB', 'varchar(10)', `'a'`), `'a'`)
  assert.equal(toDefault('10.11.6-MariaDB', 'varchar(10)', 'NULL'), undefined)
})

test('views › queries their dependencies if the information schema has them', () => {
  assert.equal(asksForUsage('8.0.13'), true)
  assert.equal(asksForUsage('9.1.0'), true)
  assert.equal(asksForUsage('9.1.0', false), false)
  for (const version of [
    '8.0.12',
    '5.7.44',
    '10.11.6-MariaDB',
    '11.4.2-MariaDB',
    '8.0.20-TiDB-v8',
  ]) {
    assert.equal(asksForUsage(version), false, version)
  }
})

test('views › sorts their dependencies by name', () => {
  const table = toTable(
    [
      createRow(ROW_KINDS.table, ['VIEW']),
      createRow(ROW_KINDS.viewUsage, ['shop', 'orders']),
      createRow(ROW_KINDS.viewUsage, ['crm', 'customer']),
    ],
    { host: 'h', port: 3306, flavour: readFlavour('8.4.0') },
  )
  assert.deepEqual(table?.asset.viewDependencies, [
    { references: ['crm', 'customer'] },
    { references: ['shop', 'orders'] },
  ])
})

test('a rejected user › mentions TLS only for an unencrypted connection', () => {
  const refused = Object.assign(new Error('Access denied'), { errno: 1045 })
  const getMessage = (isEncrypted: boolean) => {
    const more = { statementTimeoutMs: 1000, isAborted: false, isEncrypted }
    return toFailure(refused, { address: 'h:3306', user: 'ada', ...more }).message
  }
  assert.match(getMessage(false), /, or an account that may connect only with TLS\.$/)
  assert.match(getMessage(true), /: wrong name, password or host\.$/)
})

function asksForUsage(version: string, views = true): boolean {
  const { text } = factsStatement(['shop'], readFlavour(version), { views, json: false })
  return text.includes('from information_schema.view_table_usage\nwhere view_schema = ?')
}

function createRow(kind: number, facts: string[]): FactRow {
  return { database: 'shop', table: 'v', kind, facts }
}

function describe(version: string): unknown[] {
  const { title, isMariadb, isTooOld, hasDictionary, hasDatabaseComments } = readFlavour(version)
  return [title, isMariadb, isTooOld, hasDictionary, hasDatabaseComments]
}

function toDefault(version: string, type: string, given: string | null, extra = ''): unknown {
  return toColumn(['c', type, 'YES', given, extra, '', ''], {
    flavour: readFlavour(version),
    json: new Set(),
    uniqueAlone: new Set(),
  }).default
}
