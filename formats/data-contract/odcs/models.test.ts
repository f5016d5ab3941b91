import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  ODCS,
  listFields,
  listWarnings,
  parseContract,
  readContract,
} from '../../../test/contract-readings.ts'

test('models › ODCS 3.2 vectors, measures, deprecated parts, synonyms and context', () => {
  const contract = parseContract({
    ...ODCS,
    apiVersion: 'v3.2.0',
    context: 'Ask sales.',
    customProperties: [{ property: 'replacedBy', value: 'orders-2' }],
    schema: [
      {
        name: 'orders',
        deprecated: true,
        synonyms: [{ synonym: 'sales' }, { synonym: 'sales', locale: 'de' }, { synonym: 'deals' }],
        context: {
          instructions: 'Filter by day.',
          verifiedStatements: [{ question: 'How many?', answer: '7' }, { question: 'Why?' }],
          constraints: [{ constraint: 'Do not join.' }],
        },
        properties: [
          {
            name: 'v',
            logicalType: 'vector',
            logicalTypeOptions: { dimensions: 3, embeddingModel: 'm', normalized: true },
            deprecated: true,
            customProperties: [{ property: 'replacedBy', value: 'https://c.example/w' }],
          },
          {
            name: 'share',
            logicalType: 'number',
            semanticType: 'measure',
            transformLogic: 'sum(a)',
            synonyms: [{ synonym: 'part' }],
          },
          { name: 'a', logicalType: 'integer', semanticType: 'column', transformLogic: 'x' },
        ],
      },
    ],
  })
  assert.deepEqual(contract.context, {
    instructions: 'Ask sales.',
    statements: [],
    constraints: [],
  })
  assert.equal(contract.replacedBy, 'orders-2')
  const [model] = contract.models
  assert.equal(model?.deprecated, true)
  assert.deepEqual(model?.synonyms, ['sales', 'deals'])
  assert.deepEqual(model?.context, {
    instructions: 'Filter by day.',
    statements: [{ question: 'How many?', answer: '7' }, { question: 'Why?' }],
    constraints: ['Do not join.'],
  })
  const vector = { dimensions: 3, elementType: 'float32', normalized: true, model: 'm' }
  const replacedBy = 'https://c.example/w'
  assert.deepEqual(listFields(contract), [
    { name: 'v', logicalType: 'vector', deprecated: true, replacedBy, vector },
    {
      name: 'share',
      logicalType: 'number',
      semanticType: 'measure',
      expression: 'sum(a)',
      synonyms: ['part'],
    },
    { name: 'a', logicalType: 'integer' },
  ])
})

test('models › reports what the text of ODCS 3.2 demands, also if strict', () => {
  const value = {
    ...ODCS,
    apiVersion: 'v3.2.0',
    schema: [
      {
        name: 'orders',
        relationships: [{ from: ['orders.a', 'orders.b'], to: ['orders.b'] }],
        properties: [
          { name: 'a', logicalType: 'vector' },
          { name: 'b', logicalType: 'number', enum: [{ value: 1, label: 'x' }, { value: 1.0 }] },
          { name: 'c', logicalType: 'string', enum: [{ value: 1 }, { value: '1' }] },
        ],
      },
    ],
  }
  for (const strict of [false, true]) {
    const read = readContract(value, { strict })
    assert.ok(read.ok, JSON.stringify(read))
    assert.deepEqual(
      read.warnings.map(({ field }) => field),
      [
        'schema[0].properties[0]',
        'schema[0].properties[1].enum[1]',
        'schema[0].relationships[0].to',
      ],
    )
  }
})

test('models › an object of the logical type blob is a file', () => {
  const read = readContract({
    ...ODCS,
    apiVersion: 'v3.2.0',
    schema: [{ name: 'scans', logicalType: 'blob', physicalType: 'object' }],
  })
  assert.ok(read.ok)
  assert.equal(read.contract.models[0]?.kind, 'file')
  const [warning, ...others] = read.warnings
  assert.match(warning?.message ?? '', /not part of v3\.2\.0/)
  assert.deepEqual(others, [])
})

function warn(options: object): string[] {
  const properties = [{ name: 'v', logicalType: 'vector', ...options }]
  return listWarnings({ ...ODCS, apiVersion: 'v3.2.0', schema: [{ name: 'm', properties }] })
}

test('models › a vector without dimensions gives one warning, whether or not it has options', () => {
  const path = 'schema[0].properties[0]'
  assert.deepEqual(warn({}), [
    `${path}: The vector has no dimensions; set logicalTypeOptions.dimensions.`,
  ])
  assert.deepEqual(warn({ logicalTypeOptions: { elementType: 'float32' } }), [
    `${path}.logicalTypeOptions.dimensions: This field is missing; the standard requires it.`,
  ])
  assert.deepEqual(warn({ logicalTypeOptions: { dimensions: '${SIZE}' } }), [])
})
