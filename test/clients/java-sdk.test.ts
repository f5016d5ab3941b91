/**
 * The calls of the public Java SDK, as its generated client sends them: `Accept: application/problem+json`
 * where an operation answers with no JSON, `%2F` in ids, and the exact status that it accepts. The SDK is no
 * package that a test could install, so this is a table of its requests.
 */

import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { newHttpClient, type HttpAnswer, type HttpClient } from '../http-client.ts'
import { eventsSoFar } from '../feed.ts'
import type { World } from '../world.ts'
import { assertHas } from './command-rows.ts'
import { fillCatalog } from './cli/fill.ts'
import { startInstallation, type Installation } from './client.ts'
import { JAVA_CALLS } from './java/calls.ts'
import type { JavaCall } from './java/java-call.ts'

const STATE = {
  lastEventId: '01HZXE',
  lastSync: 1_767_600_000_123,
  ratio: 0.5,
  done: false,
  at: null,
}

describe('the Java SDK', () => {
  let installation: Installation
  let world: World
  let owner: HttpClient
  let user: HttpClient
  before(async () => {
    installation = await startInstallation()
    world = await installation.newOrganization()
    await fillCatalog(world, installation.url)
    owner = newHttpClient(installation.url, world.keys.O)
    user = newHttpClient(installation.url, world.keys.Uo)
  })
  after(async () => {
    owner.close()
    user.close()
    await installation.close()
  })

  const values = new Map<string, string>()
  const send = async (call: JavaCall): Promise<HttpAnswer> => {
    const { method, status, caller, body } = call
    const path = call.path.replaceAll(/\$(\w+)/g, (_, name: string) => values.get(name) ?? '')
    const client = caller === 'user' ? user : owner
    const accept = method === 'GET' ? 'application/json' : 'application/problem+json'
    const headers = {
      accept,
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    }
    const answer = await client.send(method, path, { headers, body })
    assert.equal(answer.status, status, `${method} ${path}: ${answer.text}`)
    return answer
  }

  for (const call of JAVA_CALLS) {
    const name = `${call.name} › ${call.status}`
    test(name, async () => {
      const answer = await send(call)
      if (call.answers !== undefined) {
        assertHas(JSON.parse(answer.text), call.answers, answer.text)
      }
      for (const [value, pattern] of Object.entries(call.keeps ?? {})) {
        values.set(value, pattern.exec(answer.text)?.[1] ?? '')
      }
      const isSave = call.method === 'PUT' && call.status === 200 && !call.path.includes('assigned')
      if (isSave) assert.match(String(answer.headers['location-html']), /^http/)
    })
  }

  test('the constructor of both helpers registers a connector', async () => {
    const path = '/api/connectors/sync'
    await send(get(path, 404))
    await send(put(path, { id: 'sync', info: { type: 'assets-synchronizer' } }))
    const registered = JSON.parse((await send(get(path))).text)
    // The second start sends what it read.
    await send(put(path, { ...registered, info: { type: 'assets-synchronizer' } }))
    assert.deepEqual(JSON.parse((await send(get(path))).text), registered)
  })

  test('the state of a connector comes back with its types', async () => {
    const path = '/api/connectors/sync'
    const connector = JSON.parse((await send(get(path))).text)
    await send(put(path, { ...connector, state: STATE }))
    const text = (await send(get(path))).text
    assert.deepEqual(JSON.parse(text).state, STATE)
    // Java reads an integer as a Long, and 1767600000123.0 as a Double.
    assert.match(text, /"lastSync": ?1767600000123[,}\s]/)
  })

  test('the assets synchronizer saves an asset that is absent, and finds it unchanged', async () => {
    const asset = {
      id: 'java-table',
      info: { name: 'table', type: 'table', source: 'java', owner: 'a' },
      properties: { rows: 3 },
    }
    await send(get('/api/assets/java-table', 404))
    await send(put('/api/assets/java-table', asset))
    assert.partialDeepStrictEqual(
      JSON.parse((await send(get('/api/assets/java-table'))).text),
      asset,
    )
    await send({ name: '', method: 'DELETE', path: '/api/assets/java-table', status: 200 })
  })

  test('the event listener continues after the last event', async () => {
    // From here on, the feed has everything, and this test changes nothing.
    await eventsSoFar(world)
    const first = JSON.parse((await send(get('/api/events?longPolling=false'))).text)
    assert.ok(first.length > 2)
    const next = `/api/events?lastEventId=${first[0].id}&longPolling=false`
    assert.deepEqual(JSON.parse((await send(get(next))).text)[0], first[1])
    const last = `/api/events?lastEventId=${first.at(-1).id}&longPolling=false`
    assert.equal((await send(get(last))).text, '[]')
  })
})

function get(path: string, status = 200): JavaCall {
  return { name: '', method: 'GET', path, status }
}

function put(path: string, body: object): JavaCall {
  return { name: '', method: 'PUT', path, body, status: 200 }
}
