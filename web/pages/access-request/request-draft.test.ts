import assert from 'node:assert/strict'
import test from 'node:test'
import {
  changeChoice,
  changeOwnPurposes,
  getChoice,
  getConsumer,
  NO_REQUEST,
  toForm,
} from './request-draft.ts'

const OUT = { productId: 'p', port: 'out' }
const LOG = { productId: 'p', port: 'log' }
const DRAFT = changeChoice(NO_REQUEST, { ...OUT, roles: ['reader'], purpose: '' })

test('toForm › the last day is the day before the end, and empty dates are absent', () => {
  const draft = { ...DRAFT, purpose: 'Reports', last: '2026-12-31' }
  assert.deepEqual(toForm(draft, [OUT], 'u'), {
    ports: [{ ...OUT, roles: ['reader'] }],
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

test('toForm › requests the given ports only, without what was chosen for others', () => {
  const draft = changeChoice(DRAFT, { ...LOG, roles: ['auditor'], purpose: 'Bills' })
  assert.deepEqual(toForm(draft, [OUT], 'u').ports, [{ ...OUT, roles: ['reader'] }])
})

test('changeOwnPurposes › each port begins with the purpose of all, and keeps its own one', () => {
  const chosen = changeChoice(DRAFT, { ...LOG, roles: [], purpose: 'Bills' })
  const draft = changeOwnPurposes({ ...chosen, purpose: 'Reports' }, [OUT, LOG], true)
  assert.deepEqual(toForm(draft, [OUT, LOG], 'u').ports, [
    { ...OUT, roles: ['reader'], purpose: 'Reports' },
    { ...LOG, roles: [], purpose: 'Bills' },
  ])
  assert.equal(toForm(draft, [OUT, LOG], 'u').purpose, undefined)
  const shared = changeOwnPurposes(draft, [OUT, LOG], false)
  assert.equal(toForm(shared, [OUT, LOG], 'u').purpose, 'Reports')
  assert.equal(getChoice(shared, LOG).purpose, 'Bills')
})

test('toForm › a single port has the purpose of all', () => {
  const draft = changeOwnPurposes({ ...DRAFT, purpose: 'Reports' }, [OUT, LOG], true)
  const { ports, purpose } = toForm(draft, [OUT], 'u')
  assert.deepEqual([ports[0]?.purpose, purpose], [undefined, 'Reports'])
})

test('getConsumer › the chosen team or data product; nothing until one is chosen', () => {
  const chosen = { ...NO_REQUEST, team: 't', product: 'q' }
  assert.deepEqual(getConsumer(chosen), {})
  assert.deepEqual(getConsumer({ ...chosen, consumer: 'team' }), { consumerTeam: 't' })
  assert.deepEqual(getConsumer({ ...chosen, consumer: 'product' }), { consumerProduct: 'q' })
  assert.deepEqual(getConsumer({ ...NO_REQUEST, consumer: 'team' }), {})
})
