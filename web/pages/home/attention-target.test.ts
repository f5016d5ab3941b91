import assert from 'node:assert/strict'
import test from 'node:test'
import { getAttentionPath, getAttentionAction } from './attention-target.ts'

const waiting = (
  kind: string,
  id: string | null,
  integrationExternalId: string | null = null,
): Parameters<typeof getAttentionPath>[0] => ({
  kind: 'run_failed',
  target: { kind, id, integrationExternalId },
})

test('getAttentionPath › links to the page on which it is fixed', () => {
  const expected = [
    [waiting('run', 'r1', 'web/shop'), '/integrations/web%2Fshop/runs/r1'],
    [waiting('integration', 'shop', 'shop'), '/integrations/shop'],
    [waiting('data-product', 'orders'), '/data-products/orders'],
    [waiting('data-contract', 'orders'), '/data-contracts/orders'],
    [waiting('requests', null), '/requests'],
    [waiting('incidents', null), '/incidents'],
    [waiting('api-keys', 'k1'), '/api-keys?new=key&like=k1'],
    [waiting('search', 'dps'), '/search?resourceType=DATA_PRODUCT&format=dps'],
    [waiting('search', 'dcs'), '/search?resourceType=DATA_CONTRACT&format=dcs'],
  ] as const
  for (const [one, path] of expected) assert.equal(getAttentionPath(one), path)
})

test('getAttentionPath › leads somewhere when a name is missing', () => {
  assert.equal(getAttentionPath(waiting('run', null, 'shop')), '/integrations/shop')
  assert.equal(getAttentionPath(waiting('data-product', null)), '/search')
})

test('getAttentionAction › describes the action, also for unknown kinds', () => {
  assert.equal(
    getAttentionAction({ ...waiting('run', 'r'), kind: 'deletes_held' }),
    'Confirm or reject the deletes',
  )
  assert.equal(getAttentionAction({ ...waiting('run', 'r'), kind: 'other' }), 'Open')
})
