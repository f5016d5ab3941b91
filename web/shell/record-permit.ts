import type { ResourcePermissions } from '../../formats/team/permission-names.ts'
import { mayOwn, maySomewhere, type Permit, type Session } from '../api/session.ts'

/** Returns whether the user may create a document of a kind; only owners of the organization may if teams cannot own it. */
export function mayCreate(
  session: Session,
  { permissions }: { permissions?: ResourcePermissions | undefined },
): Permit {
  return permissions === undefined ? mayOwn(session) : maySomewhere(session, `${permissions}_ADD`)
}
