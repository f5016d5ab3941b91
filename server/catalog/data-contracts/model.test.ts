import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import protobuf from 'protobufjs'
import type { Model } from '../../../formats/schema/model.ts'
import { expectProblem, readJson, readText } from '../../../test/answers.ts'
import { onStore } from '../../../test/stores.ts'
import { dcs, newProduct, newWorld, odcs, uniqueId, type World } from '../../../test/world.ts'
import type { Plan } from '../../ledger/history/plan.ts'

interface Models {
  models: Model[]
  warnings: { field: string; message: string; line: number; column: number }[]
}

const avro = JSON.stringify({
  type: 'record',
  name: 'orders',
  fields: [
    { name: 'id', type: 'string' },
    {
      name: 'total',
      type: ['null', { type: 'bytes', logicalType: 'decimal', precision: 10, scale: 2 }],
    },
  ],
})

const dbt = `version: 2
models:
  - name: orders
    columns:
      - {name: id, data_type: text, tests: [not_null]}
      - {name: total, data_type: "numeric(10,2)"}
`

const bigquery = JSON.stringify({
  tableReference: { projectId: 'p', datasetId: 'd', tableId: 'orders' },
  type: 'TABLE',
  schema: {
    fields: [
      { name: 'id', type: 'STRING', mode: 'REQUIRED' },
      { name: 'total', type: 'NUMERIC', precision: '10', scale: '2' },
    ],
  },
})

const jsonSchema = JSON.stringify({
  $id: 'https://example.test/orders.json',
  title: 'orders',
  type: 'object',
  required: ['id'],
  properties: { id: { type: 'string' }, total: { type: 'number' } },
})

const newSchema = (type: string, specification: unknown) => (id: string) =>
  dcs(id, { dataContractSpecification: '0.9.3', schema: { type, specification } })

// The same two columns in every language: a text that is required, and a number.
const LANGUAGES: Record<string, (id: string) => object> = {
  'ODCS schema': (id) =>
    odcs(id, {
      schema: [
        {
          name: 'orders',
          properties: [
            { name: 'id', logicalType: 'string', required: true },
            { name: 'total', logicalType: 'number' },
          ],
        },
      ],
    }),
  'DCS models': (id) =>
    dcs(id, {
      models: {
        orders: { fields: { id: { type: 'text', required: true }, total: { type: 'decimal' } } },
      },
    }),
  'dbt as text': newSchema('dbt', dbt),
  'BigQuery as text': newSchema('bigquery', bigquery),
  'BigQuery as objects': newSchema('bigquery', [JSON.parse(bigquery)]),
  'JSON Schema as text': newSchema('json-schema', jsonSchema),
  'JSON Schema by its other name': newSchema('jsonschema', [JSON.parse(jsonSchema)]),
  'Avro as text': newSchema('avro', `[${avro}]`),
  'Avro sent as JSON Schema': newSchema('jsonschema', avro),
  Protobuf: newSchema(
    'protobuf',
    'syntax = "proto2";\nmessage orders { required string id = 1; optional double total = 2; }',
  ),
  'SQL DDL': newSchema('sql-ddl', 'create table orders (id text not null, total numeric(10,2));'),
}

const numbered = (one: number, other: number) => (id: string) =>
  newSchema(
    'protobuf',
    `syntax = "proto3"; message orders { int64 customer_id = ${one}; int64 order_id = ${other}; }`,
  )(id)

// More than Protobuf can express.
const withMore = (id: string): object =>
  odcs(id, {
    schema: [
      {
        name: 'orders',
        quality: [{ type: 'sql', query: 'select 1', mustBe: 1 }],
        properties: [
          { name: 'código', logicalType: 'string', logicalTypeOptions: { pattern: '^é+$' } },
        ],
      },
    ],
  })

onStore((store) => {
  let world: World
  before(async () => {
    world = await newWorld(newProduct(store()))
  })

  const register = async (document: (id: string) => object): Promise<string> => {
    const id = uniqueId()
    await readText(world.as('T', 'PUT', `/api/datacontracts/${id}`, { body: document(id) }))
    return `/api/datacontracts/${id}`
  }
  const modelsAt = (path: string) => readJson<Models>(world.as('Tr', 'GET', `${path}/model`))

  for (const [language, document] of Object.entries(LANGUAGES)) {
    test(`GET /api/datacontracts/{id}/model › one shape for ${language}`, async () => {
      const { models, warnings } = await modelsAt(await register(document))
      // A list and the other name deviate from the standard's letter, and are read all the same.
      const others = warnings.filter(
        ({ message }) => !/the standard|not allowed|^Expected/i.test(message),
      )
      assert.deepEqual(others, [])
      assert.deepEqual(
        models.map(({ name, fields }) => [
          name,
          fields.map((field) => [field.name, field.logicalType, field.required]),
        ]),
        [
          [
            'orders',
            [
              ['id', 'string', true],
              ['total', 'number', false],
            ],
          ],
        ],
      )
    })
  }

  test('GET /api/datacontracts/{id}/model › custom is stored, never parsed, never judged', async () => {
    const path = await register(newSchema('custom', '{"type": "record", "fields": ['))
    assert.deepEqual(await modelsAt(path), { models: [], warnings: [] })
  })

  test('GET /api/datacontracts/{id}/model › stores a truncated specification and reports the position', async () => {
    const path = await register(newSchema('avro', '{"type": "record",\n "name": ]}'))
    const { models, warnings } = await modelsAt(path)
    assert.deepEqual(models, [])
    const [warning] = warnings.filter(({ field }) => field === 'schema.specification')
    assert.ok(warning)
    const text = await readText(world.as('Tr', 'GET', path))
    assert.equal(warning.line, 1)
    // The wrong bracket of the text inside the text, behind its escapes.
    assert.equal(text[warning.column - 1], ']')
  })

  test('GET /api/datacontracts/{id}/model › as of an instant; 404 for an unknown id', async () => {
    const path = await register(LANGUAGES['DCS models'] ?? odcs)
    await expectProblem(world.as('Tr', 'GET', `${path}/model?asOf=2001-01-01T00:00:00Z`), 404)
    const later = await readJson<Models>(
      world.as('Tr', 'GET', `${path}/model?asOf=2999-01-01T00:00:00Z`),
    )
    assert.equal(later.models.length, 1)
    await expectProblem(world.as('Tr', 'GET', `/api/datacontracts/${uniqueId()}/model`), 404)
  })

  test('GET /api/datacontracts/{id}/export › ODCS comes as it was sent, DCS converted', async () => {
    const sent = await register(LANGUAGES['ODCS schema'] ?? odcs)
    const text = await readText(world.as('Tr', 'GET', sent))
    assert.equal(await readText(world.as('Tr', 'GET', `${sent}/export?format=odcs`)), text)
    const old = await register(LANGUAGES['DCS models'] ?? dcs)
    const converted = await readJson<{
      kind: string
      team: { name: string }
      schema: { name: string }[]
    }>(world.as('Tr', 'GET', `${old}/export?format=odcs`))
    assert.deepEqual([converted.kind, converted.team.name], ['DataContract', 'a'])
    assert.deepEqual(
      converted.schema.map(({ name }) => name),
      ['orders'],
    )
  })

  for (const format of ['json-schema', 'avro', 'protobuf', 'sql', 'dbt', 'bigquery']) {
    test(`GET /api/datacontracts/{id}/export?format=${format} › the models in that language`, async () => {
      const path = await register(LANGUAGES['ODCS schema'] ?? odcs)
      const answer = await world.as('Tr', 'GET', `${path}/export?format=${format}`)
      assert.equal(answer.status, 200)
      const text = await answer.text()
      assert.match(text, /orders/)
      assert.match(text, /total/)
    })
  }

  test('GET /api/datacontracts/{id}/export › dialects of sql differ', async () => {
    const path = await register(LANGUAGES['ODCS schema'] ?? odcs)
    const texts = new Set<string>()
    for (const dialect of [
      'postgresql',
      'mysql',
      'sqlserver',
      'snowflake',
      'bigquery',
      'databricks',
    ]) {
      const query = `format=sql&dialect=${dialect}`
      texts.add(await readText(world.as('Tr', 'GET', `${path}/export?${query}`)))
    }
    assert.ok(texts.size >= 4)
  })

  test('GET /api/datacontracts/{id}/export › headers, report and plan list what cannot be expressed', async () => {
    const path = await register(withMore)
    const answer = await world.as('Tr', 'GET', `${path}/export?format=protobuf`)
    const count = Number(answer.headers.get('portbook-loss-count'))
    assert.ok(count > 0)
    const told: string[] = JSON.parse(answer.headers.get('portbook-losses') ?? '[]')
    assert.equal(told.length, count)
    assert.ok(told.some((sentence) => sentence.startsWith('orders.código: ')))
    const report = await readJson<{ losses: { path: string; message: string }[] }>(
      world.as('Tr', 'GET', `${path}/export?format=protobuf&report=true`),
    )
    assert.deepEqual(
      report.losses.map((loss) => `${loss.path}: ${loss.message}`),
      told,
    )
    const id = path.slice(path.lastIndexOf('/') + 1)
    const plan = await readJson<Plan>(
      world.as('T', 'PUT', `${path}?dryRun=true`, { body: withMore(id) }),
    )
    const planned = plan.exports?.find(({ format }) => format === 'protobuf')
    assert.deepEqual(planned?.losses, report.losses)
  })

  test('GET /api/datacontracts/{id}/export › numbers of Protobuf stay those of earlier versions', async () => {
    const id = uniqueId()
    const path = `/api/datacontracts/${id}`
    const columns = (...names: string[]): object =>
      odcs(id, {
        schema: [
          {
            name: 'orders',
            properties: names.map((name) => ({ name, logicalType: 'string', required: true })),
          },
        ],
      })
    const exportAfter = async (...names: string[]): Promise<protobuf.Type> => {
      await readText(world.as('T', 'PUT', path, { body: columns(...names) }))
      const text = await readText(world.as('Tr', 'GET', `${path}/export?format=protobuf`))
      return protobuf.parse(text, { keepCase: true }).root.lookupType('orders')
    }
    const first = await exportAfter('id', 'total')
    const second = await exportAfter('id', 'note', 'total')
    const bytes = first.encode({ id: 'a', total: 'b' }).finish()
    assert.deepEqual(second.decode(bytes).toJSON(), { id: 'a', total: 'b' })
    const later = second.encode({ id: 'a', note: 'n', total: 'b' }).finish()
    assert.deepEqual(first.decode(later).toJSON(), { id: 'a', total: 'b' })
    const third = await exportAfter('note', 'total', 'more')
    assert.deepEqual(
      third.fieldsArray.map((field) => [field.name, field.id]),
      [
        ['note', 3],
        ['total', 2],
        ['more', 4],
      ],
    )
    assert.deepEqual(third.reserved, [[1, 1], 'id'])
  })

  test('GET /api/datacontracts/{id}/export › a specification in the format comes as it was sent', async () => {
    const specification = `syntax = "proto2";
// Orders.
message orders { optional sint64 id = 5 [default = 7]; extensions 100 to 200; }
`
    const path = await register(newSchema('protobuf', specification))
    const answer = await world.as('Tr', 'GET', `${path}/export?format=protobuf`)
    assert.equal(answer.headers.get('portbook-loss-count'), null)
    assert.equal(await answer.text(), specification)
  })

  test('PUT /api/datacontracts/{id}?failOn=breaking › rejects swapped numbers of Protobuf', async () => {
    const path = await register(numbered(1, 2))
    const body = numbered(2, 1)(path.split('/').at(-1) ?? '')
    const rejected = await world.as('T', 'PUT', `${path}?failOn=breaking`, { body })
    assert.equal(rejected.status, 409)
  })

  test('GET /api/datacontracts/{id}/export › 400 for an unknown format or dialect, 404 for an unknown id', async () => {
    const path = await register(LANGUAGES['ODCS schema'] ?? odcs)
    for (const query of [
      '',
      '?format=xml',
      '?format=sql&dialect=cobol',
      '?format=sql&report=maybe',
    ]) {
      await expectProblem(world.as('Tr', 'GET', `${path}/export${query}`), 400)
    }
    const unknown = `/api/datacontracts/${uniqueId()}/export?format=avro`
    await expectProblem(world.as('Tr', 'GET', unknown), 404)
  })
})
