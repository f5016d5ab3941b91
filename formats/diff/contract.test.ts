import assert from 'node:assert/strict'
import { test } from 'node:test'
import { odcsFromDcs } from '../data-contract/convert/convert.ts'
import { isObject, type Value } from '../text/value.ts'
import { highestLevel } from './level.ts'
import { ODCS, DCS, diffContracts, listContractChanges } from '../../test/contract-versions.ts'

const withFields = (...properties: Value[]) => ({
  ...ODCS,
  schema: [{ name: 'orders', properties }],
})

test('paths › point to the changed field, or to the exact position of a changed description', () => {
  const id = { name: 'id', logicalType: 'integer', businessName: 'Id' }
  const gone = { name: 'gone', logicalType: 'date' }
  const before = withFields(gone, id)
  const after = withFields({ ...id, logicalType: 'string', businessName: 'Key', examples: ['a'] })
  assert.deepEqual(listContractChanges(before, after), [
    'breaking changed /schema/0/properties/0',
    'breaking removed /schema/0/properties/0',
    'wording changed /schema/0/properties/0/businessName',
    'wording added /schema/0/properties/0/examples',
  ])
})

const field = (more: object) => withFields({ name: 'a', logicalType: 'string', ...more })

test('models › a change of a field is not reported again for the text of the document', () => {
  assert.deepEqual(
    listContractChanges(
      field({ physicalType: 'varchar(10)', logicalTypeOptions: { maxLength: 10 } }),
      field({ physicalType: 'varchar(20)', logicalTypeOptions: { maxLength: 20 } }),
    ),
    ['breaking changed /schema/0/properties/0'],
  )
})

test('models › a change that affects no model is wording at the exact position', () => {
  assert.deepEqual(listContractChanges(field({ required: false }), field({})), [
    'wording removed /schema/0/properties/0/required',
  ])
  assert.deepEqual(
    listContractChanges(
      field({ customProperties: [{ property: 'p', value: 1 }] }),
      field({ customProperties: [{ property: 'p', value: 2 }] }),
    ),
    ['wording changed /schema/0/properties/0/customProperties/0/value'],
  )
})

const called = (name: string, businessName: string) =>
  withFields({ name, logicalType: 'string', businessName }, { name: 'z', logicalType: 'date' })

test('models › a renamed field is reported once, with changes of its description', () => {
  assert.deepEqual(listContractChanges(called('a', 'A'), called('b', 'B')), [
    'breaking renamed /schema/0/properties/0',
    'wording changed /schema/0/properties/0/businessName',
  ])
})

test('models › a changed order of models and of fields is one change each', () => {
  const a = { name: 'a', logicalType: 'string' }
  const b = { name: 'b', logicalType: 'date' }
  const schema = [
    { name: 'orders', properties: [a, b] },
    { name: 'lines', properties: [a] },
  ]
  const reversed = [schema[1] ?? {}, { name: 'orders', properties: [b, a] }]
  assert.deepEqual(listContractChanges({ ...ODCS, schema }, { ...ODCS, schema: reversed }), [
    'wording changed /schema/1',
    'wording changed /schema',
  ])
})

const avro = (type: string, gap = '') => ({
  ...DCS,
  dataContractSpecification: '0.9.3',
  schema: {
    type: 'avro',
    specification: `{"type":"record","name":"o","fields":[${gap}{"name":"id","type":"${type}"}]}`,
  },
})

test('specifications › are compared by their models', () => {
  assert.deepEqual(listContractChanges(avro('int'), avro('long')), [
    'breaking changed /schema/specification',
  ])
  assert.deepEqual(listContractChanges(avro('int'), avro('int', ' ')), [
    'wording changed /schema/specification',
  ])
})

const at = (host: string, physicalName: string) => ({
  ...ODCS,
  servers: [{ server: 's', type: 'kafka', host }],
  schema: [{ name: 'orders', physicalName }],
})

test('physical names › a changed name is breaking, even on the same server', () => {
  assert.deepEqual(listContractChanges(at('h', 'a'), at('h', 'b')), ['breaking changed /schema/0'])
  assert.deepEqual(listContractChanges(at('h', 'a'), at('i', 'b')), [
    'breaking changed /schema/0',
    'breaking changed /servers/0/host',
  ])
})

test('across formats › the same contract is only a wording change', () => {
  const dcs = {
    ...DCS,
    models: { orders: { type: 'table', fields: { id: { type: 'long', required: true } } } },
  }
  const odcs = odcsFromDcs(dcs, 'x')
  assert.deepEqual(listContractChanges(dcs, odcs), ['wording changed '])
  assert.deepEqual(listContractChanges(odcs, dcs), ['wording changed '])
  const schema = [{ name: 'orders', physicalType: 'table', properties: [] }]
  const parts = isObject(odcs) ? odcs : {}
  const changes = diffContracts(dcs, { ...parts, schema })
  assert.equal(highestLevel(changes), 'breaking')
})

test('synonyms › the sentence about a changed synonym names it', () => {
  const [before, after] = ['note', 'report'].map((synonym) => ({
    ...field({ synonyms: [{ synonym, locale: 'en' }] }),
    apiVersion: 'v3.2.0',
  }))
  const changes = diffContracts(before ?? {}, after ?? {})
  assert.deepEqual(
    changes.map(({ message }) => message),
    ['Field orders.a: Synonym "note" was removed.', 'Field orders.a: Synonym "report" was added.'],
  )
})
