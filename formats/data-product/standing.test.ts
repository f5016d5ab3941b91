import assert from 'node:assert/strict'
import test from 'node:test'
import { isDraftStatus } from './standing.ts'

test('isDraftStatus › the statuses before a product is offered, in any letter case', () => {
  const statuses = [
    'draft',
    'Proposed',
    'in development',
    'inDevelopment',
    'active',
    'deprecated',
    '',
  ]
  assert.deepEqual(statuses.filter(isDraftStatus), [
    'draft',
    'Proposed',
    'in development',
    'inDevelopment',
  ])
  assert.equal(isDraftStatus(undefined), false)
})
