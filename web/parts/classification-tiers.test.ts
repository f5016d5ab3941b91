import assert from 'node:assert/strict'
import test from 'node:test'
import { findHighest, findTier, type ClassificationTier } from './classification-tiers.ts'

const tier = (id: string, name: string, level?: number): ClassificationTier => ({
  id,
  name,
  level,
  color: undefined,
  description: undefined,
  scheme: 'Protection',
})

const TIERS = [tier('c1', 'Public', 0), tier('c2', 'Internal', 1), tier('c3', 'Restricted', 3)]

test('findTier › by name or id, in any letter case', () => {
  assert.equal(findTier(TIERS, ' restricted')?.id, 'c3')
  assert.equal(findTier(TIERS, 'C2')?.name, 'Internal')
  assert.equal(findTier(TIERS, 'secret'), undefined)
})

test('findHighest › by level, not by order; unknown names only without known ones', () => {
  assert.equal(findHighest(TIERS, ['internal', 'RESTRICTED', 'public']), 'RESTRICTED')
  assert.equal(findHighest(TIERS, ['secret', 'public']), 'public')
  assert.equal(findHighest(TIERS, ['secret', 'other']), 'secret')
  assert.equal(findHighest(TIERS, []), undefined)
  assert.equal(findHighest([tier('a', 'A')], ['a']), 'a')
})
