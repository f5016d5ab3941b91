import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { FairOrder, type Place, type Turn } from './fair-order.ts'

const always = (): boolean => true
const isPoint = (_: string, lane: string): boolean => lane === 'point'

/** Takes all jobs, each of which ends before the next one starts. */
function takeAll(order: FairOrder<string>, cost?: (job: string) => number): string[] {
  const jobs: string[] = []
  for (let place = order.take(always); place !== undefined; place = order.take(always)) {
    jobs.push(place.job)
    order.end(place, cost?.(place.job) ?? place.cost)
  }
  return jobs
}

function addAll(order: FairOrder<string>, jobs: readonly string[], more: Partial<Turn> = {}): void {
  for (const job of jobs) order.add(job, { flow: [job.slice(0, 1), job.slice(0, 2)], ...more })
}

test('fair order › serves organizations in turn, and within each its keys in turn', () => {
  const order = new FairOrder<string>()
  addAll(order, ['ax1', 'ax2', 'ax3', 'ay1', 'ay2', 'bx1', 'bx2'])
  const jobs = ['ax1', 'bx1', 'ay1', 'bx2', 'ax2', 'ay2', 'ax3']
  assert.deepEqual(takeAll(order), jobs)
})

test('fair order › an organization with many keys gets no more than one with a single key', () => {
  const order = new FairOrder<string>()
  addAll(
    order,
    Array.from({ length: 26 }, (_, at) => `a${String.fromCodePoint(97 + at)}`),
  )
  addAll(order, ['b1', 'b2', 'b3'], { flow: ['b', 'b'] })
  assert.deepEqual(
    takeAll(order)
      .slice(0, 6)
      .map((job) => job.slice(0, 1)),
    ['a', 'b', 'a', 'b', 'a', 'b'],
  )
})

test('fair order › a job of ten times the cost takes the turns of ten jobs', () => {
  const order = new FairOrder<string>()
  addAll(order, ['a1', 'a2'], { cost: 10 })
  addAll(
    order,
    Array.from({ length: 15 }, (_, at) => `b${at}`),
  )
  const jobs = takeAll(order)
  assert.equal(jobs.indexOf('a1'), 0)
  assert.equal(jobs.indexOf('a2'), 11)
})

test('fair order › a flow that owes nothing has no advantage from having been idle', () => {
  const order = new FairOrder<string>()
  addAll(order, ['a0', 'a1', 'a2', 'a3', 'a4', 'a5'])
  const first = order.take(always)
  for (let count = 0; count < 3; count += 1) order.take(always)
  addAll(order, ['b1', 'b2', 'b3', 'b4'])
  assert.equal(first?.job, 'a0')
  const jobs = Array.from({ length: 4 }, () => order.take(always)?.job)
  assert.deepEqual(jobs, ['b1', 'a4', 'b2', 'a5'])
})

test('fair order › a flow that waited for a full lane is not paid back in another one', () => {
  const order = new FairOrder<string>()
  const scan = order.add('a-scan', { flow: ['a'], lane: 'scan' })
  for (let count = 0; count < 50; count += 1) order.add(`b${count}`, { flow: ['b'], lane: 'point' })
  for (let count = 0; count < 40; count += 1) order.take(isPoint)
  for (let count = 0; count < 10; count += 1) order.add(`a${count}`, { flow: ['a'], lane: 'point' })
  const jobs = Array.from({ length: 6 }, () => order.take(isPoint)?.job.slice(0, 1))
  assert.deepEqual(jobs, ['a', 'b', 'a', 'b', 'a', 'b'])
  assert.ok(order.remove(scan))
  assert.ok(!order.remove(scan))
})

test('fair order › finds the newest job of the longest flow', () => {
  const order = new FairOrder<string>()
  addAll(order, ['bx1', 'ax1', 'ay1', 'ay2', 'ax2', 'ay3', 'bx2', 'bx3', 'cx1'])
  const dropped: string[] = []
  for (let count = 0; count < 6; count += 1) {
    const place = order.findExcess()
    if (place === undefined || !order.remove(place)) break
    dropped.push(place.job)
  }
  assert.deepEqual(dropped, ['ay3', 'ax2', 'bx3', 'ay2', 'bx2', 'ay1'])
  assert.equal(order.waitingCount, 3)
})

/** A step of a random history: a job arrives, or a server takes the next one, or the oldest running one ends. */
type Step = { flow: string; cost: number; lane: 'point' | 'scan' } | 'take' | 'end'

const steps: fc.Arbitrary<Step[]> = fc.array(
  fc.oneof(
    fc.record({
      flow: fc.constantFrom('a', 'b', 'c'),
      cost: fc.integer({ min: 1, max: 20 }),
      lane: fc.constantFrom('point', 'scan'),
    }),
    fc.constant<'take'>('take'),
    fc.constant<'end'>('end'),
  ),
  { maxLength: 200 },
)

test('fair order › serves each job once, in the order of arrival of its flow and lane', () => {
  fc.assert(
    fc.property(steps, (history) => {
      const order = new FairOrder<string>()
      const running: Place<string>[] = []
      const added: Record<string, string[]> = {}
      const taken: Record<string, string[]> = {}
      const take = (): boolean => {
        const place = order.take(always)
        if (place === undefined) return false
        running.push(place)
        const name = `${place.outer} ${place.lane}`
        taken[name] = [...(taken[name] ?? []), place.job]
        return true
      }
      for (const [at, step] of history.entries()) {
        if (step === 'take') take()
        else if (step === 'end') {
          const place = running.shift()
          if (place !== undefined) order.end(place, place.cost * 2)
        } else {
          const { flow, lane, cost } = step
          order.add(`${at}`, { flow: [flow], lane, cost })
          const name = `${flow} ${lane}`
          added[name] = [...(added[name] ?? []), `${at}`]
        }
      }
      while (take()) continue
      assert.equal(order.waitingCount, 0)
      assert.deepEqual(taken, added)
    }),
  )
})

test('fair order › of two flows that always wait, none is served more than one job in advance', () => {
  const costs = fc.array(fc.integer({ min: 1, max: 100 }), { minLength: 40, maxLength: 40 })
  fc.assert(
    fc.property(costs, costs, (ours, theirs) => {
      const order = new FairOrder<number>()
      for (const cost of ours) order.add(cost, { flow: ['ours'], cost: 1 })
      for (const cost of theirs) order.add(cost, { flow: ['theirs'], cost: 1 })
      const served = new Map([
        ['ours', 0],
        ['theirs', 0],
      ])
      const waiting = new Map([
        ['ours', 40],
        ['theirs', 40],
      ])
      const greatest = Math.max(...ours, ...theirs)
      while ([...waiting.values()].every((count) => count > 0)) {
        const place = order.take(always)
        if (place === undefined) break
        // The cost of a job is known only at its end.
        order.end(place, place.job)
        served.set(place.outer, (served.get(place.outer) ?? 0) + place.job)
        waiting.set(place.outer, (waiting.get(place.outer) ?? 0) - 1)
        const [one = 0, other = 0] = served.values()
        assert.ok(Math.abs(one - other) <= 2 * greatest, `${one} and ${other}`)
      }
    }),
  )
})

test('fair order › forgets flows that have nothing to do, while others have', () => {
  const order = new FairOrder<string>()
  const busy = Array.from({ length: 3000 }, (_, at) => `busy${at}`)
  for (const job of busy) order.add(job, { flow: ['busy'] })
  for (let at = 0; at < 2000; at += 1) {
    order.add(`${at}`, { flow: [`flow ${at}`] })
    const places = [order.take(always), order.take(always)]
    for (const place of places) if (place !== undefined) order.end(place, place.cost)
  }
  assert.ok(order.flowsCount < 200, `${order.flowsCount} flows`)
})
