import { SYSTEM } from '../../ledger/activity/entry.ts'
import { randomUUIDv7 } from 'node:crypto'
import type { NewApiKey } from '../api-keys/api-key.ts'
import { createApiKey } from '../api-keys/service.ts'
import type { Services } from '../../requests/http/endpoint.ts'
import { hashToken, isToken, newToken } from '../../platform/kit/token.ts'
import { storeClock, type Clock } from '../../platform/kit/clock.ts'
import type { Database } from '../../platform/tables.ts'
import { hashPassword } from '../users/password.ts'
import { createUser } from '../users/service.ts'
import { nameFromEmail } from '../users/user.ts'
import { insertMember } from './member-store.ts'
import type { MemberRole } from './member.ts'
import { newOrganization, type FirstOwner, type SingleSignOn } from './organization.ts'
import {
  deleteSetupLinks,
  findSingleSignOn,
  hasOrganization,
  hasSetupLink,
  insertOrganization,
  insertSetupLink,
  lockSetup,
} from './store.ts'

const SETUP_PREFIX = 'pbs_'

/** Returns whether the database has no organization yet. */
export async function isEmpty(db: Database): Promise<boolean> {
  return !(await hasOrganization(db))
}

/** Returns the first enabled sign-in provider of an organization; undefined = none. */
export async function getSingleSignOn(
  db: Database,
  organizationId: string,
): Promise<SingleSignOn | undefined> {
  return await findSingleSignOn(db, organizationId)
}

/** Creates a one-time token to set up an empty database. All open tokens expire when one is used. */
export async function newSetupToken(db: Database): Promise<string> {
  const token = newToken(SETUP_PREFIX)
  await insertSetupLink(db, hashToken(token))
  return token
}

/** Returns whether a text is the token of an open setup link. */
export async function isOpenSetupToken(db: Database, token: string): Promise<boolean> {
  return isToken(token, SETUP_PREFIX) && (await hasSetupLink(db, hashToken(token)))
}

/**
 * Sets up an empty database: creates the organization, its first owner and, if `keepKey` is given, an organization
 * key. `keepKey` must save the secret of the key before the transaction is committed, so a crash in between leaves
 * an empty database and no lost key.
 *
 * Returns undefined without any change if an organization exists, also if two processes try at the same time.
 */
export async function setUp(
  { db, clock, passwordCost }: Pick<Services, 'db' | 'clock' | 'passwordCost'>,
  owner: FirstOwner,
  keepKey?: (secret: string) => void,
): Promise<{ organizationId: string; userId: string; key: string | undefined } | undefined> {
  if (await hasOrganization(db)) return undefined
  const passwordHash = await hashPassword(passwordCost, owner.password)
  return await db.transaction().execute(async (transaction) => {
    await lockSetup(transaction)
    if (await hasOrganization(transaction)) return undefined
    const organizationId = await createOrganization(transaction, owner.organization, clock)
    const { email, name } = owner
    const person = { email, name, passwordHash, role: 'Owner' as const }
    const userId = await addMember(transaction, organizationId, person, clock)
    await deleteSetupLinks(transaction)
    if (keepKey === undefined) return { organizationId, userId, key: undefined }
    const { secret } = await createApiKey(transaction, clock, organizationId, FIRST_KEY, 'system')
    keepKey(secret)
    return { organizationId, userId, key: secret }
  })
}

const FIRST_KEY: NewApiKey = {
  scope: 'organization',
  team: undefined,
  userId: undefined,
  displayName: 'First key',
  expiresOn: undefined,
}

/** Creates an organization without members. Returns its ID. */
export async function createOrganization(
  db: Database,
  name: string,
  clock: Clock = storeClock,
): Promise<string> {
  const id = randomUUIDv7()
  await insertOrganization(db, newOrganization(id, name), clock)
  return id
}

/**
 * Adds a person to an organization, with the existing account of the address or a new one. Without a name, it is
 * derived from the address. Returns the user's ID.
 */
export async function addMember(
  db: Database,
  organizationId: string,
  person: { email: string; name?: string | undefined; passwordHash: string; role: MemberRole },
  clock: Clock = storeClock,
): Promise<string> {
  const { email, passwordHash, role } = person
  const name = person.name ?? nameFromEmail(email)
  const userId = await createUser(db, { email, name, passwordHash })
  await insertMember(db, organizationId, userId, { role, clock }, SYSTEM)
  return userId
}
