import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newMetrics, type Metrics } from './metrics.ts'

async function read(metrics: Metrics, name: string): Promise<string[]> {
  const { text } = await metrics.render()
  return text.split('\n').filter((line) => line.startsWith(name))
}

test('add › a metric without a value now has no sample, with labels or without', async () => {
  const metrics = newMetrics()
  let isRead = true
  metrics.add([
    { name: 'portbook_one', help: 'One.', read: () => (isRead ? 3 : undefined) },
    {
      name: 'portbook_one_total',
      help: 'A counter.',
      labelNames: ['kind'],
      read: () => (isRead ? [{ labels: { kind: 'a' }, value: 4 }] : undefined),
    },
  ])
  assert.deepEqual(await read(metrics, 'portbook_one'), [
    'portbook_one 3',
    'portbook_one_total{kind="a"} 4',
  ])
  isRead = false
  assert.deepEqual(await read(metrics, 'portbook_one'), [])
  isRead = true
  assert.equal((await read(metrics, 'portbook_one')).length, 2)
})

test('countProblem › counts from 0, so that the first one is an increase', async () => {
  const metrics = newMetrics()
  metrics.countProblem('outcome_unknown', 0)
  const sample = 'portbook_http_problems_total{code="outcome_unknown"}'
  assert.deepEqual(await read(metrics, sample), [`${sample} 0`])
  metrics.countProblem('outcome_unknown')
  assert.deepEqual(await read(metrics, sample), [`${sample} 1`])
})

test('lanes › counts waiting requests and rejections, from 0', async () => {
  const metrics = newMetrics()
  metrics.lanes.arrived('scan')
  metrics.lanes.arrived('scan')
  assert.deepEqual(await read(metrics, 'portbook_lane_rejected_total{'), [
    'portbook_lane_rejected_total{lane="scan"} 0',
  ])
  metrics.lanes.rejected('scan')
  assert.deepEqual(await read(metrics, 'portbook_lane_waiting{'), [
    'portbook_lane_waiting{lane="scan"} 1',
  ])
  assert.deepEqual(await read(metrics, 'portbook_lane_rejected_total{'), [
    'portbook_lane_rejected_total{lane="scan"} 1',
  ])
})
