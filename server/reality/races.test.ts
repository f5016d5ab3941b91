import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { sql } from 'kysely'
import { newIngestionWorld, type IngestionWorld } from '../../test/ingestion.ts'
import { newRandom } from '../../test/random.ts'
import { onStore } from '../../test/stores.ts'
import { verifyReality } from '../../test/verified-reality.ts'
import { expectOk, newProduct, newWorld, odcs, uniqueId, type World } from '../../test/world.ts'
import { StoreUnavailable } from '../platform/kit/store-errors.ts'
import { endExpiredAcceptances } from './drift/acceptance-service.ts'
import type { DriftFinding } from './drift/drift.ts'
import { compareWaiting } from './drift/upkeep-service.ts'
import { judgeDueFreshness } from './freshness/upkeep-service.ts'
import { settleDueTrust } from './trust/settle-service.ts'

const SEED = 20_261_202
const ROUNDS = 5
const TABLES = ['a', 'b', 'c']
const COLUMNS = ['id', 'note', 'total', 'more']

onStore((store) => {
  let world: World
  let ingestion: IngestionWorld
  before(async () => {
    world = await newWorld(newProduct(store()))
    const { organizationId } = world
    ingestion = await newIngestionWorld(store(), { organizationId })
    ingestion.engine.offload = world.services.offload
  })

  const work = async (): Promise<void> => {
    const { working } = await ingestion.start()
    await working.done
  }

  // A run that a busy database has stopped is claimed again, at once.
  const endRun = async (): Promise<void> => {
    const { rows } = await sql<{ status: string }>`
      update ingestion_run set lease_until = null, not_before = null
      where integration_id = ${ingestion.integrationId} and status = 'RUNNING'
      returning status
    `.execute(store().db)
    if (rows.length > 0) await work()
    const { rows: others } = await sql<{ status: string }>`
      select distinct status from ingestion_run where integration_id = ${ingestion.integrationId}
    `.execute(store().db)
    assert.deepEqual(others, [{ status: 'SUCCESS' }])
  }

  test('runs, documents, choices, acceptances, results and upkeep at once end as verify computes it', async (t) => {
    t.diagnostic(`seed ${SEED}`)
    const random = newRandom(SEED)
    const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)] as T
    const some = (): string[] => COLUMNS.filter((_, at) => at === 0 || random() < 0.6)
    const contracts = Array.from({ length: 3 }, uniqueId)
    const { services } = world
    const put = async (id: string): Promise<Response> => {
      const properties = some().map((name) => ({ name, logicalType: 'string' }))
      const body = odcs(id, {
        servers: [{ server: 'main', type: 'scripted', database: 'shop', schema: 's' }],
        schema: TABLES.map((name) => ({ name, physicalType: 'table', properties })),
        slaProperties: [{ property: 'freshness', value: 24, unit: 'h' }],
      })
      return await world.as('O', 'PUT', `/api/datacontracts/${id}`, { body })
    }
    const run = async (): Promise<void> => {
      for (const [at, table] of TABLES.entries()) {
        // A source without any table is not believed.
        if (at > 0 && random() < 0.2) ingestion.source.drop(['shop', 's', table])
        else {
          const columns = some().map((name) => ({ name, type: 'text' }))
          ingestion.source.put(['shop', 's', table], { columns })
        }
      }
      await ingestion.trigger()
      await work()
    }
    // A busy database answers with 503.
    const list = async <Item>(path: string): Promise<Item[]> => {
      const answer = await world.as('O', 'GET', path)
      return answer.ok ? ((await answer.json()) as Item[]) : []
    }
    const accept = async (): Promise<Response | undefined> => {
      const open = await list<DriftFinding>('/api/drift?level=breaking')
      if (open.length === 0) return undefined
      const path = `/api/drift/${pick(open).id}/acceptance`
      return random() < 0.6
        ? await world.as('O', 'PUT', path, { body: { reason: 'Race' } })
        : await world.as('O', 'DELETE', path)
    }
    const choose = async (): Promise<Response> => {
      const path = `/api/datacontracts/${pick(contracts)}/links/main/${pick(TABLES)}`
      if (random() < 0.4) return await world.as('O', 'DELETE', path)
      const ids = [...(await ingestion.assets()).values()].map(({ id }) => id)
      const assetId = ids.length === 0 || random() < 0.3 ? null : pick(ids)
      return await world.as('O', 'PUT', path, { body: { assetId, reason: 'Race' } })
    }
    const report = async (): Promise<Response> => {
      const result = random() < 0.5 ? 'failed' : 'passed'
      const body = { dataContractId: pick(contracts), server: 'main', result, checks: [] }
      return await world.as('O', 'POST', '/api/test-results', { body })
    }
    const acknowledge = async (): Promise<Response | undefined> => {
      const open = await list<{ id: string }>('/api/incidents?status=open')
      if (open.length === 0) return undefined
      const path = `/api/incidents/${pick(open).id}/acknowledge`
      return await world.as('O', 'POST', path, { body: {} })
    }
    const remove = (): Promise<Response> =>
      world.as('O', 'DELETE', `/api/datacontracts/${pick(contracts)}`)
    // What a busy database refuses is done by the next upkeep.
    const upkeep = async (): Promise<void> => {
      try {
        await compareWaiting(services)
        await endExpiredAcceptances(services)
        await judgeDueFreshness(services)
        await settleDueTrust(services.db, services.clock)
      } catch (error) {
        if (!(error instanceof StoreUnavailable)) throw error
      }
    }
    for (const id of contracts) await expectOk(put(id))
    const changes = [put, put, accept, accept, choose, choose, report, acknowledge, remove]
    for (let round = 0; round < ROUNDS; round += 1) {
      const answers = await Promise.all([
        run(),
        upkeep(),
        upkeep(),
        ...Array.from({ length: 10 }, () => pick(changes)(pick(contracts))),
      ])
      const failures = answers.filter((one) => one instanceof Response && one.status === 500)
      assert.deepEqual(failures, [], `round ${round}`)
      await endRun()
      await upkeep()
      assert.deepEqual(await verifyReality(store().db), [], `round ${round}`)
    }
  })
})
