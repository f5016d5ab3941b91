import assert from 'node:assert/strict'
import test from 'node:test'
import { describeNotification, describeReason } from './describe.ts'
import { NOTIFICATION_KIND_NAMES } from './kinds.ts'
import type { NotificationKind } from './kinds.ts'

function describe(
  kind: NotificationKind,
  data: Record<string, unknown> = {},
  more: Partial<Parameters<typeof describeNotification>[0]> = {},
) {
  return describeNotification({
    id: 'n',
    kind,
    subjectKind: 'data-product',
    subjectId: 'p',
    subjectName: 'Positions',
    principal: null,
    data,
    occurredAt: '2026-01-01T00:00:00Z',
    ...more,
  })
}

test('describeNotification › has a sentence for every kind, also without data and of any type of it', () => {
  for (const kind of NOTIFICATION_KIND_NAMES) {
    for (const data of [
      {},
      { version: 'x', names: 5, count: null, teams: [1, null], purpose: {} },
    ]) {
      const { title, detail } = describe(kind, data)
      assert.ok(title.length > 0)
      assert.doesNotMatch(`${title} ${detail}`, /undefined|null|NaN|\[object/)
    }
  }
})

test('describeNotification › names the actor', () => {
  const { detail } = describe('breaking_change', { version: 3 }, { actorName: 'Ada' })
  assert.equal(detail, 'Version 3 of the data product, written by Ada, can break consumers.')
  assert.equal(describe('mention', { teams: ['a'] }).title, 'A former member mentioned @a')
})

test('describeNotification › counts what it does not name', () => {
  const { title, detail } = describe('search_match', { count: 5, names: ['A', 'B'] })
  assert.equal(title, '5 new results for a search that you follow')
  const search = { subjectKind: 'search', subjectId: 'query=orders&tag=pii', subjectName: null }
  assert.equal(
    describe('search_match', { count: 1, names: ['A'] }, search).title,
    '1 new result for the search "orders" with tag pii',
  )
  assert.equal(detail, 'A, B and 3 more')
  const teams = ['a', 'b', 'c', 'd', 'e']
  assert.equal(
    describe('mention', { teams }).title,
    'A former member mentioned @a, @b, @c and 2 more',
  )
})

test('describeNotification › describes the end of a document, and of output ports', () => {
  const dates = { endOfSupport: '2029-12-31', endOfLife: '2030-06-30' }
  const cases: [Record<string, unknown>, string][] = [
    [{ status: 'retired' }, 'Positions is retired'],
    [{ announced: ['endOfLife', 'status'], status: 'retired', ...dates }, 'Positions is retired'],
    [{ announced: ['endOfLife', 'endOfSupport'], ...dates }, 'Positions ends on 2030-06-30'],
    [{ announced: ['endOfSupport'], ...dates }, 'Support of Positions ends on 2029-12-31'],
    [{ ports: [{ name: 'out', ...dates }] }, 'Output port out of Positions ends on 2030-06-30'],
    [{ ports: [{}, { name: 'b', status: 'retired' }] }, '2 output ports of Positions end'],
  ]
  for (const [data, title] of cases) assert.equal(describe('deprecation', data).title, title)
  const { detail } = describe('deprecation', { announced: ['status'], status: 'retired', ...dates })
  assert.match(detail, /It ends on 2030-06-30/)
  const ports = ['a', 'b', 'c', 'd'].map((name) => ({ name, status: 'retired' }))
  assert.match(
    describe('deprecation', { ports }).detail,
    /^a is retired; b is retired; c is retired; and 1 more\. /,
  )
})

test('describeNotification › leads to the page of its subject, and nowhere after a deletion', () => {
  assert.equal(describe('breaking_change', { version: 2 }).target?.version, 2)
  assert.equal(describe('deleted').target, null)
  const run = describe('run_failed', { runId: 'r' }, { subjectKind: 'integration', subjectId: 'i' })
  assert.equal(run.target?.kind, 'run')
  assert.equal(describe('mention', {}, { subjectKind: 'definition' }).target?.kind, 'record')
})

test('describeReason › always has a sentence', () => {
  assert.equal(describeReason('consumer'), 'Your team reads it.')
  assert.equal(describeReason('unknown'), 'It concerns you.')
})
