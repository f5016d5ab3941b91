import assert from 'node:assert/strict'
import test from 'node:test'
import * as fc from 'fast-check'
import { modelsArbitrary } from '../../../test/model-arbitrary.ts'
import { differingPaths } from '../../../test/model-equality.ts'
import { Notes, type Problem } from '../../text/problem.ts'
import type { Value } from '../../text/value.ts'
import { writeBigQuery } from './write.ts'
import { readBigQuery } from './read.ts'
import type { Field, Model } from '../model.ts'
import { plainField, plainModel } from '../plain.ts'
import { Specification } from '../specification.ts'

function read(given: Value): { models: Model[]; warnings: Problem[] } {
  const notes = new Notes({ locate: () => ({ line: 1, column: 1 }) })
  const models = readBigQuery(new Specification(given, ['schema', 'specification'], notes), {})
  return { models, warnings: notes.warnings }
}

const TABLE: Value = {
  tableReference: { projectId: 'p', datasetId: 'd', tableId: 'orders' },
  type: 'MATERIALIZED_VIEW',
  description: 'All orders',
  labels: { team: 'sales', raw: '' },
  schema: {
    fields: [
      { name: 'id', type: 'INTEGER', mode: 'REQUIRED', description: 'the id' },
      { name: 'code', type: 'STRING', maxLength: '10', policyTags: { names: ['projects/p/tag'] } },
      { name: 'total', type: 'NUMERIC', precision: 10, scale: '2', mode: 'NULLABLE' },
      { name: 'tags', type: 'STRING', mode: 'REPEATED' },
      {
        name: 'lines',
        type: 'RECORD',
        mode: 'REPEATED',
        fields: [{ name: 'sku', type: 'BYTES', mode: 'REQUIRED' }],
      },
      { name: 'at', type: 'TIMESTAMP' },
    ],
  },
  tableConstraints: {
    primaryKey: { columns: ['id'] },
    foreignKeys: [
      {
        referencedTable: { tableId: 'codes' },
        columnReferences: [{ referencingColumn: 'code', referencedColumn: 'id' }],
      },
    ],
  },
}

for (const [way, given] of [
  ['written out', TABLE],
  ['as a text', JSON.stringify(TABLE)],
  ['in a list', [TABLE]],
] as [string, Value][]) {
  test(`a table object ${way} is read`, () => {
    const { models, warnings } = read(given)
    assert.deepEqual(warnings, [])
    const [orders] = models
    assert.deepEqual(
      [
        orders?.name,
        orders?.namespace,
        orders?.kind,
        orders?.description,
        orders?.tags,
        orders?.primaryKey,
      ],
      ['orders', 'p.d', 'view', 'All orders', ['team:sales', 'raw'], ['id']],
    )
    const [id, code, total, tags, lines, at] = orders?.fields ?? []
    assert.deepEqual(
      [id?.logicalType, id?.required, id?.description, id?.physicalType],
      ['integer', true, 'the id', 'INT64'],
    )
    assert.deepEqual(
      [code?.maxLength, code?.classification, code?.references],
      [10, 'projects/p/tag', ['codes.id']],
    )
    assert.deepEqual([total?.precision, total?.scale, total?.required], [10, 2, false])
    assert.deepEqual([tags?.logicalType, tags?.items?.logicalType], ['array', 'string'])
    assert.deepEqual(
      [lines?.items?.logicalType, lines?.items?.fields?.[0]?.logicalType],
      ['object', 'binary'],
    )
    assert.equal(lines?.items?.fields?.[0]?.required, true)
    assert.equal(at?.logicalType, 'timestamp')
  })
}

test('only the fields, as bq show --schema gives them, are read, with a warning', () => {
  for (const given of [
    [{ name: 'a', type: 'STRING' }],
    { fields: [{ name: 'a', type: 'STRING' }] },
  ]) {
    const { models, warnings } = read(given)
    assert.deepEqual([models[0]?.fields.map(({ name }) => name), warnings.length], [['a'], 1])
  }
})

test('invalid tables, fields and types give warnings, and the rest is read', () => {
  const { models, warnings } = read([
    {},
    { tableReference: { tableId: 't' }, schema: { fields: [3, { name: 'a', type: 'NOPE' }] } },
  ])
  assert.deepEqual(
    models.map(({ name, fields }) => [name, fields.map(({ logicalType }) => logicalType)]),
    [['t', ['unknown']]],
  )
  assert.deepEqual(
    warnings.map(({ field }) => field),
    [
      'schema.specification[0]',
      'schema.specification[1].schema.fields[0]',
      'schema.specification[1].schema.fields[1]',
    ],
  )
  for (const odd of ['', '{', 'x', null, 7, {}] as Value[]) assert.deepEqual(read(odd).models, [])
})

test('reads fields that are nested up to 32 levels deep', () => {
  let field: Value = { name: 'a', type: 'STRING' }
  for (let depth = 0; depth < 50; depth += 1) field = { name: 'a', type: 'RECORD', fields: [field] }
  const { warnings } = read({ tableReference: { tableId: 't' }, schema: { fields: [field] } })
  assert.match(warnings[0]?.message ?? '', /more than 32 levels deep/)
})

test('every generated model is read back equal but for the losses', () => {
  const property = fc.property(modelsArbitrary(), (models) => {
    const { text, losses } = writeBigQuery(models, { name: 'n', id: 'i' })
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
  fc.assert(property, { numRuns: 150, seed: 8 })
})

test('BigQuery › what its API rejects is written as JSON or under a legal name, and listed', () => {
  const text = { ...plainField('items', 'string', ''), required: true }
  const nested = listField({ ...listField(text), name: 'items' })
  const empty: Field = { ...plainField('f', 'object', ''), fields: [] }
  const odd = plainField('$schema', 'string', '')
  for (const [field, name, type] of [
    [nested, 'f', 'JSON'],
    [empty, 'f', 'JSON'],
    [plainField('f', 'object', ''), 'f', 'JSON'],
    [odd, '_schema', 'STRING'],
  ] as const) {
    const model = { ...plainModel('t', ''), kind: 'table' as const, fields: [field] }
    const { text: written, losses } = writeBigQuery([model], { name: 'n', id: 'i' })
    const [column] = JSON.parse(written).schema.fields
    assert.deepEqual([column.name, column.type], [name, type])
    assert.ok(losses.some(({ path }) => path === `t.${field.name}`))
  }
})

function listField(items: Field): Field {
  return { ...plainField('f', 'array', ''), items }
}

test('a schema without a table reference is read as its fields', () => {
  const fields = [{ name: 'id', type: 'INTEGER', mode: 'REQUIRED' }]
  for (const given of [{ schema: { fields } }, { fields }, fields]) {
    const { models, warnings } = read(given)
    assert.deepEqual(
      models.map(({ fields: [first] }) => [first?.name, first?.logicalType, first?.required]),
      [['id', 'integer', true]],
    )
    assert.deepEqual(
      warnings.map(({ message }) => message),
      ['The fields have no table; wrap them in an object with "tableReference".'],
    )
  }
  assert.deepEqual(read({ schema: { fields: 'x' } }).models, [])
})
