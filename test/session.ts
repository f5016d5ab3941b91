/** Sessions of people, as sign-ins begin them. */

import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import type { Clock } from '../server/platform/kit/clock.ts'
import type { Database } from '../server/platform/tables.ts'
import type { ProviderSessionStart } from '../server/people/users/session.ts'
import { startSession } from '../server/people/users/session-service.ts'

const NO_REQUEST = { client: undefined, userAgent: undefined, requestId: undefined }

/** Starts a session of a person as if they had signed in with a password, without an entry in the activity. Returns its secret. */
export async function newSession(db: Database, clock: Clock, userId: string): Promise<string> {
  return await startSession(db, clock, userId, { ...NO_REQUEST, method: 'password' })
}

/** Starts a session of a person with a provider of an organization. Returns its secret. */
export async function newProviderSession(
  { db, clock }: { db: Database; clock: Clock },
  userId: string,
  start: Pick<ProviderSessionStart, 'organizationId' | 'providerId'> &
    Partial<ProviderSessionStart>,
): Promise<string> {
  const defaults = { method: 'provider', subject: userId, sid: undefined, hours: 12 } as const
  return await startSession(db, clock, userId, { ...NO_REQUEST, ...defaults, ...start })
}

/** Adds an enabled provider to an organization. Returns its id. */
export async function newProvider(db: Database, organizationId: string): Promise<string> {
  const id = randomUUID()
  await sql`
    insert into identity_provider (
      organization_id, id, name, issuer, client_id, client_authentication, updated_by
    )
    values (
      ${organizationId}, ${id}, 'Velmora', ${`https://${id}.example.test`}, 'portbook', 'none', 'system'
    )
  `.execute(db)
  return id
}
