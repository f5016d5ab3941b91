/** The session of a provider: an editor of team A who signed in with it, as a caller of the API. */

import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { startSession } from '../server/people/users/session-service.ts'
import { withSession, type CallOptions, type World } from './world.ts'

/** Sends requests with the session. */
export type ProviderSession = (
  method: string,
  path: string,
  options?: CallOptions,
) => Promise<Response>

/** Connects a provider, and signs the editor in with it. */
export async function startProviderSession(world: World): Promise<ProviderSession> {
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
