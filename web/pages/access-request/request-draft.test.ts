import assert from 'node:assert/strict'
import test from 'node:test'
import { NO_REQUEST, toForm } from './request-draft.ts'

const ITEMS = [{ productId: 'p', port: 'out', roles: ['reader'] }]

test('toForm › the last day is the day before the end, and empty dates are absent', () => {
  const draft = { ...NO_REQUEST, purpose: 'Reports', last: '2026-12-31' }
  assert.deepEqual(toForm(draft, ITEMS, 'u'), {
    ports: [{ productId: 'p', port: 'out', roles: ['reader'] }],
    consumer: { userId: 'u' },
    purpose: 'Reports',
    endDate: '2027-01-01',
  })
})

test('toForm › a team or a data product as the consumer', () => {
  const draft = { ...NO_REQUEST, team: 't', product: 'q', start: '2026-12-01' }
  assert.deepEqual(toForm({ ...draft, consumer: 'team' }, [], 'u').consumer, { teamId: 't' })
  const form = toForm({ ...draft, consumer: 'product' }, [], 'u')
  assert.deepEqual([form.consumer, form.startDate], [{ dataProductId: 'q' }, '2026-12-01'])
})
