import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { readIn } from '../../../test/specification.ts'
import { ExactNumber, type Value } from '../../text/value.ts'
import { readAvro } from './read.ts'

const RECORD: Value = {
  type: 'record',
  name: 'r.Inner',
  fields: [
    { name: 'a', type: 'int' },
    { name: 'b', type: 'string', default: '' },
  ],
}

/** For each type, defaults that fit and defaults that do not. */
const DEFAULTS: readonly [name: string, type: Value, fits: Value[], others: Value[]][] = [
  ['null', 'null', [null], ['', 0, false, {}]],
  ['boolean', 'boolean', [true, false], [null, 0, 'true']],
  ['int', 'int', [0, -(2 ** 31), 2 ** 31 - 1], [null, 2 ** 31, -(2 ** 31) - 1, 1.5, '1', true]],
  ['long', 'long', [0, 2 ** 53, new ExactNumber('9223372036854775807')], [null, 0.5, 2 ** 63, '1']],
  ['float', 'float', [0, 1.5, new ExactNumber('1.0')], [null, '1.5', true]],
  ['double', 'double', [0, 1e300], [null, 'NaN']],
  ['string', 'string', ['', 'x'], [null, 1, true, [], {}]],
  ['bytes', 'bytes', ['', 'ÿ'], [null, 1, 'Ā']],
  ['fixed', { type: 'fixed', name: 'F', size: 2 }, ['ab', 'ÿÿ'], [null, 'a', 'abc', 'aĀ']],
  ['enum', { type: 'enum', name: 'E', symbols: ['A', 'B'] }, ['A', 'B'], [null, 'C', 0]],
  ['array', { type: 'array', items: 'int' }, [[], [1]], [null, {}, ['1'], [null]]],
  ['map', { type: 'map', values: 'int' }, [{}, { a: 1 }], [null, [], { a: '1' }]],
  ['record', RECORD, [{ a: 1 }, { a: 1, b: 'x' }], [null, {}, { a: '1' }, { a: 1, b: 2 }, []]],
  ['union', ['string', 'null'], ['', null], [1, {}]],
  ['union with null', ['null', 'int'], [null, 1], ['', 2 ** 31]],
  ['logical type', { type: 'int', logicalType: 'date' }, [0], [null, '2026-01-01']],
  ['wrapped type', { type: { type: 'int' } }, [0], [null, '']],
  ['array of a union', { type: 'array', items: ['null', 'int'] }, [[null, 1]], [['']]],
]

function warn(fields: Value[]): string[] {
  return readIn({ type: 'record', name: 'r.R', fields }, readAvro).warnings
}

describe('Avro › a default that does not fit its type is a warning', () => {
  for (const [name, type, fits, others] of DEFAULTS) {
    test(name, () => {
      for (const value of fits) {
        assert.deepEqual(warn([{ name: 'x', type, default: value }]), [], JSON.stringify(value))
      }
      for (const value of others) {
        const warnings = warn([{ name: 'x', type, default: value }])
        assert.equal(warnings.length, 1, JSON.stringify(value))
        assert.match(
          warnings[0] ?? '',
          /s\.fields\[0\]\.default The default .* does not fit the type/,
        )
      }
    })
  }

  test('with its position, the value and the type', () => {
    assert.deepEqual(warn([{ name: 'a', type: 'string', default: null }]), [
      '9:5 s.fields[0].default The default null does not fit the type string, so libraries reject the schema; write one that fits, or remove it.',
    ])
  })

  test('of a type that is used by its name, in its namespace, once', () => {
    const inner = { ...Object(RECORD), fields: [{ name: 'x', type: 'int', default: '' }] }
    const warnings = warn([
      { name: 'a', type: inner },
      { name: 'b', type: 'Inner', default: { x: 1 } },
      { name: 'c', type: ['null', 'r.Inner'], default: { x: '' } },
    ])
    assert.deepEqual(
      warnings.map((text) => text.split(' ')[1]),
      ['s.fields[0].type.fields[0].default', 's.fields[2].default'],
    )
  })

  test('of a recursive record ends', () => {
    const fields = [{ name: 'next', type: 'R', default: { next: { next: {} } } }]
    assert.deepEqual(warn(fields), [])
  })

  test('an unknown type has no warning about its default', () => {
    const warnings = warn([{ name: 'a', type: 'Unknown', default: null }])
    assert.match(warnings.join('\n'), /^[^\n]*neither Avro’s own nor defined here[^\n]*$/)
  })

  test('the default of an enum is one of its symbols', () => {
    const type = { type: 'enum', name: 'E', symbols: ['A'], default: 'B' }
    const warnings = warn([{ name: 'e', type }])
    assert.match(
      warnings.join('\n'),
      /^[^\n]*s\.fields\[0\]\.type\.default The default "B" is none of the symbols/,
    )
    assert.deepEqual(warn([{ name: 'e', type: { ...type, default: 'A' } }]), [])
  })
})
