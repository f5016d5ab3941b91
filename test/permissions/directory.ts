/** The rows of the permission matrix for provisioning by a directory. */

import { newDirectory } from '../directory.ts'
import { uniqueId, type World } from '../world.ts'
import { atPath, type PermissionRow, type RequestMaker, type Sent } from './requests.ts'
import { row } from './row.ts'
import { NEW_KEY, NOT_FOR_KEYS, ORGANIZATION_KEY_READ } from './statuses.ts'

const SCIM = '/api/scim/v2'
const CHANGED = '401 403 403 403 403 403 403 200 403'
const REMOVED = '401 403 403 403 403 403 403 204 403'
const UNKNOWN = '401 403 403 403 403 403 403 404 404'
const UNKNOWN_CHANGED = '401 403 403 403 403 403 403 404 403'
const NO_CHANGES = { Operations: [] }

const asDirectory = async ({ keys, ...world }: World) => await newDirectory(world, keys.O)

const newUser = (): object => ({ userName: `${uniqueId()}@example.test` })
const newGroup = (): object => ({ displayName: uniqueId() })

/** Requests a new user, or a new group. */
function existing(kind: 'Users' | 'Groups', toBody?: () => object): RequestMaker {
  return async (world): Promise<Sent> => {
    const directory = await asDirectory(world)
    const { id } = kind === 'Users' ? await directory.createUser() : await directory.createGroup([])
    return { path: `${SCIM}/${kind}/${id}`, ...(toBody && { body: toBody() }) }
  }
}

function sending(path: string, toBody: () => object): RequestMaker {
  return async () => ({ path: `${SCIM}${path}`, body: toBody() })
}

function listResourceRows(kind: 'Users' | 'Groups', toBody: () => object): PermissionRow[] {
  const list = `${SCIM}/${kind}`
  const one = `${list}/{id}`
  return [
    row('GET', list, 'list', ORGANIZATION_KEY_READ, atPath(list)),
    row('POST', list, 'a new one', NEW_KEY, sending(`/${kind}`, toBody)),
    row(
      'POST',
      `${list}/.search`,
      'any',
      NOT_FOR_KEYS,
      sending(`/${kind}/.search`, () => ({})),
    ),
    row('GET', one, 'existing', ORGANIZATION_KEY_READ, existing(kind)),
    row('GET', one, 'unknown', UNKNOWN, atPath(`${list}/unknown`)),
    row('PUT', one, 'existing', CHANGED, existing(kind, toBody)),
    row(
      'PATCH',
      one,
      'existing',
      CHANGED,
      existing(kind, () => NO_CHANGES),
    ),
    row(
      'PATCH',
      one,
      'unknown',
      UNKNOWN_CHANGED,
      sending(`/${kind}/unknown`, () => NO_CHANGES),
    ),
    row('DELETE', one, 'existing', REMOVED, existing(kind)),
  ]
}

const USER_SCHEMA = 'urn:ietf:params:scim:schemas:core:2.0:User'

/** The rows. */
export const DIRECTORY_ROWS: readonly PermissionRow[] = [
  ...listResourceRows('Users', newUser),
  ...listResourceRows('Groups', newGroup),
  row(
    'POST',
    `${SCIM}/.search`,
    'any',
    NOT_FOR_KEYS,
    sending('/.search', () => ({})),
  ),
  row(
    'POST',
    `${SCIM}/Bulk`,
    'any',
    NOT_FOR_KEYS,
    sending('/Bulk', () => ({})),
  ),
  ...['ServiceProviderConfig', 'ResourceTypes', 'Schemas'].map((part) =>
    row('GET', `${SCIM}/${part}`, 'all', ORGANIZATION_KEY_READ, atPath(`${SCIM}/${part}`)),
  ),
  row(
    'GET',
    `${SCIM}/ResourceTypes/{id}`,
    'one',
    ORGANIZATION_KEY_READ,
    atPath(`${SCIM}/ResourceTypes/User`),
  ),
  row(
    'GET',
    `${SCIM}/Schemas/{id}`,
    'one',
    ORGANIZATION_KEY_READ,
    atPath(`${SCIM}/Schemas/${USER_SCHEMA}`),
  ),
]
