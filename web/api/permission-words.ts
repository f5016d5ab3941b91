import type { PermissionWithoutEffect } from '../../formats/team/permission-names.ts'
import type { components } from './openapi.ts'

type ProblemAnswer = components['schemas']['Problem']

/** One thing that may be done to a team or to what it owns. */
export type Permission = NonNullable<ProblemAnswer['permission']>

/** A permission that some action requires. Pages offer only these. */
export type EffectivePermission = Exclude<Permission, PermissionWithoutEffect>

/** The kind of resource that a sentence is about; undefined = not known. */
export type ResourceKind = 'data product' | 'data contract' | 'asset' | undefined

interface Deed {
  /** The least role that has the permission. */
  role: 'owner' | 'approver' | 'editor' | 'steward' | 'member'
  deed: string
}

const MANAGE_ACCESS: Deed = { role: 'approver', deed: 'manage access to its data' }
const MANAGE_MEMBERS: Deed = { role: 'owner', deed: 'change its members' }

function byEditors(deed: string): Deed {
  return { role: 'editor', deed }
}

function byOwners(deed: string): Deed {
  return { role: 'owner', deed }
}

/** The role that every permission needs, and what it lets people do. */
export const DEEDS: Readonly<Record<EffectivePermission, Deed>> = {
  DATAPRODUCT_ADD: byEditors('add data products'),
  DATAPRODUCT_EDIT: byEditors('edit this data product'),
  DATAPRODUCT_DELETE: byEditors('delete this data product'),
  DATAPRODUCT_TEST_RESULTS_EDIT: byEditors('publish test results of its data products'),
  DATACONTRACT_ADD: byEditors('add data contracts'),
  DATACONTRACT_EDIT: byEditors('edit this data contract'),
  DATACONTRACT_DELETE: byEditors('delete this data contract'),
  DATACONTRACT_TEST_RESULTS_EDIT: byEditors('publish test results of its data contracts'),
  DATACONTRACT_TEST_RUN: byEditors('run tests of its data contracts'),
  ASSET_ADD: byEditors('add assets'),
  ASSET_EDIT: byEditors('edit this asset'),
  ASSET_DELETE: byEditors('delete this asset'),
  DEFINITION_ADD: byEditors('add definitions'),
  DEFINITION_EDIT: byEditors('edit this definition'),
  DEFINITION_DELETE: byEditors('delete this definition'),
  SOURCE_SYSTEM_ADD: byEditors('add source systems'),
  SOURCE_SYSTEM_EDIT: byEditors('edit this source system'),
  SOURCE_SYSTEM_DELETE: byEditors('delete this source system'),
  MANAGED_TAG_ADD: byEditors('add tags'),
  MANAGED_TAG_EDIT: byEditors('edit this tag'),
  MANAGED_TAG_DELETE: byEditors('delete this tag'),
  ACCESS_ADD: MANAGE_ACCESS,
  ACCESS_EDIT: MANAGE_ACCESS,
  ACCESS_DELETE: MANAGE_ACCESS,
  ACCESS_REQUEST: { role: 'member', deed: 'use its data' },
  ACCESS_APPROVE: MANAGE_ACCESS,
  ACCESS_TERMINATE: MANAGE_ACCESS,
  TEAM_ADD: byOwners('create teams below it'),
  TEAM_EDIT: byOwners('edit the team'),
  TEAM_DELETE: byOwners('delete the team'),
  TEAM_API_KEY_MANAGE: byEditors('manage its API keys'),
  TEAM_MEMBER_ADD: MANAGE_MEMBERS,
  TEAM_MEMBER_EDIT: MANAGE_MEMBERS,
  TEAM_MEMBER_DELETE: MANAGE_MEMBERS,
  INGESTION_EDIT: byEditors('change and run its integrations'),
}

/** The reason for everything that only owners of the organization may do. */
export const OWNERS_ONLY = 'Only owners of the organization can do this.'

const ROLES_NAMED_MAX = 3

const UNKNOWN_DEED: Deed = byOwners('do this')

function getDeed(permission: Permission): Deed {
  return isEffective(permission) ? DEEDS[permission] : UNKNOWN_DEED
}

function isEffective(permission: Permission): permission is EffectivePermission {
  return Object.hasOwn(DEEDS, permission)
}

/**
 * Describes who has a permission: `Only editors of Wagon Fleet can add data products`; `teamName` null
 * = nothing that a team owns, undefined = on no team at all. `roles` are the custom roles that grant the
 * permission; undefined = the organization has the default roles.
 */
export function describePermission(
  permission: Permission,
  teamName: string | null | undefined,
  roles?: readonly string[],
): string {
  const { role, deed } = getDeed(permission)
  if (teamName === null) {
    return `Only owners of the organization can ${describeUnowned(permission, deed)}`
  }
  if (roles !== undefined) {
    const own = teamName === undefined ? deed.replace(/ its /, ' ') : deed
    if (roles.length === 0) return `Only owners of the organization can ${own}`
    const named = roles.slice(0, ROLES_NAMED_MAX).map((one) => `"${one}"`)
    const names = joinWith('or', roles.length > named.length ? [...named, 'another role'] : named)
    return `Only members of ${teamName ?? 'a team'} with the role ${names} can ${own}`
  }
  if (teamName === undefined) return `Only ${role}s of a team can ${deed.replace(/ its /, ' ')}`
  return `Only ${role}s of ${teamName} can ${deed}`
}

const UNOWNED_DEEDS: Readonly<Partial<Record<Permission, string>>> = {
  TEAM_ADD: 'create a team at the top',
  TEAM_EDIT: 'move a team to the top or away from it',
  INGESTION_EDIT: 'change integrations and connectors that no team owns',
}

function describeUnowned(permission: Permission, deed: string): string {
  const own = UNOWNED_DEEDS[permission]
  if (own !== undefined) return own
  return deed.startsWith('add ') ? `${deed} without a team` : `${deed}, which no team owns`
}

/** Joins names into a request: `Ask Ada Lindqvist or Jonas Weber.` */
export function askPeople(names: readonly string[]): string {
  return names.length === 0 ? 'Ask an owner of the organization.' : `Ask ${joinWith('or', names)}.`
}

/** Joins names: `Ada, Jonas or Mira`. */
export function joinWith(word: 'and' | 'or', names: readonly string[]): string {
  const first = names.slice(0, -1).join(', ')
  const last = names.at(-1) ?? ''
  return first === '' ? last : `${first} ${word} ${last}`
}
