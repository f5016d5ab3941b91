import type { ActivityActor } from '../../ledger/activity/entry.ts'
import { notFound } from '../../platform/errors.ts'
import type { Services } from '../../requests/http/endpoint.ts'
import { isUuid } from '../../platform/kit/uuid.ts'
import type { Database } from '../../platform/tables.ts'
import type { ListedSession, MemberSessions } from './session-list.ts'
import * as store from './session-list-store.ts'
import { isMember, isMemberElsewhere } from './session-store.ts'
import type { SessionReach } from './session.ts'
import { describeUserAgent } from './user-agent.ts'

type ListServices = Pick<Services, 'db' | 'clock'>

/** A member of an organization. */
interface MemberKey {
  organizationId: string
  userId: string
}

/** Lists the open sessions of a person that are within the reach of one of them, the last used first. */
export async function listOwnSessions(
  { db, clock }: ListServices,
  reach: SessionReach,
  currentId: string,
): Promise<ListedSession[]> {
  return toList(await store.listSessions(db, clock, reach), currentId)
}

/** Ends a session of a person, immediately in all processes. Errors: not_found. */
export async function endOwnSession(
  db: Database,
  reach: SessionReach,
  id: string,
  requestId: string,
): Promise<void> {
  if (!isUuid(id)) throw notFound()
  const count = await store.deleteOwnSessions(db, reach, { only: id }, requestId)
  if (count === 0) throw notFound()
}

/** Ends the sessions of a person except one, immediately in all processes. */
export async function endOtherSessions(
  db: Database,
  reach: SessionReach,
  currentId: string,
  requestId: string,
): Promise<void> {
  await store.deleteOwnSessions(db, reach, { except: currentId }, requestId)
}

/**
 * Lists the sessions of a member that concern only an organization: those with its providers, and all of a person who is
 * in no other organization. `currentId` is the session of the owner who asks. Errors: not_found.
 */
export async function listMemberSessions(
  { db, clock }: ListServices,
  { organizationId, userId }: MemberKey,
  currentId: string | undefined,
): Promise<MemberSessions> {
  await requireMember(db, { organizationId, userId })
  const rows = await store.listSessions(db, clock, { userId, limitedTo: organizationId })
  return {
    sessions: toList(rows, currentId),
    actsElsewhere: await isMemberElsewhere(db, userId, organizationId),
  }
}

/** Ends a session of a member that concerns only an organization, immediately in all processes. Errors: not_found. */
export async function endMemberSession(
  db: Database,
  member: MemberKey,
  id: string,
  actor: ActivityActor,
): Promise<void> {
  await requireMember(db, member)
  if (!isUuid(id)) throw notFound()
  if ((await store.deleteMemberSession(db, member, id, actor)) === 0) throw notFound()
}

async function requireMember(db: Database, { organizationId, userId }: MemberKey): Promise<void> {
  if (!isUuid(userId) || !(await isMember(db, userId, organizationId))) throw notFound()
}

function toList(
  rows: readonly store.StoredSession[],
  currentId: string | undefined,
): ListedSession[] {
  return rows.map(({ userAgent, ...row }) => ({
    ...row,
    isCurrent: row.id === currentId,
    device: describeUserAgent(userAgent),
  }))
}
