/**
 * Isolation of organizations: no request can see, count, change or detect resources of another one.
 */

import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { api } from '../server/api.ts'
import { eventsSoFar } from './feed.ts'
import { LINEAGE, RESULTS, TRACES } from './permissions/requests.ts'
import {
  addForeignResources,
  CANARY,
  CANARY_SETTINGS,
  listProbes,
  ROOMS,
  toMissingNames,
  type Names,
  type RequestOf,
} from './isolation-probes.ts'
import { IDENTITY_CALLERS, newIdentityCallers } from './identity-callers.ts'
import { onStore } from './stores.ts'
import { ALL_CALLERS, newProduct, newWorld } from './world.ts'
import type { World } from './world.ts'

onStore((store) => {
  let world: World
  let send: Send
  before(async () => {
    world = await newWorld(newProduct(store()))
    const identityCallers = await newIdentityCallers(world)
    send = (caller, ...request) =>
      caller === 'session of a provider' || caller === 'key of a directory'
        ? identityCallers[caller](...request)
        : world.as(caller, ...request)
  })

  // Requests that only read share an organization. Callers that can write get one for each address, and for each PUT
  // and POST a resource, because they create one of the same name in their own organization.
  const readRoutes = api.filter(({ method }) => method === 'GET').map(({ path }) => path)
  describe('reading', () => {
    let other: World
    let atFirst: unknown
    const namesByRoute = new Map<string, Names>()
    before(async () => {
      other = await newWorld(world)
      for (const route of readRoutes) {
        namesByRoute.set(route, await addForeignResources(other, route))
      }
      // Everything in the feed from now on is a result of the following requests.
      await eventsSoFar(other)
      atFirst = await snapshot(other)
    })

    for (const route of readRoutes) {
      test(`GET ${route} › treats resources of another organization as missing`, async () => {
        const names = namesByRoute.get(route)
        assert.ok(names !== undefined)
        for (const caller of SENDERS) {
          for (const getRequest of listProbes('GET', route)) {
            await probe(send, { caller, method: 'GET', getRequest, names })
          }
        }
      })
    }

    test('changes nothing in another organization', async () => {
      assert.deepEqual(await snapshot(other), atFirst)
    })
  })

  for (const { method, path: route } of api.filter((endpoint) => endpoint.method !== 'GET')) {
    test(`${method} ${route} › treats resources of another organization as missing`, async () => {
      const other = await newWorld(world)
      const shared = method === 'DELETE' ? await addForeignResources(other, route) : undefined
      const probes: Probe[] = []
      for (const caller of SENDERS) {
        for (const getRequest of listProbes(method, route)) {
          const names = shared ?? (await addForeignResources(other, route))
          probes.push({ caller, method, getRequest, names })
        }
      }
      await eventsSoFar(other)
      const atFirst = await snapshot(other)
      for (const one of probes) await probe(send, one)
      assert.deepEqual(await snapshot(other), atFirst)
    })
  }
})

const SENDERS = [...ALL_CALLERS, ...IDENTITY_CALLERS] as const
type Sender = (typeof SENDERS)[number]
type Send = (caller: Sender, ...request: Parameters<World['call']>) => Promise<Response>

/** A request that names a resource of another organization. */
interface Probe {
  caller: Sender
  method: string
  getRequest: RequestOf
  names: Names
}

/** Checks that a request gets the same response as one that names a resource which does not exist. */
async function probe(send: Send, { caller, method, getRequest, names }: Probe): Promise<void> {
  const answer = await ask(send, caller, method, getRequest, names)
  const expected = await ask(send, caller, method, getRequest, toMissingNames(names))
  assert.deepEqual(answer, expected, `${caller} ${getRequest(names).path}`)
  assert.ok(!answer.text.includes(CANARY), `${caller} receives the canary: ${answer.text}`)
}

/**
 * Returns a response without the parts that may differ between two names that the caller cannot resolve.
 */
async function ask(
  send: Send,
  caller: Sender,
  method: string,
  getRequest: RequestOf,
  names: Names,
): Promise<{ status: number; headers: string[]; text: string }> {
  const { path, body } = getRequest(names)
  const response = await send(caller, method, path, { body })
  const text = withoutNewIds(response.status, await response.text())
    // The address contains the id.
    .replaceAll(names.email, '<email>')
    // A new person is named after the address that the caller sent.
    .replaceAll(names.email.split('@')[0] ?? '', '<name>')
    .replaceAll(names.id, '<id>')
    .replaceAll(names.keyId, '<key>')
    .replaceAll(names.eventId, '<event>')
    .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, '<time>')
  const headers = [...response.headers.keys()].toSorted()
  // Lists of the caller's own organization grow at the same time and are not compared.
  const isOwn = method === 'GET' && response.status === 200 && !/<id>|<key>|<email>/.test(text)
  return { status: response.status, headers, text: isOwn && text !== '[]' ? '<own>' : text }
}

/** Returns an answer without what every new resource of SCIM has: a random id and the digest of it. */
function withoutNewIds(status: number, text: string): string {
  if (status !== 201 || !text.includes('urn:ietf:params:scim:')) return text
  return text
    .replaceAll(/[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}/g, '<new>')
    .replaceAll(/W\/\\"[\w-]+\\"/g, '<version>')
}

/** Returns everything that an organization can see of itself, and the number of its keys. */
async function snapshot(world: World): Promise<unknown> {
  const lists = ['teams', ...ROOMS].map((room) => `/api/${room}`)
  const settings = CANARY_SETTINGS.map(({ address }) => address)
  const reports = [LINEAGE, RESULTS, TRACES, '/api/events?include=document']
  const paths = [...lists, ...settings, '/api/integrations/ingest', ...reports]
  const answers = paths.map(async (path) => await (await world.as('O', 'GET', path)).text())
  const keyCount = world.services.db
    .selectFrom('organization')
    .select('api_key_count')
    .where('id', '=', world.organizationId)
    .executeTakeFirstOrThrow()
  const plainRecords = world.services.db
    .selectFrom('plain_record')
    .selectAll()
    .where('organization_id', '=', world.organizationId)
    .execute()
  return [await Promise.all(answers), await keyCount, await plainRecords]
}
