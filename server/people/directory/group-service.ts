import { randomUUIDv7 } from 'node:crypto'
import type { ActivityActor } from '../../ledger/activity/entry.ts'
import { ApiError, notFound } from '../../platform/errors.ts'
import { violatedConstraint } from '../../platform/kit/store-errors.ts'
import { isUuid } from '../../platform/kit/uuid.ts'
import type { Database } from '../../platform/tables.ts'
import { checkPreconditions, type Conditions } from '../../requests/http/conditional.ts'
import { parseFilter } from './filter.ts'
import type { GroupChange } from './group-change.ts'
import * as store from './group-store.ts'
import { digestGroup, type GroupMember, type DirectoryGroup } from './group.ts'
import { invalidValue, type ScimListQuery } from './scim.ts'

/** The members of a page of groups, so that large groups do not add up. */
const PAGE_MEMBERS_MAX = 20_000

/** A group with its members; undefined = they are not read. */
export interface Group {
  row: DirectoryGroup
  members: readonly GroupMember[] | undefined
}

/**
 * Lists the groups that a filter selects, and their number. A page with many members has fewer groups than asked for.
 * Errors: scim_filter_invalid.
 */
export async function listGroups(
  db: Database,
  organizationId: string,
  { filter = '', startIndex, count }: Pick<ScimListQuery, 'filter' | 'startIndex' | 'count'>,
  { hasMembers }: { hasMembers: boolean },
): Promise<{ groups: Group[]; total: number }> {
  const comparisons = filter.trim() === '' ? [] : parseFilter(filter, store.GROUP_FILTERS)
  const total = await store.countGroups(db, organizationId, comparisons)
  if (count === 0 || startIndex > total) return { groups: [], total }
  const rows = await store.listGroups(db, organizationId, comparisons, { startIndex, count })
  if (!hasMembers) return { groups: rows.map((row) => ({ row, members: undefined })), total }
  const page = limitMembers(rows)
  const ids = page.map(({ id }) => id)
  const members = Map.groupBy(
    await store.listGroupMembers(db, organizationId, ids),
    ({ groupId }) => groupId,
  )
  return { groups: page.map((row) => ({ row, members: members.get(row.id) ?? [] })), total }
}

function limitMembers(rows: readonly store.CountedGroup[]): readonly store.CountedGroup[] {
  let sum = 0
  const end = rows.findIndex(({ memberCount }, at) => {
    sum += memberCount
    return at > 0 && sum > PAGE_MEMBERS_MAX
  })
  return end === -1 ? rows : rows.slice(0, end)
}

/** Returns a group. Errors: not_found. */
export async function getGroup(
  db: Database,
  organizationId: string,
  id: string,
  { hasMembers }: { hasMembers: boolean },
): Promise<Group> {
  const row = isUuid(id) ? await store.findGroup(db, organizationId, id) : undefined
  if (row === undefined) throw notFound()
  const members = hasMembers
    ? await store.listGroupMembers(db, organizationId, [row.id])
    : undefined
  return { row, members }
}

/** Creates a group. Returns its id. Errors: scim_duplicate, scim_value_invalid for an unknown member. */
export async function createGroup(
  db: Database,
  organizationId: string,
  change: GroupChange & { displayName: string },
  actor: ActivityActor,
): Promise<string> {
  const id = randomUUIDv7()
  await explainConstraints(db, organizationId, change, () =>
    store.insertGroup(db, organizationId, { ...change, id }, actor),
  )
  return id
}

/** A change of a group by a directory, and its preconditions. */
interface GroupUpdate {
  id: string
  change: GroupChange
  conditions: Conditions
}

/**
 * Changes a group and its members. Concurrent changes of one group wait for each other. Errors: not_found,
 * precondition_failed, scim_duplicate, scim_value_invalid for an unknown member. Returns the digest of the result.
 */
export async function updateGroup(
  db: Database,
  organizationId: string,
  { id, change, conditions }: GroupUpdate,
  actor: ActivityActor,
): Promise<string> {
  if (!isUuid(id)) throw notFound()
  return await explainConstraints(db, organizationId, change, () =>
    db.transaction().execute(async (transaction) => {
      const group = await store.lockGroup(transaction, organizationId, id)
      if (group === undefined) throw notFound()
      checkPreconditions(conditions, digestGroup(group))
      const { displayName = group.displayName, members } = change
      const externalId = change.externalId === undefined ? group.externalId : change.externalId
      const changed = { ...group, displayName, externalId, members }
      const version = await store.updateGroup(transaction, organizationId, changed, actor)
      return digestGroup({ version: version ?? group.version })
    }),
  )
}

/** Deletes a group. Errors: not_found, precondition_failed. */
export async function deleteGroup(
  db: Database,
  organizationId: string,
  { id, conditions }: Omit<GroupUpdate, 'change'>,
  actor: ActivityActor,
): Promise<void> {
  if (!isUuid(id)) throw notFound()
  await db.transaction().execute(async (transaction) => {
    const group = await store.lockGroup(transaction, organizationId, id)
    if (group === undefined) throw notFound()
    checkPreconditions(conditions, digestGroup(group))
    await store.deleteGroup(transaction, organizationId, id, actor)
  })
}

// The constraints decide, also between two processes; nothing of a rejected change is written.
async function explainConstraints<T>(
  db: Database,
  organizationId: string,
  { members }: GroupChange,
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await work()
  } catch (error) {
    const constraint = violatedConstraint(error)
    if (constraint === 'directory_group_name') throw duplicate('displayName')
    if (constraint === 'directory_group_external_id') throw duplicate('externalId')
    if (constraint !== 'directory_group_member_organization_id_user_id_fkey') throw error
    const unknown = await store.findUnknownMember(db, organizationId, members.added)
    const id = unknown === undefined ? '' : ` "${unknown}"`
    throw invalidValue(`Unknown member${id}. Create the user first, and send its id.`)
  }
}

function duplicate(attribute: string): ApiError {
  return new ApiError('scim_duplicate', `Another group has this ${attribute} already.`)
}
