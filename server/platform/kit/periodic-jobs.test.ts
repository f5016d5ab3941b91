import assert from 'node:assert/strict'
import test, { type TestContext } from 'node:test'
import { setImmediate as turn } from 'node:timers/promises'
import { startJobs } from './periodic-jobs.ts'

const PERIOD_MS = 1000

/** Starts one job whose runs end when the test ends them, and whose timer the test advances. */
function startOne(t: TestContext) {
  t.mock.timers.enable({ apis: ['setInterval'] })
  const runs: PromiseWithResolvers<void>[] = []
  const logged: unknown[] = []
  const state = { isPaused: false }
  const run = async (): Promise<void> => {
    const next = Promise.withResolvers<void>()
    runs.push(next)
    await next.promise
  }
  const jobs = startJobs([{ name: 'the job', periodMs: PERIOD_MS, run }], {
    log: { warn: (...line: unknown[]) => void logged.push(line) },
    isPaused: () => state.isPaused,
  })
  const tick = async (): Promise<void> => {
    t.mock.timers.tick(PERIOD_MS)
    await turn()
  }
  return { jobs, runs, logged, state, tick }
}

test('startJobs › a run that takes longer than its period skips ticks, and is not followed by them', async (t) => {
  const { jobs, runs, tick } = startOne(t)
  await tick()
  await tick()
  await tick()
  assert.equal(runs.length, 1)
  runs[0]?.resolve()
  await turn()
  assert.equal(runs.length, 1)
  await tick()
  assert.equal(runs.length, 2)
  runs[1]?.resolve()
  await jobs.stop()
})

test('startJobs › a failure is logged, and the job is repeated', async (t) => {
  const { jobs, runs, logged, tick } = startOne(t)
  const err = new Error('away')
  await tick()
  runs[0]?.reject(err)
  await turn()
  assert.deepEqual(logged, [[{ err }, 'the job failed']])
  await tick()
  assert.equal(runs.length, 2)
  runs[1]?.resolve()
  await jobs.stop()
})

test('startJobs › starts nothing while paused, and stops when the run under way has ended', async (t) => {
  const { jobs, runs, state, tick } = startOne(t)
  state.isPaused = true
  await tick()
  assert.equal(runs.length, 0)
  state.isPaused = false
  await tick()
  let isStopped = false
  const stopping = jobs.stop().then(() => {
    isStopped = true
  })
  await turn()
  assert.equal(isStopped, false)
  runs[0]?.resolve()
  await stopping
  await tick()
  assert.equal(runs.length, 1)
})
