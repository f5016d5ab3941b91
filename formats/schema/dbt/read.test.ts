import assert from 'node:assert/strict'
import test from 'node:test'
import * as fc from 'fast-check'
import { modelsArbitrary } from '../../../test/model-arbitrary.ts'
import { differingPaths } from '../../../test/model-equality.ts'
import { Notes, type Problem } from '../../text/problem.ts'
import type { Value } from '../../text/value.ts'
import { writeDbt } from './write.ts'
import { readDbt } from './read.ts'
import type { Model } from '../model.ts'
import { Specification } from '../specification.ts'

function read(given: Value): { models: Model[]; warnings: Problem[] } {
  const notes = new Notes({ locate: () => ({ line: 1, column: 1 }) })
  const models = readDbt(new Specification(given, ['schema', 'specification'], notes), {
    platform: 'postgresql',
  })
  return { models, warnings: notes.warnings }
}

const SCHEMA = `
version: 2
models:
  - name: orders
    description: All orders
    config: {materialized: materialized_view, schema: sales, alias: orders_v2, tags: daily}
    constraints:
      - {type: primary_key, columns: [id]}
    tests:
      - dbt_utils.unique_combination_of_columns: {combination_of_columns: [id, status]}
    columns:
      - name: id
        data_type: bigint
        tests: [not_null, unique]
      - name: status
        description: Where it is
        data_type: varchar(10)
        tags: [pii]
        data_tests:
          - accepted_values: {arguments: {values: [NEW, PAID]}}
          - not_null: {severity: warn}
      - name: customer
        constraints: [{type: not_null}, {type: check, expression: customer > 0}]
        tests:
          - relationships: {to: "ref('customers')", field: id}
sources:
  - name: shop
    tables:
      - name: raw_orders
        columns: [{name: payload, data_type: jsonb}]
`

test('models, sources, tests and constraints are read from YAML', () => {
  const { models, warnings } = read(SCHEMA)
  assert.deepEqual(warnings, [])
  const [orders, raw] = models
  assert.deepEqual(
    [orders?.name, orders?.physicalName, orders?.namespace, orders?.kind, orders?.tags],
    ['orders', 'orders_v2', 'sales', 'view', ['daily']],
  )
  assert.deepEqual(orders?.primaryKey, ['id'])
  assert.equal(orders?.quality[0]?.name, 'dbt_utils.unique_combination_of_columns')
  const [id, status, customer] = orders?.fields ?? []
  assert.deepEqual(
    [id?.required, id?.unique, id?.logicalType, id?.primaryKeyPosition],
    [true, true, 'integer', 1],
  )
  assert.deepEqual(
    [status?.required, status?.enum, status?.maxLength, status?.tags],
    [false, ['NEW', 'PAID'], 10, ['pii']],
  )
  assert.deepEqual(
    status?.quality.map(({ name, type }) => [name, type]),
    [['not_null', 'dbt']],
  )
  assert.deepEqual(
    [customer?.required, customer?.references, customer?.logicalType],
    [true, ['customers.id'], 'unknown'],
  )
  assert.equal(customer?.quality[0]?.rule, 'customer > 0')
  assert.deepEqual(
    [raw?.namespace, raw?.kind, raw?.fields[0]?.logicalType],
    ['shop', 'table', 'object'],
  )
})

test('what is written out points at its own place, also in JSON', () => {
  const inline = { models: [{ name: 'a/b', columns: [{ name: 'x' }] }] }
  assert.equal(
    read(inline).models[0]?.fields[0]?.origin,
    '/schema/specification/models/0/columns/0',
  )
  assert.equal(read(JSON.stringify(inline)).models[0]?.fields[0]?.origin, '/schema/specification')
})

test('an invalid model gives a warning, and the others are read', () => {
  const { models, warnings } = read({
    models: [7, { name: 'a', columns: [null, { name: 'x' }] }],
    sources: [{}],
  })
  assert.deepEqual(
    models.map(({ name, fields }) => [name, fields.length]),
    [['a', 1]],
  )
  assert.deepEqual(
    warnings.map(({ field }) => field),
    [
      'schema.specification.models[0]',
      'schema.specification.models[1].columns[0]',
      'schema.specification.sources[0]',
    ],
  )
  for (const odd of ['', '- ', '{', 'a: [', null, 7, {}, []] as Value[])
    assert.deepEqual(read(odd).models, [])
})

test('a name such as __proto__ is a name like any other', () => {
  const { models } = read(
    '{"models":[{"name":"__proto__","columns":[{"name":"__proto__","tests":[{"__proto__":1}]}]}]}',
  )
  assert.equal(models[0]?.fields[0]?.name, '__proto__')
  assert.equal(models[0]?.fields[0]?.quality[0]?.name, '__proto__')
})

test('every generated model is read back equal but for the losses', () => {
  const property = fc.property(modelsArbitrary(), (models) => {
    const { text, losses } = writeDbt(models, { name: 'n', id: 'i' })
    const { models: found, warnings } = read(text)
    assert.deepEqual(warnings, [], text)
    const unexplained = differingPaths(models, found).filter(
      (path) =>
        !losses.some(
          (loss) =>
            path === loss.path ||
            (path.startsWith(loss.path) && /^[.[{]/.test(path.slice(loss.path.length))),
        ),
    )
    assert.deepEqual(unexplained, [], text)
  })
  fc.assert(property, { numRuns: 150, seed: 7 })
})

const VERSIONED = `
models:
  - name: customers
    description: All customers
    latest_version: 2
    config: {materialized: table, tags: [daily]}
    columns:
      - {name: id, data_type: bigint, constraints: [{type: primary_key}]}
      - {name: country, data_type: text}
      - {name: email, data_type: text}
    versions:
      - v: 1
        config: {alias: customers_old}
      - v: 2
        description: Without addresses
        config: {materialized: view}
        columns:
          - include: all
            exclude: [email]
          - {name: country, data_type: varchar(2)}
          - {name: region, data_type: text}
      - v: minimal
        columns:
          - include: [id]
      - defined_in: somewhere
`

test('each version of a model is a model with the columns that it includes, replaces and adds', () => {
  const { models, warnings } = read(VERSIONED)
  assert.deepEqual(
    warnings.map(({ message }) => message),
    ['A version needs "v", its number.'],
  )
  assert.deepEqual(
    models.map(({ name, physicalName, kind, description, tags }) => [
      name,
      physicalName,
      kind,
      description,
      tags,
    ]),
    [
      ['customers_v1', 'customers_old', 'table', 'All customers', ['daily']],
      ['customers_v2', undefined, 'view', 'Without addresses', ['daily']],
      ['customers_vminimal', undefined, 'table', 'All customers', ['daily']],
    ],
  )
  assert.deepEqual(
    models.map(({ fields }) => fields.map((field) => `${field.name} ${field.physicalType}`)),
    [
      ['id bigint', 'country text', 'email text'],
      ['id bigint', 'country varchar(2)', 'region text'],
      ['id bigint'],
    ],
  )
})

test('the columns of a primary key are required, whether a column or the model names it', () => {
  const column = { name: 'id', constraints: [{ type: 'primary_key' }] }
  const ofModel = {
    constraints: [{ type: 'primary_key', columns: ['id'] }],
    columns: [{ name: 'id' }],
  }
  for (const given of [{ columns: [column] }, ofModel]) {
    const [model] = read({ models: [{ name: 'm', ...given }] }).models
    assert.deepEqual(model?.primaryKey, ['id'])
    assert.equal(model?.fields[0]?.required, true)
  }
})
