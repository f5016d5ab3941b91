import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import {
  createFormFields,
  doesApply,
  splitLines,
  messageFor,
  missingFields,
  readValues,
  toFormValues,
} from './schema-form-values.ts'

const schema = {
  type: 'object',
  properties: {
    host: { type: 'string', maxLength: 253 },
    port: { type: 'integer', minimum: 1, maximum: 65_535, default: 5432 },
    database: { type: 'array', items: { type: 'string' }, default: [] },
    tlsMode: {
      type: 'string',
      enum: ['off', 'on'],
      default: 'on',
      title: 'Encryption',
      choices: { off: 'None' },
    },
    ca: {
      type: 'string',
      maxLength: 100_000,
      examples: ['-----BEGIN X-----'],
      onlyWith: { name: 'tlsMode', values: ['on'] },
      isRare: true,
    },
    token: { type: 'string', isNeeded: true, onlyWith: { name: 'tlsMode', values: ['off'] } },
    uri: { type: 'string', format: 'uri', title: 'Address', description: 'Where it is' },
    includeViews: { type: 'boolean', default: true },
  },
  required: ['host'],
}

const fields = createFormFields(schema)

describe('a form of a JSON Schema', () => {
  test('has a field of the right kind for each property, in its order', () => {
    assert.deepEqual(
      fields.map(({ name, kind, required }) => [name, kind, required]),
      [
        ['host', 'text', true],
        ['port', 'number', false],
        ['database', 'lines', false],
        ['tlsMode', 'choice', false],
        ['ca', 'long-text', false],
        ['token', 'text', true],
        ['uri', 'address', false],
        ['includeViews', 'yes-no', false],
      ],
    )
  })

  test('takes titles and examples from the schema, and makes a title of a name', () => {
    const titles = Object.fromEntries(fields.map(({ name, title }) => [name, title]))
    assert.equal(titles['tlsMode'], 'Encryption')
    assert.equal(titles['uri'], 'Address')
    assert.equal(titles['includeViews'], 'Include views')
    assert.equal(fields.find(({ name }) => name === 'ca')?.example, '-----BEGIN X-----')
    const tlsMode = fields.find(({ name }) => name === 'tlsMode')
    assert.deepEqual(tlsMode?.choices, [
      { value: 'off', title: 'None' },
      { value: 'on', title: 'on' },
    ])
  })

  test('of something else than an object has no fields', () => {
    assert.deepEqual(createFormFields({}), [])
    assert.deepEqual(createFormFields({ properties: 'none' }), [])
  })
})

describe('what is typed into a form', () => {
  test('begins with the usual values', () => {
    assert.deepEqual(toFormValues(fields, {}), {
      host: '',
      port: '5432',
      database: '',
      tlsMode: 'on',
      ca: '',
      token: '',
      uri: '',
      includeViews: true,
    })
  })

  test('goes out as it was stored', () => {
    const stored = {
      host: 'db',
      port: 1,
      database: ['a', 'b*'],
      tlsMode: 'on',
      ca: '-----BEGIN X-----\n',
      uri: 'https://x.example',
      includeViews: false,
    }
    assert.deepEqual(readValues(fields, toFormValues(fields, stored)), stored)
  })

  test('leaves out what is empty or not asked for, and trims the rest', () => {
    const values = { ...toFormValues(fields, {}), host: ' db ', tlsMode: 'off', ca: 'not asked' }
    assert.deepEqual(readValues(fields, values), {
      host: 'db',
      port: 5432,
      database: [],
      tlsMode: 'off',
      includeViews: true,
    })
  })

  test('passes letters on where a number belongs, for the server to refuse', () => {
    assert.equal(readValues(fields, { port: '54x' })['port'], '54x')
    assert.equal('port' in readValues(fields, { port: ' ' }), false)
  })

  test('misses the required fields that are asked for', () => {
    assert.deepEqual(
      missingFields(fields, { host: '  ' }).map(({ name }) => name),
      ['host'],
    )
    assert.deepEqual(missingFields(fields, { host: 'db' }), [])
    const [ca] = fields.filter(({ name }) => name === 'ca')
    assert.ok(ca !== undefined)
    assert.equal(doesApply(ca, { tlsMode: 'off' }), false)
    assert.equal(doesApply(ca, { tlsMode: 'on' }), true)
  })

  test('has its lines without empty ones', () => {
    assert.deepEqual(splitLines(' a \n\n\tb\r\n'), ['a', 'b'])
  })
})

test('a message about an element is one about its field, and about no other', () => {
  const violations = [
    { field: 'configuration.databases', message: 'no' },
    { field: 'configuration.database[2]', message: 'too long' },
  ]
  assert.equal(messageFor(violations, 'configuration.database'), 'too long')
  assert.equal(messageFor(violations, 'configuration.data'), undefined)
  assert.equal(messageFor(violations, 'configuration'), 'no')
})
