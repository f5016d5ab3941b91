import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Schemas } from '../../api/client.ts'
import { describeSeconds, describeValue, getGuideHref, listProblems } from './health-words.ts'

const newSignal = (more: Partial<Schemas['HealthSignal']>): Schemas['HealthSignal'] => ({
  name: 'runWait',
  subject: null,
  state: 'ok',
  value: 0,
  limit: 600,
  unit: 'seconds',
  alert: 'PortbookRunsWaiting',
  ...more,
})

test('problems › the worst come first, and what works or is unknown is none', () => {
  const states = ['ok', 'warning', 'unknown', 'critical'] as const
  const listed = listProblems(states.map((state) => newSignal({ state })))
  assert.deepEqual(
    listed.map(({ state }) => state),
    ['critical', 'warning'],
  )
})

test('durations › have their largest fitting unit', () => {
  const seconds = [0.4, 60, 600, 3600, 86_400, 3 * 86_400]
  assert.deepEqual(seconds.map(describeSeconds), ['0 s', '60 s', '10 min', '1 h', '24 h', '3 days'])
})

test('values › a hidden one is some time, and a count has no unit', () => {
  assert.deepEqual([describeValue(null, 'seconds'), describeValue(2, 'count')], ['some time', '2'])
})

test('alerts › lead to their section of the guide', () => {
  assert.equal(getGuideHref('PortbookRunsWaiting'), '/guides/alerts#portbookrunswaiting')
  assert.equal(getGuideHref(null), undefined)
})
