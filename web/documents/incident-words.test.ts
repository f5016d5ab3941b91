import assert from 'node:assert/strict'
import test from 'node:test'
import { describeAudience, describeCause } from './incident-words.ts'

test('describeCause › the failing checks of tests, and the number of those left out', () => {
  const checks = Array.from({ length: 7 }, (_, at) => ({ name: `check-${at}` }))
  assert.deepEqual(
    describeCause({ kind: 'test', facts: { checks } }).map(({ text }) => text),
    ['check-0', 'check-1', 'check-2', 'check-3', 'check-4', 'and 2 more'],
  )
})

test('describeCause › differences by their place, those beyond the first by their number', () => {
  const first = [{ aspect: 'column.missing', model: 'orders', field: 'note' }]
  assert.deepEqual(describeCause({ kind: 'drift', facts: { count: 9, first } }), [
    { text: 'Column missing: orders.note' },
    { text: 'and 8 more' },
  ])
})

test('describeCause › late models with their promise and the time of their newest data', () => {
  const models = [
    { model: 'orders', promised: '1 d', evidenceAt: '2026-11-24T04:00:00Z' },
    { model: 'lines', promised: '2 h', evidenceAt: null },
  ]
  assert.deepEqual(describeCause({ kind: 'late', facts: { models } }), [
    {
      text: 'orders. New data are promised within 1 d. The newest data arrived',
      at: '2026-11-24T04:00:00Z',
    },
    { text: 'lines. New data are promised within 2 h.' },
  ])
})

test('describeCause › deviations of grants by kind', () => {
  const counts = { still_granted: 1, wider_than_agreed: 2 }
  assert.deepEqual(describeCause({ kind: 'access', facts: { counts } }), [
    { text: '1 ended agreement that is still granted' },
    { text: '2 consumers have more access than agreed' },
  ])
})

test('describeCause › nothing for facts of another shape', () => {
  for (const kind of ['test', 'drift', 'late', 'access'] as const) {
    const facts = { checks: 'x', first: [null, 1], models: {}, counts: ['constructor'] }
    assert.deepEqual(describeCause({ kind, facts }), [])
  }
})

test('describeAudience › people by reason, the digest and channels', () => {
  assert.equal(
    describeAudience({
      people: { consumer: 12, owner: 4, following: 1 },
      digestCount: 12,
      channelCount: 1,
    }),
    '4 members, 1 follower, 12 consumers (12 in the digest), 1 channel',
  )
  assert.equal(describeAudience({ people: {}, digestCount: 0, channelCount: 2 }), '2 channels')
})
