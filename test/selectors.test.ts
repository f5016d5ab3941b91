/**
 * Pages show no more than lists: a name or an id that a selector, suggestion, filter or count of a page shows a person
 * is one that the API, or the list of its page, shows the same person.
 */

import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { PLAIN_RECORDS } from '../formats/record/plain-kinds.ts'
import { api } from '../server/api.ts'
import { addMember } from '../server/people/organizations/service.ts'
import { ui } from '../server/ui.ts'
import { newSession } from './session.ts'
import { readJson } from './answers.ts'
import * as ingested from './ingested-assets.ts'
import { addIntegration } from './integrations.ts'
import { PASSWORD_HASH } from './people.ts'
import { addPlainRecord } from './plain-records.ts'
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
  withSession,
  type World,
} from './world.ts'

/** The people whose pages are compared: the owner, and people with different teams and roles. */
const PEOPLE = ['owner', 'editor of A', 'member of A', 'owner of B', 'without a team'] as const
type PersonKind = (typeof PEOPLE)[number]

/** The lists of things that only pages have. */
const OWN_LISTS = ['/ui/api-keys', '/ui/invitations', '/ui/members', '/ui/notifications']

interface Hidden {
  /** Texts that occur only in one thing, by its description. */
  names: Readonly<Record<string, string>>
  ids: Readonly<Record<string, string>>
}

const pageReads = ui.filter(({ method, path }) => method === 'GET' && path !== '/ui/start')

onStore((store) => {
  let world: World
  let hidden: Hidden
  const sessions = new Map<PersonKind, string>()
  const shown = new Map<PersonKind, ReadonlySet<string>>()

  before(async () => {
    world = await newWorld(newProduct(store()))
    hidden = await addHidden(world)
    for (const [person, session] of await addSessions(world)) sessions.set(person, session)
    for (const person of PEOPLE) shown.set(person, await listShown(person))
  })

  const get = async (person: PersonKind, path: string): Promise<string> => {
    const headers = withSession(sessions.get(person) ?? '')
    const text = await (await world.call('GET', path, { headers })).text()
    // Problems repeat the address of the request.
    return text.replace(/"instance":"[^"]*"/, '')
  }

  const findNames = (text: string): string[] =>
    Object.entries(hidden.names).flatMap(([thing, name]) => (text.includes(name) ? [thing] : []))

  /** Returns the hidden things that the API and their own lists show a person. */
  async function listShown(person: PersonKind): Promise<ReadonlySet<string>> {
    const lists = api
      .filter(({ method, path }) => method === 'GET' && !path.includes('{'))
      .map(({ path }) => path)
    const queries = ['/api/activity?kind=integration', '/api/activity?kind=api-key']
    const named = [
      `/api/integrations/${hidden.ids.integration}`,
      `/api/integrations/${hidden.ids.emptyIntegration}`,
      '/api/teams/b/notification-channels',
    ]
    const seen = new Set<string>()
    for (const path of [...lists, ...OWN_LISTS, ...queries, ...named]) {
      for (const thing of findNames(await get(person, path))) seen.add(thing)
    }
    return seen
  }

  test('the API hides something of each kind from some people, and all of it from strangers', () => {
    const owner = shown.get('owner')
    assert.deepEqual([...(owner ?? [])].toSorted(), Object.keys(hidden.names).toSorted())
    for (const thing of Object.keys(hidden.names)) {
      // Assets name the integration that found them.
      if (thing === 'an integration of team B with assets') continue
      assert.ok(!shown.get('without a team')?.has(thing), thing)
    }
  })

  describe('GET', () => {
    for (const { path: route } of pageReads) {
      test(`${route} › shows no more than the API`, async () => {
        for (const path of toPaths(route, hidden.ids)) {
          for (const person of PEOPLE) {
            const answered = findNames(await get(person, path))
            const more = answered.filter((thing) => !shown.get(person)?.has(thing))
            assert.deepEqual(more, [], `${person} ${path}`)
          }
        }
      })
    }
  })
})

/** Returns the addresses of a route with every id and every choice of its query. */
function toPaths(route: string, ids: Readonly<Record<string, string>>): string[] {
  const all = Object.values(ids)
  const principals = [
    `api-key:${ids.key}`,
    `api-key:${ids.organizationKey}`,
    `integration:${ids.integration}`,
    `integration:${ids.emptyIntegration}`,
    `user:${ids.stranger}`,
  ]
  const each = (name: string, values: readonly string[]): string[] =>
    values.map((value) => `${route}?${name}=${encodeURIComponent(value)}`)
  switch (route) {
    case '/ui/principals':
      return each('id', principals)
    case '/ui/activity':
    case '/ui/activity/export': {
      const format = route.endsWith('export') ? 'format=jsonl&' : ''
      const filters = ['', ...ACTIVITY_KINDS.map((kind) => `kind=${kind}`)]
      return [...filters, ...principals.map((actor) => `actor=${actor}`)].map(
        (query) => `${route}?${format}${query}`,
      )
    }
    case '/ui/activity/changes':
      return [`${route}?actor=system&minute=${new Date().toISOString().slice(0, 16)}:00Z`]
    case '/ui/assets/children':
      return [...each('integration', all), ...each('parent', all)]
    case '/ui/access':
      return ['inbox', 'mine', 'product', 'consumer'].map(
        (list) => `${route}?list=${list}&team=b&product=${ids.product}`,
      )
    case '/ui/access/summaries':
      return each('productId', [ids.product ?? ''])
    case '/ui/access/port':
      return [`${route}?productId=${ids.product}&port=out`]
    case '/ui/example-data':
      return each('dataProductId', [ids.product ?? ''])
    case '/ui/tagged-assets':
      return each('tag', ['t'])
    case '/ui/definitions/uses':
      return each('id', ['d'])
    case '/ui/follow':
      return [`${route}?kind=team&id=b`, `${route}?kind=data-product&id=${ids.product}`]
    default:
      return fillPath(route, all)
  }
}

const ACTIVITY_KINDS = [
  'integration',
  'ingestion-run',
  'ingestion-attempt',
  'ingested-asset',
  'api-key',
  'webhook',
  'invitation',
  'account',
  'member',
  'notification-channel',
  'organization-settings',
]

/** Replaces the first parameter of a route by each id, and the second one by each of them, too. */
function fillPath(route: string, ids: readonly string[]): string[] {
  const [, name] = /\{(\w+)\}/.exec(route) ?? []
  if (name === undefined) return [route]
  return [...ids, 'b'].flatMap((id) =>
    fillPath(route.replace(`{${name}}`, encodeURIComponent(id)), ids),
  )
}

const newName = (): string => `hidden-${uniqueId()}`

/** Adds things that only some people may see, each with a name of its own. */
async function addHidden(world: World): Promise<Hidden> {
  const post = async (path: string, body: object): Promise<Record<string, string>> =>
    await readJson(world.asPerson('Uo', 'POST', path, { body }), 201)

  const integration = await ingested.addIntegration(world, { owner: 'b' })
  const path = ['shop', 'public', uniqueId()]
  const [asset = ''] = await ingested.ingest(world, integration, [ingested.sourceTable(path)])
  const names = {
    'a key of team B': newName(),
    'a key of the organization': newName(),
    'a personal key of the owner': newName(),
    'a webhook of team B': newName(),
    'a webhook of the organization': newName(),
    'an invitation': newName(),
    'the address of a channel': newName(),
    'an integration of team B with assets': integration.externalId,
    'an integration of team B': newName(),
  }
  const emptyIntegration = await addIntegration(world, 'b', {
    name: names['an integration of team B'],
  })
  const key = await post('/ui/api-keys', {
    scope: 'team',
    teamId: 'b',
    displayName: names['a key of team B'],
  })
  const organizationKey = await post('/ui/api-keys', {
    scope: 'organization',
    displayName: names['a key of the organization'],
  })
  await post('/ui/api-keys', { scope: 'user', displayName: names['a personal key of the owner'] })
  const url = 'https://receiver.example/x'
  await addWebhook(world, { url, name: names['a webhook of team B'], teamId: 'b' })
  await addWebhook(world, { url, name: names['a webhook of the organization'] })
  const email = `${names['an invitation']}@x.example`
  await post('/ui/invitations', { email, role: 'Member' })
  const kind = PLAIN_RECORDS.find((one) => one.kind === 'notification-channel')
  assert.ok(kind)
  const endpoint = `https://hooks.chat.example/${names['the address of a channel']}`
  const channel = await addPlainRecord(world, kind, {
    id: uniqueId(),
    team: 'b',
    more: { endpoint },
  })
  const product = uniqueId()
  await putOne(world, 'datacontracts', odcs(uniqueId(), { team: { name: 'b' } }))
  const outputPorts = [{ name: 'out', version: '1' }]
  await putOne(world, 'dataproducts', odps(product, { team: { name: 'b' }, outputPorts }))
  const other = await newWorld(world)
  return {
    names,
    ids: {
      integration: integration.externalId,
      integrationId: integration.id,
      emptyIntegration,
      run: integration.runId,
      asset,
      channel,
      product,
      key: key.organizationApiKeyId ?? '',
      organizationKey: organizationKey.organizationApiKeyId ?? '',
      stranger: other.userIds.Uo,
    },
  }
}

/** Signs the people in; two of them are added. */
async function addSessions(world: World): Promise<[PersonKind, string][]> {
  const { services, organizationId, sessions } = world
  const { db, clock } = services
  const add = async (): Promise<{ email: string; session: string }> => {
    const email = `${uniqueId()}@example.test`
    const person = { email, passwordHash: PASSWORD_HASH, role: 'Member' as const }
    const userId = await addMember(db, organizationId, person)
    return { email, session: await newSession(db, clock, userId) }
  }
  const [ofB, ofNone] = [await add(), await add()]
  const members = [{ emailAddress: ofB.email, role: 'Owner' }]
  const body = { id: 'b', name: 'Team B', members }
  await expectOk(world.as('O', 'PUT', '/api/teams/b', { body }))
  return [
    ['owner', sessions.Uo],
    ['editor of A', sessions.Ue],
    ['member of A', sessions.Um],
    ['owner of B', ofB.session],
    ['without a team', ofNone.session],
  ]
}
