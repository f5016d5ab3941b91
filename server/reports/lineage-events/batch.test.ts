import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { gzipSync } from 'node:zlib'
import { expectProblem, readJson, readText } from '../../../test/answers.ts'
import { onStore } from '../../../test/stores.ts'
import { newProduct, newWorld, odps, putOne, uniqueId } from '../../../test/world.ts'
import type { CallerName, World } from '../../../test/world.ts'
import { StoreUnavailable } from '../../platform/kit/store-errors.ts'
import { BATCH_EVENTS_MAX } from './batch.ts'
import { EVENT_BYTES_MAX } from './lineage-event.ts'

const EVENTS = '/api/v1/lineage'
const BATCH = `${EVENTS}/batch`

function newEvent(job: string, facets: object = {}): object {
  return { run: { runId: uniqueId(), facets }, job: { namespace: 'spark', name: job } }
}

/** An event with a logical plan of Spark of about this many bytes: many small values, deeply nested. */
function newLargeEvent(job: string, bytes: number): object {
  const node = {
    class: 'org.apache.spark.sql.catalyst.expressions.AttributeReference',
    'num-children': 0,
    nullable: true,
    exprId: [{ id: 17, jvmId: 'c0ffee' }],
  }
  const count = Math.floor(bytes / JSON.stringify(node).length)
  return newEvent(job, { 'spark.logicalPlan': { plan: Array.from({ length: count }, () => node) } })
}

onStore((store) => {
  let world: World
  before(async () => {
    world = await newWorld(newProduct(store()))
  })

  const post = (body: unknown, query = '', caller: CallerName = 'O'): Promise<Response> =>
    world.as(caller, 'POST', `${BATCH}${query}`, { body })
  const readEvents = (job: string): Promise<string> =>
    readText(world.as('O', 'GET', `${EVENTS}?jobName=${job}`))

  test(`POST ${EVENTS} › 201 for an event with a plan of megabytes, also compressed; it comes back as it was sent`, async () => {
    for (const headers of [{}, { 'content-encoding': 'gzip' }]) {
      const job = uniqueId()
      const text = JSON.stringify(newLargeEvent(job, 4.9 * 1024 * 1024))
      const body = 'content-encoding' in headers ? gzipSync(text) : text
      await readText(world.as('O', 'POST', EVENTS, { body, headers }), 201)
      assert.equal(await readEvents(job), `[${text}]`)
    }
  })

  test(`POST ${EVENTS} › a plan of megabytes is parsed outside of the event loop`, async () => {
    const text = JSON.stringify(newLargeEvent(uniqueId(), 4.9 * 1024 * 1024))
    const calls: string[] = []
    const { offload } = world.services
    const run = offload.run.bind(offload)
    offload.run = async (organization, task, input, texts) => {
      calls.push(task.name)
      assert.ok(texts.some(({ document }) => document.length > 4 * 1024 * 1024))
      return await run(organization, task, input, texts)
    }
    try {
      await readText(world.as('O', 'POST', EVENTS, { body: text }), 201)
    } finally {
      offload.run = run
    }
    assert.deepEqual(calls, ['lineage-event/read'])
  })

  test(`POST ${BATCH} › 200; each event comes back as it was sent`, async () => {
    const job = uniqueId()
    const first = `{ "big": 12345678901234567890.10,\n "x":"a]},{[\\"", "run":{"runId":"1"}, "job":{"namespace":"n","name":"${job}"}}`
    const second = JSON.stringify(newEvent(job, { text: '\\' }))
    assert.deepEqual(await readJson(post(`\uFEFF [${first} ,\n${second}\n] `)), {
      status: 'success',
      summary: { received: 2, successful: 2, failed: 0, retriable: 0, non_retriable: 0 },
      failed_events: [],
    })
    assert.equal(await readEvents(job), `[${second},${first}]`)
    assert.equal((await readJson<{ status: string }>(post('[]'))).status, 'success')
  })

  test(`POST ${BATCH} › 200 with the events that were rejected; the others are stored`, async () => {
    const job = uniqueId()
    const foreign = uniqueId()
    await putOne(world, 'dataproducts', odps(foreign, { team: { name: 'b' } }))
    const nested = `{"run":${'['.repeat(100)}${']'.repeat(100)}}`
    const sent = [
      newEvent(job),
      { name: 'x' },
      newEvent(job, { entropy_data: { dataProductId: foreign } }),
      5,
      newEvent(job, { entropy_data: { dataProductId: uniqueId() } }),
    ].map((event) => JSON.stringify(event))
    const body = `[${[...sent, nested, '{"run":{"runId":"\\u0000"}}'].join(',')}]`
    const answer = await readJson<{ failed_events: { index: number; reason: string }[] }>(
      post(body, '', 'T'),
    )
    assert.partialDeepStrictEqual(answer, {
      status: 'partial_success',
      summary: { received: 7, successful: 2, failed: 5, retriable: 0, non_retriable: 5 },
    })
    assert.deepEqual(
      answer.failed_events.map(({ index }) => index),
      [1, 2, 3, 5, 6],
    )
    for (const reason of [/not an OpenLineage event/, /team b is missing/, /./, /nested/, /NUL/]) {
      assert.match(answer.failed_events.shift()?.reason ?? '', reason)
    }
    assert.equal((JSON.parse(await readEvents(job)) as unknown[]).length, 2)
  })

  test(`POST ${BATCH} › 200 with events to send again if only some could be stored, 503 if none`, async () => {
    const job = uniqueId()
    const { groupedInserts } = world.services
    const add = groupedInserts.add.bind(groupedInserts)
    let failing = 1
    let isOutcomeUnknown = false
    // The database goes away between two groups of events.
    groupedInserts.add = async (table, row, insert) => {
      if (failing > 0) {
        failing -= 1
        throw new StoreUnavailable('The database does not answer.', { isOutcomeUnknown })
      }
      await add(table, row, insert)
    }
    try {
      const answer = await readJson(post([newEvent(job), newEvent(job)]))
      assert.deepEqual(answer, {
        status: 'partial_success',
        summary: { received: 2, successful: 1, failed: 1, retriable: 1, non_retriable: 0 },
        failed_events: [{ index: 0, reason: 'The event could not be stored.', retriable: true }],
      })
      isOutcomeUnknown = true
      failing = 1
      const { failed_events: unknown } = await readJson<{ failed_events: { reason: string }[] }>(
        post([newEvent(job), newEvent(job)]),
      )
      assert.match(unknown[0]?.reason ?? '', /not known/)
      isOutcomeUnknown = false
      failing = 2
      await expectProblem(post([newEvent(job), newEvent(job)]), 503)
    } finally {
      groupedInserts.add = add
    }
    assert.equal((JSON.parse(await readEvents(job)) as unknown[]).length, 2)
  })

  test(`POST ${BATCH} › the data product of the address is that of every event, and 403 for one of another team`, async () => {
    const id = uniqueId()
    await putOne(world, 'dataproducts', odps(id, { team: { name: 'b' } }))
    await expectProblem(post([newEvent('x')], `?dataProductId=${id}`, 'T'), 403, /team b/)
    await readJson(post([newEvent('x'), newEvent('y')], `?dataProductId=${id}`))
    const path = `${EVENTS}?dataProductId=${id}`
    assert.equal((await readJson<unknown[]>(world.as('O', 'GET', path))).length, 2)
  })

  test(`POST ${BATCH} › 200 for ${BATCH_EVENTS_MAX} events, 422 for one more`, async () => {
    const job = uniqueId()
    const events = Array.from({ length: BATCH_EVENTS_MAX }, () => newEvent(job))
    const { summary } = await readJson<{ summary: { successful: number } }>(post(events))
    assert.equal(summary.successful, BATCH_EVENTS_MAX)
    assert.equal((JSON.parse(await readEvents(job)) as unknown[]).length, BATCH_EVENTS_MAX)
    await expectProblem(post([...events, newEvent(job)]), 422, /at most 1000/)
  })

  test(`POST ${BATCH} › 400 malformed, 413 too large, 422 no list; nothing is stored`, async () => {
    const job = uniqueId()
    const event = JSON.stringify(newEvent(job))
    for (const body of [
      `[${event}`,
      `[${event},]`,
      `[${event} ${event}]`,
      `[${event}}`,
      `[${event}] x`,
      `[${event},,${event}]`,
      `[,${event}]`,
      `[{"a":"}]`,
      '[}',
      // A string without an end is scanned once, not from each of its quotes.
      `["${'\\"'.repeat(1_000_000)}`,
    ]) {
      await expectProblem(post(body), 400)
    }
    assert.equal(await readEvents(job), '[]')
    for (const body of [event, '5', '']) await expectProblem(post(body), 422)
    await expectProblem(post(`["${'x'.repeat(EVENT_BYTES_MAX)}"]`), 413, /5 MiB at most/)
  })

  test(`POST ${BATCH} › 405 for a GET; the list of events has another address`, async () => {
    await expectProblem(world.as('O', 'GET', BATCH), 405)
  })
})
