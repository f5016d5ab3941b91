import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ObjectValue, Value } from '../../../formats/text/value.ts'
import { createApiDescription } from '../../../test/api-description.ts'
import { readApiDocument, type Operation } from './api-document.ts'
import { createBodyExample } from './body-examples.ts'
import { createExample } from './example.ts'
import { toRequestAddress, toCurlCommand, listMissingParameters } from './request.ts'
import { readSchemaShape } from './shape.ts'

const source = createApiDescription()
const document = readApiDocument(source)

function getOperation(id: string): Operation {
  const found = document.operations.find((one) => one.id === id)
  assert.ok(found, id)
  return found
}

const type = (schema: Value): string => readSchemaShape(schema, {}).type
const names = (schema: Value): string[] =>
  readSchemaShape(schema, {}).fields.map(({ name }) => name)

test('Every operation of our own description is read, each under a name of its own', () => {
  const paths = Object.values((source as { paths: Record<string, object> }).paths)
  assert.equal(document.operations.length, paths.flatMap((methods) => Object.keys(methods)).length)
  assert.equal(new Set(document.operations.map(({ id }) => id)).size, document.operations.length)
  const put = getOperation('putDataProduct')
  assert.equal(put.method, 'PUT')
  assert.equal(put.tag, 'dataproducts')
  assert.deepEqual(
    put.body?.content.map(({ mediaType }) => mediaType),
    ['application/json', 'application/yaml'],
  )
})

test('Every schema of every operation gives a shape in words and an example', () => {
  for (const { parameters, body, answers } of document.operations) {
    const schemas = [
      ...parameters.map(({ schema }) => schema),
      ...[...(body?.content ?? []), ...answers.flatMap(({ content }) => content)].map(
        ({ schema }) => schema,
      ),
    ]
    for (const schema of schemas) {
      assert.ok(readSchemaShape(schema, document.schemas).type)
      JSON.stringify(createExample(schema, document.schemas))
    }
  }
})

test('A description that is not one reads as nothing', () => {
  for (const value of [
    null,
    1,
    [],
    {},
    { paths: 1 },
    { paths: { '/a': { get: null } } },
    { paths: { '/a': [] } },
  ]) {
    assert.ok(readApiDocument(value).operations.length <= 1)
  }
})

const schemas: ObjectValue = {
  Node: {
    type: 'object',
    properties: {
      name: { type: 'string' },
      children: { type: 'array', items: { $ref: '#/components/schemas/Node' } },
    },
    required: ['name', 'children'],
  },
  Loop: { $ref: '#/components/schemas/Loop' },
}

test('describes a recursive shape level by level, with a finite example', () => {
  const shape = readSchemaShape({ $ref: '#/components/schemas/Node' }, schemas)
  assert.deepEqual(
    shape.fields.map(({ name, isRequired }) => [name, isRequired]),
    [
      ['name', true],
      ['children', true],
    ],
  )
  assert.equal(readSchemaShape(shape.fields[1]?.schema ?? null, schemas).type, 'list of Node')
  assert.deepEqual(createExample({ $ref: '#/components/schemas/Node' }, schemas), {
    name: 'text',
    children: [],
  })
  assert.deepEqual(readSchemaShape({ $ref: '#/components/schemas/Loop' }, schemas).fields, [])
  createExample({ $ref: '#/components/schemas/Loop' }, schemas)
})

test('describes types in words', () => {
  assert.equal(type({ type: 'string', format: 'date-time' }), 'text (date-time)')
  assert.equal(type({ type: ['string', 'null'] }), 'text or null')
  assert.equal(type({ type: ['string', 'null'], format: 'date' }), 'text (date) or null')
  assert.equal(
    type({ anyOf: [{ $ref: '#/components/schemas/Team' }, { type: 'null' }] }),
    'Team or null',
  )
  assert.equal(
    type({ type: 'object', additionalProperties: { type: 'integer' } }),
    'object of integer by name',
  )
  assert.equal(type({}), 'anything')
})

test('Parts that are joined, and parts that can be null, showToast what they hold', () => {
  const both: Value = {
    allOf: [
      { type: 'object', properties: { a: { type: 'string' } }, required: ['a'] },
      { type: 'object', properties: { b: { type: 'string' } } },
    ],
  }
  assert.deepEqual(names(both), ['a', 'b'])
  assert.deepEqual(names({ anyOf: [both, { type: 'null' }] }), ['a', 'b'])
  assert.deepEqual(names({ type: 'array', items: { anyOf: [both, { type: 'null' }] } }), ['a', 'b'])
})

test('A request carries what is filled in, encoded, and leaves out the rest', () => {
  const operation = getOperation('listDataProducts')
  const address = toRequestAddress(operation, {
    q: 'a&b',
    teamId: 'fleet\n customs \n\n',
    sort: '',
  })
  assert.equal(address, '/api/dataproducts?q=a%26b&teamId=fleet&teamId=customs')
  assert.deepEqual(listMissingParameters(operation, {}), [])
  const one = getOperation('getDataProduct')
  assert.deepEqual(listMissingParameters(one, {}), ['id'])
  assert.equal(toRequestAddress(one, {}), '/api/dataproducts/{id}')
  assert.equal(
    toRequestAddress(one, { id: "a/b $& '?" }),
    "/api/dataproducts/a%2Fb%20%24%26%20'%3F",
  )
})

test('A command quotes what a shell would read', () => {
  const command = toCurlCommand({
    origin: 'https://portbook.example',
    method: 'PUT',
    address: "/api/teams/o'hara?dryRun=true",
    mediaType: 'application/json',
    body: `{"name": "it's $HOME \`x\`"}`,
  })
  assert.ok(command.startsWith('curl -X PUT -H "x-api-key: $PORTBOOK_API_KEY"'))
  assert.ok(command.includes(String.raw`--data-binary '{"name": "it'\''s $HOME ` + '`x`"}\''))
  assert.ok(
    command.endsWith(String.raw`'https://portbook.example/api/teams/o'\''hara?dryRun=true'`),
  )
})

test('Each body of an operation has an example that is JSON', () => {
  for (const operation of document.operations) {
    const content = operation.body?.content[0]
    if (content !== undefined)
      JSON.parse(
        createBodyExample(operation, content, { schemas: document.schemas, team: 'a "b"' }),
      )
  }
})
