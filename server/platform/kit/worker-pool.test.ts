import assert from 'node:assert/strict'
import { stat } from 'node:fs/promises'
import { after, test } from 'node:test'
import { eventually } from '../../../test/eventually.ts'
import { TurnsFull } from './key-turns.ts'
import {
  JobTooCostly,
  newWorkerPool,
  type WorkerPoolLimits,
  type WorkerPool,
} from './worker-pool.ts'

const SCRIPT = new URL('./worker-pool-script.fixture.ts', import.meta.url)
const LIMITS: WorkerPoolLimits = {
  threads: 1,
  cpuMs: 500,
  wallMs: 60_000,
  heapMb: 100,
  heapHardMb: 300,
  idleMs: 60_000,
  jobsPerKeyMax: 3,
  bytesPerKeyMax: 1000,
  bytesMax: 2000,
}

const pools: WorkerPool[] = []
after(async () => {
  await Promise.all(pools.map((pool) => pool.close()))
})

function newPool(limits: Partial<WorkerPoolLimits> = {}): WorkerPool {
  const pool = newWorkerPool(SCRIPT, { ...LIMITS, ...limits })
  pools.push(pool)
  return pool
}

const echo = (pool: WorkerPool, key: string, value: string): Promise<string> =>
  pool.run<string>(key, { work: 'echo', value }, 1)

test('worker pool › returns the replies of a thread', async () => {
  const pool = newPool()
  assert.equal(await echo(pool, 'a', 'first'), 'first')
  assert.equal(await echo(pool, 'a', 'second'), 'second')
})

test('worker pool › ends a job that uses too much CPU time, and continues', async () => {
  const pool = newPool()
  const spinning = pool.run('a', { work: 'spin' }, 1)
  await assert.rejects(spinning, (error) => error instanceof JobTooCostly && error.limit === 'time')
  assert.equal(await echo(pool, 'a', 'alive'), 'alive')
})

test('worker pool › ends a job that uses too much memory, and continues', async () => {
  const pool = newPool({ cpuMs: 60_000 })
  const growing = pool.run('a', { work: 'grow' }, 1)
  await assert.rejects(
    growing,
    (error) => error instanceof JobTooCostly && error.limit === 'memory',
  )
  assert.equal(await echo(pool, 'a', 'alive'), 'alive')
})

test('worker pool › fails a job whose thread throws, and continues', async () => {
  const pool = newPool()
  await assert.rejects(pool.run('a', { work: 'throw' }, 1), /the job failed/)
  assert.equal(await echo(pool, 'a', 'alive'), 'alive')
})

test('worker pool › serves keys in turn, and rejects jobs of a key whose queue is full', async () => {
  const pool = newPool()
  const order: string[] = []
  const ask = async (key: string, value: string): Promise<void> => {
    order.push(await echo(pool, key, value))
  }
  const first = ask('greedy', 'g0')
  const rest = ['g1', 'g2', 'g3'].map((value) => ask('greedy', value))
  await assert.rejects(echo(pool, 'greedy', 'g4'), TurnsFull)
  await Promise.all([first, ...rest, ask('modest', 'm1')])
  // How long the first job took decides whether another one of its key may precede.
  assert.ok(order.indexOf('m1') <= 2, String(order))
  assert.deepEqual(
    order.filter((value) => value !== 'm1'),
    ['g0', 'g1', 'g2', 'g3'],
  )
})

test('worker pool › fails running and waiting jobs on close', async () => {
  const pool = newPool({ cpuMs: 60_000 })
  const running = pool.run('a', { work: 'spin' }, 1)
  const waiting = echo(pool, 'a', 'never')
  const failed = Promise.all([assert.rejects(running), assert.rejects(waiting)])
  await pool.close()
  await failed
})

test('worker pool › starts threads with the first job and ends idle ones', async () => {
  const pool = newPool({ idleMs: 1 })
  assert.equal(pool.countThreads(), 0)
  assert.equal(await echo(pool, 'a', 'x'), 'x')
  const hasEnded = async (): Promise<boolean> => {
    await stat(SCRIPT)
    return pool.countThreads() === 0
  }
  await eventually(10_000, hasEnded, 'the thread ends')
  assert.equal(await echo(pool, 'a', 'y'), 'y')
})
