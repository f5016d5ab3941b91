import assert from 'node:assert/strict'
import { test } from 'node:test'
import odcs from '../../formats/standards/odcs-v3.2.0.schema.json' with { type: 'json' }
import odps from '../../formats/standards/odps-v1.1.0.schema.json' with { type: 'json' }
import { collectDescriptions } from '../../test/schema-fields.ts'
import { describeField, findStandard, listFields, listValues } from './field-help.ts'

const contract = findStandard('data-contract', 'apiVersion: v3.1.0\nkind: DataContract\n')
const product = findStandard('data-product', '{"apiVersion": "v1.0.0"}')

test('lists the fields of a part, required ones first, with their descriptions', () => {
  const [first] = listFields(contract, ['slaProperties', 0])
  assert.equal(first?.isRequired, true)
  const fields = listFields(contract, [])
  assert.ok(fields.some(({ name, isNested }) => name === 'schema' && isNested))
  assert.match(fields.find(({ name }) => name === 'status')?.description ?? '', /status/i)
  assert.ok(listFields(product, ['outputPorts', 0]).some(({ name }) => name === 'contractId'))
  assert.deepEqual(listFields(contract, ['nothing', 0]), [])
})

test('lists the values of a field', () => {
  assert.ok(listValues(contract, [], 'status').includes('deprecated'))
  const property = ['schema', 0, 'properties', 0, 'properties', 0]
  assert.ok(listValues(contract, property, 'logicalType').includes('timestamp'))
  assert.deepEqual(listValues(contract, property, 'required'), ['true', 'false'])
  assert.deepEqual(listValues(contract, [], 'name'), [])
})

test('describes nested properties, and parts that occur everywhere, by the end of their path', () => {
  const nested = ['schema', 0, 'properties', 0, 'properties', 0]
  assert.ok(describeField(contract, nested, 'logicalType'))
  assert.ok(describeField(contract, [...nested, 'customProperties', 0], 'property'))
  assert.equal(describeField(contract, nested, 'nothing'), undefined)
})

test('detects the standard of a text by its first fields', () => {
  const dcs = findStandard('data-contract', 'dataContractSpecification: 1.2.1\n')
  assert.ok(listFields(dcs, []).some(({ name }) => name === 'models'))
  const dps = findStandard('data-product', 'info:\n  title: x\n')
  assert.ok(listFields(dps, ['info']).some(({ name }) => name === 'title'))
})

for (const [name, schema, reader, text] of [
  ['ODCS', odcs, 'data-contract', 'apiVersion: v3.2.0\n'],
  ['ODPS', odps, 'data-product', 'apiVersion: v1.1.0\n'],
] as const) {
  test(`explains every field of the newest ${name}`, () => {
    const standard = findStandard(reader, text)
    const paths = [...collectDescriptions(schema).keys()]
    assert.ok(paths.length > 100)
    const missing = paths.filter((path) => {
      const steps = path.replaceAll('[]', '.0').split('.')
      const key = steps.pop() ?? ''
      const parents = steps.map((step) => (step === '0' ? 0 : step))
      return describeField(standard, parents, key) === undefined
    })
    assert.deepEqual(missing, [])
  })
}
