import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { sql } from 'kysely'
import { addAgreement, addContract, addProvider } from '../../../test/agreements.ts'
import { readJson } from '../../../test/answers.ts'
import { untilSettled } from '../../../test/feed.ts'
import { onStore } from '../../../test/stores.ts'
import { addTwin } from '../../../test/twin.ts'
import { addSpans, DAY_NANOS, newSpan, nowNanos, type QueryFacts } from '../../../test/usage.ts'
import { expectOk, newProduct, newWorld, odps, putOne } from '../../../test/world.ts'
import { uniqueId, type World } from '../../../test/world.ts'
import { startFollowers } from '../../ledger/events/follow-service.ts'
import { fixedClock, storeClock, type Clock } from '../../platform/kit/clock.ts'
import { countReaders, READER_CHANGES, recountReaders } from './reader-service.ts'
import { updateReaders } from './reader-store.ts'
import { ensureIndex } from './rebuild-service.ts'
import type { SearchAnswer } from './search.ts'

const MINUTE_MS = 60_000
const DAY_MS = 86_400_000

function clockAfter(ms: number): Clock {
  return fixedClock(new Date(Date.now() + ms).toISOString())
}

onStore((store) => {
  let world: World
  before(async () => {
    world = await newWorld(newProduct(store()))
  })

  const findReaders = async (id: string): Promise<number | null | undefined> => {
    const { results } = await readJson<SearchAnswer>(
      world.as('Or', 'GET', `/api/search?query=${id}&facets=false`),
    )
    return results.find((one) => one.id === id)?.readers
  }

  const count = async (clock: Clock = storeClock): Promise<void> => {
    await recountReaders(store().db)
    await countReaders({ db: store().db, clock })
  }

  const addUsage = async (product: string, ...queries: QueryFacts[]): Promise<void> =>
    await addSpans(world, product, queries.map(newSpan), { port: 'out' })

  test('readers › are the consumers of active agreements and of usage, each once', async () => {
    const product = await addProvider(world, 'a')
    const path = await addAgreement(world, { product, isApproved: true })
    await addAgreement(world, { product, consumer: { teamId: 'a' } })
    const accessId = path.slice(path.lastIndexOf('/') + 1)
    await addUsage(product, { user: 'ada', accessId }, { user: 'jo', accessId })
    await count()
    assert.equal(await findReaders(product), 1, 'the usage of an agreement belongs to its consumer')
    await addUsage(product, { user: 'ada' }, { user: 'ada' }, { role: 'analyst' }, {})
    await count()
    assert.equal(await findReaders(product), 3)
  })

  test('readers › counts a person once who has an agreement and is named by usage', async () => {
    const product = await addProvider(world, 'a')
    const consumer = { userId: world.userIds.Ue }
    await addAgreement(world, { product, consumer, isApproved: true })
    const { rows } = await sql<{ email: string }>`
      select email from user_account where id = ${world.userIds.Ue}
    `.execute(store().db)
    await addUsage(product, { user: rows[0]?.email.toUpperCase() ?? '' })
    await count()
    assert.equal(await findReaders(product), 1)
  })

  test('readers › counts a role as the consumer whose active agreement grants it', async () => {
    const product = await addProvider(world, 'a')
    await addAgreement(world, { product, isApproved: true, more: { roles: ['reporting'] } })
    await sql`
      update access_agreement set roles = '{reporting}' where provider_product = ${product}
    `.execute(store().db)
    await addUsage(product, { role: 'reporting' }, { role: 'other' })
    await count()
    assert.equal(await findReaders(product), 2)
  })

  test('readers › counts 90 days of usage: the 91st day does not count', async () => {
    const product = await addProvider(world, 'a')
    await addUsage(product, { user: 'ada' }, { user: 'jo', start: nowNanos(-40n * DAY_NANOS) })
    for (const [days, readers] of [
      [49, 2],
      [50, 1],
      [89, 1],
      [90, 0],
    ] as const) {
      await count(clockAfter(days * DAY_MS))
      assert.equal(await findReaders(product), readers, `after ${days} days`)
    }
  })

  test('readers › an ended agreement does not count', async () => {
    const product = await addProvider(world, 'a')
    const path = await addAgreement(world, { product, isApproved: true })
    await count()
    assert.equal(await findReaders(product), 1)
    await expectOk(world.as('O', 'POST', `${path}/cancel`))
    await count()
    assert.equal(await findReaders(product), 0)
  })

  test('readers › of a contract are those of the ports that have it now', async () => {
    const [contractId, other] = [await addContract(world, 'a'), await addContract(world, 'a')]
    const product = uniqueId()
    const put = async (contract: string): Promise<void> => {
      const outputPorts = [
        { name: 'out', version: '1', contractId: contract },
        { name: 'raw', version: '1' },
      ]
      await putOne(world, 'dataproducts', odps(product, { outputPorts }))
    }
    await put(contractId)
    await addAgreement(world, { product, isApproved: true })
    await addUsage(product, { user: 'ada' })
    await addSpans(world, product, [newSpan({ user: 'jo' })], { port: 'raw' })
    await count()
    assert.deepEqual(await Promise.all([product, contractId, other].map(findReaders)), [3, 2, 0])
    await put(other)
    await count()
    assert.deepEqual(await Promise.all([product, contractId, other].map(findReaders)), [3, 0, 2])
  })

  test('readers › a new version keeps the number, a deleted product loses it', async () => {
    const product = await addProvider(world, 'a')
    await addUsage(product, { user: 'ada' })
    await count()
    await putOne(world, 'dataproducts', odps(product, { status: 'active', tags: ['new'] }))
    assert.equal(await findReaders(product), 1)
    await expectOk(world.as('O', 'DELETE', `/api/dataproducts/${product}`))
    await count()
    assert.equal(await findReaders(product), undefined)
    await putOne(world, 'dataproducts', odps(product))
    assert.equal(await findReaders(product), 0)
    await count()
    assert.equal(await findReaders(product), 1, 'its usage is still stored')
  })

  test('readers › are counted again after the index was built', async () => {
    const product = await addProvider(world, 'a')
    await addUsage(product, { user: 'ada' })
    await countReaders({ db: store().db, clock: storeClock })
    await sql`delete from search_document`.execute(store().db)
    await sql`delete from search_build`.execute(store().db)
    await ensureIndex(store().db)
    assert.equal(await findReaders(product), 0)
    await countReaders({ db: store().db, clock: storeClock })
    assert.equal(await findReaders(product), 1)
  })

  test('countReaders › begins a pass 20 minutes after the last one', async () => {
    const product = await addProvider(world, 'a')
    await count()
    await addUsage(product, { user: 'ada' })
    await countReaders({ db: store().db, clock: clockAfter(15 * MINUTE_MS) })
    assert.equal(await findReaders(product), 0)
    await countReaders({ db: store().db, clock: clockAfter(25 * MINUTE_MS) })
    assert.equal(await findReaders(product), 1)
    await recountReaders(store().db)
  })

  test('countReaders › two processes count every document', async () => {
    const products = [await addProvider(world, 'a'), await addProvider(world, 'b')]
    for (const product of products) await addUsage(product, { user: 'ada' })
    await recountReaders(store().db)
    const services = { db: store().db, clock: storeClock }
    await Promise.all([countReaders(services), countReaders(services)])
    await countReaders(services)
    assert.deepEqual(await Promise.all(products.map(findReaders)), [1, 1])
  })

  test('updateReaders › neither waits for a document that is being written nor overwrites it', async () => {
    const product = await addProvider(world, 'a')
    await addUsage(product, { user: 'ada' })
    const { db } = store()
    const update = async (): Promise<number> =>
      await updateReaders(db, storeClock, world.organizationId, 'data-product', [product])
    await db.transaction().execute(async (transaction) => {
      await sql`
        update search_document set name = 'Renamed'
        where organization_id = ${world.organizationId} and external_id = ${product}
      `.execute(transaction)
      assert.equal(await update(), 0)
    })
    assert.equal(await update(), 1)
    const { rows } = await sql`
      select name, readers from search_document
      where organization_id = ${world.organizationId} and external_id = ${product}
    `.execute(db)
    assert.deepEqual(rows, [{ name: 'Renamed', readers: 1 }])
  })

  test('updateReaders › changes no other organization with equal ids, and counts none of its usage', async () => {
    const own = await newWorld(newProduct(store()))
    const contractId = await addContract(own, 'a')
    const product = await addProvider(own, 'a', { contractId })
    await addAgreement(own, { product, isApproved: true })
    await addSpans(own, product, [newSpan({ user: 'ada' })], { port: 'out' })
    const twin = await addTwin(own)
    await sql`
      delete from access_agreement where organization_id = ${own.organizationId}
    `.execute(store().db)
    await sql`delete from usage_month where organization_id = ${own.organizationId}`.execute(
      store().db,
    )
    const before = await twin.digest()
    for (const [kind, id] of [
      ['data-product', product],
      ['data-contract', contractId],
    ] as const) {
      await updateReaders(store().db, storeClock, own.organizationId, kind, [id])
    }
    assert.deepEqual(await twin.digest(), before)
    const { rows } = await sql<{ readers: number }>`
      select distinct readers from search_document where organization_id = ${own.organizationId}
    `.execute(store().db)
    assert.deepEqual(rows, [{ readers: 0 }])
  })

  test('an agreement that begins or ends changes the number at once', async () => {
    const { db } = store()
    const contractId = await addContract(world, 'a')
    const product = await addProvider(world, 'a', { contractId })
    const { log } = world.services
    const followers = startFollowers({ db, log, isPaused: () => false }, [READER_CHANGES])
    try {
      const path = await addAgreement(world, { product, isApproved: true })
      await untilSettled(db)
      await followers.follow()
      assert.deepEqual(await Promise.all([product, contractId].map(findReaders)), [1, 1])
      await expectOk(world.as('O', 'POST', `${path}/cancel`))
      await untilSettled(db)
      await followers.follow()
      assert.deepEqual(await Promise.all([product, contractId].map(findReaders)), [0, 0])
    } finally {
      await followers.stop()
    }
  })
})
