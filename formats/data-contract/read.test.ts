import assert from 'node:assert/strict'
import { NO_OWNER } from './contract-fields.ts'
import { test, type TestContext } from 'node:test'
import { standardsFor } from '../../test/standards.ts'
import { readText } from '../text/text.ts'
import { type ObjectValue, type Value } from '../text/value.ts'
import { ownerPath } from './owner-path.ts'
import { readDataContract } from './read.ts'
import {
  ODCS,
  DCS,
  readContract,
  parseContract,
  listProblems,
  listWarnings,
} from '../../test/contract-readings.ts'

test('parse › reads all models of every example of the standards', (t: TestContext) => {
  for (const kind of ['odcs', 'dcs'] as const) {
    for (const { name, text } of standardsFor(t, kind) ?? []) {
      if (!name.endsWith('.yaml')) continue
      const source = readText(text, 'application/yaml')
      assert.ok(source.ok)
      const id = String(Object(source.value)['id'])
      const reading = readDataContract(source, { id, strict: false })
      if (!reading.ok) {
        // Some examples have no owner.
        const fields = reading.problems.map(({ field }) => field)
        assert.deepEqual(fields, [kind === 'odcs' ? 'team.name' : 'info.owner'], name)
        continue
      }
      const value: ObjectValue = Object(reading.value)
      const listed = Object.keys(Object(value['models'] ?? value['schema'] ?? {})).length
      const count = value['models'] === undefined && kind === 'dcs' ? 1 : listed
      assert.equal(reading.contract.models.length, count, name)
      for (const warning of reading.warnings) assert.doesNotMatch(warning.message, /no language/)
    }
  }
})

test('parse › reads an ODCS document', () => {
  const contract = parseContract({
    ...ODCS,
    domain: 'shop',
    tags: ['a'],
    servers: [{ server: 'prod', type: 'postgres', host: 'h', port: 1, database: 'd', schema: 's' }],
    slaProperties: [{ property: 'retention', value: 1, unit: 'y', element: 'orders.id' }],
  })
  const { models, servers, serviceLevels, ...rest } = contract
  assert.deepEqual(rest, {
    format: 'odcs',
    formatVersion: 'v3.1.0',
    id: 'orders',
    name: 'Orders',
    ownerTeamId: 'sales',
    version: '1.0.0',
    status: 'active',
    domain: 'shop',
    description: 'All orders.',
    tags: ['a'],
    quality: [],
  })
  assert.deepEqual(models, [])
  assert.deepEqual([servers[0]?.name, servers[0]?.type], ['prod', 'postgres'])
  assert.deepEqual(serviceLevels, [
    {
      property: 'retention',
      value: 1,
      unit: 'y',
      element: 'orders.id',
      origin: '/slaProperties/0',
    },
  ])
})

test('owner › ODCS: team, else a custom property, else the domain; ownerPath points to each', () => {
  const { team: _, ...ownerless } = ODCS
  const custom = {
    customProperties: [
      { property: 'x', value: 1 },
      { property: 'owner', value: 'b' },
    ],
  }
  const cases: [Value, string, (string | number)[]][] = [
    [{ ...ODCS, ...custom, domain: 'c' }, 'sales', ['team', 'name']],
    [{ ...ownerless, ...custom, domain: 'c' }, 'b', ['customProperties', 1, 'value']],
    [{ ...ownerless, domain: 'c' }, 'c', ['domain']],
    [
      { ...ownerless, apiVersion: 'v3.0.2', team: [{ username: 'u' }], domain: 'c' },
      'c',
      ['domain'],
    ],
    [DCS, 'sales', ['info', 'owner']],
  ]
  for (const [value, owner, path] of cases) {
    assert.equal(parseContract(value).ownerTeamId, owner)
    assert.deepEqual(ownerPath(value), path)
  }
  assert.equal(parseContract(ownerless).ownerTeamId, undefined)
  assert.deepEqual(listWarnings(ownerless), [`team.name: ${NO_OWNER}`])
})

test('errors › a wrong type, a different id, a missing title; anything else is a warning', () => {
  assert.match(listProblems({ ...ODCS, version: 1 })[0] ?? '', /^version: This must be text/)
  assert.match(
    listProblems({ ...ODCS, id: 'other' })[0] ?? '',
    /^id: The document has the id "other"/,
  )
  const info = { version: '1', owner: 'sales' }
  assert.match(listProblems({ ...DCS, info })[0] ?? '', /^info.title: This field is missing/)
  const withoutOwner = { ...DCS, info: { title: 'T', version: '1' } }
  assert.ok(listWarnings(withoutOwner).includes(`info.owner: ${NO_OWNER}`))
  const { version: _, name: __, ...few } = ODCS
  const odd = { ...few, color: 'red', price: { priceAmount: 1, more: 2 } }
  assert.equal(parseContract(odd).name, 'orders')
  const fields = listWarnings(odd).map((warning) => warning.split(':')[0])
  assert.deepEqual(fields, ['color', 'name', 'price.more', 'version'])
  assert.deepEqual(
    listProblems(odd, true).map((problem) => problem.split(':')[0]),
    ['color', 'price.more', 'version'],
  )
})

test('errors › a document at the wrong endpoint, or in no supported format', () => {
  assert.match(listProblems({ kind: 'DataProduct', apiVersion: 'v1.0.0' })[0] ?? '', /dataproducts/)
  assert.match(listProblems({ dataProductSpecification: '0.0.1' })[0] ?? '', /dataproducts/)
  assert.match(listProblems({ id: 'orders' })[0] ?? '', /neither an ODCS document/)
})

test('warnings › repeated names, each with its position', () => {
  const yaml = `apiVersion: v3.1.0
kind: DataContract
id: orders
name: Orders
version: 1.0.0
status: active
team: {name: sales}
description: {purpose: p}
schema:
  - name: a
    properties:
      - {name: x, logicalType: string}
      - {name: x, logicalType: string}
  - name: a
`
  const reading = readContract(yaml, { mediaType: 'application/yaml' })
  assert.ok(reading.ok)
  assert.deepEqual(
    reading.warnings.map(({ field, line, message }) => [field, line, message]),
    [
      ['schema[0].properties[1]', 13, 'Another field has the name "x"; rename one of them.'],
      ['schema[1]', 14, 'Another model has the name "a"; rename one of them.'],
    ],
  )
})

function canonical(value: Value): string {
  const reading = readContract(value)
  assert.ok(reading.ok)
  return reading.canonical
}

const model = (...names: string[]) => ({
  ...ODCS,
  schema: [{ name: 'm', properties: names.map((name) => ({ name, logicalType: 'string' })) }],
})

test('canonical form › ignores the order of sets and notations, but not the order of columns', () => {
  assert.equal(canonical({ ...ODCS, tags: ['a', 'b'] }), canonical({ tags: ['b', 'a'], ...ODCS }))
  assert.notEqual(canonical(model('a', 'b')), canonical(model('b', 'a')))
  const tags = (...names: string[]) => canonical({ ...DCS, tags: names })
  assert.equal(tags('a', 'b'), tags('b', 'a'))
})
