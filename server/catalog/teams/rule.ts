import { canonicalText } from '../../../formats/shape/canonical.ts'
import { getTeamMembers, TEAM_SHAPE } from '../../../formats/team/team.ts'
import { groupRoles, type RolesByAddress } from '../../../formats/team/member-changes.ts'
import { asText, clip, getField, isObject, type Value } from '../../../formats/text/value.ts'
import type { Caller } from '../../requests/access/caller.ts'
import { listGrants, listHeld } from '../../requests/access/permission.ts'
import { ApiError } from '../../platform/errors.ts'

/**
 * The permissions that changes of members need. A member is a person by the address in lower case, as for callers. A caller gives
 * and takes away no more than it has: neither by a role nor by a new place in the tree, which changes the inherited roles.
 */

/**
 * Returns whether two documents of a team differ in more than their parents, and the addresses and roles of members.
 */
export function hasOtherChanges(before: Value, after: Value): boolean {
  const sent = groupRoles(getTeamMembers(after))
  const kept = new Set(
    [...groupRoles(getTeamMembers(before)).keys()].filter((one) => sent.has(one)),
  )
  const [one, other] = [before, after].map((document) =>
    canonicalText(withoutMembers(document, kept), TEAM_SHAPE),
  )
  return one !== other
}

// Without the parent, members who are not kept, and the roles of the others.
function withoutMembers(document: Value, kept: ReadonlySet<string>): Value {
  if (!isObject(document)) return document
  const members = getField(document, 'members')
  const rest = Object.entries(document).filter(([name]) => name !== 'members' && name !== 'parent')
  const others = (Array.isArray(members) ? members : [])
    .filter((member) => kept.has(asText(getField(member, 'emailAddress'))?.toLowerCase() ?? ''))
    .map(withoutRole)
  return Object.fromEntries(others.length === 0 ? rest : [...rest, ['members', others]])
}

function withoutRole(member: Value): Value {
  if (!isObject(member)) return member
  return Object.fromEntries(Object.entries(member).filter(([name]) => name !== 'role'))
}

/** The roles of people on a team before and after a change: in the team itself, and inherited from the teams above. */
interface RoleChange {
  own: { before: RolesByAddress; after: RolesByAddress }
  inherited: { before: RolesByAddress; after: RolesByAddress }
}

/**
 * Requires that a caller gives and takes away only what it has on a team. A changed role must not allow more than the
 * caller may, and a person who may do more than the caller must not end with less. `team` is the team on which the caller's
 * permissions count: for a new team its parent, undefined if it has none. Errors: role_exceeds_own.
 */
export function requireOwnPermissions(
  caller: Caller,
  team: string | undefined,
  change: RoleChange,
): void {
  const held = new Set<string>(listHeld(caller, team))
  const grant = (roles: Iterable<string>): Set<string> =>
    new Set([...roles].flatMap((role) => [...listGrants(role, caller.customRoles)]))
  const { own, inherited } = change
  const people = [own, inherited].flatMap(({ before, after }) => [
    ...before.keys(),
    ...after.keys(),
  ])
  for (const address of new Set(people)) {
    const roles = {
      before: new Set(own.before.get(address)),
      after: new Set(own.after.get(address)),
    }
    for (const role of roles.before.symmetricDifference(roles.after)) {
      const what = roles.after.has(role) ? 'gives' : 'takes away'
      requireHeld(`The change ${what} the role "${clip(role)}"`, grant([role]), held, team)
    }
    const before = grant([...roles.before, ...(inherited.before.get(address) ?? [])])
    const after = grant([...roles.after, ...(inherited.after.get(address) ?? [])])
    const gain = after.difference(before)
    requireHeld(`The change lets "${clip(address)}" do more`, gain, held, team)
    if (before.isSubsetOf(after)) continue
    requireHeld(`The change lowers "${clip(address)}"`, before, held, team)
  }
}

function requireHeld(
  what: string,
  permissions: ReadonlySet<string>,
  held: ReadonlySet<string>,
  team: string | undefined,
): void {
  const [missing] = permissions.difference(held)
  if (missing === undefined) return
  const on = team === undefined ? 'the organization' : `team ${clip(team)}`
  throw new ApiError(
    'role_exceeds_own',
    `${what}: this includes ${missing} on ${on}, which you do not have. Ask a person who has it.`,
  )
}
