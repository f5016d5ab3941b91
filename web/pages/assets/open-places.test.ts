import assert from 'node:assert/strict'
import test from 'node:test'
import { keyOfPlace } from './branch.ts'
import { listOpenPlaces, toggleOpenPlace, type OpenState } from './open-places.ts'

const ROOTS = [{ integrationExternalId: 'shop' }, { integrationExternalId: null }]
const NONE: OpenState = { integration: [], clients: '', open: [], tree: '' }

const keys = (state: OpenState): string[] => listOpenPlaces(state, ROOTS).map(keyOfPlace)

test('the first level is open unless the address has the open rows', () => {
  assert.deepEqual(keys(NONE), ['integration:shop', 'clients'])
  assert.deepEqual(keys({ ...NONE, open: ['a', 'a'] }), ['asset:a'])
})

test('a tree whose last place was closed stays closed', () => {
  const shop = { kind: 'integration', externalId: 'shop' } as const
  const first = toggleOpenPlace(listOpenPlaces(NONE, ROOTS), { kind: 'clients' })
  assert.deepEqual(keys(first), ['integration:shop'])
  const closed = toggleOpenPlace(listOpenPlaces(first, ROOTS), shop)
  assert.deepEqual(keys(closed), [])
  assert.deepEqual(keys(toggleOpenPlace(listOpenPlaces(closed, ROOTS), shop)), ['integration:shop'])
})
