/** The rows of the permission matrix for webhook endpoints. */

import { randomUUID } from 'node:crypto'
import { readJson } from '../answers.ts'
import type { World } from '../world.ts'
import { atPath, type PermissionRow, type RequestMaker } from './requests.ts'
import { row } from './row.ts'
import { OF_B, READ, TEAM_OF_A, UNKNOWN, UNKNOWN_READ } from './statuses.ts'

const LIST = '/api/webhooks'
const ONE = `${LIST}/{id}`
const DELIVERY = `${ONE}/deliveries/{deliveryId}`

const to = (status: number, statuses: string): string => statuses.replaceAll('200', String(status))

const SEEN_OF_A = '401 200 404 404 404 200 200 200 200'
const SEEN_OF_B = '401 200 404 404 404 404 404 200 200'

// Callers who may not edit an endpoint do not see it.
const EDITED_OF_A = '401 200 404 404 403 200 403 200 403'
const EDITED_OF_B = '401 200 404 404 403 404 403 200 403'

const body = { name: 'Endpoint', url: 'https://192.0.2.1/hook' }
const replay = { from: '2026-01-01T00:00:00Z' }

/** The actions on webhook endpoints. */
export const WEBHOOK_ROWS: readonly PermissionRow[] = [
  row('GET', LIST, 'list', READ, atPath(LIST)),
  row('POST', LIST, 'of A', to(201, TEAM_OF_A), newEndpoint('a')),
  row('POST', LIST, 'of B', to(201, OF_B), newEndpoint('b')),
  row('POST', LIST, 'of the organization', to(201, OF_B), newEndpoint(null)),
  ...[
    { owner: 'a', seen: SEEN_OF_A, edited: EDITED_OF_A },
    { owner: 'b', seen: SEEN_OF_B, edited: EDITED_OF_B },
    { owner: null, seen: SEEN_OF_B, edited: EDITED_OF_B },
  ].flatMap(({ owner, seen, edited }) => {
    const action = owner === null ? 'of the organization' : `of ${owner.toUpperCase()}`
    return [
      row('GET', ONE, action, seen, atEndpoint(owner)),
      row('PUT', ONE, action, edited, atEndpoint(owner, '', body)),
      row('POST', `${ONE}/rotate-secret`, action, edited, atEndpoint(owner, '/rotate-secret')),
      row('POST', `${ONE}/test`, action, to(202, edited), atEndpoint(owner, '/test')),
      row('POST', `${ONE}/replay`, action, to(202, edited), atEndpoint(owner, '/replay', replay)),
      row('GET', `${ONE}/deliveries`, action, seen, atEndpoint(owner, '/deliveries')),
      row('GET', DELIVERY, action, seen, atDelivery(owner)),
      row('POST', `${DELIVERY}/replay`, action, to(202, edited), atDelivery(owner, '/replay')),
      row('DELETE', ONE, action, to(204, edited), async (world) => ({
        path: await addEndpoint(world, owner),
      })),
    ]
  }),
  row('GET', ONE, 'an unknown id', UNKNOWN_READ, atUnknown),
  row('DELETE', ONE, 'an unknown id', UNKNOWN, atUnknown),
]

async function atUnknown() {
  return { path: `${LIST}/${randomUUID()}` }
}

function newEndpoint(owner: string | null): RequestMaker {
  return async () => ({ path: LIST, body: { ...body, teamId: owner } })
}

async function addEndpoint(world: World, owner: string | null): Promise<string> {
  const created = world.as('O', 'POST', LIST, { body: { ...body, teamId: owner } })
  const { id } = await readJson<{ id: string }>(created, 201)
  return `${LIST}/${id}`
}

/** Requests an endpoint of a team or of the organization, which is created once. */
function atEndpoint(owner: string | null, more = '', sent?: object): RequestMaker {
  return async (world) => {
    const all = await readJson<{ id: string; teamId: string | null }[]>(world.as('O', 'GET', LIST))
    const existing = all.find(({ teamId }) => teamId === owner)
    const path = existing === undefined ? await addEndpoint(world, owner) : `${LIST}/${existing.id}`
    return { path: `${path}${more}`, body: sent }
  }
}

function atDelivery(owner: string | null, more = ''): RequestMaker {
  return async (world) => {
    const { path } = await atEndpoint(owner)(world)
    const sent = world.as('O', 'POST', `${path}/test`)
    const { deliveryId } = await readJson<{ deliveryId: string }>(sent, 202)
    return { path: `${path}/deliveries/${deliveryId}${more}` }
  }
}
