import assert from 'node:assert/strict'
import test from 'node:test'
import { buildScopeRows } from './scope-rows.ts'

type Scopes = Parameters<typeof buildScopeRows>[0]

const scope = (path: string[], decision: Scopes[number]['decision'] = 'included') => ({
  path,
  kind: path.length === 1 ? 'database' : 'schema',
  decision,
})
const NONE = () => ({ include: [], exclude: [] })
const excluding = (name: string) => (level: string) => ({
  include: [],
  exclude: level === 'schema' ? [name] : [],
})

const withoutShop = (level: string) => ({
  include: [],
  exclude: level === 'database' ? ['shop'] : [],
})

const SCOPES = [
  scope(['shop']),
  scope(['shop', 's_10']),
  scope(['shop', 's_9']),
  scope(['shop', 'locked'], 'denied'),
  scope(['archive'], 'excluded'),
]

test('buildScopeRows › lists containers with the count of their ticked scopes, in natural order, and last what cannot be ticked', () => {
  const rows = buildScopeRows(SCOPES, 'schema', NONE, NONE)
  assert.deepEqual(
    rows.map(({ path }) => path.join('.')),
    ['shop', 'shop.locked', 'shop.s_9', 'shop.s_10', 'archive'],
  )
  assert.deepEqual(rows[0]?.counts, { selected: 2, total: 3 })
})

test('buildScopeRows › shows the ticks of the filters as they are now', () => {
  const rows = buildScopeRows(SCOPES, 'schema', excluding('s_9'), NONE)
  const byName = new Map(rows.map((row) => [row.name, row]))
  assert.equal(byName.get('s_9')?.isTicked, false)
  assert.equal(byName.get('s_9')?.reason, undefined, 'it can be ticked again')
  assert.equal(byName.get('s_10')?.isTicked, true)
})

test('buildScopeRows › cannot tick what is not readable, or excluded by other settings', () => {
  const rows = buildScopeRows(SCOPES, 'schema', NONE, NONE)
  const byName = new Map(rows.map((row) => [row.name, row]))
  assert.equal(byName.get('locked')?.isDenied, true)
  assert.match(byName.get('locked')?.reason ?? '', /no access/)
  assert.match(byName.get('archive')?.reason ?? '', /^Excluded by the connection settings/)
})

test('buildScopeRows › unticks the scopes of an unticked container', () => {
  const rows = buildScopeRows(SCOPES, 'schema', withoutShop, NONE)
  const below = rows.find(({ name }) => name === 's_9')
  assert.equal(below?.isTicked, false)
  assert.equal(below?.reason, 'Select shop first.')
})
