import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type AddressInfo, type Socket } from 'node:net'
import { before, test } from 'node:test'
import pino from 'pino'
import { openMailing } from '../../platform/kit/mailing.ts'
import { expectProblem, readJson, readText } from '../../../test/answers.ts'
import { eventually } from '../../../test/eventually.ts'
import { startMailServer } from '../../../test/mail-server.ts'
import { onStore } from '../../../test/stores.ts'
import {
  expectOk,
  newProduct,
  newWorld,
  odcs,
  odps,
  uniqueId,
  type World,
} from '../../../test/world.ts'
import type { LaneTurn } from './lanes.ts'
import { LARGE_CHARS_MIN } from './pieces.ts'

const FLOOD = 100
// When so many have ended, the others are on their way.
const FLOWING = 10
// The turns of the other organization that may end first: those in slots, while the request is authenticated and
// answered.
const TURNS_MAX = 20
// Reads that share connections have more places.
const READS_MAX = 50
const ATTEMPTS = 3

/** A server that accepts connections and sends nothing. */
async function startSilentServer() {
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    sockets.add(socket)
    socket.on('error', () => undefined)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    port: (server.address() as AddressInfo).port,
    sockets,
    close(): void {
      for (const socket of sockets) socket.destroy()
      server.close()
    },
  }
}

onStore((store) => {
  /** Two organizations in one process with few slots. */
  let flooding: World
  let other: World
  let endedCount = 0
  let isFlowing = Promise.withResolvers<void>()
  before(async () => {
    const product = newProduct(store(), { slotsCount: 4 })
    flooding = await newWorld(product)
    other = await newWorld(product)
    const { run } = product.services.lanes
    product.services.lanes.run = async (turn, work) => {
      try {
        return await run(turn, work)
      } finally {
        if (turn.flow[0] === flooding.organizationId) endedCount += 1
        if (endedCount === FLOWING) isFlowing.resolve()
      }
    }
    for (const world of [flooding, other]) {
      await expectOk(world.as('O', 'PUT', '/api/dataproducts/one', { body: odps('one') }))
    }
  })

  const floods = {
    searches: (at: number) => flooding.as('O', 'GET', `/api/search?query=one${at}`),
    lists: (at: number) => flooding.as('O', 'GET', `/api/dataproducts?p=${at % 3}`),
    feeds: () => flooding.as('O', 'GET', '/api/events?include=document'),
    changes: (at: number) => {
      const id = `flood-${at % 10}`
      return flooding.as('O', 'PUT', `/api/dataproducts/${id}`, { body: odps(id, { at }) })
    },
    'large documents': (at: number) => {
      const description = { purpose: 'x'.repeat(LARGE_CHARS_MIN) }
      return flooding.as('O', 'PUT', `/api/datacontracts/large-${at}`, {
        body: odcs(`large-${at}`, { description }),
      })
    },
    exports: () => flooding.asPerson('Uo', 'GET', '/ui/activity/export?format=csv'),
    reads: () => flooding.as('O', 'GET', '/api/dataproducts/one'),
  }

  /**
   * Returns how many turns of a flood end before a request is answered that is sent when ten of them have ended. A
   * request has one turn, an export one more for each chunk.
   */
  async function countBefore(
    send: (at: number) => Promise<Response>,
    request: () => Promise<Response>,
  ): Promise<number> {
    endedCount = 0
    isFlowing = Promise.withResolvers<void>()
    const answers = Array.from({ length: FLOOD }, async (_, at) => await readText(send(at)))
    await isFlowing.promise
    const before = endedCount
    await readText(request())
    const between = endedCount - before
    await Promise.all(answers)
    return between
  }

  /** Counts until few turns end before, three times at most: other programs of the machine only add turns. */
  async function countFewest(
    send: (at: number) => Promise<Response>,
    request: () => Promise<Response>,
    turnsMax: number,
  ): Promise<number> {
    let fewest = Infinity
    for (let attempt = 0; attempt < ATTEMPTS && fewest > turnsMax; attempt += 1) {
      fewest = Math.min(fewest, await countBefore(send, request))
    }
    return fewest
  }

  for (const [what, send] of Object.entries(floods)) {
    test(`fairness › a GET of another organization is answered before most of 100 ${what}`, async () => {
      const turnsMax = what === 'reads' ? READS_MAX : TURNS_MAX
      const request = () => other.as('O', 'GET', '/api/dataproducts/one')
      const count = await countFewest(send, request, turnsMax)
      assert.ok(count <= turnsMax, `${count} turns before`)
    })
  }

  test('fairness › a search of another organization is answered before most of 100 searches', async () => {
    const request = () => other.as('O', 'GET', '/api/search?query=one')
    const count = await countFewest(floods.searches, request, TURNS_MAX)
    assert.ok(count <= TURNS_MAX, `${count} turns before`)
  })

  test('fairness › a person is served beside the pipeline of the own organization', async () => {
    const request = () => flooding.asPerson('Um', 'GET', '/ui/session')
    const count = await countFewest(floods.changes, request, TURNS_MAX)
    assert.ok(count <= TURNS_MAX, `${count} turns before`)
  })

  test('lane › a large body is bulk, and a rejection is checked again in the same turn', async () => {
    const { services, call } = newProduct(store())
    const { run } = services.lanes
    const turns: LaneTurn[] = []
    services.lanes.run = (turn, work) => {
      turns.push(turn)
      return run(turn, work)
    }
    const id = uniqueId()
    const description = { purpose: 'x'.repeat(LARGE_CHARS_MIN) }
    const body = odcs(id, { description, team: { name: 'b' } })
    const key = flooding.keys.T
    await expectProblem(call('PUT', `/api/datacontracts/${id}`, { key, body }), 403)
    await expectOk(call('GET', '/api/dataproducts/one', { key }))
    const flow = [flooding.organizationId, turns[0]?.flow[1]]
    const put = { lane: 'bulk', flow, route: 'PUT /api/datacontracts/{id}' }
    const get = { lane: 'point', flow, route: 'GET /api/dataproducts/{id}' }
    assert.deepEqual(turns, [
      { ...put, isWrite: true, isShort: false },
      { ...get, isWrite: false, isShort: true },
    ])
    await services.offload.close()
  })

  test('with 20 requests open to systems that do not answer › other requests are answered', async (t) => {
    const silent = await startSilentServer()
    const mails = await startMailServer({ isSilent: true })
    const mailing = openMailing({ ...mails.settings, port: silent.port }, pino({ level: 'silent' }))
    const product = newProduct(store(), { slotsCount: 2, mailing })
    const world = await newWorld(product)
    t.after(async () => {
      silent.close()
      mailing.close()
      await mails.close()
    })
    const draft = {
      source: 'postgres',
      owningTeamExternalId: 'a',
      configuration: { host: '127.0.0.1', port: silent.port, user: 'u', sslMode: 'disable' },
      secrets: { password: 'x' },
    }
    const channel = '/api/teams/a/notification-channels/alerts'
    const endpoint = `https://127.0.0.1:${silent.port}/hook`
    const body = { id: 'alerts', name: 'Alerts', type: 'slack', endpoint, enabled: true }
    await expectOk(world.as('O', 'PUT', channel, { body }))
    const paths: [path: string, body?: object][] = [
      ['/ui/integrations/test', draft],
      ['/ui/integrations/scopes', draft],
      ['/ui/teams/a/notification-channels/alerts/test'],
      ['/ui/test-mail'],
    ]
    const opened = paths.flatMap(([path, sent]) =>
      Array.from({ length: path === '/ui/test-mail' ? 2 : 6 }, () =>
        world.asPerson('Uo', 'POST', path, { body: sent }),
      ),
    )
    assert.equal(opened.length, 20)
    await eventually(30_000, async () => silent.sockets.size >= 20, 'all requests wait')
    for (const path of ['/api/dataproducts', '/api/teams/a', '/api/search?query=x']) {
      await readText(world.as('O', 'GET', path))
    }
    await expectOk(world.as('O', 'PUT', '/api/dataproducts/x', { body: odps('x') }))
    silent.close()
    for (const answer of opened) await readJson(answer)
  })
})
