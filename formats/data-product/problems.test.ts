import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import {
  dps,
  ID,
  listProblems,
  listWarnings,
  odps,
  parse,
  readProduct,
  toSource,
} from '../../test/product-texts.ts'
import { readDataProduct } from './read.ts'

test('format › rejects documents for another endpoint with a hint', () => {
  assert.match(
    listProblems({ ...odps, kind: 'DataContract' }).join(),
    /^kind: This is a data contract/,
  )
  assert.match(
    listProblems({ dataContractSpecification: '1.1.0', info: {} }).join(),
    /^dataContractSpecification: This is a data contract/,
  )
  const other = /opendataproducts\.org; here ODPS means the Open Data Product Standard of bitol\.io/
  assert.match(
    listProblems({
      schema: 'https://opendataproducts.org/v3.0/schema/odps.yaml',
      version: '3.0',
      product: {},
    }).join(),
    other,
  )
  assert.match(listProblems({ product: { en: { name: 'x' } } }).join(), other)
  assert.match(
    listProblems({ ...odps, schema: 'https://www.opendataproducts.org/x' }).join(),
    other,
  )
  assert.equal(readProduct({ ...odps, product: {} }).format, 'odps')
})

test('id › defaults to that of the address, and must be equal to it', () => {
  const { id: _, ...withoutId } = odps
  assert.equal(readProduct(withoutId).id, ID)
  assert.equal(readProduct({ ...odps, id: null }).id, ID)
  const message =
    'The document has the id "other", but the address has "orders"; make them equal, or remove the id.'
  assert.deepEqual(listProblems({ ...odps, id: 'other' }), [`id: ${message}`])
  assert.deepEqual(listProblems({ ...dps, id: 'other' }), [`id: ${message}`])
  assert.deepEqual(listProblems({ info: { id: 'other', name: 'x', owner: 't' } }), [
    `info.id: ${message}`,
  ])
  assert.match(
    listProblems({ ...odps, id: 5 }).join(),
    /^id: This must be text, not a number; put it in quotes: "5"\.$/,
  )
})

test('id › may be __proto__', () => {
  const read = readDataProduct(toSource({ ...odps, id: '__proto__' }), {
    id: '__proto__',
    strict: false,
  })
  assert.ok(read.ok && read.product.id === '__proto__')
})

test('name and owner › are required, and must not be blank', () => {
  const name = 'name: This field is missing; give the data product a name.'
  const owner =
    'team.name: This field is missing; give the id of the team that owns the data product.'
  assert.deepEqual(listProblems({ kind: 'DataProduct' }), [name, owner])
  assert.deepEqual(listProblems({ kind: 'DataProduct', name: null, team: null }), [name, owner])
  assert.deepEqual(listProblems({ ...odps, name: ' \n' }), [
    'name: This field is blank; give the data product a name.',
  ])
  assert.deepEqual(listProblems({ ...odps, team: { name: '' } }), [
    'team.name: This field is blank; give the id of the team that owns the data product.',
  ])
  assert.deepEqual(listProblems({ info: {} }), [
    'info.owner: This field is missing; give the id of the team that owns the data product.',
    'info.title: This field is missing; give the data product a title.',
  ])
})

test('DPS › supports both notations; contradictions are errors', () => {
  const old = readProduct({ info: { id: ID, name: 'Orders' }, teamId: 'sales' })
  assert.deepEqual([old.id, old.name, old.ownerTeamId], [ID, 'Orders', 'sales'])
  const same = { id: ID, info: { id: ID, title: 'A', name: 'A', owner: 't' }, teamId: 't' }
  assert.equal(readProduct(same).name, 'A')
  assert.deepEqual(
    listProblems({ id: ID, info: { id: 'b', title: 'A', name: 'B', owner: 't' }, teamId: 'u' }),
    [
      'info.id: This is "b", but id is "orders"; keep one of them.',
      'info.name: This is "B", but info.title is "A"; keep one of them.',
      'teamId: This is "u", but info.owner is "t"; keep one of them.',
    ],
  )
})

test('errors › are reported together, sorted by field, with advice', () => {
  assert.deepEqual(
    listProblems(
      'apiVersion: v1.0.0\nkind: DataProduct\nid: other\nversion: 1.0\ndescription: All orders.\noutputPorts:\n  - name: a\n    version: 2\n  - x\n',
    ),
    [
      'description: This must be an object, not text; description is an object in ODPS; move the text to description.purpose.',
      'id: The document has the id "other", but the address has "orders"; make them equal, or remove the id.',
      'name: This field is missing; give the data product a name.',
      'outputPorts[0].version: This must be text, not a number; put it in quotes: "2".',
      'outputPorts[1]: This must be an object, not text.',
      'team.name: This field is missing; give the id of the team that owns the data product.',
      'version: This must be text, not a number; put it in quotes: "1.0".',
    ],
  )
})

test('warnings › unusual values are stored and reported', () => {
  assert.deepEqual(listWarnings(odps), [])
  assert.deepEqual(listWarnings({ ...odps, nmae: 'x', status: 'odd', tenant: null }), [
    'nmae: Unknown field "nmae"; did you mean "name"?',
    'status: "odd" is unusual; common values are proposed, draft, active, deprecated, retired.',
    'tenant: This field is null, which means absent; remove it.',
  ])
  assert.deepEqual(
    listWarnings({ ...odps, customProperties: [{ property: 'maturity', value: 'ripe' }] }),
    ['customProperties[0].value: "ripe" is unusual; common values are raw, defined, managed.'],
  )
  assert.deepEqual(listWarnings({ ...dps, info: { ...dps.info, archetype: 'application' } }), [
    'info.archetype: "application" is unusual; common values are source-aligned, aggregate, consumer-aligned.',
  ])
})

test('strict › turns deviations into errors, but not unusual values', () => {
  const deviating = { ...odps, color: 'x', status: null }
  assert.deepEqual(listWarnings(deviating).length, 2)
  assert.deepEqual(listProblems(deviating, true), [
    'color: Unknown field "color"; remove it, or make it a custom property.',
    'status: This field is missing; the standard requires it.',
  ])
  assert.ok(parse({ ...odps, status: 'odd' }, true).ok)
})

test('versions › each document is validated against the schema of its version', () => {
  const port = { outputPorts: [{ id: 'x', name: 'a' }] }
  assert.deepEqual(listWarnings({ ...odps, ...port }), [
    'outputPorts[0].id: Unknown field "id"; remove it, or make it a custom property.',
    'outputPorts[0].version: This field is missing; the standard requires it.',
  ])
  assert.deepEqual(listWarnings({ ...odps, ...port, apiVersion: 'v1.1.0' }), [])
  assert.deepEqual(listWarnings({ ...odps, ...port, apiVersion: 'v9' }), [
    'apiVersion: "v9" is not allowed; write "v1.1.0" or "v1.0.0" or "v0.9.0".',
  ])
  assert.match(
    listWarnings({ ...odps, apiVersion: 'v0.9.0' }).join(),
    /team: In v0\.9\.0 team is a list/,
  )
  assert.match(
    listProblems({ ...odps, team: [{ username: 'ada' }] }).join(),
    /team: .*team is an object in ODPS/,
  )
})

test('parsing › never throws, and each problem has a position', () => {
  const names = fc.constantFrom(
    ...'apiVersion kind id name team info title owner tags links custom customProperties property value outputPorts inputPorts server description __proto__ constructor product schema'.split(
      ' ',
    ),
  )
  const { value } = fc.letrec((tie) => ({
    value: fc.oneof(
      { depthSize: 'small' },
      fc.constantFrom('DataProduct', 'v1.0.0', '', 'a', null, true, 1),
      fc.array(tie('value'), { maxLength: 3 }),
      fc.dictionary(names, tie('value'), { maxKeys: 6 }),
    ),
  }))
  fc.assert(
    fc.property(fc.dictionary(names, value, { maxKeys: 8 }), fc.boolean(), (document, strict) => {
      const read = readDataProduct(toSource(document), { id: ID, strict })
      const found = read.ok ? read.warnings : read.problems
      assert.ok(read.ok || found.length > 0)
      for (const { line, column, message } of found) {
        assert.ok(line >= 1 && column >= 1 && /[.?]$/.test(message))
      }
      assert.deepEqual(
        found.map(({ field }) => field),
        found.map(({ field }) => field).toSorted(),
      )
    }),
    { seed: 1, numRuns: 700 },
  )
})
