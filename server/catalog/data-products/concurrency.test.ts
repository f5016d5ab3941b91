import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import type { VersionSummary } from '../../ledger/history/revision.ts'
import { readJson } from '../../../test/answers.ts'
import { listEventsOfSubject, summarizeEvent } from '../../../test/feed.ts'
import { onStore } from '../../../test/stores.ts'
import { expectOk, newProduct, newWorld, odps, uniqueId } from '../../../test/world.ts'
import type { CallOptions, Product, World } from '../../../test/world.ts'

const WRITERS = 64

const atOnce = <T>(work: (writer: number) => Promise<T>): Promise<T[]> =>
  Promise.all(Array.from({ length: WRITERS }, (_, writer) => work(writer)))

const getStatuses = (answers: readonly Response[]): Record<string, number> => {
  const counts: Record<string, number> = {}
  for (const { status } of answers) counts[status] = (counts[status] ?? 0) + 1
  return counts
}

onStore((store) => {
  let world: World
  // Several processes over one store: each with its own queue, its own memory of callers.
  let processes: Product[]
  before(async () => {
    world = await newWorld(newProduct(store()))
    processes = [world, newProduct(store()), newProduct(store()), newProduct(store())]
  })

  const send = (writer: number, method: string, path: string, options: CallOptions = {}) => {
    const process = processes[writer % processes.length] ?? world
    return process.call(method, path, { ...options, key: world.keys.O })
  }

  /** Checks that a history is whole: versions without gaps, each ending where the next begins. */
  async function getHistory(id: string): Promise<VersionSummary[]> {
    const path = `/api/dataproducts/${id}/versions`
    const versions = (await readJson<VersionSummary[]>(world.as('O', 'GET', path))).toReversed()
    for (const [index, { version, validFrom, validTo }] of versions.entries()) {
      assert.equal(version, index + 1)
      const next = versions[index + 1]
      if (next === undefined) continue
      assert.ok(validTo !== null)
      assert.equal(Temporal.Instant.compare(validFrom, validTo), -1)
      assert.ok(Temporal.Instant.compare(validTo, next.validFrom) <= 0)
    }
    return versions
  }

  for (const count of [1, 4]) {
    const where = count === 1 ? 'one process' : 'several processes'
    test(`PUT /api/dataproducts/{id} › 64 at once in ${where}: versions distinct and gapless, the highest is the state`, async () => {
      const id = uniqueId()
      const path = `/api/dataproducts/${id}`
      const answers = await atOnce((writer) =>
        send(writer % count, 'PUT', path, { body: odps(id, { name: `N${writer}` }) }),
      )
      assert.deepEqual(getStatuses(answers), { 200: WRITERS })
      const versions = await getHistory(id)
      assert.equal(versions.length, WRITERS)
      assert.equal(versions.at(-1)?.validTo, null)
      const names = await atOnce(async (writer) => {
        const version = world.as('O', 'GET', `${path}/versions/${writer + 1}`)
        return (await readJson<{ name: string }>(version)).name
      })
      assert.equal(new Set(names).size, WRITERS, 'every write is one version')
      const now = await readJson<{ name: string }>(world.as('O', 'GET', path))
      assert.equal(now.name, names.at(-1))
      const events = await listEventsOfSubject(world, id)
      assert.deepEqual(
        events.map(({ data }) => data.version),
        versions.map(({ version }) => version),
      )
    })
  }

  test('PUT /api/dataproducts/{id} › with If-Match no update is lost: 64 increments all arrive', async () => {
    const id = uniqueId()
    const path = `/api/dataproducts/${id}`
    await expectOk(send(0, 'PUT', path, { body: odps(id, { count: 0 }) }))
    const increment = async (writer: number): Promise<void> => {
      for (;;) {
        const read = await send(writer, 'GET', path)
        const { count } = (await read.json()) as { count: number }
        const headers = { 'if-match': read.headers.get('etag') ?? '' }
        const body = odps(id, { count: count + 1 })
        const { status } = await send(writer, 'PUT', path, { body, headers })
        if (status === 200) return
        assert.equal(status, 412)
      }
    }
    const writers = Array.from({ length: 16 }, async (_, writer) => {
      for (let times = 0; times < WRITERS / 16; times += 1) await increment(writer)
    })
    await Promise.all(writers)
    const { count } = await readJson<{ count: number }>(send(0, 'GET', path))
    assert.equal(count, WRITERS)
    assert.equal((await getHistory(id)).length, WRITERS + 1)
  })

  const create = (id: string, headers: Record<string, string>) =>
    atOnce((writer) =>
      send(writer, 'PUT', `/api/dataproducts/${id}`, {
        headers,
        body: odps(id, { name: `N${writer}` }),
      }),
    )

  test('PUT /api/dataproducts/{id} › 64 creations at once by several processes: one wins, versions gapless', async () => {
    const [free, guarded] = [uniqueId(), uniqueId()]
    assert.deepEqual(getStatuses(await create(free, {})), { 200: WRITERS })
    assert.equal((await getHistory(free)).length, WRITERS)
    const created = (await listEventsOfSubject(world, free)).filter((event) =>
      /Created/.test(event.type),
    )
    assert.equal(created.length, 1)

    const answers = await create(guarded, { 'if-none-match': '*' })
    assert.deepEqual(getStatuses(answers), { 200: 1, 412: WRITERS - 1 })
    assert.equal((await getHistory(guarded)).length, 1)
  })

  test('PUT and DELETE /api/dataproducts/{id} › racing each other leave a consistent history', async () => {
    const id = uniqueId()
    const path = `/api/dataproducts/${id}`
    const body = (writer: number) =>
      odps(id, { name: `N${writer}`, outputPorts: [{ name: 'out', version: '1' }] })
    for (let round = 0; round < 3; round += 1) {
      const answers = await atOnce((writer) =>
        writer % 2 === 0
          ? send(writer / 2, 'PUT', path, { body: body(writer + 100 * round) })
          : send((writer - 1) / 2, 'DELETE', path),
      )
      const statuses = getStatuses(answers)
      assert.equal((statuses[200] ?? 0) + (statuses[404] ?? 0), WRITERS, JSON.stringify(statuses))
    }
    const versions = await getHistory(id)
    const { status } = await send(0, 'GET', path)
    assert.equal(status === 200, versions.at(-1)?.validTo === null)
    // The feed has the same order: created, updated …, deleted, created …
    let exists = false
    const told = (await listEventsOfSubject(world, id)).map(summarizeEvent)
    for (const name of told.filter((event) => event.startsWith('DataProduct'))) {
      assert.equal(exists, name !== 'DataProductCreatedEvent', told.join(', '))
      exists = name !== 'DataProductDeletedEvent'
    }
    assert.equal(exists, status === 200)
  })

  test('PUT /api/dataproducts/{id} › while its owner team is deleted: never a dangling owner, never a 5xx', async () => {
    for (let round = 0; round < 8; round += 1) {
      const team = uniqueId()
      const body = { id: team, name: team }
      await expectOk(send(0, 'PUT', `/api/teams/${team}`, { body }))
      const ids = Array.from({ length: 16 }, uniqueId)
      const moved = uniqueId()
      await expectOk(send(0, 'PUT', `/api/dataproducts/${moved}`, { body: odps(moved) }))
      const put = (writer: number, id: string) =>
        send(writer, 'PUT', `/api/dataproducts/${id}`, { body: odps(id, { team: { name: team } }) })
      const writes = ids.slice(0, 8).map((id, writer) => put(writer, id))
      const removal = send(1, 'DELETE', `/api/teams/${team}`)
      const more = [...ids.slice(8), moved].map((id, writer) => put(writer, id))
      const answers = await Promise.all([...writes, ...more])
      const { status } = await removal
      assert.ok(status === 200 || status === 422, String(status))
      for (const answer of answers)
        assert.ok([200, 422].includes(answer.status), await answer.text())
      const { status: teamStatus } = await send(2, 'GET', `/api/teams/${team}`)
      assert.equal(teamStatus, status === 200 ? 404 : 200)
      const stored = answers.some((answer) => answer.status === 200)
      assert.equal(stored && status === 200, false, 'a product was stored for a team that is gone')
    }
  })
})
