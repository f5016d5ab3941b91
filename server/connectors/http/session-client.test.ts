import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { test } from 'node:test'
import { z } from 'zod'
import { eventually } from '../../../test/eventually.ts'
import { catchFailure, newSetup } from '../../../test/source-reading.ts'
import { newRenewableCredentials, toBearer } from './credentials.ts'
import { openSessionClient } from './session-client.ts'

const REQUEST = { method: 'POST', headers: async () => ({}) } as const

test('openSessionClient › a late cancel obtains a token, although no statement may start any more', async (t) => {
  const heldTokens: (() => void)[] = []
  let isHolding = false
  let tokenCount = 0
  const server = createServer(({ url }, response) => {
    const send = (): void => void response.end('{}')
    if (url !== '/token') return send()
    tokenCount += 1
    if (isHolding) heldTokens.push(send)
    else send()
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  t.after(() => {
    server.closeAllConnections()
    server.close()
  })
  const toUrl = (path: string): URL =>
    new URL(path, `http://127.0.0.1:${(server.address() as AddressInfo).port}`)
  const run = new AbortController()
  const session = await openSessionClient(
    newSetup({ configuration: {}, secrets: {}, signal: run.signal }),
    {
      service: 'The source',
      connectionsMax: 4,
      // Each request needs another token.
      newCredentials: (transport) =>
        newRenewableCredentials(async () => {
          await transport.send({ ...REQUEST, url: toUrl('/token') })
          return { headers: toBearer('canary'), lifetimeSeconds: 0.001, issuedAtMs: -1000 }
        }),
    },
    0,
  )
  const ask = async (client: typeof session.client): Promise<unknown> =>
    await client.ask({ url: toUrl('/statement'), body: {} }, z.object({}))
  assert.deepEqual(await ask(session.client), { value: {} })
  isHolding = true
  const [reading, starting] = [
    catchFailure(ask(session.client)),
    catchFailure(ask(session.starter)),
  ]
  await eventually(10_000, async () => heldTokens.length > 0, 'a token is requested')
  run.abort(new Error('the end'))
  // Neither waits for the token, which takes longer.
  assert.equal((await reading).kind, 'cancelled')
  assert.equal((await starting).kind, 'cancelled')
  isHolding = false
  for (const send of heldTokens) send()
  const late = session.newClient(AbortSignal.timeout(10_000))
  assert.deepEqual(await ask(late), { value: {} })
  assert.ok(tokenCount >= 2, String(tokenCount))
  await session.close()
})
