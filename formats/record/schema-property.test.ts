import assert from 'node:assert/strict'
import test from 'node:test'
import { conforms } from '../shape/inspect.ts'
import { PROPERTY } from '../data-contract/odcs/write.ts'
import type { ObjectValue } from '../text/value.ts'
import { toSchemaProperty } from './schema-property.ts'

const ID = 'sales/customer/number'

function convert(definition: ObjectValue): ObjectValue {
  const property = toSchemaProperty(definition, ID)
  assert.ok(conforms(property, PROPERTY), JSON.stringify(property))
  return property
}

test('toSchemaProperty › maps every field of a definition', () => {
  const definition = {
    id: ID,
    owner: 'sales',
    title: 'Customer number',
    description: 'Identifies a customer.',
    type: 'string',
    enum: ['C1', 'C2'],
    minLength: 2,
    maxLength: 9,
    format: 'uuid',
    pattern: '^C',
    example: 'C1',
    pii: true,
    classification: 'internal',
    tags: ['customer'],
  }
  assert.deepEqual(convert(definition), {
    name: 'number',
    businessName: 'Customer number',
    description: 'Identifies a customer.',
    logicalType: 'string',
    logicalTypeOptions: { minLength: 2, maxLength: 9, pattern: '^C', format: 'uuid' },
    examples: ['C1'],
    classification: 'internal',
    tags: ['customer'],
    quality: [
      {
        type: 'library',
        metric: 'invalidValues',
        arguments: { validValues: ['C1', 'C2'] },
        mustBe: 0,
      },
    ],
    customProperties: [{ property: 'pii', value: true }],
  })
})

test('toSchemaProperty › an empty definition has only a name', () => {
  assert.deepEqual(convert({ title: ' ', type: null, enum: [], tags: [] }), { name: 'number' })
})

test('toSchemaProperty › types that ODCS does not have become physical types', () => {
  const types = ['integer', 'text', 'decimal', 'varchar(10)', 'something']
  const converted = types.map((type) => {
    const { logicalType, physicalType } = convert({ type })
    return [logicalType, physicalType]
  })
  assert.deepEqual(converted, [
    ['integer', undefined],
    ['string', 'text'],
    ['number', 'decimal'],
    ['string', 'varchar(10)'],
    [undefined, 'something'],
  ])
})
