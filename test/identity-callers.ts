/** Callers of the API that identity adds: an editor of team A who signed in with a provider, and a directory. */

import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { createDirectoryKey } from '../server/people/directory/key-service.ts'
import { startSession } from '../server/people/users/session-service.ts'
import { withSession, type CallOptions, type World } from './world.ts'

/** The callers. */
export const IDENTITY_CALLERS = ['session of a provider', 'key of a directory'] as const

/** One of the callers. */
export type IdentityCaller = (typeof IDENTITY_CALLERS)[number]

type Send = (method: string, path: string, options?: CallOptions) => Promise<Response>

/** Creates the callers of a world. */
export async function newIdentityCallers(world: World): Promise<Record<IdentityCaller, Send>> {
  const { db } = world.services
  const origin = { principal: 'system', requestId: '' }
  const { key } = await createDirectoryKey(db, world.organizationId, origin)
  return {
    'session of a provider': await startProviderSession(world),
    'key of a directory': (method, path, options = {}) =>
      world.call(method, path, { ...options, key }),
  }
}

// Connects a provider, and signs the editor in with it.
async function startProviderSession(world: World): Promise<Send> {
  const { organizationId, userIds, services } = world
  const { db, clock } = services
  const providerId = randomUUID()
  await sql`
    insert into identity_provider (
      organization_id, id, name, issuer, client_id, client_authentication, updated_by
    )
    values (${organizationId}, ${providerId}, 'P', 'https://id.example/', 'portbook', 'none', 'system')
  `.execute(db)
  const token = await startSession(db, clock, userIds.Ue, {
    method: 'provider',
    organizationId,
    providerId,
    subject: 'editor',
    sid: undefined,
    hours: 12,
    client: undefined,
    userAgent: undefined,
    requestId: undefined,
  })
  return (method, path, options = {}) =>
    world.call(method, path, { ...options, headers: withSession(token) })
}
