import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { readText } from '../text/text.ts'
import type { Value } from '../text/value.ts'
import { checkExampleRows, EXAMPLE_WARNINGS_MAX } from './example-rows.ts'
import { readDataContract } from './read.ts'

const CONTRACT = `
apiVersion: v3.1.0
kind: DataContract
id: journeys
version: 1.0.0
status: active
schema:
  - name: journey
    physicalName: journeys_v2
    properties:
      - { name: id, logicalType: integer, required: true }
      - { name: wagon, logicalType: string, physicalType: char(12), logicalTypeOptions: { maxLength: 12 } }
      - name: state
        logicalType: string
        quality: [{ type: library, metric: invalidValues, arguments: { validValues: [loaded, empty] }, mustBe: 0 }]
      - name: legs
        logicalType: array
        items:
          logicalType: object
          properties:
            - { name: train, logicalType: string, required: true }
`

function check(data: Value, schemaName?: string): string[] {
  const source = readText(CONTRACT, 'application/yaml')
  assert.ok(source.ok)
  const result = readDataContract(source, { id: 'journeys', strict: false })
  assert.ok(result.ok)
  return checkExampleRows(result.contract.models, { schemaName, data })
}

describe('checkExampleRows', () => {
  test('returns nothing for rows that fit, also with optional columns left out', () => {
    assert.deepEqual(
      check([{ id: 1, wagon: '338149532014', state: 'loaded', legs: [{ train: '4711' }] }]),
      [],
    )
    assert.deepEqual(check([{ id: 2, wagon: null }], 'journey'), [])
    assert.deepEqual(check({ journey: [{ id: 1 }] }), [])
    assert.deepEqual(check({ id: 1 }, 'journeys_v2'), [])
  })

  const DIFFERENCES: readonly (readonly [string, Value, RegExp])[] = [
    ['an unknown column', [{ id: 1, origin: 'Linz' }], /Column "origin" is not in the data contr/],
    ['a missing required column', [{}], /Required column "id" is missing/],
    ['a required column that is null', [{ id: null }], /Required column "id" is null/],
    [
      'a value of another type',
      [{ id: '1' }],
      /"id" has the value "1", which is not of the type int/,
    ],
    ['a number with decimals', [{ id: 1.5 }], /not of the type integer/],
    [
      'a value outside of an enum',
      [{ id: 1, state: 'full' }],
      /"state" has the value "full", which/,
    ],
    ['a text that is too long', [{ id: 1, wagon: '31 80 3547 102-4' }], /more than 12 characters/],
    [
      'an unknown column inside a list',
      [{ id: 1, legs: [{ train: 'a', x: 1 }] }],
      /"legs.x" is not/,
    ],
    ['a missing column inside a list', [{ id: 1, legs: [{}] }], /"legs.train" is missing/],
    ['a row that is not an object', ['x'], /A row is not an object/],
  ]
  for (const [name, data, expected] of DIFFERENCES) {
    test(`reports ${name}`, () => {
      const warnings = check(data)
      assert.equal(warnings.length, 1)
      assert.match(warnings[0] ?? '', expected)
      assert.match(warnings[0] ?? '', /Model "journey", 1 row\.$/)
    })
  }

  test('reports an unknown model with those that exist', () => {
    assert.deepEqual(check([{}], 'trip'), [
      'The data contract has no model "trip". It has: journey.',
    ])
  })

  test('counts the rows of a difference', () => {
    assert.match(check([{}, {}])[0] ?? '', /2 rows\.$/)
  })

  test('returns a limited number of sentences, also for hostile names', () => {
    const names = Array.from({ length: 100 }, (_, at) => [`__proto__${at}`, 'x'.repeat(9)])
    const warnings = check([{ ...Object.fromEntries(names), ['x'.repeat(5000)]: 1, id: 1 }])
    assert.equal(warnings.length, EXAMPLE_WARNINGS_MAX)
    assert.ok(warnings.every((text) => text.length < 300))
  })
})
