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
// The turns of the flood that may begin while a request waits for its own: about as many as there are slots.
const TURNS_MAX = 8

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
  let startedCount = 0
  let endedCount = 0
  let isFlowing = Promise.withResolvers<void>()
  /** The request that a test measures, by its organization and route. */
  let measured = ''
  /** For each measured turn, how many turns of the flood began while it waited. */
  let waits: number[] = []
  before(async () => {
    const product = newProduct(store(), { slotsCount: 4 })
    flooding = await newWorld(product)
    other = await newWorld(product)
    const { run } = product.services.lanes
    product.services.lanes.run = async (turn, work) => {
      const beforeCount = startedCount
      const isFlood = `${turn.flow[0]} ${turn.route}` !== measured
      try {
        return await run(turn, () => {
          if (isFlood) startedCount += 1
          else waits.push(startedCount - beforeCount)
          return work()
        })
      } finally {
        if (isFlood) endedCount += 1
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
   * Returns how many turns of a flood begin while a request waits for its turn, which is sent when ten of them have
   * ended. The order of the turns is that of the process: how fast the database works on each does not matter.
   */
  async function countBefore(
    send: (at: number) => Promise<Response>,
    { organizationId }: World,
    route: string,
    request: () => Promise<Response>,
  ): Promise<number> {
    endedCount = 0
    waits = []
    measured = `${organizationId} ${route}`
    isFlowing = Promise.withResolvers<void>()
    // On a slow machine, some of the flood wait for too long and are rejected, or break off.
    const answers = Promise.allSettled(
      Array.from({ length: FLOOD }, async (_, at) => (await send(at)).text()),
    )
    await isFlowing.promise
    await readText(request())
    assert.ok(waits.length > 0, 'the request had a turn')
    await answers
    return Math.max(...waits)
  }

  const readProduct = (): Promise<Response> => other.as('O', 'GET', '/api/dataproducts/one')
  const search = (): Promise<Response> => other.as('O', 'GET', '/api/search?query=one')
  const listAsPerson = (): Promise<Response> => flooding.asPerson('Um', 'GET', '/api/teams')

  for (const [what, send] of Object.entries(floods)) {
    test(`fairness › a GET of another organization has its turn before most of 100 ${what}`, async () => {
      const count = await countBefore(send, other, 'GET /api/dataproducts/{id}', readProduct)
      assert.ok(count <= TURNS_MAX, `${count} turns before`)
    })
  }

  test('fairness › a search of another organization has its turn before most of 100 searches', async () => {
    const count = await countBefore(floods.searches, other, 'GET /api/search', search)
    assert.ok(count <= TURNS_MAX, `${count} turns before`)
  })

  test('fairness › a person is served beside the pipeline of the own organization', async () => {
    const count = await countBefore(floods.changes, flooding, 'GET /api/teams', listAsPerson)
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
