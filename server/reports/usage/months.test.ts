import assert from 'node:assert/strict'
import { afterEach, before, test } from 'node:test'
import { sql } from 'kysely'
import { listEntries } from '../../../test/activity.ts'
import { readJson } from '../../../test/answers.ts'
import { onStore } from '../../../test/stores.ts'
import {
  addSpans,
  DAY_NANOS,
  newSpan,
  nowNanos,
  type OtlpSpan,
  putUsedProduct,
  readUsage,
} from '../../../test/usage.ts'
import { newProduct, newWorld, type World } from '../../../test/world.ts'
import { fixedClock } from '../../platform/kit/clock.ts'
import { USAGE_DAY_CHECK, USAGE_MONTH_CHECK } from '../../transfer/verify/reports.ts'
import { verifyStore } from '../../transfer/verify.ts'
import { expireUsage } from './service.ts'
import { SPAN_DAYS } from './span.ts'

const dateBefore = (days: number): string =>
  new Date(Date.now() - days * 86_400_000).toISOString().slice(0, 10)
const spanBefore = (days: number, user: string): OtlpSpan =>
  newSpan({ user, rows: 1, start: nowNanos(BigInt(-days) * DAY_NANOS) })

onStore((store) => {
  let world: World
  before(async () => {
    world = await newWorld(newProduct(store()))
  })
  const assertUsageVerified = async (): Promise<void> => {
    const checks = [USAGE_DAY_CHECK, USAGE_MONTH_CHECK]
    const names = new Set(checks.flatMap(({ rules }) => rules.map(({ name }) => name)))
    for (const { rule, findings } of await verifyStore(store().db)) {
      if (names.has(rule)) assert.deepEqual(findings, [])
    }
  }
  afterEach(assertUsageVerified)

  const deleteSpan = async (spanId: string): Promise<void> => {
    const path = `/api/v1/traces?spanId=${spanId}`
    assert.deepEqual(await readJson(world.as('O', 'DELETE', path)), { deletedCount: 1 })
  }
  const getLastDays = async (product: string): Promise<Record<string, string>> => {
    const { consumers } = await readUsage(world, product)
    return Object.fromEntries(consumers.map(({ user, lastUsedOn }) => [user, lastUsedOn]))
  }

  test('GET /api/dataproducts/{id}/usage › the last day of a consumer, on any output port', async () => {
    const product = await putUsedProduct(world)
    await addSpans(world, product, [spanBefore(70, 'ada'), spanBefore(40, 'jo')])
    await addSpans(world, product, [spanBefore(3, 'ada')], { port: 'other' })
    assert.deepEqual(await getLastDays(product), { ada: dateBefore(3), jo: dateBefore(40) })
  })

  test('DELETE /api/v1/traces › an earlier day is the last one of its consumer again', async () => {
    const product = await putUsedProduct(world)
    const [last, sameMonth, earlier] = [
      spanBefore(0, 'ada'),
      spanBefore(1, 'ada'),
      spanBefore(40, 'ada'),
    ]
    await addSpans(world, product, [last, sameMonth, earlier])
    for (const [deleted, day] of [
      [undefined, 0],
      [last, 1],
      [sameMonth, 40],
    ] as const) {
      if (deleted !== undefined) await deleteSpan(deleted.spanId)
      assert.deepEqual(await getLastDays(product), { ada: dateBefore(day) })
    }
    await deleteSpan(earlier.spanId)
    const { months, consumers, outputPorts } = await readUsage(world, product)
    assert.deepEqual(
      { months, consumers, outputPorts },
      { months: [], consumers: [], outputPorts: [] },
    )
  })

  test('POST /api/v1/traces › a span that is sent again with another start moves to another month', async () => {
    const product = await putUsedProduct(world)
    const span = spanBefore(0, 'ada')
    await addSpans(world, product, [span, spanBefore(0, 'jo')])
    await addSpans(world, product, [{ ...spanBefore(40, 'ada'), spanId: span.spanId }])
    const { months } = await readUsage(world, product)
    assert.deepEqual(
      months.map(({ yearMonth, queries, readers }) => [yearMonth, queries, readers]),
      [
        [dateBefore(40).slice(0, 7), 1, 1],
        [dateBefore(0).slice(0, 7), 1, 1],
      ],
    )
    assert.deepEqual(await getLastDays(product), { ada: dateBefore(40), jo: dateBefore(0) })
  })

  test('a month that is no longer counted › is neither missing nor counted below zero', async () => {
    const product = await putUsedProduct(world)
    const [first, second] = [spanBefore(0, 'ada'), spanBefore(0, 'ada')]
    await addSpans(world, product, [first, second])
    // 420 days: as if the spans were of a month that was deleted.
    await sql`
      with moved as (
        update usage_span
        set started_at = started_at - interval '10080 hours'
        where data_product_id = ${product}
      ),
      gone as (delete from usage_month where data_product_id = ${product})
      update usage_day
      set day = day - 420
      where data_product_id = ${product}
    `.execute(store().db)
    await assertUsageVerified()
    await deleteSpan(first.spanId)
    const months = store().db.selectFrom('usage_month').select('query_count')
    assert.deepEqual(await months.where('data_product_id', '=', product).execute(), [])
  })

  test('expiry › months keep the counts of expired spans, until they are deleted', async () => {
    const product = await putUsedProduct(world)
    await addSpans(world, product, [spanBefore(0, 'ada'), spanBefore(40, 'ada')])
    const later = new Date(Date.now() + (SPAN_DAYS + 1) * 86_400_000).toISOString()
    await expireUsage(store().db, fixedClock(later))
    assert.deepEqual(await getLastDays(product), { ada: dateBefore(0) })
    const kept = await readUsage(world, product)
    assert.deepEqual(
      kept.months.map(({ queries }) => queries),
      [1, 1],
    )
    const path = `/api/v1/traces?dataProductId=${product}`
    assert.deepEqual(await readJson(world.as('O', 'DELETE', path)), { deletedCount: 0 })
    const entry = (await listEntries(world, 'usage')).at(-1)
    assert.deepEqual(
      [entry?.subject, entry?.action, entry?.details],
      [product, 'deleted', { count: 0, archivedQueries: 2, filter: { dataProductId: product } }],
    )
    assert.deepEqual((await readUsage(world, product)).months, [])
    await expireUsage(store().db, fixedClock(later))
    for (const table of ['usage_day', 'usage_month'] as const) {
      const rows = await store()
        .db.selectFrom(table)
        .select('user_name')
        .where('data_product_id', '=', product)
        .execute()
      assert.deepEqual(rows, [])
    }
  })
})
