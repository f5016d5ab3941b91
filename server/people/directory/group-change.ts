import { isUuid } from '../../platform/kit/uuid.ts'
import { clip } from '../../../formats/text/value.ts'
import { readAttributes, readText, toList } from './attribute.ts'
import { parsePatch, type PatchStep } from './patch.ts'
import { invalidSyntax, invalidValue } from './scim.ts'

const NAME_CHARACTERS_MAX = 256

/** A change of a group by a directory. An absent attribute stays as it is; null = it has no value. */
export interface GroupChange {
  displayName?: string
  externalId?: string | null
  members: MemberChange
}

/** A change of the members of a group, by the ids of people in lower case. */
export interface MemberChange {
  /** Whether all former members leave the group, except those that are added. */
  clears: boolean
  added: readonly string[]
  removed: readonly string[]
}

/** Reads the body of a POST or a PUT, which replaces all attributes. Errors: scim_syntax_invalid, scim_value_invalid. */
export function readGroup(body: unknown): GroupChange & { displayName: string } {
  const attributes = readAttributes(body)
  if (attributes === undefined) throw invalidSyntax('A group must be a JSON object.')
  const added = [...new Set(readMemberIds(attributes.members))]
  return {
    displayName: readGroupName(attributes.displayname),
    externalId: readText(attributes.externalid, 'externalId', NAME_CHARACTERS_MAX),
    members: { clears: true, added, removed: [] },
  }
}

/** Reads the body of a PATCH of a group, as one change with the same result. Errors: those of `parsePatch`, scim_value_invalid. */
export function readGroupPatch(body: unknown): GroupChange {
  const attributes: Omit<GroupChange, 'members'> = {}
  const members = { clears: false, added: new Set<string>(), removed: new Set<string>() }
  for (const step of parsePatch(body)) {
    const value = step.op === 'remove' ? null : step.value
    if (step.attribute === 'displayname') attributes.displayName = readGroupName(value)
    else if (step.attribute === 'externalid') {
      attributes.externalId = readText(value, 'externalId', NAME_CHARACTERS_MAX)
    } else if (step.attribute === 'members') changeMembers(members, step)
  }
  const { clears, added, removed } = members
  return { ...attributes, members: { clears, added: [...added], removed: [...removed] } }
}

interface MemberSets {
  clears: boolean
  added: Set<string>
  removed: Set<string>
}

function changeMembers(members: MemberSets, { op, part, selected, value }: PatchStep): void {
  // The name of a member is that of the person.
  if (part !== undefined && part !== 'value') return
  if (op === 'remove') {
    // Entra ID sends the people to remove as the value, and a path without brackets: not all members are meant.
    const ids = selected === undefined ? readRemovedIds(value) : readSelectedIds(selected)
    if (ids === 'all') clear(members)
    else for (const id of ids.filter((one) => isUuid(one))) leave(members, id)
    return
  }
  const ids = value === undefined && selected ? readSelectedIds(selected) : readMemberIds(value)
  if (op === 'replace' && selected === undefined) clear(members)
  for (const id of ids) {
    members.removed.delete(id)
    members.added.add(id)
  }
}

function clear(members: MemberSets): void {
  members.clears = true
  members.added.clear()
  members.removed.clear()
}

function leave(members: MemberSets, id: string): void {
  members.added.delete(id)
  if (!members.clears) members.removed.add(id)
}

function readRemovedIds(value: unknown): string[] | 'all' {
  if (value === undefined || value === null) return 'all'
  // An id that is not the id of a person is not the id of a member.
  return readMemberValues(value).map((id) => id.toLowerCase())
}

function readSelectedIds(selected: NonNullable<PatchStep['selected']>): string[] {
  const ids = selected.filter(({ attribute }) => attribute === 'value')
  if (ids.length === 0) throw invalidValue('Select members by their value: members[value eq "id"].')
  const unique = new Set(ids.map(({ value }) => String(value).toLowerCase()))
  // No member has two ids.
  return unique.size === 1 ? [...unique] : []
}

/** Reads the ids of members. Errors: scim_value_invalid for a nested group, or an id that cannot be one of a person. */
function readMemberIds(value: unknown): string[] {
  return readMemberValues(value).map((id) => {
    if (isUuid(id)) return id.toLowerCase()
    throw invalidValue(`Unknown member "${clip(id)}". Create the user first, and send its id.`)
  })
}

function readMemberValues(value: unknown): string[] {
  return toList(value).map((entry) => {
    const attributes = readAttributes(entry)
    const type = attributes?.type
    if (typeof type === 'string' && type.toLowerCase() === 'group') {
      throw invalidValue('Groups in groups are not supported. Add the people of the inner group.')
    }
    const id = attributes === undefined ? entry : attributes.value
    if (typeof id === 'string') return id.trim()
    throw invalidValue('Each member must have the id of a user as its "value".')
  })
}

function readGroupName(value: unknown): string {
  const name = readText(value, 'displayName', NAME_CHARACTERS_MAX)
  if (name === null) throw invalidValue('A group needs a "displayName".')
  return name
}
