import type { Caller } from '../../requests/access/caller.ts'
import { ApiError, notFound } from '../../platform/errors.ts'
import type { Services } from '../../requests/http/endpoint.ts'
import type { Database } from '../../platform/tables.ts'
import {
  FOLLOWS_MAX,
  SEARCHES_MAX,
  type Follow,
  type FollowedKind,
  type FollowedSubject,
  type FollowState,
} from './follow.ts'
import { toCanonicalSearch } from './followed-search.ts'
import * as store from './store.ts'

/** A subject, as a request names it. */
interface NamedSubject {
  kind: FollowedKind
  id: string
}

/** Returns whether the caller follows a subject, and how many people do. Errors: not_found, validation_failed. */
export async function getFollowState(
  db: Database,
  caller: Caller,
  named: NamedSubject,
): Promise<FollowState> {
  const state = await store.findFollowState(db, toSubject(caller, named), caller.userId)
  if (state === undefined) throw notFound()
  return state
}

/**
 * Returns the state of a follow for a button that shows it: its number includes a caller who follows by default. Errors:
 * not_found, validation_failed.
 */
export async function getShownFollowState(
  db: Database,
  caller: Caller,
  named: NamedSubject,
): Promise<FollowState> {
  const state = await getFollowState(db, caller, named)
  const isByDefault = state.state === 'none' && state.followsBecause !== null
  return { ...state, count: state.count + (isByDefault ? 1 : 0) }
}

/** Follows or mutes a subject. Errors: not_found, validation_failed, limit_reached. */
export async function follow(
  { db, clock }: Pick<Services, 'db' | 'clock'>,
  caller: Caller,
  named: NamedSubject,
  isMuted = false,
): Promise<void> {
  const subject = toSubject(caller, named)
  const result = await store.upsertFollow(db, clock, subject, caller.userId, isMuted)
  if (result === undefined) throw notFound()
  if (!result.isAllowed) {
    throw new ApiError(
      'limit_reached',
      `You follow as much as you can: ${FOLLOWS_MAX} subjects, of which ${SEARCHES_MAX.ofPerson} are searches. People of an organization can follow ${SEARCHES_MAX.ofOrganization} different searches. Unfollow something first, on Settings › Notifications.`,
    )
  }
}

/**
 * Ends following a subject, and muting it unless `keepsMute`; without a follow, nothing changes. Errors: not_found,
 * validation_failed.
 */
export async function unfollow(
  db: Database,
  caller: Caller,
  named: NamedSubject,
  { keepsMute = false } = {},
): Promise<void> {
  const subject = toSubject(caller, named)
  const isFound = await store.deleteFollow(db, subject, caller.userId, { keepsMute })
  if (!isFound) throw notFound()
}

/** Lists what the caller follows or has muted, the last one first. */
export async function listFollows(db: Database, caller: Caller): Promise<Follow[]> {
  return await store.listFollows(db, caller.organizationId, caller.userId ?? '')
}

/** Lists a page of the people who follow a subject, the first one first. */
export async function listFollowers(
  db: Database,
  subject: FollowedSubject,
  page: number,
): Promise<store.Follower[]> {
  return await store.listFollowers(db, subject, page)
}

/** Deletes follows of subjects that were deleted, after their followers were notified. */
export async function deleteEndedFollows(
  db: Database,
  organizationId: string,
  subjects: Parameters<typeof store.deleteEndedFollows>[2],
): Promise<void> {
  await store.deleteEndedFollows(db, organizationId, subjects)
}

function toSubject({ organizationId }: Caller, { kind, id }: NamedSubject): FollowedSubject {
  return { organizationId, kind, id: kind === 'search' ? toCanonicalSearch(id) : id }
}
