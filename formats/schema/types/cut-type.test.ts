import assert from 'node:assert/strict'
import { test } from 'node:test'
import { DCS, listWarnings, ODCS } from '../../../test/contract-readings.ts'
import type { ObjectValue, Value } from '../../text/value.ts'
import { isCutType } from './cut-type.ts'

function listCuts(contract: Value): string[] {
  return listWarnings(contract).filter((warning) => warning.includes('has no end'))
}

function toSpecification(type: string): ObjectValue {
  const columns = [{ name: 'a', data_type: type }]
  return { type: 'dbt', specification: { models: [{ name: 'm', columns }] } }
}

const FORMS: readonly [string, (type: string) => Value][] = [
  [
    'schema[0].properties[0]',
    (type) => ({
      ...ODCS,
      schema: [{ name: 'm', properties: [{ name: 'a', physicalType: type }] }],
    }),
  ],
  ['models.m.fields.a', (type) => ({ ...DCS, models: { m: { fields: { a: { type } } } } })],
  [
    'dataset[0].columns[0]',
    (type) => ({
      kind: 'DataContract',
      apiVersion: 'v2.2.2',
      uuid: 'orders',
      version: '1.0.0',
      datasetDomain: 'sales',
      quantumName: 'q',
      dataset: [{ table: 't', columns: [{ column: 'a', physicalType: type }] }],
    }),
  ],
  [
    'schema.specification.models[0].columns[0].data_type',
    (type) => ({ ...DCS, dataContractSpecification: '0.9.3', schema: toSpecification(type) }),
  ],
]

for (const [place, contract] of FORMS) {
  test(`${place} › a type that YAML cut at its comma is a warning`, () => {
    const [found = '', ...more] = listCuts(contract('numeric(10'))
    assert.deepEqual(more, [])
    assert.ok(found.startsWith(`${place}: The parenthesis of the type "numeric(10"`), found)
    assert.deepEqual(listCuts(contract('numeric(10,2)')), [])
  })
}

test('only a parenthesis without an end is a cut', () => {
  for (const type of ['numeric(10', 'map(text, numeric(1', 'struct(a numeric(1)'])
    assert.ok(isCutType(type), type)
  for (const type of ['', 'text', 'numeric(1,2)', 'map(a, b(1))', 'a)', ')(', 'enum'])
    assert.ok(!isCutType(type), type)
})
