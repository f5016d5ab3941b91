import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { before, test } from 'node:test'
import { sql } from 'kysely'
import type { CloudEvent } from './event.ts'
import { expectProblem, readJson, readText } from '../../../test/answers.ts'
import { listEventsOfSubject, eventsSoFar, summarizeEvent } from '../../../test/feed.ts'
import { onStore } from '../../../test/stores.ts'
import {
  dps,
  expectOk,
  newProduct,
  newWorld,
  odps,
  uniqueId,
  type World,
} from '../../../test/world.ts'

const UUID_V7 = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/

const port = (name: string, more: object = {}) => ({ name, version: '1', ...more })

onStore((store) => {
  let world: World
  before(async () => {
    world = await newWorld(newProduct(store()))
  })

  const put = (id: string, body: object): Promise<Response> =>
    expectOk(world.as('T', 'PUT', `/api/dataproducts/${id}`, { body }))

  const remove = (id: string): Promise<Response> =>
    expectOk(world.as('T', 'DELETE', `/api/dataproducts/${id}`))

  const page = (query: string): Promise<CloudEvent[]> =>
    readJson<CloudEvent[]>(world.as('Tr', 'GET', `/api/events?${query}`))

  test('GET /api/events › CloudEvents 1.0 in a batch', async () => {
    const id = `urn:x:${uniqueId()}`
    await put(encodeURIComponent(id), odps(id, { outputPorts: [{ name: 'out', version: '1' }] }))
    const [created, port, ...more] = await listEventsOfSubject(world, id)
    assert.deepEqual(more, [])
    assert.ok(created && port)
    const { id: eventId, time, principal, ...rest } = created
    assert.match(eventId, UUID_V7)
    assert.match(time, /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d+)?Z$/)
    assert.match(principal, /^api-key:[0-9a-f-]{36}$/)
    assert.deepEqual(rest, {
      specversion: '1.0',
      type: 'com.datamesh-manager.events.DataProductCreatedEvent',
      source: 'http://portbook.test',
      subject: id,
      datacontenttype: 'application/json',
      data: { id, timestamp: time, version: 1 },
    })
    assert.equal(port.type, 'com.datamesh-manager.events.OutputPortCreatedEvent')
    assert.equal(port.subject, id)
    assert.deepEqual(port.data, { id, timestamp: time, version: 1, outputPortId: 'out' })
    const answer = await world.as('Tr', 'GET', '/api/events')
    assert.equal(answer.headers.get('content-type'), 'application/cloudevents-batch+json')
  })

  test('GET /api/events › the principal is the key that wrote', async () => {
    const id = uniqueId()
    await put(id, odps(id))
    await expectOk(
      world.as('O', 'PUT', `/api/dataproducts/${id}`, { body: odps(id, { name: 'Y' }) }),
    )
    const [first, second] = await listEventsOfSubject(world, id)
    assert.notEqual(first?.principal, second?.principal)
    const versions = await readJson<{ principal: string }[]>(
      world.as('T', 'GET', `/api/dataproducts/${id}/versions`),
    )
    assert.deepEqual(
      versions.map(({ principal }) => principal),
      [second?.principal, first?.principal],
    )
  })

  test('GET /api/events › the prefix of the types is configurable', async () => {
    const id = uniqueId()
    await put(id, odps(id))
    await listEventsOfSubject(world, id)
    const product = newProduct(store())
    product.services.eventTypePrefix = 'org.example.'
    const answer = product.call('GET', '/api/events', { key: world.keys.O })
    for (const { type } of await readJson<CloudEvent[]>(answer)) {
      assert.match(
        type,
        /^org\.example\.(DataProduct|OutputPort|Team)(Created|Updated|Deleted)Event$/,
      )
    }
  })

  test('GET /api/events › one OutputPort event for each port that changed, and for no other', async () => {
    const id = uniqueId()
    await put(id, odps(id, { outputPorts: [port('same'), port('changed'), port('gone')] }))
    const now = [port('new'), port('changed', { description: 'x' }), port('same')]
    await put(id, odps(id, { outputPorts: now }))
    await put(id, odps(id, { name: 'Only the name', outputPorts: now.toReversed() }))
    await remove(id)
    const events = (await listEventsOfSubject(world, id)).map(summarizeEvent)
    assert.deepEqual(events.slice(0, 4), [
      'DataProductCreatedEvent',
      'OutputPortCreatedEvent same',
      'OutputPortCreatedEvent changed',
      'OutputPortCreatedEvent gone',
    ])
    assert.equal(events[4], 'DataProductUpdatedEvent')
    assert.deepEqual(events.slice(5, 8).toSorted(), [
      'OutputPortCreatedEvent new',
      'OutputPortDeletedEvent gone',
      'OutputPortUpdatedEvent changed',
    ])
    assert.equal(events[8], 'DataProductUpdatedEvent')
    assert.deepEqual(events.slice(9, 12).toSorted(), [
      'OutputPortDeletedEvent changed',
      'OutputPortDeletedEvent new',
      'OutputPortDeletedEvent same',
    ])
    assert.deepEqual(events.slice(12), ['DataProductDeletedEvent'])
  })

  test('GET /api/events › ports of DPS by their id, of ODPS by id or name, versions apart', async () => {
    const [first, second] = [uniqueId(), uniqueId()]
    await put(first, dps(first, { outputPorts: [{ id: 'p1', name: 'Port One' }] }))
    await put(
      second,
      odps(second, {
        outputPorts: [
          { id: 'x1', name: 'x', version: '1' },
          { name: 'x', version: '2' },
        ],
      }),
    )
    assert.deepEqual((await listEventsOfSubject(world, first)).map(summarizeEvent).slice(1), [
      'OutputPortCreatedEvent p1',
    ])
    assert.deepEqual((await listEventsOfSubject(world, second)).map(summarizeEvent).slice(1), [
      'OutputPortCreatedEvent x1',
      'OutputPortCreatedEvent x',
    ])
  })

  test('GET /api/events › teams make events too', async () => {
    const id = uniqueId()
    const path = `/api/teams/${id}`
    for (const name of ['one', 'two', 'two']) {
      await expectOk(world.as('O', 'PUT', path, { body: { id, name } }))
    }
    await expectOk(world.as('O', 'DELETE', path))
    assert.deepEqual((await listEventsOfSubject(world, id)).map(summarizeEvent), [
      'TeamCreatedEvent',
      'TeamUpdatedEvent',
      'TeamDeletedEvent',
    ])
  })

  test('GET /api/events?include=document › before and after of every change, numbers as they were spelled', async () => {
    const id = uniqueId()
    const one = `{"kind":"DataProduct","name":"one","team":{"name":"a"},"x":[1.0,12345678901234567890],"outputPorts":[{"name":"out"}]}`
    const yaml = 'kind: DataProduct\nname: two\nteam: {name: a}\nx: 2.50\n'
    const two = '{"kind":"DataProduct","name":"two","team":{"name":"a"},"x":2.50}'
    await expectOk(world.as('T', 'PUT', `/api/dataproducts/${id}`, { body: one }))
    await expectOk(world.as('T', 'PUT', `/api/dataproducts/${id}`, { yaml }))
    await remove(id)
    await expectOk(world.as('T', 'PUT', `/api/dataproducts/${id}`, { body: one }))
    const last = (await eventsSoFar(world)).at(-1)
    assert.ok(last)
    const text = await readText(world.as('T', 'GET', '/api/events?include=document'))
    const events = (JSON.parse(text) as CloudEvent[]).filter(({ subject }) => subject === id)
    const parsed = { one: JSON.parse(one) as unknown, two: JSON.parse(two) as unknown }
    assert.deepEqual(
      events.map((event) => [
        summarizeEvent(event),
        event.data.version,
        event.data.before,
        event.data.after,
      ]),
      [
        ['DataProductCreatedEvent', 1, null, parsed.one],
        ['OutputPortCreatedEvent out', 1, null, parsed.one],
        ['DataProductUpdatedEvent', 2, parsed.one, parsed.two],
        ['OutputPortDeletedEvent out', 2, parsed.one, parsed.two],
        ['DataProductDeletedEvent', 2, parsed.two, null],
        ['DataProductCreatedEvent', 3, null, parsed.one],
        ['OutputPortCreatedEvent out', 3, null, parsed.one],
      ],
    )
    assert.ok(text.includes(`"before":null,"after":${one}`))
    assert.ok(text.includes(`"before":${one},"after":${two}`))
    for (const { data } of await page('')) {
      assert.equal('before' in data || 'after' in data, false, 'only when asked for')
    }
  })

  test('GET /api/events?lastEventId= › what follows it and not itself; [] at the end', async () => {
    const all = await eventsSoFar(world)
    for (const index of [0, 1, all.length - 2, all.length - 1]) {
      const rest = await page(`lastEventId=${all[index]?.id}`)
      assert.deepEqual(rest, all.slice(index + 1))
    }
    assert.deepEqual(await page(`lastEventId=${all.at(-1)?.id.toUpperCase()}`), [])
    assert.deepEqual(await page(`lastEventId=${all.at(-1)?.id}&include=document`), [])
  })

  test('GET /api/events?longPolling= › is ignored, because clients still send it', async () => {
    const read = (query: string): Promise<unknown[]> =>
      readJson<unknown[]>(world.as('O', 'GET', `/api/events?${query}`))
    const all = await read('')
    for (const value of ['true', 'false']) {
      assert.deepEqual(await read(`longPolling=${value}`), all)
    }
    await expectProblem(world.as('O', 'GET', '/api/events?longPolling=maybe'), 400)
  })

  test('GET /api/events?lastEventId= › 400 for one that is unknown, no UUID, or of another organization', async () => {
    const other = await newWorld(newProduct(store()))
    const [foreign] = await eventsSoFar(other)
    assert.ok(foreign)
    const known = (await eventsSoFar(world))[0]?.id
    for (const id of [randomUUID(), 'x', '', '1', `${known}%00`, `%7B${known}%7D`, foreign.id]) {
      const problem = await expectProblem(
        world.as('O', 'GET', `/api/events?lastEventId=${id}`),
        400,
      )
      assert.equal(problem.violations?.[0]?.field, 'lastEventId')
    }
    await expectProblem(
      world.as('O', 'GET', `/api/events?lastEventId=${known}&lastEventId=${known}`),
      400,
    )
    await expectProblem(world.as('O', 'GET', '/api/events?include=everything'), 400)
  })

  test("GET /api/events › nothing of another organization's", async () => {
    const other = await newWorld(newProduct(store()))
    const id = uniqueId()
    await put(id, odps(id))
    await eventsSoFar(world)
    const subjects = new Set((await eventsSoFar(other)).map(({ subject }) => subject))
    assert.equal(subjects.has(id), false)
    assert.equal(subjects.size, 3, 'its teams a and b, and the mark at the end')
  })

  test('GET /api/events › at most 1000 a page, and nothing lost between pages', async () => {
    const fresh = await newWorld(newProduct(store()))
    const id = uniqueId()
    const ports = Array.from({ length: 2100 }, (_, index) => ({ name: `p${index}`, version: '1' }))
    const body = odps(id, { outputPorts: ports })
    await expectOk(fresh.as('T', 'PUT', `/api/dataproducts/${id}`, { body }))
    await eventsSoFar(fresh)
    const sizes: number[] = []
    const names: (string | undefined)[] = []
    let query = ''
    for (;;) {
      const events = await readJson<CloudEvent[]>(fresh.as('T', 'GET', `/api/events${query}`))
      if (events.length === 0) break
      sizes.push(events.length)
      names.push(
        ...events.filter(({ subject }) => subject === id).map(({ data }) => data.outputPortId),
      )
      query = `?lastEventId=${events.at(-1)?.id}`
    }
    assert.deepEqual(sizes.slice(0, 2), [1000, 1000])
    assert.deepEqual(names, [undefined, ...ports.map(({ name }) => name)])
  })

  test('GET /api/events?include=document › pages end by size too, and nothing is lost between them', async () => {
    const fresh = await newWorld(newProduct(store()))
    const id = uniqueId()
    const ports = Array.from({ length: 30 }, (_, index) => ({ name: `p${index}`, version: '1' }))
    const body = odps(id, { outputPorts: ports, filling: 'x'.repeat(1_000_000) })
    await expectOk(fresh.as('T', 'PUT', `/api/dataproducts/${id}`, { body }))
    const all = await eventsSoFar(fresh)
    const seen: string[] = []
    let query = 'include=document'
    for (let pages = 0; ; pages += 1) {
      const events = await readJson<CloudEvent[]>(fresh.as('T', 'GET', `/api/events?${query}`))
      if (events.length === 0) {
        assert.ok(pages > 1, 'the size ended a page')
        break
      }
      assert.ok(JSON.stringify(events).length < 20_000_000)
      seen.push(...events.map((event) => event.id))
      query = `include=document&lastEventId=${events.at(-1)?.id}`
    }
    assert.deepEqual(
      seen,
      all.map((event) => event.id),
    )
  })

  test('GET /api/events › a failed change has no events', async () => {
    const id = uniqueId()
    await put(id, odps(id))
    const before = await listEventsOfSubject(world, id)
    const { db } = world.services
    // The statement that would delete the product is undone at its very end.
    await sql`
      create function refuse() returns trigger language plpgsql as $$
      begin raise exception 'refused' using errcode = '53100'; end $$`.execute(db)
    await sql`
      create constraint trigger refuse after delete on data_product deferrable initially deferred
      for each row execute function refuse()`.execute(db)
    try {
      await expectProblem(world.as('T', 'DELETE', `/api/dataproducts/${id}`), 503)
    } finally {
      await sql`drop trigger refuse on data_product`.execute(db)
      await sql`drop function refuse`.execute(db)
    }
    await readText(world.as('T', 'GET', `/api/dataproducts/${id}`))
    assert.deepEqual(await listEventsOfSubject(world, id), before)
  })
})
