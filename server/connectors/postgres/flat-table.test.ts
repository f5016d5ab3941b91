import assert from 'node:assert/strict'
import test from 'node:test'
import { SourceFailure } from '../connector.ts'
import type { CopyRow } from './copy-text.ts'
import { TableCollector } from './flat-table.ts'

const row = (name: string | null, part: string, ...fields: (string | null)[]): CopyRow => [
  'public',
  name,
  part,
  '1',
  ...fields,
]

const isProtocolFailure = (error: unknown): boolean =>
  error instanceof SourceFailure && error.kind === 'protocol'

test('tables are collected from rows in their order, one at a time', () => {
  const collector = new TableCollector()
  assert.equal(collector.add(row('a', '0', 'r', '7')), undefined)
  collector.add(row('a', '1', 'id', 'bigint', 't'))
  collector.add(row('a', '2', 'f', '1,2', 'key', 'public', 'b', '3,4', '3', 'x'))
  const first = collector.add(row('b', '0', 'v', '8'))
  assert.deepEqual(
    [first?.name, first?.columns[0]?.name, first?.columns[0]?.isRequired],
    ['a', 'id', true],
  )
  assert.deepEqual(first?.keys[0]?.referencedColumns, [3, 4])
  assert.equal(collector.takeLast()?.name, 'b')
  assert.equal(collector.takeLast(), undefined)
})

test('a row of another table or without a name is rejected, except columns of views that are gone', () => {
  const collector = new TableCollector()
  assert.throws(() => collector.add(row('a', '1', 'id', 'bigint')), isProtocolFailure)
  collector.add(row('a', '0', 'r', '7'))
  assert.throws(() => collector.add(row('A', '1', 'id', 'bigint')), isProtocolFailure)
  assert.throws(() => collector.add(row(null, '0', 'r')), isProtocolFailure)
  const lateBinding = row('gone', '1', 'x', 'bigint', null, null, null, 'b', null, null)
  assert.equal(collector.add(lateBinding), undefined)
  assert.deepEqual(collector.takeLast()?.columns, [])
})
