import assert from 'node:assert/strict'
import { test } from 'node:test'
import { columnOf } from './columns.ts'
import { flavourOf } from './flavour.ts'

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
