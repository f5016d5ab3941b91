/**
 * Permissions are checked before the body and the query are interpreted: errors in them reveal nothing to callers
 * without the permission.
 */

import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import type { PlainRecordKind } from '../formats/record/plain-record-kind.ts'
import { PLAIN_RECORDS } from '../formats/record/plain-kinds.ts'
import { RECORDS } from '../formats/record/kinds.ts'
import { api } from '../server/api.ts'
import type { Route } from '../server/requests/http/endpoint.ts'
import { ui } from '../server/ui.ts'
import { addAgreement } from './agreements.ts'
import * as ingested from './ingested-assets.ts'
import { addIntegration } from './integrations.ts'
import { addPlainRecord, getPlainRoute, toPlainPath } from './plain-records.ts'
import { buildRecord, hasOwner, toRecordId } from './records.ts'
import { onStore } from './stores.ts'
import { addWebhook } from './webhooks.ts'
import {
  expectOk,
  newProduct,
  newWorld,
  odcs,
  odps,
  putOne,
  uniqueId,
  type World,
} from './world.ts'

const nameRoute = ({ method, path }: Route): string => `${method} ${path}`

/** The routes whose rule can be checked without the body and the query, and that have one of them. */
const routes = [...api, ...ui].filter(({ described: { permission, body, query } }) => {
  const isLimited =
    typeof permission === 'object'
      ? permission.hasAlternative !== true
      : permission === 'an owner of the organization' || permission === 'an organization key'
  return isLimited && (body !== undefined || query?.safeParse({}).success === false)
})

const BODIES: Readonly<Record<string, unknown>> = {
  none: undefined,
  'an empty text': '',
  'an empty object': {},
  'a list': [],
  'unknown members': { unknown: { unknown: [1] } },
  'a text': '"x"',
  'a broken text': '{',
}

const READABLE_BODIES = { 'an empty object': {}, 'unknown members': { unknown: { unknown: [1] } } }

const B = { name: 'b' }

type PathMaker = (world: World) => Promise<string>

const put =
  (
    room: string,
    build: (id: string, more: Record<string, unknown>) => Record<string, unknown>,
  ): PathMaker =>
  async (world) => {
    const id = uniqueId()
    await putOne(world, room, build(id, { team: B }))
    return `/api/${room}/${id}`
  }

const plainKinds = PLAIN_RECORDS.filter(({ id }) => id === 'of the client')

const plainRecordOfB =
  (kind: PlainRecordKind): PathMaker =>
  async (world) =>
    toPlainPath(kind, await addPlainRecord(world, kind, { id: uniqueId(), team: 'b' }), 'b')

const provisioning: PathMaker = async (world) =>
  `${await addAgreement(world, { owner: 'b' })}/provisioning`

/**
 * Addresses of documents of team B. Their new owner is in the body, so that one that cannot be read is an error for
 * everyone who may write somewhere.
 */
const DOCUMENTS_OF_B: Readonly<Record<string, PathMaker>> = {
  'PUT /api/dataproducts/{id}': put('dataproducts', odps),
  'PUT /api/datacontracts/{id}': put('datacontracts', odcs),
  'PUT /api/assets/{id}': put('assets', (id) => ({ id, info: { name: id, owner: 'b' } })),
  ...Object.fromEntries(
    RECORDS.filter(hasOwner).map((kind) => [
      `PUT ${kind.collection}/{id}`,
      async (world: World) => {
        const id = toRecordId(kind, uniqueId())
        const path = `${kind.collection}/${id}`
        await expectOk(world.as('O', 'PUT', path, { body: buildRecord(kind, id, { owner: 'b' }) }))
        return path
      },
    ]),
  ),
  ...Object.fromEntries(
    plainKinds
      .filter(({ holder }) => holder.by !== 'team')
      .map((kind) => [`PUT ${getPlainRoute(kind)}`, plainRecordOfB(kind)]),
  ),
}

/** Addresses of things of team B, whose permission depends on the path only. */
const OF_B: Readonly<Record<string, PathMaker>> = {
  ...Object.fromEntries(
    plainKinds
      .filter(({ holder }) => holder.by === 'team')
      .map((kind) => [`PUT ${getPlainRoute(kind)}`, plainRecordOfB(kind)]),
  ),
  'PUT /api/access/{id}/provisioning': provisioning,
  'POST /api/access/{id}/provisioning/provisioning-started': async (world) =>
    `${await provisioning(world)}/provisioning-started`,
  'PUT /api/webhooks/{id}': async (world) => `/api/webhooks/${await addWebhookOfB(world)}`,
  'POST /api/webhooks/{id}/replay': async (world) =>
    `/api/webhooks/${await addWebhookOfB(world)}/replay`,
  ...Object.fromEntries(
    [
      ['PUT', ''],
      ['DELETE', ''],
      ['POST', '/test'],
      ['POST', '/scopes'],
      ['POST', '/run'],
    ].map(([method, part]) => [
      `${method} /ui/integrations/{externalId}${part}`,
      async (world: World) => `/ui/integrations/${await addIntegration(world, 'b')}${part}`,
    ]),
  ),
  'PUT /ui/teams/{id}/channels/{channelId}/notifications': async () =>
    '/ui/teams/b/channels/unknown/notifications',
  'PUT /ui/access/{id}/terms': async (world) =>
    `${(await addAgreement(world, { owner: 'b' })).replace('/api/', '/ui/')}/terms`,
  'PUT /ui/assets/{id}/annotation': async (world) => {
    const integration = await ingested.addIntegration(world, { owner: 'b' })
    const table = ingested.sourceTable(['shop', 'public', uniqueId()])
    const [id] = await ingested.ingest(world, integration, [table])
    return `/ui/assets/${id}/annotation`
  },
}

async function addWebhookOfB(world: World): Promise<string> {
  const body = { url: 'https://receiver.example/events', teamId: 'b' }
  return (await addWebhook(world, body)).id
}

onStore((store) => {
  let world: World
  before(async () => {
    world = await newWorld(newProduct(store()))
  })

  /** Sends each body without a query; returns those that are not answered with 403 or 404. */
  const listOthers = async (
    { method }: Route,
    path: string,
    caller: 'Um' | 'of A',
    bodies = BODIES,
  ) => {
    const isPage = path.startsWith('/ui/')
    const others: string[] = []
    for (const [name, body] of Object.entries(bodies)) {
      const answer = isPage
        ? await world.asPerson(caller === 'Um' ? 'Um' : 'Ue', method, path, { body })
        : await world.as(caller === 'Um' ? 'Um' : 'T', method, path, { body })
      if (![403, 404].includes(answer.status)) others.push(`${name}: ${answer.status}`)
    }
    return others
  }

  describe('callers who have the permission nowhere', () => {
    for (const route of routes) {
      test(`${nameRoute(route)} › 403 or 404 for every body, without a query`, async () => {
        const path = route.path.replaceAll(/\{\w+\}/g, 'unknown')
        assert.deepEqual(await listOthers(route, path, 'Um'), [])
      })
    }
  })

  describe('callers who have the permission on another team', () => {
    for (const [name, makePath] of Object.entries({ ...DOCUMENTS_OF_B, ...OF_B })) {
      test(`${name} › 403 or 404 for every body, without a query`, async () => {
        const route = routes.find((one) => nameRoute(one) === name)
        assert.ok(route, name)
        const bodies = Object.hasOwn(OF_B, name) ? BODIES : READABLE_BODIES
        assert.deepEqual(await listOthers(route, await makePath(world), 'of A', bodies), [])
      })
    }
  })
})
