import type { Answer } from '../../api/client.ts'

/** Somebody who belongs to the organization. */
export type Member = Answer<'/ui/members', 'get'>[number]

/** Why something cannot be done with a member; undefined = it can. */
export interface MemberReasons {
  changeRole: string | undefined
  resetPassword: string | undefined
  remove: string | undefined
}

const LAST = 'The organization needs an owner: make somebody else one first.'
const OWN_PASSWORD = 'Change your own password in your profile.'
const OWNERS_ONLY = 'Only an owner of the organization may do this.'

/**
 * Says what the person may do with a member. Owners change and remove everybody and reset the passwords
 * of others, anybody may leave, and the last owner stays what they are. The server decides anew.
 */
export function memberReasons(
  members: readonly Member[],
  member: Member,
  person: { id: string; isOwner: boolean },
): MemberReasons {
  const isLast =
    member.role === 'Owner' && members.filter(({ role }) => role === 'Owner').length === 1
  const mayRemove = person.isOwner || member.userId === person.id
  return {
    changeRole: person.isOwner ? (isLast ? LAST : undefined) : OWNERS_ONLY,
    resetPassword: resetReason(member, person),
    remove: mayRemove ? (isLast ? LAST : undefined) : OWNERS_ONLY,
  }
}

function resetReason(member: Member, person: { id: string; isOwner: boolean }): string | undefined {
  if (member.userId === person.id) return OWN_PASSWORD
  return person.isOwner ? undefined : OWNERS_ONLY
}

/** The members whose name, address or team holds every word of a text. */
export function membersMatching(members: readonly Member[], text: string): Member[] {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean)
  return members.filter(({ name, email, teams }) => {
    const told = [name, email, ...teams.map((team) => team.name)].join('\n').toLowerCase()
    return words.every((word) => told.includes(word))
  })
}
