import {
  compareMembers,
  groupRoles,
  listMemberPermissions,
} from '../../../formats/team/member-changes.ts'
import { may, type SignedIn } from '../../api/session.ts'
import { isSame, type TeamForm } from './team-form-values.ts'

const MEMBER_PERMISSIONS = ['TEAM_MEMBER_ADD', 'TEAM_MEMBER_EDIT', 'TEAM_MEMBER_DELETE'] as const

/** Returns why a person may change nothing about a team; undefined = at least its fields or some of its members. */
export function findTeamProblem(session: SignedIn, id: string): string | undefined {
  const isAllowed = MEMBER_PERMISSIONS.some((one) => may(session, one, id).allowed)
  return isAllowed ? undefined : may(session, 'TEAM_EDIT', id).reason
}

/** Returns why a person may not save a changed team; undefined = they may. The server also compares the roles. */
export function findSaveProblem(
  session: SignedIn,
  id: string,
  before: TeamForm,
  after: TeamForm,
): string | undefined {
  const members = compareMembers(groupRoles(before.members), groupRoles(after.members))
  const needed = listMemberPermissions(members)
  const others = { ...after, members: before.members }
  if (needed.length === 0 || !isSame(before, others)) {
    const { reason } = may(session, 'TEAM_EDIT', id)
    if (reason !== undefined) return reason
  }
  // People may leave a team.
  const isLeaving = members.removed.join() === session.user.email.toLowerCase()
  return needed
    .filter((one) => !(isLeaving && one === 'TEAM_MEMBER_DELETE'))
    .map((one) => may(session, one, id).reason)
    .find((reason) => reason !== undefined)
}
