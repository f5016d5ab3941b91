import assert from 'node:assert/strict'
import { text } from 'node:stream/consumers'
import { mock, test } from 'node:test'
import { api } from '../../api.ts'
import { ApiError } from '../../platform/errors.ts'
import { ui } from '../../ui.ts'
import { StoreUnavailable } from '../../platform/kit/store-errors.ts'
import { eventually, toLimit } from '../../../test/eventually.ts'
import { signToken, startLyingIssuer } from '../../../test/oidc/lying-issuer.ts'
import { newDialer } from '../../platform/kit/dialer.ts'
import { newKeySets } from '../../platform/kit/key-sets.ts'
import { verifyToken } from '../../platform/kit/token-verifier.ts'
import { withoutSlot } from '../../platform/kit/held-slot.ts'
import {
  getDefaultLane,
  inTurns,
  newLanes,
  type RequestLane,
  type Lanes,
  type LaneTurn,
} from './lanes.ts'

function toTurn(name: string, lane: RequestLane = 'point'): LaneTurn {
  const flow = [name.slice(0, 1), name] as const
  return { lane, flow, route: `GET /${lane}`, isWrite: false, isShort: false }
}

const settle = (): Promise<void> => new Promise((done) => setImmediate(done))

/** Requests that end on request of the test. */
function newRequests(lanes: Lanes) {
  const started: string[] = []
  const ends = new Map<string, PromiseWithResolvers<void>>()
  return {
    started,
    async send(name: string, lane: RequestLane = 'point'): Promise<{ answer: Promise<void> }> {
      const end = Promise.withResolvers<void>()
      ends.set(name, end)
      const answer = lanes.run(toTurn(name, lane), async () => {
        started.push(name)
        await end.promise
      })
      answer.catch(() => undefined)
      await settle()
      return { answer }
    },
    async end(name: string): Promise<void> {
      ends.get(name)?.resolve()
      await settle()
    },
    async fail(name: string, error: Error): Promise<void> {
      ends.get(name)?.reject(error)
      await settle()
    },
  }
}

test('lanes › every endpoint has a lane, and those that read or write much are no points', () => {
  const routes = [...api, ...ui]
  const lanes = new Map(routes.map(({ described, lane }) => [described.operation, lane]))
  for (const operation of ['search', 'listDataProducts', 'listAssets', 'getHome', 'getTraces']) {
    assert.equal(lanes.get(operation), 'scan', operation)
  }
  for (const operation of ['deleteTraces', 'undoRun', 'postAccessRequests']) {
    assert.equal(lanes.get(operation), 'bulk', operation)
  }
  for (const operation of ['getDataProduct', 'putDataProduct', 'postLineageEvent', 'getSession']) {
    assert.equal(lanes.get(operation), 'point', operation)
  }
  const feed = lanes.get('listEvents')
  assert.ok(typeof feed === 'function')
  assert.equal(feed(new URLSearchParams('include=document')), 'bulk')
  assert.equal(feed(new URLSearchParams('lastEventId=1')), 'scan')
  // Lists are never points, and a GET without an id must declare its lane.
  for (const { method, path, described, lane } of routes) {
    const isList = described.answers[200]?.schema?.constructor.name === 'ZodArray'
    const usual = getDefaultLane(method, path, { isList })
    assert.ok(described.lane !== undefined || usual !== undefined, `${method} ${path}`)
    if (isList) assert.notEqual(lane, 'point', `${method} ${path}`)
  }
  assert.equal(getDefaultLane('GET', '/api/new', { isList: false }), undefined)
})

test('lanes › a request of another organization starts after few of 100 requests', async () => {
  const { started, send, end } = newRequests(newLanes(10))
  for (let count = 0; count < 100; count += 1) await send(`a${count}`)
  assert.equal(started.length, 8)
  await send('b1')
  assert.equal(started.at(-1), 'b1')
  // Searches have fewer slots, so the other organization waits for one of them.
  for (let count = 0; count < 100; count += 1) await send(`c${count}`, 'scan')
  await send('d1', 'scan')
  const first = started.find((name) => name.startsWith('c')) ?? ''
  await end('b1')
  const before = started.length
  await end(first)
  assert.ok(started.slice(before - 1).length <= 3)
  for (let at = 0; !started.includes('d1') && at < 3; at += 1) {
    const next = started.findLast((name) => name.startsWith('c')) ?? ''
    await end(next)
  }
  assert.ok(started.includes('d1'), 'it starts after at most three searches of the other one')
})

test('lanes › a request inside of a request runs in its slot', async () => {
  const lanes = newLanes(1)
  const answer = await lanes.run(toTurn('a1'), () =>
    lanes.run(toTurn('a1', 'scan'), () => Promise.resolve('inner')),
  )
  assert.equal(answer, 'inner')
})

test('lanes › requests that wait for the same keys of an issuer do not keep each other waiting', async () => {
  const issuer = await startLyingIssuer()
  const dialer = newDialer({ privateAddresses: 'allow', allowed: [], ownStore: undefined })
  const origin = { kind: 'discovery' } as const
  const source = { id: 'a', version: 1, issuer: issuer.issuer, origin, authority: undefined }
  const keys = newKeySets(dialer).get(source)
  const now = new Date()
  const iat = Math.floor(now.getTime() / 1000)
  const claims = { iss: issuer.issuer, aud: 'a', sub: 's', iat, exp: iat + 60 }
  const token = signToken(issuer.key, claims)
  const lanes = newLanes(2)
  let verifiedCount = 0
  for (let at = 0; at < 8; at += 1) {
    const verified = lanes.run(toTurn(`a${at}`), async () => {
      await verifyToken(token, {
        use: 'exchange',
        issuer: issuer.issuer,
        keys,
        audiences: ['a'],
        now,
      })
    })
    void verified.then(() => (verifiedCount += 1))
  }
  await eventually(toLimit(5000), async () => verifiedCount === 8, 'all tokens are verified')
  await issuer.close()
})

test('lanes › requests that wait for other systems hold no slot', async () => {
  const lanes = newLanes(2)
  const silent = Promise.withResolvers<void>()
  const order: string[] = []
  const waiting = Array.from({ length: 20 }, (_, at) =>
    lanes.run(toTurn(`a${at}`), async () => {
      await Promise.all([withoutSlot(() => silent.promise), withoutSlot(() => silent.promise)])
      order.push('a')
    }),
  )
  await lanes.run(toTurn('b1'), async () => void order.push('b'))
  assert.deepEqual(order, ['b'])
  // Those that come back precede requests that have not begun.
  const { send, started, end } = newRequests(lanes)
  for (const name of ['c1', 'd1', 'c2']) await send(name)
  assert.deepEqual(started, ['c1', 'd1'])
  silent.resolve()
  await end('d1')
  await Promise.all(waiting)
  assert.equal(order.length, 21)
  await end('c1')
  await end('c2')
  // Outside of requests the work simply runs.
  assert.equal(await withoutSlot(() => Promise.resolve(1)), 1)
})

test('lanes › overloaded for the newest request of the longest flow if 1,000 wait', async () => {
  const lanes = newLanes(1)
  const { send, end } = newRequests(lanes)
  await send('a-first')
  const answers: Promise<void>[] = []
  for (let count = 0; count < 1000; count += 1) {
    answers.push(lanes.run(toTurn(`a${count}`), () => Promise.resolve()))
  }
  const other = lanes.run(toTurn('b1'), () => Promise.resolve('served'))
  const last = await answers.at(-1)?.catch((error: unknown) => error)
  assert.ok(last instanceof ApiError)
  assert.equal(last.code, 'overloaded')
  assert.match(last.message, /Too many requests are waiting/)
  await end('a-first')
  assert.equal(await other, 'served')
  await Promise.all(answers.slice(0, -1))
})

test('lanes › while the store does not respond, waiting requests fail with the one that found out', async () => {
  let nowMs = 0
  mock.method(performance, 'now', () => nowMs)
  try {
    const lanes = newLanes(1)
    const { send, fail, started } = newRequests(lanes)
    const away = new StoreUnavailable('the database did not respond')
    const answers = [await send('a1'), await send('a2'), await send('b1')]
    nowMs += 2000
    await fail('a1', away)
    const [first, ...waiting] = answers
    await assert.rejects(first?.answer ?? Promise.resolve(), away)
    for (const { answer } of waiting) await assert.rejects(answer, StoreUnavailable)
    assert.deepEqual(started, ['a1'])
    // A failure of one statement, while others succeed, concerns no other request.
    for (const [sinceSuccessMs, isAway] of [
      [400, false],
      [1600, true],
    ] as const) {
      const requests = newRequests(newLanes(4))
      const failing = await requests.send('a1')
      const second = await requests.send('a2')
      const third = await requests.send('a3')
      const fourth = await requests.send('a4')
      nowMs += 1650 - sinceSuccessMs
      await requests.end('a2')
      await second.answer
      nowMs += sinceSuccessMs
      await requests.fail('a1', away)
      await assert.rejects(failing.answer, away)
      for (const name of ['a3', 'a4']) await requests.end(name)
      await third.answer
      if (isAway) await assert.rejects(fourth.answer, StoreUnavailable)
      else await fourth.answer
    }
  } finally {
    mock.reset()
  }
})

test('lanes › an answer that is a stream takes a turn for each chunk, and none in between', async () => {
  const lanes = newLanes(1)
  let pulledCount = 0
  const body = new ReadableStream<Uint8Array>(
    {
      pull(controller) {
        pulledCount += 1
        controller.enqueue(Buffer.from(`${pulledCount}`))
        if (pulledCount === 3) controller.close()
      },
    },
    { highWaterMark: 0 },
  )
  const chunks = inTurns(lanes, toTurn('a1', 'scan'), body)
  const { send, started, end } = newRequests(lanes)
  await send('b1')
  const reading = text(chunks)
  await new Promise(setImmediate)
  assert.equal(pulledCount, 0, 'the slot is taken')
  assert.deepEqual(started, ['b1'])
  await end('b1')
  assert.equal(await reading, '123')
})
