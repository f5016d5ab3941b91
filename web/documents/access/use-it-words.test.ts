import assert from 'node:assert/strict'
import { test } from 'node:test'
import { describePlatform, getAccessTone, nameServer } from './use-it-words.ts'

test('describePlatform › known and unknown platforms, also names of object members', () => {
  assert.deepEqual(describePlatform('postgresql'), { name: 'PostgreSQL', mark: 'postgres' })
  assert.deepEqual(describePlatform('vertica'), { name: 'Vertica', mark: 'vertica' })
  assert.deepEqual(describePlatform('constructor'), { name: 'Constructor', mark: 'constructor' })
  assert.deepEqual(describePlatform(undefined), { name: 'Server', mark: 'server' })
})

test('getAccessTone › active without a report asks for attention', () => {
  const access = { agreementId: 'x', roles: [], provisioning: '' }
  const rows = [
    ['active', null, 'caution'],
    ['active', 'provisioned', 'positive'],
    ['active', 'provisioning', 'info'],
    ['active', 'provisioning-failed', 'critical'],
    ['none', null, 'info'],
    ['rejected', null, 'critical'],
  ] as const
  for (const [state, provisioningStatus, tone] of rows) {
    assert.equal(getAccessTone({ ...access, state, provisioningStatus }), tone)
  }
})

test('nameServer › names each part once', () => {
  const more = { facts: [], snippets: [], unresolved: [] }
  assert.equal(
    nameServer({ server: 'main', environment: 'production', platform: 'mysql', ...more }),
    'main, production, MySQL',
  )
  assert.equal(nameServer({ server: 'test', environment: 'test', ...more }), 'test')
})
