import { deleteKeysOfPerson } from '../api-keys/service.ts'
import { formatCommand } from '../../platform/command-name.ts'
import { notFound, ApiError } from '../../platform/errors.ts'
import type { Services } from '../../requests/http/endpoint.ts'
import type { Clock } from '../../platform/kit/clock.ts'
import { hashToken, isToken, newToken } from '../../platform/kit/token.ts'
import { isUuid } from '../../platform/kit/uuid.ts'
import type { Database } from '../../platform/tables.ts'
import { newManagedAccountError } from './managed-account.ts'
import type { CreatedReset, FinishedReset } from './password-reset.ts'
import * as resets from './reset-store.ts'
import { hashNewPassword, lockAddress } from './service.ts'
import { deleteOwnSessions } from './session-list-store.ts'
import { setPassword } from './store.ts'

/**
 * A reset link lets a person set a new password without the old one. It works once and for 24 hours.
 * An owner creates one for a member, if an owner of each other organization of the person agrees; the
 * operator creates one for anyone.
 */

const RESET_PREFIX = 'pbr_'
/** The page of the link. The token follows a `#`, which browsers do not send to the server. */
const RESET_PAGE = '/reset-password'

/**
 * Creates a reset link for a member of an owner's organization, and voids an earlier link of the account. Only a
 * hash of its token is stored. The request also records the owner's agreement: with several organizations, the last owner to agree gets the link.
 *
 * Errors: `permission_missing` for the owner's own account, because a session must not replace the
 * current password; `not_found`; `managed_by_provider`; `member_elsewhere` if another organization of the person has not
 * agreed within 7 days.
 */
export async function createReset(
  { db, clock, baseUrl }: Pick<Services, 'db' | 'clock' | 'baseUrl'>,
  organizationId: string,
  { userId, createdBy, requestId }: { userId: string; createdBy: string; requestId: string },
): Promise<CreatedReset> {
  if (!isUuid(userId)) throw notFound()
  if (userId.toLowerCase() === createdBy) {
    throw new ApiError(
      'permission_missing',
      'You cannot create a reset link for yourself. Change your password in your profile.',
    )
  }
  const token = newToken(RESET_PREFIX)
  const reset = { userId, tokenHash: hashToken(token), organizationId, createdBy, requestId }
  const { expiresAt, isMember, managedBy } = await resets.upsertOwnerReset(db, clock, reset)
  if (expiresAt !== null) return { link: linkTo(baseUrl, token), expiresAt }
  if (!isMember) throw notFound()
  if (managedBy !== null) throw newManagedAccountError(managedBy)
  throw new ApiError(
    'member_elsewhere',
    `Your agreement is recorded for 7 days. This person also belongs to other organizations, and an owner of each must agree: they choose "Reset password" for the person in their organization. The last one gets the link. The operator of this installation can create one without them: ${formatCommand('reset-password <address>')}`,
  )
}

/** A link for the operator, with the organizations of its account. */
interface OperatorLink {
  link: string
  organizations: string[]
}

/**
 * Creates a reset link for every account with an address. Accounts without an organization are skipped unless all
 * of them have none, and so are managed accounts. Errors: `not_found` if no account has the address,
 * `managed_by_provider` if all of them are managed.
 */
export async function createOperatorLinks(
  db: Database,
  clock: Clock,
  { baseUrl, email }: { baseUrl: string; email: string },
): Promise<OperatorLink[]> {
  const accounts = await resets.listAccountsWithOrganizations(db, email)
  if (accounts.length === 0) {
    throw new ApiError('not_found', `No account has the address ${JSON.stringify(email)}.`)
  }
  const own = accounts.filter(({ managedBy }) => managedBy === null)
  const [manager] = accounts.flatMap(({ managedBy }) => managedBy ?? [])
  if (own.length === 0 && manager !== undefined) throw newManagedAccountError(manager)
  const members = own.filter(({ organizations }) => organizations.length > 0)
  const links: OperatorLink[] = []
  for (const { id, organizations } of members.length > 0 ? members : own) {
    const token = newToken(RESET_PREFIX)
    await resets.upsertOperatorReset(db, clock, id, hashToken(token))
    links.push({ link: linkTo(baseUrl, token), organizations })
  }
  return links
}

/** Returns the account and the expiry of a link. Errors: `not_found` if it cannot be used. */
export async function getOpenReset(
  { db, clock }: Pick<Services, 'db' | 'clock'>,
  token: string,
): Promise<resets.OpenReset> {
  const reset = isToken(token, RESET_PREFIX)
    ? await resets.findReset(db, clock, hashToken(token))
    : undefined
  if (reset === undefined) throw closedLink()
  return reset
}

/**
 * Sets a new password with a reset link, ends all sessions of the person and deletes their personal API keys.
 * Errors: `not_found` if the link cannot be used, also if another request uses it first.
 */
export async function resetPassword(
  services: Pick<Services, 'db' | 'clock' | 'passwordCost'>,
  { token, password, requestId }: { token: string; password: string; requestId: string },
): Promise<FinishedReset & { userId: string }> {
  const { db, clock } = services
  const { email } = await getOpenReset(services, token)
  const passwordHash = await hashNewPassword(services, email, password)
  return await db.transaction().execute(async (transaction) => {
    // A membership elsewhere voids the link, so the lock prevents the account from joining in between.
    await lockAddress(transaction, email)
    const userId = await resets.claimReset(transaction, clock, hashToken(token))
    if (userId === undefined) throw closedLink()
    // The account is updated first, so that a concurrent sign-in with the old password waits and then fails.
    await setPassword(transaction, userId, { passwordHash, requestId })
    await deleteOwnSessions(transaction, { userId, limitedTo: undefined }, {}, requestId)
    const deletedApiKeys = await deleteKeysOfPerson(transaction, userId, {
      principal: `user:${userId}`,
      requestId,
    })
    return { userId, email, deletedApiKeys }
  })
}

function linkTo(baseUrl: string, token: string): string {
  return `${baseUrl}${RESET_PAGE}#${token}`
}

function closedLink(): ApiError {
  return new ApiError(
    'not_found',
    'This link is used, replaced, expired or unknown. Request a new one.',
  )
}
