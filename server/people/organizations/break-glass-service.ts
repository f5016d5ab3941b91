import type { ActivityActor } from '../../ledger/activity/entry.ts'
import { ApiError } from '../../platform/errors.ts'
import type { Database } from '../../platform/tables.ts'
import * as store from './sign-in-rule-store.ts'

/**
 * Takes break-glass access from a person who leaves the organization or is no longer an owner. Call it in a transaction,
 * after `lockMembers`. Errors: last_break_glass.
 */
export async function endBreakGlass(
  transaction: Database,
  organizationId: string,
  userId: string,
  actor: ActivityActor,
): Promise<void> {
  if (await store.isLastBreakGlass(transaction, organizationId, userId)) throw lastBreakGlass()
  await store.deleteBreakGlass(transaction, organizationId, [userId], actor)
}

/** Returns the error of a change that would leave an organization which requires its provider without a break-glass owner. */
export function lastBreakGlass(): ApiError {
  return new ApiError(
    'last_break_glass',
    'The organization requires its identity provider, and this is the last break-glass owner, who can sign in without it. Make another owner a break-glass owner first, or allow any way to sign in.',
  )
}
