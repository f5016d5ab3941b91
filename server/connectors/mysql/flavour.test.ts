import assert from 'node:assert/strict'
import { test } from 'node:test'
import { columnOf } from './columns.ts'
import { toFailure } from './failure.ts'
import { flavourOf } from './flavour.ts'
import { factsStatement, ROW_KINDS, type FactRow } from './statements.ts'
import { tableOf } from './tables.ts'

test('flavour › by what version() says', () => {
  assert.deepEqual(told('10.11.6-MariaDB-0+deb12u1'), ['MariaDB 10.11.6', true, false, false, true])
  assert.deepEqual(told('5.5.5-10.3.39-MariaDB'), ['MariaDB 10.3.39', true, false, false, false])
  assert.deepEqual(told('10.1.48-MariaDB'), ['MariaDB 10.1.48', true, true, false, false])
  assert.deepEqual(told('8.0.35-google'), ['MySQL 8.0.35', false, false, true, false])
  assert.deepEqual(told('9.1.0'), ['MySQL 9.1.0', false, false, true, false])
  assert.deepEqual(told('5.7.44-log'), ['MySQL 5.7.44', false, false, false, false])
  assert.deepEqual(told('5.6.51'), ['MySQL 5.6.51', false, true, false, false])
  assert.deepEqual(told('8.0.11-TiDB-v7.5.0'), ['TiDB 8.0.11', false, false, true, false])
})

test('column › defaults, which MySQL tells bare and MariaDB as expressions', () => {
  assert.equal(defaultOf('8.0.35', 'varchar(10)', `it's`), `'it''s'`)
  assert.equal(defaultOf('8.0.35', 'varchar(10)', ''), `''`)
  assert.equal(defaultOf('8.0.35', 'varchar(10)', null), undefined)
  assert.equal(defaultOf('8.0.35', 'int unsigned', '3'), '3')
  assert.equal(defaultOf('8.0.35', 'bit(1)', `b'1'`), `b'1'`)
  assert.equal(defaultOf('5.7.44', 'timestamp', 'CURRENT_TIMESTAMP'), 'CURRENT_TIMESTAMP')
  assert.equal(defaultOf('8.0.35', 'char(36)', 'uuid()', 'DEFAULT_GENERATED'), 'uuid()')
  assert.equal(defaultOf('10.11.6-MariaDB', 'varchar(10)', `'a'`), `'a'`)
  assert.equal(defaultOf('10.11.6-MariaDB', 'varchar(10)', 'NULL'), undefined)
})

test('views › what they read is asked for where the information schema has it', () => {
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

test('views › what they read comes in the order of the names', () => {
  const told = tableOf(
    [
      rowOf(ROW_KINDS.table, ['VIEW']),
      rowOf(ROW_KINDS.viewUsage, ['shop', 'orders']),
      rowOf(ROW_KINDS.viewUsage, ['crm', 'customer']),
    ],
    { host: 'h', port: 3306, flavour: flavourOf('8.4.0') },
  )
  assert.deepEqual(told?.asset.viewDependencies, [
    { references: ['crm', 'customer'] },
    { references: ['shop', 'orders'] },
  ])
})

test('a refused user › TLS is a reason only where the connection has none', () => {
  const refused = Object.assign(new Error('Access denied'), { errno: 1045 })
  const messageOf = (isEncrypted: boolean) => {
    const more = { statementTimeoutMs: 1000, isAborted: false, isEncrypted }
    return toFailure(refused, { address: 'h:3306', user: 'ada', ...more }).message
  }
  assert.match(messageOf(false), /, or an account that may connect only with TLS\.$/)
  assert.match(messageOf(true), /: wrong name, password or host\.$/)
})

function asksForUsage(version: string, views = true): boolean {
  const { text } = factsStatement(['shop'], flavourOf(version), { views, json: false })
  return text.includes('from information_schema.view_table_usage\nwhere view_schema = ?')
}

function rowOf(kind: number, facts: string[]): FactRow {
  return { database: 'shop', table: 'v', kind, facts }
}

function told(version: string): unknown[] {
  const { title, isMariadb, isTooOld, hasDictionary, hasDatabaseComments } = flavourOf(version)
  return [title, isMariadb, isTooOld, hasDictionary, hasDatabaseComments]
}

function defaultOf(version: string, type: string, given: string | null, extra = ''): unknown {
  return columnOf(['c', type, 'YES', given, extra, '', ''], {
    flavour: flavourOf(version),
    json: new Set(),
    uniqueAlone: new Set(),
  }).default
}
