// Parts of specifications that no model contains, in every schema language: a change of them is breaking, also beside
// harmless changes, because its effect on consumers is unknown.

import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { diffSpecifications } from '../../test/specification-versions.ts'
import type { Value } from '../text/value.ts'
import { highestLevel } from './level.ts'

const RECORD = { type: 'record', name: 'R', fields: [{ name: 'a', type: 'string' }] }
const COLUMNS = [{ name: 'a' }]
const TABLE = {
  tableReference: { tableId: 't' },
  schema: { fields: [{ name: 'a', type: 'STRING' }] },
}
const OBJECT = { title: 'o', type: 'object', properties: { a: { type: 'string' } } }
const MESSAGE = 'syntax = "proto3"; message M { string a = 1; }'

/** For each language: specifications without models that are not empty, empty ones, and one with a model. */
const WITHOUT_MODELS: readonly [language: string, unread: Value[], empty: Value[], read: Value][] =
  [
    ['json-schema', ['{"type":', [true], { foo: 1 }, 'text'], ['', [], {}], OBJECT],
    ['avro', ['{"type":', 'string', { type: 'enum', name: 'E', symbols: ['A'] }], ['', []], RECORD],
    [
      'avro',
      [
        { type: 'array', items: RECORD },
        { type: 'map', values: RECORD },
      ],
      [],
      RECORD,
    ],
    ['protobuf', ['message M {'], ['', ' \n'], MESSAGE],
    ['sql-ddl', ['create tabel t (a int)'], ['', ' \n'], 'create table t (a int)'],
    ['bigquery', [{ foo: 1 }, [{ name: 1 }]], [[], {}], TABLE],
    [
      'dbt',
      [{ foo: 1 }, { models: [{}] }],
      ['', []],
      { models: [{ name: 'm', columns: COLUMNS }] },
    ],
  ]

describe('the first models of a specification', () => {
  for (const [language, unread, empty, read] of WITHOUT_MODELS) {
    test(`are breaking if the older version could not be read, else additive › ${language}`, () => {
      for (const older of unread) {
        const level = highestLevel(diffSpecifications(language, older, read))
        assert.equal(level, 'breaking', JSON.stringify(older))
      }
      for (const older of empty) {
        const level = highestLevel(diffSpecifications(language, older, read))
        assert.equal(level, 'additive', JSON.stringify(older))
      }
    })
  }
})

/** For each language: two versions that differ in a description and in a part that no model contains. */
const UNREAD_PARTS: readonly [language: string, before: Value, after: Value][] = [
  ['json-schema', [OBJECT, true], [{ ...OBJECT, description: 'x' }, { foo: 1 }]],
  [
    'json-schema',
    { $defs: { o: OBJECT } },
    { $defs: { o: { ...OBJECT, description: 'x' } }, not: {} },
  ],
  ['avro', ['null', RECORD], ['string', { ...RECORD, doc: 'x' }]],
  ['avro', [RECORD, { type: 'array', items: 'int' }], [{ ...RECORD, doc: 'x' }]],
  ['bigquery', [TABLE, { a: 1 }], [{ ...TABLE, description: 'x' }, { a: 2 }]],
  [
    'bigquery',
    { schema: TABLE.schema, view: { query: 'a' } },
    { schema: { fields: [{ name: 'a', type: 'STRING', description: 'x' }] }, view: { query: 'b' } },
  ],
  ['bigquery', [TABLE, { ...TABLE, schema: {} }], [{ ...TABLE, description: 'x' }]],
  [
    'dbt',
    { models: [{ name: 'm', columns: COLUMNS }, { columns: [] }] },
    { models: [{ name: 'm', columns: COLUMNS, description: 'x' }, { columns: COLUMNS }] },
  ],
  [
    'dbt',
    { models: [{ name: 'm', columns: [...COLUMNS, { data_type: 'int' }] }] },
    { models: [{ name: 'm', columns: [...COLUMNS, { data_type: 'text' }], description: 'x' }] },
  ],
  [
    'dbt',
    { models: [{ name: 'm', columns: COLUMNS }], sources: [{ name: 's' }] },
    { models: [{ name: 'm', columns: COLUMNS, description: 'x' }], sources: [{ name: 't' }] },
  ],
]

test('a part that no model contains is breaking beside a change of a description', () => {
  for (const [language, before, after] of UNREAD_PARTS) {
    for (const [older, newer] of [
      [before, after],
      [after, before],
    ] as const) {
      const level = highestLevel(diffSpecifications(language, older, newer))
      assert.equal(level, 'breaking', JSON.stringify([older, newer]))
    }
  }
})

function write(name: string, given: Value): Value {
  return { models: [{ name: 'm', columns: [{ name: 'a', [name]: [given] }] }] }
}

test('both spellings of the tests of dbt mean the same', () => {
  const older = write('tests', { accepted_values: { values: ['x'] } })
  const newer = write('data_tests', {
    accepted_values: { arguments: { values: ['x'] } },
  })
  assert.equal(highestLevel(diffSpecifications('dbt', older, newer)), 'wording')
  assert.equal(highestLevel(diffSpecifications('dbt', newer, older)), 'wording')
  const other = write('data_tests', { accepted_values: { arguments: { values: ['x', 'y'] } } })
  assert.equal(highestLevel(diffSpecifications('dbt', older, other)), 'breaking')
})
