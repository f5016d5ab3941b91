import type { Answer } from '../../api/client.ts'
import { OWNERS_ONLY } from '../../api/permission-words.ts'

/** A member of the organization. */
export type Member = Answer<'/ui/members', 'get'>[number]

/** Why an action on a member is not possible; undefined = it is. */
export interface MemberReasons {
  changeRole: string | undefined
  resetPassword: string | undefined
  sessions: string | undefined
  remove: string | undefined
  erase: string | undefined
}

const LAST = 'An organization needs an owner. Make another member an owner first.'
const OWN_PERSON = 'You cannot erase yourself. Ask another owner, or the operator.'
const OWN_SESSIONS = 'Your own sessions are in your profile.'
const OWN_PASSWORD = 'Change your own password in your profile.'

/**
 * Returns why the person may not act on a member. Owners change and remove all members and reset the
 * passwords of others, erase others, every member may leave, and the last owner stays one. The server checks again.
 */
export function memberReasons(
  members: readonly Member[],
  member: Member,
  person: { id: string; isOwner: boolean },
): MemberReasons {
  const isLast = isOwnerByRole(member) && members.filter((one) => isOwnerByRole(one)).length === 1
  const mayRemove = person.isOwner || member.userId === person.id
  return {
    changeRole: person.isOwner ? (isLast ? LAST : undefined) : OWNERS_ONLY,
    resetPassword: findOtherReason(member, person, OWN_PASSWORD),
    sessions: findOtherReason(member, person, OWN_SESSIONS),
    remove: mayRemove ? (isLast ? LAST : undefined) : OWNERS_ONLY,
    erase: findOtherReason(member, person, OWN_PERSON),
  }
}

// Owners by a group do not count as the last owner, and neither do suspended ones.
function isOwnerByRole({ ownRole, suspendedAt }: Member): boolean {
  return ownRole === 'Owner' && suspendedAt === null
}

// Owners act on others.
function findOtherReason(
  member: Member,
  person: { id: string; isOwner: boolean },
  own: string,
): string | undefined {
  if (member.userId === person.id) return own
  return person.isOwner ? undefined : OWNERS_ONLY
}

/** Returns the members whose name, address or teams contain every word of a text. */
export function membersMatching(members: readonly Member[], text: string): Member[] {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean)
  return members.filter(({ name, email, teams }) => {
    const searched = [name, email, ...teams.map((team) => team.name)].join('\n').toLowerCase()
    return words.every((word) => searched.includes(word))
  })
}
