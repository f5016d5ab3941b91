import assert from 'node:assert/strict'
import { test } from 'node:test'
import { describeImpact, toImpact } from './affected.ts'

const port = (direction: 'input' | 'output') => ({
  direction,
  id: 'tests',
  name: 'tests',
  version: '1',
  contractId: 'c',
})
const product = (id: string, ownerId: string, ...directions: ('input' | 'output')[]) => ({
  resourceType: 'DATA_PRODUCT' as const,
  id,
  name: `Product ${id}`,
  ownerId,
  ports: directions.map(port),
})
const team = (id: string) => ({
  resourceType: 'TEAM' as const,
  id,
  name: `Team ${id}`,
  ownerId: id,
})

test('counts consumers and their teams, and the provider of the data apart from them', () => {
  const impact = toImpact([
    product('a', 'one', 'input'),
    product('b', 'one', 'input', 'output'),
    product('c', 'two', 'input'),
    product('d', 'three', 'output'),
    team('one'),
    team('two'),
    team('three'),
  ])
  assert.equal(
    describeImpact(impact),
    '3 consumers of 2 teams, and 1 data product that provides the data',
  )
  assert.deepEqual(impact.consumers[0], {
    type: 'DATA_PRODUCT',
    id: 'a',
    name: 'Product a',
    team: { id: 'one', name: 'Team one' },
    ports: ['tests'],
    hasAccess: false,
  })
})

test('describes a change that affects only consumers, or only providers', () => {
  assert.equal(describeImpact(toImpact([product('a', 'x', 'input')])), '1 consumer of 1 team')
  const provided = toImpact([product('a', 'x', 'output'), product('b', 'x', 'output')])
  assert.equal(describeImpact(provided), '2 data products that provide the data')
})

test('counts a product that is affected by no known port as a consumer', () => {
  assert.equal(toImpact([product('a', 'x')]).consumers.length, 1)
})

test('counts people and teams with access as consumers, and a product with two reasons once', () => {
  const access = [{ id: 'agreement', outputPortId: 'tests' }]
  const impact = toImpact([
    { ...product('a', 'one', 'input'), access },
    { ...team('two'), access },
    team('one'),
    { resourceType: 'USER', id: 'ada', name: 'Ada', ownerId: null, access },
  ])
  assert.equal(describeImpact(impact), '3 consumers of 2 teams')
  const [person] = toImpact([
    { resourceType: 'USER', id: 'ada', name: 'Ada', ownerId: null, access },
  ]).consumers
  assert.equal(person?.team, undefined)
})
