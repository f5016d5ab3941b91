import assert from 'node:assert/strict'
import test from 'node:test'
import {
  toSearchAddress,
  listActiveFilters,
  filtersToRemove,
  getPage,
  getTitle,
  removeFilters,
  splitPair,
  toggleFilter,
  USUAL,
} from './filters.ts'

test('toggled › adds a value, takes it away again, and goes back to the first page', () => {
  const state = { ...USUAL, query: 'orders', p: '3' }
  const set = toggleFilter(state, 'teamId', 'sales')
  assert.equal(toSearchAddress(set), '/search?query=orders&teamId=sales')
  assert.equal(toSearchAddress(toggleFilter(set, 'teamId', 'sales')), '/search?query=orders')
})

test('toggled › keeps the other values of the filter', () => {
  const set = toggleFilter({ ...USUAL, tag: ['a', 'b'] }, 'tag', 'a')
  assert.deepEqual(listActiveFilters(set), [{ name: 'tag', title: 'Tag', value: 'b' }])
})

test('filtersToRemove › lists the set filters whose facets count results without them', () => {
  const state = { ...USUAL, query: 'orders', resourceType: ['TEAM'], tag: ['x'] }
  const none = { team: [], domain: [{ count: 3 }], status: [], source: [], format: [] }
  const facets = {
    ...none,
    classification: [],
    trust: [],
    drift: [],
    resourceType: [{ count: 0 }, { count: 2 }],
    tag: [{ count: 0 }],
    custom: [],
  }
  assert.deepEqual(filtersToRemove(state, facets), [
    [{ name: 'resourceType', title: 'Type', value: 'TEAM' }],
  ])
  assert.deepEqual(filtersToRemove(state, null), [])
})

test('filtersToRemove › groups custom filters by field, and removeFilters keeps those of other fields', () => {
  const state = { ...USUAL, custom: ['size=large', 'region=eu', 'size=a=b'], p: '2' }
  const facets = {
    resourceType: [],
    team: [],
    domain: [],
    status: [],
    tag: [],
    source: [],
    format: [],
    classification: [],
    trust: [],
    drift: [],
    custom: [
      { field: 'size', values: [{ count: 1 }] },
      { field: 'region', values: [{ count: 0 }] },
    ],
  }
  const groups = filtersToRemove(state, facets, [{ displayName: 'Size', customField: 'size' }])
  const size = [
    { name: 'custom', title: 'Size', value: 'size=large' },
    { name: 'custom', title: 'Size', value: 'size=a=b' },
  ]
  assert.deepEqual(groups, [size])
  assert.deepEqual(removeFilters(state, groups.flat()), { ...state, custom: ['region=eu'], p: '' })
})

test('splitPair › ends the name at the first equals sign', () => {
  assert.deepEqual(splitPair('size=a=b'), { field: 'size', value: 'a=b' })
  assert.deepEqual(splitPair('size'), { field: 'size', value: '' })
})

test('getTitle › is the type where exactly one with a list of its own is chosen', () => {
  assert.equal(getTitle({ ...USUAL, resourceType: ['DATA_PRODUCT'] }), 'Data products')
  assert.equal(getTitle({ ...USUAL, resourceType: ['DATA_CONTRACT'] }), 'Data contracts')
  assert.equal(getTitle({ ...USUAL, resourceType: ['DATA_PRODUCT', 'TEAM'] }), 'Search')
  assert.equal(getTitle({ ...USUAL, resourceType: ['TEAM'] }), 'Search')
  assert.equal(getTitle(USUAL), 'Search')
})

test('getPage › treats an invalid address as the first page', () => {
  assert.equal(getPage({ ...USUAL, p: '2' }), 2)
  for (const p of ['', '-1', '1e9', 'x', '99999999999']) assert.equal(getPage({ ...USUAL, p }), 0)
})
