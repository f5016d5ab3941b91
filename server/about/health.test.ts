import assert from 'node:assert/strict'
import { before, beforeEach, test } from 'node:test'
import { sql } from 'kysely'
import { expectProblem, readJson } from '../../test/answers.ts'
import { onStore } from '../../test/stores.ts'
import { newProduct, newWorld, type World } from '../../test/world.ts'
import { JOBS } from '../platform/processes/jobs.ts'
import { VERSION } from '../platform/version.ts'
import type { Health, HealthSignal } from './health.ts'

const HEALTH = '/ui/health'

const find = ({ signals }: Health, name: HealthSignal['name'], subject: string | null = null) =>
  signals.find((one) => one.name === name && one.subject === subject)

onStore((store) => {
  let world: World
  before(async () => {
    world = await newWorld(newProduct(store()))
  })
  beforeEach(async () => {
    await sql`delete from process`.execute(store().db)
    await sql`delete from job`.execute(store().db)
  })

  const read = async (asked: World = world): Promise<Health> =>
    await readJson<Health>(asked.asPerson('Uo', 'GET', HEALTH))

  async function addProcess(more: { version?: string; role?: string; beat?: string } = {}) {
    const { version = VERSION, role = 'both', beat = '1 s' } = more
    await sql`
      insert into process (id, version, schema_version, role, host, state, started_at, beat_at)
      values (gen_random_uuid(), ${version}, '0063', ${role}, 'pod-1', 'running',
        clock_timestamp() - interval '1 h', clock_timestamp() - ${beat}::interval)
    `.execute(store().db)
  }

  const addJob = async (name: string, ago: string): Promise<void> => {
    await sql`
      insert into job (name, created_at, succeeded_at)
      values (${name}, clock_timestamp() - interval '400 d', clock_timestamp() - ${ago}::interval)
    `.execute(store().db)
  }

  test(`GET ${HEALTH} › 200 with processes, jobs, the database and the largest tables`, async () => {
    await addProcess()
    for (const { name } of JOBS) await addJob(name, '1 s')
    const health = await read()
    assert.equal(health.state, 'ok', JSON.stringify(health.signals))
    assert.deepEqual(
      health.processes.map(({ version, role, host, state, isThis }) => ({
        version,
        role,
        host,
        state,
        isThis,
      })),
      [{ version: VERSION, role: 'both', host: 'pod-1', state: 'running', isThis: false }],
    )
    // Without a mail server, no digests are due.
    assert.equal(health.jobs.length, JOBS.length - 1)
    assert.equal(health.database.isWritable, true)
    assert.ok(health.database.connections.count <= health.database.connections.max)
    assert.equal(health.tables?.length, 10)
    assert.deepEqual(health.runs, { waiting: 0, postponed: 0, running: 0 })
  })

  test(`GET ${HEALTH} › reports that no process works, or that it is gone`, async () => {
    await addProcess({ role: 'serving' })
    await addProcess({ role: 'working', beat: '20 s' })
    const health = await read()
    assert.equal(health.state, 'critical')
    assert.equal(find(health, 'workingProcesses')?.state, 'critical')
    assert.deepEqual(health.processes.map(({ state }) => state).toSorted(), ['gone', 'running'])
  })

  test(`GET ${HEALTH} › reports different versions, and ignores those of processes that are gone`, async () => {
    await addProcess()
    await addProcess({ version: '9.9.9', beat: '1 min' })
    assert.equal(find(await read(), 'versions')?.state, 'ok')
    await addProcess({ version: '9.9.9' })
    assert.deepEqual(find(await read(), 'versions'), {
      name: 'versions',
      subject: null,
      state: 'warning',
      value: 2,
      limit: 1,
      unit: 'count',
      alert: 'PortbookMixedVersions',
    })
  })

  test(`GET ${HEALTH} › reports late jobs with their own limits, and failures since the last success`, async () => {
    await addProcess()
    await addJob('activity-seals', '11 min')
    await addJob('usage', '11 min')
    await sql`
      update job set failed_at = clock_timestamp(), failure_code = '57014' where name = 'usage'
    `.execute(store().db)
    const health = await read()
    assert.equal(find(health, 'jobAge', 'activity-seals')?.state, 'warning')
    assert.equal(find(health, 'jobAge', 'usage')?.state, 'ok')
    assert.equal(health.jobs.find(({ name }) => name === 'usage')?.failureCode, '57014')
    await addJob('backup', '8 d')
    assert.equal(find(await read(), 'backupAge')?.state, 'warning')
  })

  test(`GET ${HEALTH} › judges no beats while the database accepts no writes`, async () => {
    await addProcess({ beat: '10 min' })
    await addJob('activity-seals', '11 min')
    const { findObstacle } = world.services.guard
    world.services.guard.findObstacle = async () => 'store_read_only'
    try {
      const health = await read()
      assert.equal(find(health, 'writable')?.state, 'critical')
      assert.equal(find(health, 'workingProcesses')?.state, 'unknown')
      assert.equal(find(health, 'jobAge', 'activity-seals')?.state, 'unknown')
      assert.equal(health.processes[0]?.state, 'unknown')
    } finally {
      world.services.guard.findObstacle = findObstacle
    }
  })

  test(`GET ${HEALTH} › 403 for members`, async () => {
    await expectProblem(world.asPerson('Um', 'GET', HEALTH), 403)
  })

  test(`GET ${HEALTH} › with several organizations, shows states, and no numbers of what others do`, async () => {
    await addProcess()
    const other = await newWorld(world)
    for (const asked of [world, other]) {
      const health = await read(asked)
      assert.equal(health.hasSeveralOrganizations, true)
      assert.deepEqual([health.deliveries, health.runs, health.tables], [null, null, null])
      assert.deepEqual([health.database.sizeBytes, health.processes[0]?.host], [null, null])
      const counted = health.signals.filter(({ name }) =>
        ['followerLag', 'deliveryAge', 'runWait', 'activityAge'].includes(name),
      )
      assert.ok(counted.length > 0)
      assert.ok(counted.every(({ value }) => value === null))
      assert.equal(JSON.stringify(health).includes(asked.organizationId), false)
    }
  })
})
