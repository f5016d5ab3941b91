/** Several processes on one database, whose beats, ticks and clock the test makes. */

import assert from 'node:assert/strict'
import { before, beforeEach, test } from 'node:test'
import { sql } from 'kysely'
import pino from 'pino'
import { onStore } from '../../../test/stores.ts'
import type { Clock } from '../kit/clock.ts'
import { StoreUnavailable } from '../kit/store-errors.ts'
import type { Database } from '../tables.ts'
import { JOBS, type JobName } from './jobs.ts'
import { newPresence, type Presence } from './presence.ts'
import { BEAT_MS, FORGOTTEN_MS, GONE_MS, type ProcessRole } from './process.ts'
import { deleteGoneProcesses, recordCommand } from './store.ts'
import { newUpkeep, type JobWork, type Upkeep } from './upkeep.ts'

const PERIOD_MS_MAX = Math.max(...JOBS.map(({ periodMs }) => periodMs))
const NAMES = JOBS.map(({ name }) => name)

/** A process of the test. */
interface Member {
  presence: Presence
  upkeep: Upkeep
  /** The jobs that it ran, in their order. */
  ran: JobName[]
  state: { writes: 'yes' | 'schema' | 'no' }
  /** The work of its jobs. */
  answer: { run: (name: JobName) => Promise<void> }
  /** Starts what is due, one after the other, until nothing is. */
  work(): Promise<void>
}

async function countUpdates(on: Database): Promise<[number, number, number]> {
  const { rows } = await sql<{ updates: number; hot: number; jobs: number }>`
    select pg_stat_get_xact_tuples_updated('process'::regclass) as updates,
      pg_stat_get_xact_tuples_hot_updated('process'::regclass) as hot,
      pg_stat_get_xact_tuples_updated('job'::regclass) as jobs`.execute(on)
  const { updates = 0, hot = 0, jobs = 0 } = rows[0] ?? {}
  return [updates, hot, jobs]
}

onStore((store) => {
  let db: Database
  let clock: Clock
  const time = { ms: 0 }
  const nowMs = (): number => performance.now() + time.ms
  before(() => {
    db = store().db
    clock = {
      get now() {
        return sql<string>`(clock_timestamp() + ${time.ms}::float8 * interval '1 millisecond')`
      },
    }
  })
  beforeEach(async () => {
    await sql`delete from process`.execute(db)
    await sql`delete from job`.execute(db)
  })

  function start(role: ProcessRole = 'both', log = pino({ level: 'silent' }), on = db): Member {
    const state: Member['state'] = { writes: 'yes' }
    const answer: Member['answer'] = { run: async () => undefined }
    const ran: JobName[] = []
    const presence = newPresence({
      db: on,
      clock,
      log,
      role,
      schemaVersion: '0063_processes_and_jobs.sql',
      findWriteState: () => state.writes,
      nowMs,
    })
    const run = (name: JobName) => async (): Promise<void> => {
      ran.push(name)
      await answer.run(name)
    }
    const isPaused = (): boolean => state.writes !== 'yes'
    // A process that only serves has no upkeep.
    const kept = role === 'serving' ? { keepJobs: () => undefined } : presence
    const services = { presence: kept, log, isPaused, hasMail: true, nowMs }
    const work = Object.fromEntries(NAMES.map((name) => [name, run(name)])) as JobWork
    const upkeep = newUpkeep(services, work)
    return {
      presence,
      upkeep,
      ran,
      state,
      answer,
      async work() {
        // Heavy jobs follow each other, one for each tick.
        for (let tick = 0; tick <= JOBS.length; tick += 1) {
          upkeep.tick()
          await upkeep.settle()
        }
      },
    }
  }

  async function readHolders(): Promise<Map<string, string | null>> {
    const { rows } = await sql<{ name: string; process_id: string | null }>`
      select name, process_id from job`.execute(db)
    return new Map(rows.map(({ name, process_id }) => [name, process_id]))
  }

  async function readJob(name: string) {
    const { rows } = await sql<{
      hasStarted: boolean
      hasSucceeded: boolean
      hasFailed: boolean
      failure_code: string | null
      duration_ms: number | null
    }>`
      select started_at is not null as "hasStarted", succeeded_at is not null as "hasSucceeded",
        failed_at is not null as "hasFailed", failure_code, duration_ms
      from job where name = ${name}`.execute(db)
    return rows[0]
  }

  test('a process has a row with its role, its versions and its host until it stops', async () => {
    const one = start('working')
    await one.presence.beat()
    const { rows } = await sql`
      select role, state, schema_version, host <> '' as "hasHost", version <> '' as "hasVersion",
        started_at <= beat_at as "isStarted"
      from process`.execute(db)
    assert.deepEqual(rows, [
      {
        role: 'working',
        state: 'running',
        schema_version: '0063_processes_and_jobs.sql',
        hasHost: true,
        hasVersion: true,
        isStarted: true,
      },
    ])
    await one.presence.announceStop()
    const stopping = await sql`select state from process`.execute(db)
    assert.deepEqual(stopping.rows, [{ state: 'stopping' }])
    await one.presence.stop()
    assert.deepEqual((await sql`select from process`.execute(db)).rows, [])
  })

  test('a beat of an idle process changes one row without an index entry', async () => {
    await db.transaction().execute(async (transaction) => {
      const one = start('both', pino({ level: 'silent' }), transaction)
      await one.presence.beat()
      const before = await countUpdates(transaction)
      for (let beat = 0; beat < 3; beat += 1) await one.presence.beat()
      const [updates, hot, jobs] = await countUpdates(transaction)
      const [updatesBefore, hotBefore, jobsBefore] = before
      assert.deepEqual([updates - updatesBefore, hot - hotBefore, jobs - jobsBefore], [3, 3, 0])
    })
  })

  test('of two processes, each due job runs once, in one of them', async () => {
    const [one, other] = [start('both'), start('working')]
    for (const member of [one, other]) await member.presence.beat()
    time.ms += PERIOD_MS_MAX
    for (let round = 0; round < 2; round += 1) {
      for (const member of [one, other]) {
        await member.presence.beat()
        await member.work()
      }
    }
    assert.deepEqual([...one.ran, ...other.ran].toSorted(), NAMES.toSorted())
  })

  test('of processes that start at the same time, each job gets one holder', async () => {
    for (let round = 0; round < 5; round += 1) {
      await sql`delete from process`.execute(db)
      await sql`delete from job`.execute(db)
      const members = Array.from({ length: 5 }, () => start())
      await Promise.all(members.map(async ({ presence }) => await presence.beat()))
      await Promise.all(members.map(async ({ presence }) => await presence.beat()))
      time.ms += PERIOD_MS_MAX
      await Promise.all(members.map(async ({ presence }) => await presence.beat()))
      await Promise.all(members.map(async (member) => await member.work()))
      const ran = members.flatMap((member) => member.ran)
      assert.deepEqual(ran.toSorted(), NAMES.toSorted())
    }
  })

  test('the jobs of a killed process are taken over once three of its beats are missing', async () => {
    const [killed, other] = [start(), start()]
    await killed.presence.beat()
    await other.presence.beat()
    time.ms += GONE_MS - BEAT_MS
    await other.presence.beat()
    assert.deepEqual([...new Set((await readHolders()).values())], [killed.presence.id])
    time.ms += BEAT_MS
    await other.presence.beat()
    assert.deepEqual([...new Set((await readHolders()).values())], [other.presence.id])
  })

  test('a run that ended with its process is due at once in the next one', async () => {
    const [killed, other] = [start(), start()]
    await killed.presence.beat()
    time.ms += PERIOD_MS_MAX
    await killed.presence.beat()
    const { promise, resolve } = Promise.withResolvers<void>()
    killed.answer.run = async (name) => await (name === 'expiry-notices' ? promise : undefined)
    killed.upkeep.tick()
    await new Promise(setImmediate)
    await killed.presence.beat()
    assert.deepEqual(await readJob('expiry-notices'), {
      hasStarted: true,
      hasSucceeded: false,
      hasFailed: false,
      failure_code: null,
      duration_ms: null,
    })
    time.ms += GONE_MS
    await other.presence.beat()
    other.upkeep.tick()
    assert.ok(other.ran.includes('expiry-notices'), other.ran.join())
    // It ended before its holder was killed.
    assert.ok(!other.ran.includes('activity-seals'), other.ran.join())
    resolve()
    await Promise.all([killed.upkeep.stop(), other.upkeep.stop()])
  })

  test('a process that stops keeps its jobs until those under way have ended, and gives them up then', async () => {
    const [stopping, other] = [start(), start()]
    await stopping.presence.beat()
    await other.presence.beat()
    await stopping.presence.announceStop()
    await other.presence.beat()
    assert.deepEqual([...new Set((await readHolders()).values())], [stopping.presence.id])
    await stopping.presence.stop()
    await other.presence.beat()
    assert.deepEqual([...new Set((await readHolders()).values())], [other.presence.id])
  })

  test('a process with the schema of another version is paused and gives its jobs to a process with this one', async () => {
    const [old, other] = [start(), start()]
    await old.presence.beat()
    await other.presence.beat()
    old.state.writes = 'schema'
    await old.presence.beat()
    await other.presence.beat()
    assert.deepEqual([...new Set((await readHolders()).values())], [other.presence.id])
    const { rows } = await sql`
      select state from process where id = ${old.presence.id}::uuid`.execute(db)
    assert.deepEqual(rows, [{ state: 'paused' }])
  })

  test('a process whose beats do not arrive starts no job that another one may have taken over', async () => {
    const [away, other] = [start(), start()]
    await away.presence.beat()
    await other.presence.beat()
    away.state.writes = 'no'
    time.ms += PERIOD_MS_MAX
    await away.presence.beat()
    away.state.writes = 'yes'
    await away.work()
    assert.deepEqual(away.ran, [])
    await other.presence.beat()
    await other.work()
    assert.deepEqual(other.ran.toSorted(), NAMES.toSorted())
    await away.presence.beat()
    await away.work()
    assert.deepEqual(away.ran, [])
  })

  test('runs that end while the database is away are recorded when it is back', async () => {
    const one = start()
    await one.presence.beat()
    time.ms += PERIOD_MS_MAX
    await one.presence.beat()
    one.answer.run = async (name) => {
      if (name === 'usage') throw new StoreUnavailable('the database is away')
      if (name === 'run-logs') throw new TypeError('a defect')
    }
    await one.work()
    one.state.writes = 'no'
    await one.presence.beat()
    assert.equal((await readJob('activity-seals'))?.hasSucceeded, false)
    one.state.writes = 'yes'
    await one.presence.beat()
    const seals = await readJob('activity-seals')
    assert.equal(seals?.hasSucceeded, true)
    assert.ok(seals.hasStarted && Number.isInteger(seals.duration_ms), JSON.stringify(seals))
    const failed = await Promise.all([readJob('usage'), readJob('run-logs')])
    assert.deepEqual(
      failed.map((job) => [job?.hasSucceeded, job?.hasFailed, job?.failure_code]),
      [
        [false, true, 'store_unavailable'],
        [false, true, 'unexpected_error'],
      ],
    )
  })

  test('heavy jobs of a process run one after the other', async () => {
    const one = start()
    await one.presence.beat()
    time.ms += PERIOD_MS_MAX
    await one.presence.beat()
    let running = 0
    one.answer.run = async (name) => {
      if (JOBS.find((job) => job.name === name)?.isHeavy !== true) return
      running += 1
      assert.equal(running, 1, name)
      await new Promise(setImmediate)
      running -= 1
    }
    await one.work()
    assert.equal(one.ran.length, JOBS.length)
  })

  test('a process that only serves holds no job, and warns once that no process works', async () => {
    const warned: string[] = []
    const log = pino({ level: 'silent' })
    log.warn = (...line: unknown[]) => void warned.push(String(line[0]))
    const { presence } = start('serving', log)
    for (let beat = 0; beat < 8; beat += 1) await presence.beat()
    assert.equal(warned.length, 1)
    assert.match(warned[0] ?? '', /no process works/)
    assert.equal((await readHolders()).size, 0)
    await start('working').presence.beat()
    for (let beat = 0; beat < 8; beat += 1) await presence.beat()
    assert.equal(warned.length, 1)
  })

  test('the row of a process that is gone stays for an hour', async () => {
    await start().presence.beat()
    time.ms += FORGOTTEN_MS - GONE_MS
    await deleteGoneProcesses(db, clock)
    assert.equal((await sql`select from process`.execute(db)).rows.length, 1)
    time.ms += 2 * GONE_MS
    await deleteGoneProcesses(db, clock)
    assert.equal((await sql`select from process`.execute(db)).rows.length, 0)
  })

  test('the success of a command is recorded like that of a job, and no process takes it over', async () => {
    for (const durationMs of [12.6, 7])
      await recordCommand(db, clock, { name: 'backup', durationMs })
    await start().presence.beat()
    assert.deepEqual(await readJob('backup'), {
      hasStarted: true,
      hasSucceeded: true,
      hasFailed: false,
      failure_code: null,
      duration_ms: 7,
    })
    assert.equal((await readHolders()).get('backup'), null)
  })
})
