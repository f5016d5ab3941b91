/** A directory that provisions an organization over SCIM, as a function. */

import assert from 'node:assert/strict'
import { createDirectoryKey } from '../server/people/directory/key-service.ts'
import { uniqueId, type World } from './world.ts'

export const USER_SCHEMA = 'urn:ietf:params:scim:schemas:core:2.0:User'
export const GROUP_SCHEMA = 'urn:ietf:params:scim:schemas:core:2.0:Group'
export const PATCH_SCHEMA = 'urn:ietf:params:scim:api:messages:2.0:PatchOp'
const ERROR_SCHEMA = 'urn:ietf:params:scim:api:messages:2.0:Error'
const SYSTEM = { principal: 'system', requestId: '' }

/** A user as SCIM answers it. */
export interface ScimUser {
  id: string
  userName: string
  externalId?: string
  displayName: string
  name: { formatted: string; givenName?: string; familyName?: string }
  emails: { value: string; type: string; primary: boolean }[]
  active: boolean
  meta: { resourceType: string; location: string; version: string; created: string }
}

/** A group as SCIM answers it. */
export interface ScimGroup {
  id: string
  displayName: string
  externalId?: string
  members?: { value: string; display: string; type: string }[]
  meta: { version: string; location: string }
}

/** A page of resources. */
export interface ScimList<Resource> {
  totalResults: number
  startIndex: number
  itemsPerPage: number
  Resources: Resource[]
  resources: Resource[]
}

/** A directory with a key of its own. */
export interface Directory {
  key: string
  send(
    method: string,
    path: string,
    body?: unknown,
    headers?: Record<string, string>,
  ): Promise<Response>
  /** Sends a request that must succeed, and returns its answer. */
  ask<T>(method: string, path: string, body?: unknown): Promise<T>
  createUser(more?: object): Promise<ScimUser>
  createGroup(members: readonly string[], more?: object): Promise<ScimGroup>
  patch(path: string, operations: readonly object[]): Promise<Response>
  getMembers(groupId: string): Promise<string[]>
}

/** Creates a key for the directory of a world. */
export async function newDirectory(
  world: Pick<World, 'call' | 'services' | 'organizationId'>,
  key?: string,
): Promise<Directory> {
  const { db } = world.services
  const secret = key ?? (await createDirectoryKey(db, world.organizationId, SYSTEM)).key
  const send: Directory['send'] = (method, path, body, headers = {}) =>
    world.call(method, `/api/scim/v2${path}`, {
      body,
      headers: {
        authorization: `Bearer ${secret}`,
        'content-type': 'application/scim+json',
        ...headers,
      },
    })
  const ask = async <T>(method: string, path: string, body?: unknown): Promise<T> => {
    const response = await send(method, path, body)
    const text = await response.text()
    assert.ok(response.ok, `${method} ${path}: ${response.status} ${text}`)
    return JSON.parse(text) as T
  }
  return {
    key: secret,
    send,
    ask,
    createUser: (more = {}) =>
      ask('POST', '/Users', { schemas: [USER_SCHEMA], userName: newAddress(), ...more }),
    createGroup: (members, more = {}) =>
      ask('POST', '/Groups', {
        schemas: [GROUP_SCHEMA],
        displayName: `Group ${uniqueId()}`,
        members: members.map((value) => ({ value })),
        ...more,
      }),
    patch: (path, Operations) => send('PATCH', path, { schemas: [PATCH_SCHEMA], Operations }),
    async getMembers(groupId) {
      const { members = [] } = await ask<ScimGroup>('GET', `/Groups/${groupId}`)
      return members.map(({ value }) => value).toSorted()
    },
  }
}

/** Returns an address that no other test uses. */
export function newAddress(): string {
  return `${uniqueId()}@example.test`
}

/** Checks that an answer is an error in the form of SCIM, and returns its sentence. */
export async function expectScimError(
  answer: Promise<Response> | Response,
  status: number,
  scimType?: string,
): Promise<string> {
  const response = await answer
  const text = await response.text()
  assert.equal(response.status, status, text)
  assert.equal(response.headers.get('content-type'), 'application/scim+json')
  const { detail, ...error } = JSON.parse(text) as { detail: string }
  const expected = { schemas: [ERROR_SCHEMA], status: String(status) }
  assert.deepEqual(error, scimType === undefined ? expected : { ...expected, scimType })
  assert.ok(detail.length > 0)
  return detail
}
