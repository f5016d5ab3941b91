import type { RecordKind } from '../../formats/record/record-kind.ts'
import { mayOwn, maySomewhere, type Permit, type Session } from '../api/session.ts'

/** Returns whether the user may create a record of a kind; only owners of the organization may if teams cannot own it. */
export function mayCreateRecord(session: Session, { permissions }: RecordKind): Permit {
  return permissions === undefined ? mayOwn(session) : maySomewhere(session, `${permissions}_ADD`)
}
