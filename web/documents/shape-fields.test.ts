import assert from 'node:assert/strict'
import { test } from 'node:test'
import { odcsShape } from '../../formats/data-contract/odcs/shape.ts'
import { any, shapeAt } from '../../formats/shape/shape.ts'
import type { Value } from '../../formats/text/value.ts'
import { listShapeFields } from './shape-fields.ts'
import { toLabel } from './to-label.ts'

const getNames = (path: readonly (string | number)[], value: Value) =>
  listShapeFields(shapeAt(odcsShape('v3.1.0'), path) ?? any, value).map(({ name }) => name)

test('lists the fields that the type of a server has', () => {
  const names = getNames(['servers', 0], { server: 'live', type: 'bigquery' })
  assert.ok(names.includes('project') && names.includes('dataset'))
  assert.ok(!names.includes('host') && !names.includes('id') && !names.includes('roles'))
})

test('lists service levels, price and members with their kinds', () => {
  assert.deepEqual(getNames(['price'], {}), ['priceAmount', 'priceCurrency', 'priceUnit'])
  assert.ok(getNames(['slaProperties', 0], {}).includes('value'))
  assert.ok(getNames(['team', 'members', 0], {}).includes('username'))
})

test('lists the bounds of a quality check as a list of numbers', () => {
  const shape = shapeAt(odcsShape('v3.1.0'), ['schema', 0, 'properties', 0, 'quality', 0]) ?? any
  const fields = listShapeFields(shape, { type: 'library', metric: 'rowCount' })
  const bounds = fields.find(({ name }) => name === 'mustBeBetween')
  assert.deepEqual([bounds?.isList, bounds?.isNumber], [true, true])
  assert.equal(fields.find(({ name }) => name === 'mustBe')?.isList, false)
})

test('makes a label of a name', () => {
  assert.equal(toLabel('firstLevelApprovers'), 'First level approvers')
  assert.equal(toLabel('invitationUrl'), 'Invitation URL')
  assert.equal(toLabel('url'), 'URL')
})
