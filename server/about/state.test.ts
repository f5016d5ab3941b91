import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { sql } from 'kysely'
import { enqueue, newTarget } from '../../test/deliveries.ts'
import { eventually } from '../../test/eventually.ts'
import { newIngestionWorld } from '../../test/ingestion.ts'
import { readLogLines } from '../../test/log-lines.ts'
import { onStore, openTestStore } from '../../test/stores.ts'
import { newProduct, newWorld, putOne, type World } from '../../test/world.ts'
import { startFollowers } from '../ledger/events/follow-service.ts'
import { sealActivity } from '../ledger/activity/seal-service.ts'
import { fixedClock, readTime, storeClock, type Clock } from '../platform/kit/clock.ts'
import type { ProcessRole } from '../platform/processes/process.ts'
import type { Database } from '../platform/tables.ts'
import type { InstallationState } from './installation-state.ts'
import { readInstallationState, startStateReader } from './state-service.ts'
import { listChannelStates } from './state-store.ts'

// Transactions of other tests on the same server delay the feed and the seals.
const SETTLED_MS_MAX = 20_000
const NEVER_MS = 1e9

/** Returns a clock that is ahead of the database's by the given seconds, and the time that has passed since `from`. */
async function ahead(
  db: Database,
  from: string,
  seconds: number,
): Promise<{ clock: Clock; passedSeconds: number }> {
  const now = Temporal.Instant.from(await readTime(db, storeClock))
  const clock = fixedClock(now.add({ seconds }).toString())
  return { clock, passedSeconds: now.since(Temporal.Instant.from(from)).total('seconds') }
}

function assertAge(ageSeconds: number | undefined, least: number, passedSeconds: number): void {
  const isSo =
    ageSeconds !== undefined && ageSeconds >= least && ageSeconds <= least + passedSeconds
  assert.ok(isSo, `${ageSeconds} s is between ${least} s and ${least + passedSeconds} s`)
}

onStore((store) => {
  let db: Database
  let world: World
  let other: World
  before(async () => {
    db = store().db
    world = await newWorld(newProduct(store()))
    other = await newWorld(world)
  })

  const read = (clock: Clock = storeClock): Promise<InstallationState> =>
    readInstallationState(db, clock)

  async function findLag(clock?: Clock): Promise<number | undefined> {
    const { followers } = await read(clock)
    return followers.find(({ follower }) => follower === 'lagging')?.lagSeconds
  }

  async function addJob(name: string, succeededAt: string | null): Promise<void> {
    await sql`
      insert into job (name, created_at, succeeded_at)
      values (${name}, '2026-01-01T00:00:00Z', ${succeededAt})
    `.execute(db)
  }

  test('follower lag › is the age of the oldest event that is not handled, in any organization', async () => {
    const failing = new Set<string>()
    const followers = startFollowers(
      { db, log: readLogLines().log, isPaused: () => false },
      [
        {
          name: 'lagging',
          handle(_, organizationId) {
            return failing.has(organizationId)
              ? Promise.reject(new Error('fails'))
              : Promise.resolve()
          },
        },
      ],
      NEVER_MS,
    )
    const isCaughtUp = async (): Promise<boolean> => {
      await followers.follow()
      return (await findLag()) === 0
    }
    await eventually(SETTLED_MS_MAX, isCaughtUp, 'nothing is behind')
    failing.add(world.organizationId)
    const from = await readTime(db, storeClock)
    for (const one of [world, other]) await putOne(one, 'teams', { id: 'behind', name: 'Behind' })
    await followers.follow()
    await followers.stop()
    const { clock, passedSeconds } = await ahead(db, from, 90)
    assertAge(await findLag(clock), 90, passedSeconds)
  })

  test('deliveries › counts those that wait in each channel, and the time of the oldest', async () => {
    const channels = ['test', 'webhook']
    const target = newTarget(world.organizationId)
    const [none] = await listChannelStates(db, storeClock, channels)
    assert.deepEqual(none, { channel: 'test', waitingCount: 0, oldestSeconds: 0 })
    const from = await readTime(db, storeClock)
    await enqueue(db, target, ['first', 'second', 'third'])
    await enqueue(db, newTarget(other.organizationId), ['fourth'])
    await sql`
      update delivery
      set state = 'delivered', ended_at = clock_timestamp(), queued_at = queued_at - interval '1 day'
      where organization_id = ${world.organizationId} and subject = 'first'
    `.execute(db)
    const { clock, passedSeconds } = await ahead(db, from, 700)
    const [waiting, empty] = await listChannelStates(db, clock, channels)
    assert.equal(waiting?.waitingCount, 3)
    assertAge(waiting?.oldestSeconds, 700, passedSeconds)
    assert.deepEqual(empty, { channel: 'webhook', waitingCount: 0, oldestSeconds: 0 })
  })

  test('runs › distinguishes those that wait, are postponed, have a worker, and have ended', async () => {
    const from = await readTime(db, storeClock)
    const [running, postponed, died, ended, waiting] = await Promise.all(
      Array.from({ length: 5 }, async () => {
        const one = await newIngestionWorld(store(), { organizationId: world.organizationId })
        return (await one.trigger()) ?? ''
      }),
    )
    const set = async (id: string | undefined, assignment: string): Promise<void> => {
      await sql`update ingestion_run set ${sql.raw(assignment)} where id = ${id}`.execute(db)
    }
    await set(running, `lease_until = clock_timestamp() + interval '1 day'`)
    await set(postponed, `not_before = clock_timestamp() + interval '1 day'`)
    await set(died, `lease_until = clock_timestamp()`)
    await set(ended, `status = 'FAILED', completed_at = clock_timestamp()`)
    assert.notEqual(waiting, undefined)
    const { clock, passedSeconds } = await ahead(db, from, 700)
    const { oldestWaitingSeconds, ...counts } = (await read(clock)).runs
    assert.deepEqual(counts, { waitingCount: 2, postponedCount: 1, runningCount: 1 })
    assertAge(oldestWaitingSeconds, 700, passedSeconds)
  })

  test('activity › is the age of the oldest entry without a seal, in any organization', async () => {
    const isSealed = async (): Promise<boolean> => {
      await sealActivity(world.services)
      return (await read()).activity.unsealedSeconds === 0
    }
    await eventually(SETTLED_MS_MAX, isSealed, 'everything is sealed')
    const from = await readTime(db, storeClock)
    await putOne(other, 'teams', { id: 'unsealed', name: 'Unsealed' })
    const { clock, passedSeconds } = await ahead(db, from, 700)
    assertAge((await read(clock)).activity.unsealedSeconds, 700, passedSeconds)
  })

  test('processes › counts those that are there, by role and version', async () => {
    const addProcess = async (role: ProcessRole, version: string, age: string): Promise<void> => {
      await sql`
        insert into process (id, version, schema_version, role, host, state, started_at, beat_at)
        values (gen_random_uuid(), ${version}, '0001', ${role}, 'host', 'running', now(),
          clock_timestamp() - ${age}::interval)
      `.execute(db)
    }
    await addProcess('working', '0.1.0', '0')
    await addProcess('working', '0.1.0', '0')
    await addProcess('serving', '0.1.0', '0')
    await addProcess('working', '0.2.0', '0')
    await addProcess('both', '0.2.0', '1 hour')
    const { clock } = await ahead(db, await readTime(db, storeClock), 0)
    assert.deepEqual((await read(clock)).processes, [
      { role: 'serving', version: '0.1.0', count: 1 },
      { role: 'working', version: '0.1.0', count: 2 },
      { role: 'working', version: '0.2.0', count: 1 },
    ])
  })

  test('jobs › has the last success of each, and when it is late; those of other versions are left out', async () => {
    await addJob('activity-seals', '2026-01-02T00:00:00Z')
    await addJob('backup', null)
    await addJob('job-of-another-version', null)
    assert.deepEqual((await read()).jobs, [
      {
        job: 'activity-seals',
        succeededAtSeconds: Date.parse('2026-01-02T00:00:00Z') / 1000,
        lateAfterSeconds: 600,
      },
      {
        job: 'backup',
        succeededAtSeconds: Date.parse('2026-01-01T00:00:00Z') / 1000,
        lateAfterSeconds: 7 * 24 * 3600,
      },
    ])
  })

  test('tables › has every table with its size, the largest first', async () => {
    const { tables } = await read()
    const bytes = tables.map((one) => one.bytes)
    assert.deepEqual(
      bytes,
      bytes.toSorted((a, b) => b - a),
    )
    assert.ok((tables.find(({ table }) => table === 'activity_entry')?.bytes ?? 0) > 8192)
  })
})

test('a reader › returns no state that is too old, and logs once that it cannot be read', async () => {
  const store = await openTestStore()
  const { log, lines } = readLogLines()
  const services = { db: store.db, clock: storeClock, log }
  const reader = startStateReader(services, { periodMs: 5, ageMsMax: NEVER_MS })
  const stale = startStateReader(services, { periodMs: NEVER_MS, ageMsMax: 0 })
  await eventually(5000, () => Promise.resolve(reader.find() !== undefined), 'a state is read')
  await stale.stop()
  assert.equal(stale.find(), undefined)
  await sql`alter table delivery rename to hidden`.execute(store.db)
  const isLogged = (): Promise<boolean> => Promise.resolve(lines.length > 0)
  await eventually(5000, isLogged, 'the failure is logged')
  await sql`alter table hidden rename to delivery`.execute(store.db)
  const isRead = (): Promise<boolean> => Promise.resolve(lines.length > 1)
  await eventually(5000, isRead, 'a state is read again')
  await reader.stop()
  await store.close()
  assert.deepEqual(
    lines.map(({ level, msg }) => [level, msg]),
    [
      [40, 'the state of the installation cannot be read'],
      [30, 'the state of the installation is read again'],
    ],
  )
})
