import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { sql } from 'kysely'
import { readJson } from '../../../test/answers.ts'
import { addFinding, addPromise } from '../../../test/drift.ts'
import { newRandom } from '../../../test/random.ts'
import { onStore } from '../../../test/stores.ts'
import { addTwin, expectUntouched } from '../../../test/twin.ts'
import {
  expectOk,
  newProduct,
  newWorld,
  odcs,
  odps,
  putOne,
  uniqueId,
} from '../../../test/world.ts'
import type { World } from '../../../test/world.ts'
import { fixedClock } from '../../platform/kit/clock.ts'
import { listTrust } from './service.ts'
import { judgeResources, settleDueTrust, settleTrust } from './settle-service.ts'
import { markDue } from './state-store.ts'
import type { Trust } from './trust.ts'

const SILVER = '8d3f6b1e-3a57-4b0c-9a51-0d6f1f3a2c02'
const DAY_MS = 86_400_000
const SEED = Number(process.env.PORTBOOK_TEST_SEED ?? Date.now() % 2 ** 31)

onStore((store) => {
  let world: World
  before(async () => {
    world = await newWorld(newProduct(store()))
  })

  const publish = async (dataContractId: string, result: string, agoMs = 60_000): Promise<void> => {
    const timestampEnd = new Date(Date.now() - agoMs).toISOString()
    const body = { id: uniqueId(), dataContractId, result, timestampEnd }
    await expectOk(world.as('O', 'POST', '/api/test-results', { body }))
  }

  const putContract = async (more: object = {}): Promise<string> => {
    const id = uniqueId()
    await putOne(world, 'datacontracts', odcs(id, more))
    return id
  }

  const putProduct = async (contracts: readonly string[], id = uniqueId(), more: object = {}) => {
    const outputPorts = contracts.map((contractId, at) => ({
      name: `port-${at}`,
      version: '1',
      contractId,
    }))
    await putOne(world, 'dataproducts', odps(id, { outputPorts, ...more }))
    return id
  }

  const ask = async (query: string): Promise<Trust> => {
    const [first] = await readJson<Trust[]>(world.as('O', 'GET', `/api/trust?${query}`))
    assert.ok(first)
    return first
  }

  const listStored = async (organizationId = world.organizationId) => {
    const { rows } = await sql<{ key: string; reasons: unknown; levels: number[] }>`
      select kind || ' ' || subject as key, reasons, array[tests, freshness, drift, standing] as levels
      from trust_state
      where organization_id = ${organizationId}
      order by key
    `.execute(store().db)
    return rows
  }

  test('every cause stores the signals of what depends on it: a naive recomputation equals them', async (t) => {
    t.diagnostic(`seed ${SEED}`)
    const { db, clock } = world.services
    const random = newRandom(SEED)
    const pick = (list: readonly string[]): string => list[Math.floor(random() * list.length)] ?? ''
    const contracts: string[] = []
    const products: string[] = []
    const steps = [
      async () => contracts.push(await putContract()),
      async () => products.push(await putProduct([pick(contracts), uniqueId()])),
      async () =>
        putProduct([pick(contracts)], pick(products), { status: pick(['active', 'retired']) }),
      async () =>
        // Halves of days: a result that passes a limit while the test runs would be judged twice.
        publish(
          pick(contracts),
          pick(['passed', 'failed', 'warning']),
          (Math.floor(random() * 14) + 0.5) * DAY_MS,
        ),
      async () =>
        putOne(world, 'datacontracts', odcs(pick(contracts), { tags: [pick(['silver', 'x'])] })),
      async () => world.as('O', 'DELETE', `/api/dataproducts/${pick(products)}`),
    ]
    await steps[0]?.()
    await steps[1]?.()
    for (let at = 0; at < 40; at += 1) await steps[Math.floor(random() * steps.length)]?.()
    const documents = await sql<{ kind: string; id: string }>`
      select kind, external_id as id
      from search_document
      where organization_id = ${world.organizationId}
        and kind in ('data-product', 'data-contract')
    `.execute(db)
    const list = (kind: string) =>
      documents.rows.flatMap((row) => (row.kind === kind ? row.id : []))
    const subjects = {
      products: list('data-product'),
      contracts: list('data-contract'),
      assets: [],
    }
    const naive = await judgeResources(db, clock, world.organizationId, subjects)
    const stored = new Map((await listStored()).map((row) => [row.key, row.reasons]))
    assert.deepEqual(
      new Map(
        naive.map(({ kind, subject, signals, periods }) => [
          `${kind} ${subject}`,
          { ...signals, ...(periods.length > 0 && { periods }) },
        ]),
      ),
      stored,
    )
  })

  test('simultaneous changes of two contracts › their data product has both', async () => {
    for (let round = 0; round < 5; round += 1) {
      const [a, b] = [await putContract(), await putContract()]
      const product = await putProduct([a, b])
      await Promise.all([publish(a, 'failed'), publish(b, 'passed')])
      const { tests } = await ask(`dataProductId=${product}`)
      assert.equal(tests.reason, '2 of 2 ports tested. Failing: port-0.')
    }
  })

  test('time is applied at reading, and by the upkeep for search', async () => {
    const id = await putContract()
    await publish(id, 'passed')
    const { db } = world.services
    const later = fixedClock(new Date(Date.now() + 8 * DAY_MS).toISOString())
    const [row] = await readTests(id, later)
    assert.equal(row?.tests.word, 'Stale')
    const search = async (level: string) => {
      const found = await readJson<{ total: number }>(
        world.as('O', 'GET', `/api/search?query=${id}&trust=${level}`),
      )
      return found.total
    }
    assert.deepEqual([await search('neutral'), await search('caution')], [1, 0])
    await settleDueTrust(db, later)
    assert.deepEqual([await search('neutral'), await search('caution')], [0, 1])
    assert.equal(await settleDueTrust(db, later), 0)
  })

  async function readTests(id: string, clock: ReturnType<typeof fixedClock>): Promise<Trust[]> {
    const { db, baseUrl } = world.services
    const requested = { products: [], contracts: [id], assets: [], ports: [] }
    return await listTrust({ db, clock, baseUrl }, world.organizationId, requested)
  }

  test('a certification certifies what has its tag at once, and no longer when it is deleted', async () => {
    const product = await putProduct([], undefined, { tags: ['silver-tag'] })
    const word = async () => (await ask(`dataProductId=${product}`)).standing.word
    assert.equal(await word(), 'Not certified')
    const path = `/api/certifications/${SILVER}`
    const body = { id: SILVER, name: 'Silver', rank: 2, tag: 'silver-tag' }
    await expectOk(world.as('O', 'PUT', path, { body }))
    assert.equal(await word(), 'Certified')
    await expectOk(world.as('O', 'DELETE', path))
    assert.equal(await word(), 'Not certified')
  })

  test('what is marked as due › is judged by readers until the upkeep stores it', async () => {
    const { db, clock, organizationId } = {
      ...world.services,
      organizationId: world.organizationId,
    }
    const id = await putContract()
    await publish(id, 'failed')
    const before = await ask(`dataContractId=${id}`)
    await markDue(db, clock, organizationId, { products: [], contracts: [id], assets: [] })
    assert.deepEqual(await ask(`dataContractId=${id}`), before)
    await settleDueTrust(db, clock)
    assert.deepEqual(await ask(`dataContractId=${id}`), before)
  })

  test('a deleted document › loses its signals, and those of its ports', async () => {
    const product = await putProduct([uniqueId(), uniqueId()])
    const count = async () => (await listStored()).filter(({ key }) => key.includes(product)).length
    assert.equal(await count(), 3)
    await expectOk(world.as('O', 'DELETE', `/api/dataproducts/${product}`))
    assert.equal(await count(), 0)
  })

  test('an index entry that another transaction writes › gets its levels later, also of an asset that lost its signals', async () => {
    const { db, clock } = world.services
    const { organizationId } = world
    const [contract, asset] = [await putContract(), uniqueId()]
    const document = { id: asset, info: { name: 'a', source: 's', type: 'postgres_table' } }
    await putOne(world, 'assets', document)
    await addPromise(world, contract, { assetId: asset })
    await addFinding(world, contract, { assetId: asset })
    const settle = async () =>
      await db.transaction().execute(async (db) => {
        const subjects = { products: [], contracts: [contract], assets: [asset] }
        await settleTrust(db, clock, organizationId, subjects)
      })
    const listLevels = async () => {
      const { rows } = await sql<{ kind: string; levels: string }>`
        select kind, concat(trust, drift) as levels
        from search_document
        where organization_id = ${organizationId} and external_id in (${contract}, ${asset})
        order by kind
      `.execute(db)
      return rows.map(({ levels }) => levels)
    }
    await settle()
    assert.deepEqual(await listLevels(), ['33', '33'])
    await sql`delete from drift_finding where contract_id = ${contract}`.execute(db)
    await sql`delete from asset_link where contract_id = ${contract}`.execute(db)
    await db.transaction().execute(async (other) => {
      await sql`select from search_document where external_id in (${contract}, ${asset}) for update`.execute(
        other,
      )
      await settle()
    })
    assert.deepEqual(await listLevels(), ['33', '33'])
    await settleDueTrust(db, fixedClock(new Date(Date.now() + 60_000).toISOString()))
    assert.deepEqual(await listLevels(), ['11', '11'])
    assert.ok(!(await listStored()).some(({ key }) => key === `asset ${asset}`))
  })

  test('settleTrust, settleDueTrust › do not change a twin organization with equal ids', async () => {
    const contract = await putContract()
    const product = await putProduct([contract])
    const twin = await addTwin(world)
    const { db, clock } = world.services
    await expectUntouched([twin], async () => {
      await publish(contract, 'failed')
      await db.transaction().execute(async (db) => {
        const subjects = { products: [product], contracts: [contract], assets: [] }
        await settleTrust(db, clock, world.organizationId, subjects)
      })
    })
  })
})
