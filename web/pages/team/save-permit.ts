import {
  compareMembers,
  groupRoles,
  listMemberPermissions,
} from '../../../formats/team/member-changes.ts'
import { may, type Permit, type SignedIn } from '../../api/session.ts'
import { isSame, type TeamForm } from './team-form-values.ts'

const MEMBER_PERMISSIONS = ['TEAM_MEMBER_ADD', 'TEAM_MEMBER_EDIT', 'TEAM_MEMBER_DELETE'] as const

/** A person who has a role in a team itself. */
interface DirectMember {
  emailAddress: string
}

/** The changes of a team that a person may save. */
export type TeamPermit =
  /** At least its fields or some of its members. */
  | { may: 'edit' }
  /** Only their own membership, which they may end; `reason` explains why nothing else. */
  | ({ may: 'leave' } & Refusal)
  | ({ may: 'nothing' } & Refusal)

interface Refusal extends Permit {
  reason: string
}

/** Returns the changes that a person may save of a team with these members. */
export function getTeamPermit(
  session: SignedIn,
  id: string,
  members: readonly DirectMember[],
): TeamPermit {
  const permit = may(session, 'TEAM_EDIT', id)
  const { reason } = permit
  const mayEdit = MEMBER_PERMISSIONS.some((one) => may(session, one, id).allowed)
  if (reason === undefined || mayEdit) return { may: 'edit' }
  const own = getOwnAddress(session)
  const isMember = members.some(({ emailAddress }) => emailAddress.toLowerCase() === own)
  return { ...permit, may: isMember ? 'leave' : 'nothing', reason }
}

function getOwnAddress({ user }: SignedIn): string {
  return user.email.toLowerCase()
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
  const isLeaving = members.removed.join() === getOwnAddress(session)
  return needed
    .filter((one) => !(isLeaving && one === 'TEAM_MEMBER_DELETE'))
    .map((one) => may(session, one, id).reason)
    .find((reason) => reason !== undefined)
}
