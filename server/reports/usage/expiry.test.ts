import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { readJson } from '../../../test/answers.ts'
import { onStore } from '../../../test/stores.ts'
import { addSpans, DAY_NANOS, listSpanIds, newSpan, nowNanos } from '../../../test/usage.ts'
import { newProduct, newWorld, odps, putOne, uniqueId, type World } from '../../../test/world.ts'
import { fixedClock, storeClock } from '../../platform/kit/clock.ts'
import { USAGE_DAY_CHECK, USAGE_MONTH_CHECK } from '../../transfer/verify/reports.ts'
import { verifyStore } from '../../transfer/verify.ts'
import { expireUsage } from './service.ts'
import { COUNTED_MONTHS, SPAN_DAYS } from './span.ts'
import type { ProductUsage } from './usage.ts'

onStore((store) => {
  let world: World
  before(async () => {
    world = await newWorld(newProduct(store()))
  })

  const getTotals = async (product: string): Promise<number[]> => {
    const path = `/api/dataproducts/${product}/usage`
    const { months } = await readJson<ProductUsage>(world.as('Or', 'GET', path))
    return [
      months.reduce((sum, { queries }) => sum + queries, 0),
      months.reduce((sum, { rows }) => sum + rows, 0),
    ]
  }

  const expireAfter = async (days: number): Promise<void> => {
    const instant = new Date(Date.now() + days * 86_400_000).toISOString()
    await expireUsage(store().db, fixedClock(instant))
    const results = await verifyStore(store().db)
    const names = new Set(
      [USAGE_DAY_CHECK, USAGE_MONTH_CHECK].flatMap(({ rules }) => rules.map(({ name }) => name)),
    )
    for (const { rule, findings } of results) if (names.has(rule)) assert.deepEqual(findings, [])
  }

  const addUsedProduct = async (): Promise<string> => {
    const id = uniqueId()
    await putOne(world, 'dataproducts', odps(id))
    await addSpans(world, id, [
      newSpan({ user: 'ada', rows: 1 }),
      newSpan({ user: 'ada', rows: 2 }),
      newSpan({ user: 'jo', rows: 4, start: nowNanos(-40n * DAY_NANOS) }),
    ])
    return id
  }

  test('expiry › keeps spans for 30 days after they were received, also of earlier starts', async () => {
    const product = await addUsedProduct()
    await expireAfter(SPAN_DAYS - 1)
    assert.equal((await listSpanIds(world, product)).length, 3)
  })

  test('expiry › deletes spans after 30 days and keeps their counts', async () => {
    const product = await addUsedProduct()
    await expireAfter(SPAN_DAYS + 1)
    assert.deepEqual(await listSpanIds(world, product), [])
    assert.deepEqual(await getTotals(product), [3, 7])
    await addSpans(world, product, [newSpan({ user: 'ada', rows: 8 })])
    assert.deepEqual(await getTotals(product), [4, 15])
  })

  test('expiry › deletes counts after 13 months', async () => {
    const product = await addUsedProduct()
    await expireAfter(SPAN_DAYS + 1)
    await expireAfter((COUNTED_MONTHS + 1) * 31)
    assert.deepEqual(await getTotals(product), [0, 0])
  })

  test('expiry › does not delete counts of spans that are stored', async () => {
    const product = await addUsedProduct()
    await expireUsage(store().db, storeClock)
    assert.deepEqual(await getTotals(product), [3, 7])
  })

  test('DELETE /api/v1/traces › deletes the counts of expired spans of a data product', async () => {
    const [product, other] = [await addUsedProduct(), await addUsedProduct()]
    await expireAfter(SPAN_DAYS + 1)
    await addSpans(world, product, [newSpan({ user: 'ada', rows: 8 })])
    const path = `/api/v1/traces?dataProductId=${product}`
    const narrower = world.as('T', 'DELETE', `${path}&scopeName=${uniqueId()}`)
    assert.deepEqual(await readJson(narrower), { deletedCount: 0 })
    assert.deepEqual(await getTotals(product), [4, 15])
    assert.deepEqual(await readJson(world.as('T', 'DELETE', path)), { deletedCount: 1 })
    assert.deepEqual(await getTotals(product), [0, 0])
    assert.deepEqual(await getTotals(other), [3, 7])
  })
})
