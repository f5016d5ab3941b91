import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { sql } from 'kysely'
import { eventually } from '../../../test/eventually.ts'
import { newIngestionWorld, type IngestionWorld } from '../../../test/ingestion.ts'
import { onStore } from '../../../test/stores.ts'
import type { Connector, Setup, SourceSession } from '../../connectors/connector.ts'
import { storeClock } from '../../platform/kit/clock.ts'
import { untilAborted } from '../../platform/kit/signals.ts'
import { claimRun, closeRun } from './claim-store.ts'
import { cancelRun } from './run-store.ts'
import { startWorkers } from './worker.ts'

const ENDED_MS_MAX = 30_000
const NOTHING = { processed: 0, created: 0, updated: 0, deleted: 0, held: 0 }

function getOrganization([world]: readonly IngestionWorld[]): string {
  assert.ok(world)
  return world.organizationId
}

/** Creates a connector whose source never answers, and counts its sessions. */
function newSilentConnector(connector: Connector) {
  const silent = {
    openCount: 0,
    connector: {
      ...connector,
      source: 'silent',
      async open({ signal, onStarted }: Setup): Promise<SourceSession> {
        onStarted?.()
        silent.openCount += 1
        return await untilAborted(new Promise<SourceSession>(() => undefined), signal)
      },
    },
  }
  return silent
}

onStore((store) => {
  /** Creates integrations of one organization, each with a run that waits. */
  async function queue(count: number): Promise<IngestionWorld[]> {
    const first = await newIngestionWorld(store())
    const { organizationId } = first
    const others = Array.from({ length: count - 1 }, () =>
      newIngestionWorld(store(), { organizationId }),
    )
    const worlds = [first, ...(await Promise.all(others))]
    for (const world of worlds) assert.ok(await world.trigger())
    return worlds
  }

  async function cancelAll(worlds: readonly IngestionWorld[]): Promise<void> {
    const { db } = store()
    for (const { organizationId, integrationId } of worlds) {
      await cancelRun(db, storeClock, organizationId, integrationId)
    }
    await sql`update ingestion_run set lease_until = null where status = 'RUNNING'`.execute(db)
  }

  test('the only run of an organization is claimed before the second one of another', async () => {
    const { db } = store()
    const many = await queue(5)
    const few = await queue(1)
    const claims = [await claimRun(db, storeClock), await claimRun(db, storeClock)]
    const organizations = new Set(claims.map((claim) => claim?.organizationId))
    assert.deepEqual(organizations, new Set([many, few].map(getOrganization)))
    await cancelAll([...many, ...few])
  })

  test('a worker serves the organizations in turn, and the oldest run of each first', async () => {
    const { db } = store()
    const all = [await queue(4), await queue(1), await queue(2)]
    const started: { after: string; organizationId: string; runId: string }[] = []
    let after: string = randomUUID()
    for (let count = 0; count < 7; count += 1) {
      const claim = await claimRun(db, storeClock, { after })
      assert.ok(claim)
      const { organizationId, runId } = claim
      started.push({ after, organizationId, runId })
      const end = { status: 'FAILED', message: 'ended', counts: NOTHING } as const
      assert.ok(await closeRun(db, storeClock, claim, end))
      after = organizationId
    }
    const rounds = [started.slice(0, 3), started.slice(3, 5), started.slice(5)]
    assert.deepEqual(
      rounds.map((round) => new Set(round.map(({ organizationId }) => organizationId)).size),
      [3, 2, 1],
    )
    for (const organizationId of all.map(getOrganization)) {
      const own = started.filter((one) => one.organizationId === organizationId)
      const { rows } = await sql<{ id: string }>`
        select id from ingestion_run
        where organization_id = ${organizationId}
        order by started_at, id
      `.execute(db)
      assert.deepEqual(
        own.map(({ runId }) => runId),
        rows.map(({ id }) => id),
      )
    }
    assert.equal(await claimRun(db, storeClock, { after }), undefined)
  })

  test('runs of organizations that must wait are left to others', async () => {
    const { db } = store()
    const many = await queue(2)
    const except = [getOrganization(many)]
    assert.equal(await claimRun(db, storeClock, { except }), undefined)
    const few = await queue(1)
    const claim = await claimRun(db, storeClock, { except })
    assert.equal(claim?.organizationId, getOrganization(few))
    assert.equal(await claimRun(db, storeClock, { except }), undefined)
    await cancelAll([...many, ...few])
  })

  test('workers read the source of another organization before a backlog', async () => {
    const many = await queue(5)
    const few = await queue(1)
    const [first] = many
    assert.ok(first)
    const order: string[] = []
    const { connector } = first.source
    const connectors = new Map<string, Connector>()
    for (const [name, worlds] of Object.entries({ many, few })) {
      const open: Connector['open'] = async (setup) => {
        order.push(name)
        return await connector.open(setup)
      }
      connectors.set(name, { ...connector, source: name, open })
      await sql`
        update integration set source = ${name} where organization_id = ${getOrganization(worlds)}
      `.execute(store().db)
    }
    // A run that waits for its source would make way for the next one, which could open its source first.
    const timing = { ...first.engine.timing, patienceMs: 1e9 }
    const workers = startWorkers({ ...first.engine, connectors, timing }, 1)
    try {
      await eventually(ENDED_MS_MAX, async () => order.length === 6, 'every source is read')
    } finally {
      await workers.stop(5000)
    }
    assert.ok(order.indexOf('few') <= 1, order.join(' '))
  })

  test('silent sources of one organization leave places to others', async () => {
    const many = await queue(30)
    const [first] = many
    assert.ok(first)
    const { connector } = first.source
    first.source.put(['shop', 'sales', 'orders'])
    const silent = newSilentConnector(connector)
    await sql`
      update integration set source = 'silent' where organization_id = ${getOrganization(many)}
    `.execute(store().db)
    const connectors = new Map([
      ['silent', silent.connector],
      [connector.source, connector],
    ])
    const workers = startWorkers({ ...first.engine, connectors }, 1)
    try {
      await eventually(ENDED_MS_MAX, async () => silent.openCount >= 13, 'the sources are opened')
      const few = await newIngestionWorld(store())
      const id = (await few.trigger()) ?? ''
      const hasEnded = async (): Promise<boolean> => (await few.find(id)).status === 'SUCCESS'
      await eventually(ENDED_MS_MAX, hasEnded, 'the run of the other organization ends')
      assert.equal(silent.openCount, 13)
    } finally {
      await cancelAll(many)
      await workers.stop(0)
    }
  })

  test('while all workers are busy with one organization, a run of another one starts', async () => {
    const many = await queue(3)
    const [first] = many
    assert.ok(first)
    const { connector } = first.source
    first.source.put(['shop', 'sales', 'orders'])
    const silent = newSilentConnector(connector)
    await sql`
      update integration set source = 'silent' where organization_id = ${getOrganization(many)}
    `.execute(store().db)
    const connectors = new Map([
      ['silent', silent.connector],
      [connector.source, connector],
    ])
    // A run that waits for its source keeps its worker.
    const timing = { ...first.engine.timing, patienceMs: 1e9 }
    const workers = startWorkers({ ...first.engine, connectors, timing }, 2)
    try {
      await eventually(ENDED_MS_MAX, async () => silent.openCount === 2, 'both workers are busy')
      const few = await newIngestionWorld(store())
      for (let count = 0; count < 2; count += 1) {
        const id = (await few.trigger()) ?? ''
        const hasEnded = async (): Promise<boolean> => (await few.find(id)).status === 'SUCCESS'
        await eventually(ENDED_MS_MAX, hasEnded, 'the run of the other organization ends')
      }
      assert.equal(silent.openCount, 2)
    } finally {
      await cancelAll(many)
      await workers.stop(0)
    }
  })
})
