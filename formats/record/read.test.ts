import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import test from 'node:test'
import { NODES_MAX } from '../text/json-scan.ts'
import { readText } from '../text/text.ts'
import { list, object, shapeAt, text } from '../shape/shape.ts'
import { RECORD_KINDS, RECORDS } from './kinds.ts'
import { readRecord } from './read.ts'
import type { RecordKind } from './record-kind.ts'

const KIND = RECORD_KINDS['source-system']
const KINDS_FOLDER = join(import.meta.dirname, 'kinds')
const KIND_LINES_MAX = 80

function read(
  document: object,
  options: { strict?: boolean; owner?: string; isAccepted?: boolean } = {},
  kind: RecordKind = KIND,
) {
  const source = readText(JSON.stringify(document), 'application/json', { nodesMax: NODES_MAX })
  assert.ok(source.ok)
  return readRecord(kind, source, { id: 'crm', strict: false, ...options })
}

function listProblems(document: object, options = {}, kind: RecordKind = KIND): string[] {
  const reading = read(document, options, kind)
  return reading.ok ? [] : reading.problems.map(({ field, message }) => `${field}: ${message}`)
}

test('readRecord › returns the fields at the paths of the kind', () => {
  const reading = read({
    id: 'crm',
    name: 'CRM',
    owner: 'sales',
    description: 'Customers',
    tags: ['eu', 7],
    links: { wiki: 'https://wiki.example/crm' },
    unknown: [null],
  })
  assert.equal(reading.ok, false, 'a tag must be text')
  const document = { name: 'CRM', owner: 'sales', tags: ['eu'], links: { wiki: 'https://w' } }
  const valid = read(document)
  assert.ok(valid.ok)
  assert.deepEqual(valid.record, {
    id: 'crm',
    name: 'CRM',
    ownerTeamId: 'sales',
    tags: ['eu'],
    links: [{ name: 'wiki', url: 'https://w' }],
  })
})

test('readRecord › requires a name and an owner, and the id of the address', () => {
  const owned = { name: 'CRM', owner: 'sales' }
  assert.deepEqual(listProblems({}), [
    'name: This field is missing; give the source system a name.',
    'owner: This field is missing; give the id of the team that owns the source system.',
  ])
  assert.deepEqual(listProblems({ ...owned, name: ' ' }), [
    'name: This field is blank; give the source system a name.',
  ])
  assert.match(listProblems({ ...owned, id: 'erp' }).join(), /^id: .*"erp"/)
  assert.match(listProblems({ ...owned, name: 1 }).join(), /^name: /)
  assert.match(listProblems({ ...owned, links: ['x'] }).join(), /^links: /)
  assert.equal(listProblems({ name: 'CRM' }, { owner: 'sales' }).length, 1)
})

test('readRecord › enforces required fields and allowed values at any depth, unless it was accepted', () => {
  const part = object({ fields: { level: text({ allowed: ['a', 'b'] }) }, required: ['level'] })
  const fields = { ...Object.fromEntries(KIND.shape.fields), parts: list(part) }
  const kind = { ...KIND, shape: object({ fields, required: ['name', 'parts'] }) }
  const owned = { name: 'CRM', owner: 'sales' }
  assert.match(listProblems(owned, {}, kind).join(), /^parts: This field is missing/)
  const wrong = { ...owned, parts: [{ level: 'a' }, { level: 'c' }, { level: null }] }
  assert.deepEqual(listProblems(wrong, {}, kind), [
    'parts[1].level: "c" is not allowed; use one of: "a", "b".',
    'parts[2].level: This field is missing; give it a value.',
  ])
  assert.deepEqual(listProblems(wrong, { isAccepted: true }, kind), [])
})

test('readRecord › a kind need not have a name or an owner', () => {
  const kind = { ...KIND, shape: object({ fields: { id: text() } }), paths: { id: ['id'] } }
  const reading = read({ owner: 'x' }, {}, kind)
  assert.deepEqual(reading.ok && reading.record, { id: 'crm', name: 'crm', tags: [], links: [] })
})

test('readRecord › equal meaning has equal canonical text', () => {
  const texts = [
    { name: 'CRM', owner: 'sales', tags: ['a', 'b'], x: 1 },
    { x: 1, tags: ['b', 'a'], owner: 'sales', name: 'CRM' },
    { name: 'CRM', owner: 'sales', tags: ['a', 'b'], x: 2 },
  ].map((document) => {
    const reading = read(document)
    return reading.ok && reading.canonical
  })
  assert.equal(texts[0], texts[1])
  assert.notEqual(texts[0], texts[2])
})

test('every kind of record › has paths in its shape and names of its own', () => {
  for (const { paths, shape } of RECORDS) {
    for (const path of Object.values(paths)) assert.ok(shapeAt(shape, path), path.join('.'))
  }
  for (const name of ['kind', 'collection', 'event', 'resourceType', 'pages', 'rank'] as const) {
    const values = RECORDS.map((kind) => kind[name])
    assert.deepEqual(values, [...new Set(values)], name)
  }
})

test(`every kind of record › is declared in a file of at most ${KIND_LINES_MAX} lines`, () => {
  const files = readdirSync(KINDS_FOLDER)
  assert.deepEqual(files, RECORDS.map(({ kind }) => `${kind}.ts`).toSorted())
  for (const file of files) {
    const lines = readFileSync(join(KINDS_FOLDER, file), 'utf8').split('\n').length
    assert.ok(lines <= KIND_LINES_MAX, `${file} has ${lines} lines`)
  }
})
