import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ODCS, parseContract, listFields } from '../../../test/contract-readings.ts'

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
