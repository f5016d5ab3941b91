import assert from 'node:assert/strict'
import test from 'node:test'
import { DCS, diffContracts } from '../../../test/contract-versions.ts'
import {
  readManifestFile,
  listPromises,
  PROPERTIES,
  readModels,
} from '../../../test/dbt-manifests.ts'
import type { ObjectValue, Value } from '../../text/value.ts'
import { haveSameMeaning } from '../languages.ts'

const VERSIONS = [9, 10, 11, 12]

for (const version of VERSIONS) {
  test(`a manifest of version ${version} promises what its properties file promises`, () => {
    assert.deepEqual(listPromises(readManifestFile(version)), listPromises(PROPERTIES))
    assert.deepEqual(readModels(readManifestFile(version)).warnings, [])
  })
}

test('version 20 of dbt Fusion is read as version 12, another version with a warning', () => {
  assert.deepEqual(readModels(withVersion(20)), readModels(readManifestFile(12)))
  const { models, warnings } = readModels(withVersion(99))
  assert.deepEqual(models, readModels(readManifestFile(12)).models)
  assert.deepEqual(
    warnings.map(({ message }) => message),
    [
      "Version 99 of dbt's manifest is not known; it is read as one of the versions 9 to 12 and 20. Check the models.",
    ],
  )
})

test('a model is where dbt creates it, and a source where it is', () => {
  const { models } = readModels(readManifestFile(12))
  assert.deepEqual(
    models.map(({ name, physicalName, kind }) => [name, physicalName, kind]),
    [
      ['orders', 'memory.sales.orders_v', 'view'],
      ['customers', 'memory.sales.customers', 'table'],
      ['items_v1', 'memory.sales.items_old', 'view'],
      ['items_v2', 'memory.sales.items_v2', 'view'],
      ['leads', 'lake.crm_raw.Leads', 'table'],
    ],
  )
})

test('without a relation the location is made of its parts', () => {
  const [model] = readModels(
    manifest({
      orders: { ...ORDERS, database: 'd', schema: 's', alias: 'o', relation_name: null },
    }),
  ).models
  assert.equal(model?.physicalName, 'd.s.o')
})

test('a part of a manifest points at its own place', () => {
  const [model] = readModels(manifest({ orders: ORDERS })).models
  assert.equal(model?.origin, '/schema/specification/nodes/orders')
  assert.equal(model?.fields[0]?.origin, '/schema/specification/nodes/orders/columns/id')
})

test('constraints are promises only where the contract of the model is enforced', () => {
  const constraints = [
    { type: 'not_null', expression: null, to: null, to_columns: [], warn_unenforced: true },
    {
      type: 'foreign_key',
      to: "ref('customers', v=2)",
      to_columns: ['id'],
      warn_unsupported: true,
    },
  ]
  const stated = (enforced: boolean) => ({
    ...ORDERS,
    config: { contract: { enforced } },
    constraints: [{ type: 'primary_key', columns: ['id'], name: null }],
    columns: { id: { name: 'id', constraints } },
  })
  const promised = readModels(manifest({ orders: stated(true) }))
  assert.deepEqual(promised.warnings, [])
  const [model] = promised.models
  assert.deepEqual(model?.primaryKey, ['id'])
  assert.equal(model?.fields[0]?.required, true)
  assert.deepEqual(model?.fields[0]?.references, ['customers_v2.id'])
  const loose = readModels(manifest({ orders: stated(false) }))
  assert.deepEqual(
    loose.models.map(({ primaryKey, fields }) => [primaryKey, fields[0]?.required]),
    [[[], false]],
  )
  assert.deepEqual(
    loose.warnings.map(({ field, message }) => [field, message.slice(0, 50)]),
    [['schema.specification.nodes.orders', 'The constraints of this model have no effect, beca']],
  )
})

test('a test with a condition is a quality rule, not a promise about the column', () => {
  const conditions: ObjectValue[] = [
    { severity: 'WARN' },
    { where: 'id > 0' },
    { error_if: '>10' },
    { enabled: false },
  ]
  for (const config of [{}, ...conditions]) {
    const isPromised = Object.keys(config).length === 0
    const [model] = readModels(
      manifest({
        orders: ORDERS,
        t: testNode('unique', { config: { severity: 'ERROR', ...config } }),
      }),
    ).models
    assert.equal(model?.fields[0]?.unique, isPromised, JSON.stringify(config))
    assert.equal(model?.fields[0]?.quality.length, isPromised ? 0 : 1, JSON.stringify(config))
    const inYaml = readModels({
      models: [{ name: 'orders', columns: [{ name: 'id', data_tests: [{ unique: { config } }] }] }],
    }).models[0]
    assert.equal(inYaml?.fields[0]?.unique, isPromised, `properties: ${JSON.stringify(config)}`)
  }
})

test('tests of packages, of quoted columns, of the model and of unlisted columns are kept', () => {
  const [model] = readModels(
    manifest({
      orders: ORDERS,
      a: testNode('unique', { column_name: '"id"' }),
      b: testNode('not_null', { column_name: 'other' }),
      c: testNode('recency', {
        column_name: null,
        test_metadata: {
          name: 'recency',
          namespace: 'dbt_utils',
          kwargs: { field: 'at', model: 'm' },
        },
      }),
    }),
  ).models
  assert.equal(model?.fields[0]?.unique, true)
  assert.deepEqual(
    model?.quality.map(({ rule }) => rule),
    [
      { 'dbt_utils.recency': { arguments: { field: 'at' } } },
      { not_null: { arguments: { column_name: 'other' } } },
    ],
  )
})

test('a test of a source, and of older versions, is found by the call of its model', () => {
  const { models } = readModels({
    ...manifest({
      'model.s.orders': ORDERS,
      a: testNode('unique', { attached_node: null, ...calls("ref('orders')") }),
      b: testNode('unique', { attached_node: null, ...calls("source('crm', 'orders')") }),
      c: testNode('unique', { attached_node: null, ...calls("ref('nowhere')") }),
      d: testNode('unique', { attached_node: null, ...calls('no call') }),
    }),
    sources: {
      'source.s.crm.orders': { ...ORDERS, resource_type: 'source', source_name: 'crm' },
      'source.s.erp.orders': { ...ORDERS, resource_type: 'source', source_name: 'erp' },
    },
  })
  assert.deepEqual(
    models.map(({ fields }) => fields[0]?.unique),
    [true, true, false],
  )
})

test('a model that dbt does not build is left out with a warning', () => {
  const { models, warnings } = readModels(
    manifest({ orders: { ...ORDERS, config: { materialized: 'ephemeral' } } }),
  )
  assert.deepEqual(models, [])
  assert.deepEqual(
    warnings.map(({ field, message }) => [field, message]),
    [
      [
        'schema.specification.nodes.orders',
        'This model is ephemeral: dbt creates no table for it, so it is not read.',
      ],
    ],
  )
})

test('odd values of a manifest give no error', () => {
  const odd: Value[] = [null, 7, 'x', [], {}, [7], { id: 7 }, { __proto__: null, name: 7 }]
  for (const value of odd) {
    for (const member of ['columns', 'config', 'constraints', 'name', 'tags', 'test_metadata']) {
      readModels(
        manifest({
          orders: { ...ORDERS, [member]: value },
          t: { ...testNode('unique', {}), [member]: value },
        }),
      )
    }
    readModels({ ...manifest({}), nodes: value, sources: value })
    readModels({ ...manifest({}), nodes: { a: value } })
  }
})

test('20,000 columns, and 20,000 tests of one of them, are read', () => {
  const names = Array.from({ length: 20_000 }, (_, at) => `c${at}`)
  const columns = Object.fromEntries(names.map((name) => [name, { name }]))
  const tests = names.map((name): [string, ObjectValue] => [
    `test of ${name}`,
    testNode('not_null', { column_name: 'c0' }),
  ])
  const nodes = { orders: { ...ORDERS, columns }, ...Object.fromEntries(tests) }
  const { models } = readModels(manifest(nodes))
  assert.equal(models[0]?.fields.length, 20_000)
  assert.equal(models[0]?.fields[0]?.required, true)
})

test('how dbt builds changes nothing, a removed test or column does', () => {
  const built = { ...ORDERS, created_at: 1, checksum: 'a', config: { unique_key: 'id' } }
  const one = manifest({ orders: built, t: testNode('unique', {}) })
  const other = manifest({
    orders: {
      ...built,
      created_at: 2,
      checksum: 'b',
      config: { unique_key: null, packages: ['p'] },
    },
    t: testNode('unique', {}),
  })
  assert.equal(haveSameMeaning('dbt', one, other), true)
  assert.deepEqual(listLevels(one, other), ['wording'])
  assert.deepEqual(listLevels(one, manifest({ orders: built })), ['breaking'])
  assert.deepEqual(
    listLevels(
      one,
      manifest({ orders: { ...built, columns: {} }, t: testNode('unique', {}) }),
    ).includes('breaking'),
    true,
  )
  const unknown = manifest({
    orders: { ...built, config: { hidden: true } },
    t: testNode('unique', {}),
  })
  assert.deepEqual(listLevels(one, unknown), ['breaking'])
})

function withVersion(version: number): string {
  return readManifestFile(12).replace('/manifest/v12.json', `/manifest/v${version}.json`)
}

const ORDERS: ObjectValue = {
  name: 'orders',
  resource_type: 'model',
  unique_id: 'orders',
  relation_name: '"d"."s"."orders"',
  columns: { id: { name: 'id', data_type: 'integer' } },
}

function manifest(nodes: Record<string, ObjectValue>): ObjectValue {
  const address = 'https://schemas.getdbt.com/dbt/manifest/v12.json'
  return { metadata: { dbt_schema_version: address }, nodes, sources: {} }
}

function testNode(name: string, more: ObjectValue): ObjectValue {
  return {
    resource_type: 'test',
    name,
    column_name: 'id',
    attached_node: 'orders',
    test_metadata: { name, namespace: null, kwargs: { column_name: 'id', model: '' } },
    ...more,
  }
}

function calls(call: string): ObjectValue {
  const kwargs = { column_name: 'id', model: `{{ get_where_subquery(${call}) }}` }
  return { test_metadata: { name: 'unique', kwargs } }
}

function createContract(specification: Value): Value {
  return { ...DCS, schema: { type: 'dbt', specification } }
}

function listLevels(before: Value, after: Value): string[] {
  return diffContracts(createContract(before), createContract(after)).map(({ level }) => level)
}
