import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import test from 'node:test'
import { list, object, number, text } from '../shape/shape.ts'
import { readText } from '../text/text.ts'
import type { PlainRecordKind } from './plain-record-kind.ts'
import { PLAIN_RECORDS } from './plain-kinds.ts'
import { readPlainRecord, type PlainReading } from './read-plain.ts'

const KIND: PlainRecordKind = {
  kind: 'sample',
  collection: 'samples',
  called: 'sample',
  calledMany: 'samples',
  schemaName: 'Sample',
  listName: 'Samples',
  holder: { by: 'product', permission: 'DATAPRODUCT_EDIT' },
  id: 'of the client',
  bytesMax: 1024,
  countMax: 10,
  filters: ['port'],
  shape: object({
    fields: {
      id: text(),
      dataProductId: text(),
      port: text(),
      level: text({ allowed: ['low', 'high'] }),
      amount: number(),
      inner: object({ fields: { name: text() } }),
      list: list(object({ fields: { name: text() } })),
    },
    required: ['dataProductId'],
  }),
}

const KINDS_FOLDER = join(import.meta.dirname, 'plain-kinds')
const KIND_LINES_MAX = 80

function read(document: string, kind = KIND): PlainReading {
  const source = readText(document, 'application/json')
  assert.ok(source.ok)
  return readPlainRecord(kind, source, 'one')
}

function listFields(document: object): string[] {
  const reading = read(JSON.stringify(document))
  return reading.ok ? [] : reading.problems.map(({ field }) => field)
}

test('readPlainRecord › returns the text as it is, the data product and the filters', () => {
  const document =
    '{ "id": "one", "dataProductId": "p", "port": "out", "amount": 1.0, "x": 12345678901234567890 }'
  assert.deepEqual(read(document), {
    ok: true,
    record: { document, productId: 'p', filterValues: { port: 'out' } },
  })
})

test('readPlainRecord › null in a known field is an absent field', () => {
  const nulls = { dataProductId: 'p', port: null, amount: null, inner: { name: null } }
  assert.deepEqual(listFields(nulls), [])
  assert.deepEqual(listFields({ dataProductId: null }), ['dataProductId'])
})

test('readPlainRecord › reports fields that are missing, blank, of a wrong type or not allowed', () => {
  assert.deepEqual(listFields({}), ['dataProductId'])
  assert.deepEqual(listFields({ dataProductId: ' ' }), ['dataProductId'])
  const wrong = { dataProductId: 'p', level: 'medium', amount: '1', inner: { name: 1 } }
  assert.deepEqual(listFields(wrong), ['amount', 'inner.name', 'level'])
  assert.deepEqual(listFields({ dataProductId: 'p', list: [null] }), ['list[0]'])
  assert.deepEqual(listFields({ dataProductId: 'p', id: 'two' }), ['id'])
})

test('readPlainRecord › writes the id into a document without it, or with another one than the server chose', () => {
  const kind: PlainRecordKind = { ...KIND, id: 'of the server' }
  const expected = '{"id":"one","dataProductId":"p","amount":1.10,"__proto__":1}'
  for (const id of ['', '"id":null,']) {
    const reading = read(`{${id}"dataProductId":"p","amount":1.10,"__proto__":1}`)
    assert.ok(reading.ok)
    assert.equal(reading.record.document, expected)
  }
  for (const id of ['', '"id":null,', '"id":"theirs",']) {
    const reading = read(`{${id}"dataProductId":"p","amount":1.10,"__proto__":1}`, kind)
    assert.ok(reading.ok)
    assert.equal(reading.record.document, expected)
  }
})

test('every kind of plain record › has names of its own', () => {
  for (const name of ['kind', 'collection', 'schemaName', 'listName'] as const) {
    const values = PLAIN_RECORDS.map((kind) => kind[name])
    assert.deepEqual(values, [...new Set(values)], name)
  }
})

test(`every kind of plain record › is declared in a file of at most ${KIND_LINES_MAX} lines`, () => {
  const files = readdirSync(KINDS_FOLDER)
  assert.deepEqual(files, PLAIN_RECORDS.map(({ kind }) => `${kind}.ts`).toSorted())
  for (const file of files) {
    const lines = readFileSync(join(KINDS_FOLDER, file), 'utf8').split('\n').length
    assert.ok(lines <= KIND_LINES_MAX, `${file} has ${lines} lines`)
  }
})
