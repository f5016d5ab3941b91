/**
 * Compares what the records of the pages declare with the server: who sees the thing of a page, and who may do what
 * the page is for.
 */

import assert from 'node:assert/strict'
import { join } from 'node:path'
import { before, test } from 'node:test'
import { pathToFileURL } from 'node:url'
import { RECORDS } from '../formats/record/kinds.ts'
import { api } from '../server/api.ts'
import type { Session } from '../server/people/organizations/signed-in.ts'
import { ui } from '../server/ui.ts'
import { readJson } from './answers.ts'
import { newMember } from './people.ts'
import { fillPath, OWNED_RESOURCES, type OwnedResource } from './permissions/existence.ts'
import { hasOwner } from './records.ts'
import { integrationBody } from './integrations.ts'
import { onStore } from './stores.ts'
import { expectOk, newProduct, newWorld, uniqueId, withSession, type World } from './world.ts'

interface Need {
  permission?: string
  on: 'any team' | 'its team' | 'the organization'
  statedAt: 'head' | 'button'
}

interface Page {
  path: string
  seenBy: string
  needs?: Need
}

type FindPermit = (
  session: Session & { teamNames: ReadonlyMap<string, string> },
  need: Need,
  team: string | null | undefined,
) => { allowed: boolean; reason: string | undefined }

// The compiler must not follow these imports: the pages have other settings.
const load = async <Module>(file: string): Promise<Module> =>
  (await import(pathToFileURL(join(import.meta.dirname, '../web', file)).href)) as Module
const { pages } = await load<{ pages: readonly Page[] }>('pages.ts')
const { findPagePermit } = await load<{ findPagePermit: FindPermit }>('shell/page-rights.ts')

/** The request of the main action of each page that declares a need. */
const ACTIONS: Readonly<Record<string, string>> = {
  '/requests': 'POST /api/access/{id}/approve',
  ...listDocumentActions('data-products', '/api/dataproducts/{id}'),
  ...listDocumentActions('data-contracts', '/api/datacontracts/{id}'),
  ...Object.assign(
    {},
    ...RECORDS.map((kind) => listDocumentActions(kind.pages, `${kind.collection}/{id}`)),
  ),
  '/assets': 'POST /ui/integrations',
  '/assets/$id': 'PUT /ui/assets/{id}/annotation',
  '/teams': 'PUT /api/teams/{id}',
  '/teams/new': 'PUT /api/teams/{id}',
  '/teams/$id': 'PUT /api/teams/{id}',
  '/teams/$id/edit': 'PUT /api/teams/{id}',
  '/integrations': 'POST /ui/integrations',
  '/integrations/new': 'POST /ui/integrations',
  '/integrations/$id': 'POST /ui/integrations/{externalId}/run',
  '/integrations/$id/edit': 'PUT /ui/integrations/{externalId}',
  '/integrations/$id/runs/$runId': 'POST /ui/integrations/{externalId}/runs/{ingestionRunId}/undo',
  '/connectors': 'PUT /api/connectors/{id}',
  '/connectors/new': 'PUT /api/connectors/{id}',
  '/connectors/$id': 'PUT /api/connectors/{id}',
  '/connectors/$id/edit': 'PUT /api/connectors/{id}',
  '/settings': 'PUT /ui/organization',
  '/settings/members': 'POST /ui/invitations',
  '/settings/team-roles': 'PUT /api/settings/team-roles',
  '/settings/features': 'PUT /api/organization/features',
  '/settings/customization': 'PUT /api/settings/customization',
  '/settings/sign-in': 'POST /ui/identity-providers',
  '/settings/scim-mapping': 'PUT /api/settings/scim-mapping',
  '/settings/email-templates': 'PUT /api/settings/email-templates',
  '/settings/webhooks': 'POST /api/webhooks',
  '/settings/webhooks/$id': 'PUT /api/webhooks/{id}',
}

/** The bodies that name the team on which the right is needed; other requests know it without one. */
const BODIES: Readonly<Record<string, (team: string | null) => object>> = {
  'PUT /api/tags/{id}': (owner) => ({ info: owner === null ? {} : { owner } }),
  'PUT /ui/assets/{id}/annotation': (owner) => (owner === null ? {} : { owner }),
  'POST /ui/integrations': (owner) => integrationBody({ owningTeamExternalId: owner ?? undefined }),
  'PUT /ui/integrations/{externalId}': (owner) =>
    integrationBody({ owningTeamExternalId: owner ?? undefined }),
}

function listDocumentActions(list: string, route: string): Record<string, string> {
  const put = `PUT ${route}`
  return { [`/${list}/new`]: put, [`/${list}/$id`]: put, [`/${list}/$id/edit`]: put }
}

test('every page with a need names its request, and every other page has none', () => {
  const needing = pages.filter(({ needs }) => needs !== undefined).map(({ path }) => path)
  assert.deepEqual(needing.toSorted(), Object.keys(ACTIONS).toSorted())
})

test('every form states its need above its first field', () => {
  const forms = pages.filter(({ path }) => /\/(?:new|edit)$/.test(path) && path !== '/access/new')
  for (const { path, needs } of forms) assert.equal(needs?.statedAt, 'head', path)
})

const acting = pages.flatMap((page) => {
  const { needs } = page
  return needs === undefined ? [] : [{ ...page, needs, request: ACTIONS[page.path] ?? '' }]
})

for (const { path, needs, request } of acting) {
  test(`${path} › needs what ${request} needs`, () => {
    const route = [...api, ...ui].find((one) => `${one.method} ${one.path}` === request)
    assert.ok(route, request)
    const { permission } = route.described
    if (typeof permission === 'object') {
      assert.ok(
        permission.needs.some((one) => one === needs.permission),
        permission.needs.join(),
      )
    } else if (needs.permission === undefined) {
      assert.equal(permission, 'an owner of the organization')
    } else {
      // The service decides; the requests below show that it agrees.
      assert.equal(permission, 'a session')
    }
  })
}

// A connector belongs to the team of the key that registered it.
const CONNECTORS: OwnedResource = {
  routes: '/api/connectors/{id}',
  mayBeUnowned: true,
  async create(world, team) {
    const id = uniqueId()
    const body = { id, info: { type: 'kafka' } }
    await expectOk(world.as(team === 'a' ? 'T' : 'O', 'PUT', `/api/connectors/${id}`, { body }))
    return { id }
  },
}

function decide(session: Session, need: Need, team: string | null | undefined): boolean {
  return findPagePermit({ ...session, teamNames: new Map() }, need, team).allowed
}

/** The resource that each page with an id shows. */
const READ: Readonly<Record<string, OwnedResource | undefined>> = Object.fromEntries(
  acting.flatMap(({ path, request }) =>
    path.includes('$id') ? [[path, findResource(request)]] : [],
  ),
)

onStore((store) => {
  let world: World
  const people = new Map<string, { token: string; session: Session }>()
  before(async () => {
    const product = newProduct(store())
    world = await newWorld(product)
    const { organizationId, sessions } = world
    const { browser } = await newMember(product, organizationId, 'Member', 'Lone Walker')
    const tokens = {
      owner: sessions.Uo,
      'editor of A': sessions.Ue,
      'member of A': sessions.Um,
      'member without a team': browser.token ?? '',
    }
    for (const [name, token] of Object.entries(tokens)) {
      const answer = product.call('GET', '/ui/session', { headers: withSession(token) })
      people.set(name, { token, session: await readJson<Session>(answer) })
    }
  })

  const ask = async (token: string, request: string, body: unknown): Promise<number> => {
    const [method = '', path = ''] = request.split(' ')
    const headers = withSession(token)
    return (await world.call(method, path, { headers, ...(method === 'GET' ? {} : { body }) }))
      .status
  }

  for (const { path, needs, request } of acting) {
    const isOfOne = path.includes('$id') || path === '/requests'
    const resource = isOfOne ? findResource(request) : undefined
    for (const team of listOwners(path, resource, needs)) {
      test(`${path} › of ${team ?? 'no team'} › offers what ${request} allows`, async () => {
        const owner = team === undefined ? 'a' : team
        const parameters = (await resource?.create(world, owner)) ?? { id: uniqueId() }
        const sent = fillPath(request, parameters)
        for (const [name, { token, session }] of people) {
          const status = await ask(token, sent, BODIES[request]?.(owner) ?? {})
          const isAllowed = status !== 403 && status !== 404
          assert.equal(decide(session, needs, team), isAllowed, `${name}: ${status}`)
        }
        // A key for reading opens no page, and changes nothing.
        const [method = '', to = ''] = sent.split(' ')
        const { status } = await world.as('Ur', method, to, { body: {} })
        assert.ok([401, 403, 404].includes(status), `read-only: ${status}`)
      })
    }
  }

  for (const { path, seenBy } of pages) {
    const resource = READ[path]
    if (resource === undefined) continue
    for (const team of resource.mayBeUnowned === true ? ['a', 'b', null] : ['a', 'b']) {
      test(`${path} › of ${team ?? 'no team'} › is seen by ${seenBy}`, async () => {
        const { routes, shown = routes } = resource
        const sent = fillPath(`GET ${shown}`, await resource.create(world, team))
        for (const [name, { token, session }] of people) {
          const status = await ask(token, sent, undefined)
          assert.equal(isSeen(session, seenBy, team), status === 200, `${name}: ${status}`)
        }
      })
    }
  }
})

function findResource(request: string): OwnedResource | undefined {
  const [, path = ''] = request.split(' ')
  if (path === CONNECTORS.routes) return CONNECTORS
  return OWNED_RESOURCES.find(({ routes }) => path === routes || path.startsWith(`${routes}/`))
}

/** The owners with which a page is tried; undefined = the right on any team suffices. */
function listOwners(
  path: string,
  resource: OwnedResource | undefined,
  { permission, on }: Need,
): (string | null | undefined)[] {
  if (permission === undefined || on === 'the organization') return [null]
  if (on === 'any team' || !path.includes('$id')) return [undefined]
  if (resource === CONNECTORS) return ['a', null]
  return resource?.mayBeUnowned === true ? ['a', 'b', null] : ['a', 'b']
}

/** Returns whether a person sees what a team owns on a page that such callers see. */
function isSeen(session: Session, seenBy: string, team: string | null): boolean {
  if (session.organization?.role === 'Owner' || seenBy === 'everyone') return true
  const own = session.teams.find(({ id }) => id === team)
  if (seenBy === 'owners of its team') return own?.permissions.includes('TEAM_EDIT') === true
  assert.equal(seenBy, 'members of its team')
  // What no team owns belongs to everyone.
  return team === null || own !== undefined
}

test('kinds of records without a team are changed by owners of the organization', () => {
  for (const kind of RECORDS.filter((one) => !hasOwner(one))) {
    const page = pages.find(({ path }) => path === `/${kind.pages}/new`)
    assert.equal(page?.needs?.permission, undefined, kind.pages)
  }
})
