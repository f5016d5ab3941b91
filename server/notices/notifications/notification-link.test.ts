import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { NotificationKind } from './kinds.ts'
import { toNotificationUrl } from './notification-link.ts'
import type { NotificationTarget } from './notification.ts'

type Target = NonNullable<NotificationTarget>

function toPath(kind: NotificationKind, target: Partial<Target> | null): string {
  const base = { kind: 'team', id: 'a b/c', subjectKind: 'x', version: null, runId: null } as const
  const full = target === null ? null : { ...base, ...target }
  return toNotificationUrl('https://portbook.test', { kind, target: full }).slice(21)
}

test('toNotificationUrl › leads to the page of each kind of subject', () => {
  const rows: readonly [Partial<Target>, string][] = [
    [{ kind: 'team' }, '/teams/a%20b%2Fc'],
    [{ kind: 'data-product' }, '/data-products/a%20b%2Fc'],
    [{ kind: 'test-result' }, '/test-results/a%20b%2Fc'],
    [{ kind: 'integration' }, '/integrations/a%20b%2Fc'],
    [{ kind: 'run', runId: 'r1' }, '/integrations/a%20b%2Fc/runs/r1'],
    [{ kind: 'run' }, '/integrations/a%20b%2Fc'],
    [{ kind: 'api-keys' }, '/api-keys'],
    [{ kind: 'search', id: 'query=größe&tag=a b' }, '/search?query=gr%C3%B6%C3%9Fe&tag=a+b'],
    [{ kind: 'record', subjectKind: 'source-system' }, '/source-systems/a%20b%2Fc'],
    [{ kind: 'record', subjectKind: 'unknown' }, '/notifications'],
    [{ kind: 'access' }, '/access/a%20b%2Fc'],
    [{ kind: 'webhook' }, '/settings/webhooks/a%20b%2Fc'],
  ]
  for (const [target, path] of rows) assert.equal(toPath('mention', target), path)
  assert.equal(toPath('deleted', null), '/notifications')
})

test('toNotificationUrl › a breaking change leads to its comparison with the version before', () => {
  const target = { kind: 'data-contract', id: 'orders', version: 3 } as const
  assert.equal(toPath('breaking_change', target), '/data-contracts/orders/versions?from=2&to=3')
  assert.equal(toPath('breaking_change', { ...target, version: 1 }), '/data-contracts/orders')
  assert.equal(toPath('deprecation', target), '/data-contracts/orders')
})
