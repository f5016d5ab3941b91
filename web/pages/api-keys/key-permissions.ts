import type { PermissionWithoutEffect } from '../../../formats/team/permission-names.ts'
import { PERMISSIONS_WITHOUT_EFFECT } from '../../../formats/team/permission-names.ts'
import { KEY_SCOPES, type KeyScope } from '../../../formats/team/key-scope.ts'
import { PERMISSION_GROUPS, PERMISSIONS } from '../../api/permission-groups.ts'
import type { Permission } from '../../api/permission-words.ts'
import { mayOwn, type Session } from '../../api/session.ts'

/** A permission that a key can be limited to. */
interface KeyPermission {
  permission: Permission
  label: string
  /** Whether an action needs it already. */
  hasEffect: boolean
}

/** The permissions of one kind of resource. */
interface KeyPermissionGroup {
  title: string
  permissions: readonly KeyPermission[]
}

const PRODUCTS = 'Data products'
const CONTRACTS = 'Data contracts'
const ASSETS = 'Assets'
const TAGS = 'Tags'
const SEMANTICS = 'Semantic namespaces'
const POLICIES = 'Policies'

// The groups and labels of the permissions whose feature does not exist yet.
const WITHOUT_EFFECT: Readonly<Record<PermissionWithoutEffect, readonly [string, string]>> = {
  DATAPRODUCT_CHANGE_REQUEST_SUBMIT: [PRODUCTS, 'Propose changes of data products'],
  DATAPRODUCT_CHANGE_REQUEST_APPROVE: [PRODUCTS, 'Accept changes of data products'],
  DATAPRODUCT_PUBLISH: [PRODUCTS, 'Publish data products'],
  DATAPRODUCT_GIT_CONNECT: [PRODUCTS, 'Connect data products to Git'],
  DATACONTRACT_CHANGE_REQUEST_SUBMIT: [CONTRACTS, 'Propose changes of data contracts'],
  DATACONTRACT_CHANGE_REQUEST_APPROVE: [CONTRACTS, 'Accept changes of data contracts'],
  DATACONTRACT_GIT_CONNECT: [CONTRACTS, 'Connect data contracts to Git'],
  DATACONTRACT_BRANCH_ADD: [CONTRACTS, 'Add branches of data contracts'],
  DATACONTRACT_TEST_RUN: [CONTRACTS, 'Run tests of data contracts'],
  ASSET_CHANGE_REQUEST_SUBMIT: [ASSETS, 'Propose changes of assets'],
  ASSET_CHANGE_REQUEST_APPROVE: [ASSETS, 'Accept changes of assets'],
  MANAGED_TAG_CHANGE_REQUEST_SUBMIT: [TAGS, 'Propose changes of tags'],
  MANAGED_TAG_CHANGE_REQUEST_APPROVE: [TAGS, 'Accept changes of tags'],
  SEMANTIC_NAMESPACE_ADD: [SEMANTICS, 'Add namespaces'],
  SEMANTIC_NAMESPACE_EDIT: [SEMANTICS, 'Edit namespaces'],
  SEMANTIC_NAMESPACE_DELETE: [SEMANTICS, 'Delete namespaces'],
  SEMANTIC_NAMESPACE_BRANCH_ADD: [SEMANTICS, 'Add branches of namespaces'],
  SEMANTIC_NAMESPACE_GIT_CONNECT: [SEMANTICS, 'Connect namespaces to Git'],
  POLICY_CHECK_RUN: [POLICIES, 'Run checks of policies'],
}

/** All permissions that a key can be limited to, by the kind of resource; those with an effect first. */
export const KEY_PERMISSION_GROUPS: readonly KeyPermissionGroup[] = [
  ...PERMISSION_GROUPS.map(({ title, permissions }) => ({
    title,
    permissions: permissions.map((one) => ({ ...one, hasEffect: true })),
  })),
  ...[SEMANTICS, POLICIES].map((title) => ({ title, permissions: [] })),
].map(({ title, permissions }) => ({
  title,
  permissions: [...permissions, ...listWithoutEffect(title)],
}))

function listWithoutEffect(group: string): KeyPermission[] {
  return PERMISSIONS_WITHOUT_EFFECT.flatMap((permission) => {
    const [title, label] = WITHOUT_EFFECT[permission]
    return title === group ? [{ permission, label, hasEffect: false }] : []
  })
}

const ALL: readonly Permission[] = [...PERMISSIONS, ...PERMISSIONS_WITHOUT_EFFECT]

/** Selects the permissions of a list of names that exist, in the order of the pages. */
export function selectPermissions(names: readonly string[]): Permission[] {
  return ALL.filter((one) => names.includes(one))
}

/** The permissions that programs usually need. */
export const PRESETS: readonly { title: string; permissions: readonly Permission[] }[] = [
  {
    title: 'Publish data products from CI',
    permissions: ['DATAPRODUCT_ADD', 'DATAPRODUCT_EDIT', 'DATACONTRACT_ADD', 'DATACONTRACT_EDIT'],
  },
  {
    title: 'Publish test results',
    permissions: ['DATAPRODUCT_TEST_RESULTS_EDIT', 'DATACONTRACT_TEST_RESULTS_EDIT'],
  },
  { title: 'Report lineage and usage', permissions: ['DATAPRODUCT_EDIT'] },
  { title: 'Run integrations', permissions: ['INGESTION_EDIT'] },
  { title: 'Report provisioned access', permissions: ['ACCESS_EDIT'] },
]

/** Returns the permissions that a person can give to a key: those of the person on the team of a team key. */
export function listGivable(session: Session, scope: KeyScope, teamId: string): Set<Permission> {
  if (KEY_SCOPES[scope].holder !== 'team' || mayOwn(session).allowed) return new Set(ALL)
  return new Set(session.teams.find(({ id }) => id === teamId)?.permissions)
}

/** Describes how a key is limited: `4 permissions`. Undefined = it is not. */
export function describeLimit(limit: {
  isLimited: boolean
  permissions: readonly string[]
  scope: KeyScope
}): string | undefined {
  if (!limit.isLimited || KEY_SCOPES[limit.scope].isReadOnly) return undefined
  const count = limit.permissions.length
  if (count === 0) return 'Only reads'
  return count === 1 ? '1 permission' : `${count} permissions`
}
