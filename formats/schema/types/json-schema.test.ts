import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readIn } from '../../../test/specification.ts'
import { readJsonSchema } from '../json-schema/read.ts'
import { TABLE } from './json-schema.ts'

test('JSON Schema › the table has the seven types of the standard', () => {
  assert.deepEqual(TABLE.rows.map(({ name }) => name).toSorted(), [
    'array',
    'boolean',
    'integer',
    'null',
    'number',
    'object',
    'string',
  ])
})

for (const { name, logicalType } of TABLE.rows) {
  test(`JSON Schema’s ${name} › has the type that the reader of JSON Schema returns`, () => {
    const { models, warnings } = readIn({ properties: { f: { type: name } } }, readJsonSchema)
    const [field] = models[0]?.fields ?? []
    assert.deepEqual(warnings, [])
    assert.equal(field?.logicalType, logicalType)
    assert.equal(logicalType === 'unknown' || field?.physicalType === name, true)
  })
}
