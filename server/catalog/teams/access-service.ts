import {
  compareMembers,
  groupRoles,
  listMemberPermissions,
  type MemberChanges,
  type RolesByAddress,
} from '../../../formats/team/member-changes.ts'
import { getParentName, getTeamMembers, readTeam, type Team } from '../../../formats/team/team.ts'
import type { SourceText } from '../../../formats/text/text.ts'
import type { Value } from '../../../formats/text/value.ts'
import {
  may,
  mayEverything,
  maySomewhere,
  mayUse,
  type Permission,
} from '../../requests/access/permission.ts'
import type {
  AccessRule,
  DocumentPut,
  PutContext,
  ResourceDraft,
} from '../../documents/resource.ts'
import { readStored } from '../../requests/http/document.ts'
import { missingPermission, requirePermission } from '../../requests/http/missing-permission.ts'
import { hasOtherChanges, requireOwnPermissions } from './rule.ts'
import * as store from './store.ts'
import type { TeamState } from './store.ts'

/** The types of teams as a resource. */
export interface TeamTypes {
  state: TeamState
  draft: ResourceDraft & { team: Team }
  /** The text is parsed before the lock is taken. */
  put: DocumentPut & { source: SourceText }
}

/** A PUT of a team, compared with the stored team. */
interface TeamChange {
  context: PutContext<TeamTypes>
  /** The team on which the caller's permissions count: a new team belongs to its parent. */
  on: string | undefined
  before: RolesByAddress
  after: RolesByAddress
}

/**
 * The rule for teams. The position in the tree decides who may change a team, so a move needs permission at the old and
 * the new position. Only organization owners may change teams without a parent. Members have separate permissions.
 */
export const TEAM_ACCESS: AccessRule<TeamTypes> = {
  requireEdit: (caller, id) => requirePermission(caller, 'TEAM_EDIT', id),
  async requireChange(context) {
    const { caller, put, state } = context
    const newParent = getParentName(put.source.value)
    const isNew = state.id === null
    const change: TeamChange = {
      context,
      on: isNew ? newParent : put.id,
      before: groupRoles(isNew ? [] : getTeamMembers(readDocument(state))),
      after: groupRoles(getTeamMembers(put.source.value)),
    }
    const isMoved = isNew || (state.parent ?? undefined) !== newParent
    if (isMoved) requirePosition(context, newParent)
    const members = compareMembers(change.before, change.after)
    if (!isNew) requireFieldPermissions(context, members, isMoved)
    await requireMemberPermissions(change, members)
    // An unknown parent is reported later, as a problem of the document.
    const isUnknown = newParent !== undefined && state.newParentId === null
    if (isUnknown || (!isMoved && listMemberPermissions(members).length === 0)) return
    if (mayEverything(caller, change.on)) return
    await requireOwnRoles(change, newParent)
  },
  requireDelete: (caller, id) => requirePermission(caller, 'TEAM_DELETE', id),
}

function readDocument({ document }: TeamState): Value {
  return readStored({ document: document ?? '{}', mediaType: 'application/json' }).value
}

function requirePosition(
  { caller, put, state }: PutContext<TeamTypes>,
  newParent: string | undefined,
): void {
  const exists = state.id !== null
  if (exists) requirePermission(caller, 'TEAM_EDIT', put.id)
  const parentUnknown = newParent !== undefined && state.newParentId === null
  const mayAdd = parentUnknown
    ? maySomewhere(caller, 'TEAM_ADD')
    : may(caller, 'TEAM_ADD', newParent)
  if (!mayAdd) throw missingPermission('TEAM_ADD', newParent ?? null)
  if (exists) requirePermission(caller, 'TEAM_EDIT', state.parent)
}

// People may leave a team without a permission.
async function requireMemberPermissions(
  { context: { work, caller, state }, on }: TeamChange,
  members: MemberChanges,
): Promise<void> {
  const isParentUnknown = state.id === null && on !== undefined && state.newParentId === null
  const lacks = (permission: Permission): boolean =>
    isParentUnknown ? !maySomewhere(caller, permission) : !may(caller, permission, on)
  const missing = listMemberPermissions(members).find(lacks)
  if (missing === undefined) return
  const isLeaving = missing === 'TEAM_MEMBER_DELETE' && members.removed.length === 1
  if (isLeaving && mayUse(caller, missing)) {
    const own = await store.findCallerAddress(work.db, caller)
    if (own !== undefined && own === members.removed[0]) return
  }
  throw missingPermission(missing, on ?? null)
}

// Other fields, and a document without a change of members, need the permission to edit the team.
function requireFieldPermissions(
  { caller, put, state }: PutContext<TeamTypes>,
  members: MemberChanges,
  isMoved: boolean,
): void {
  if (may(caller, 'TEAM_EDIT', put.id)) return
  const reading = readTeam(put.source, put)
  const isOfMembers =
    !isMoved &&
    listMemberPermissions(members).length > 0 &&
    reading.ok &&
    !hasOtherChanges(readDocument(state), toValue(reading.team))
  if (!isOfMembers) throw missingPermission('TEAM_EDIT', put.id)
}

function toValue({ document }: Team): Value {
  return readStored({ document, mediaType: 'application/json' }).value
}

async function requireOwnRoles(
  { context: { work, caller, state }, on, before, after }: TeamChange,
  newParent: string | undefined,
): Promise<void> {
  const { organizationId } = caller
  const listAbove = async (parent: string | null | undefined): Promise<RolesByAddress> =>
    groupRoles(
      parent === null || parent === undefined
        ? []
        : await store.listMembersFrom(work.db, organizationId, parent),
    )
  const above = await listAbove(newParent)
  // People with roles above a new team have them there, also if another person creates it.
  const isSamePlace = state.id === null || state.parent === (newParent ?? null)
  const inherited = { before: isSamePlace ? above : await listAbove(state.parent), after: above }
  requireOwnPermissions(caller, on, { own: { before, after }, inherited })
}
