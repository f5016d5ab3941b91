import {
  expandPermissions,
  PERMISSIONS_WITHOUT_EFFECT,
  type PermissionWithoutEffect,
} from '../../formats/team/permission-names.ts'
import type { EffectivePermission, Permission } from './permission-words.ts'

/** Permissions that belong together, each with what it allows. */
interface PermissionGroup {
  title: string
  permissions: readonly { permission: EffectivePermission; label: string }[]
}

/** All permissions that have an effect, in the order in which people look for them. */
export const PERMISSION_GROUPS: readonly PermissionGroup[] = [
  {
    title: 'Data products',
    permissions: [
      { permission: 'DATAPRODUCT_ADD', label: 'Add data products' },
      { permission: 'DATAPRODUCT_EDIT', label: 'Edit data products' },
      { permission: 'DATAPRODUCT_DELETE', label: 'Delete data products' },
      {
        permission: 'DATAPRODUCT_TEST_RESULTS_EDIT',
        label: 'Publish test results of data products',
      },
    ],
  },
  {
    title: 'Data contracts',
    permissions: [
      { permission: 'DATACONTRACT_ADD', label: 'Add data contracts' },
      { permission: 'DATACONTRACT_EDIT', label: 'Edit data contracts' },
      { permission: 'DATACONTRACT_DELETE', label: 'Delete data contracts' },
      {
        permission: 'DATACONTRACT_TEST_RESULTS_EDIT',
        label: 'Publish test results of data contracts',
      },
      { permission: 'DATACONTRACT_TEST_RUN', label: 'Run tests of data contracts' },
    ],
  },
  {
    title: 'Assets',
    permissions: [
      { permission: 'ASSET_ADD', label: 'Add assets' },
      { permission: 'ASSET_EDIT', label: 'Edit assets and assign tags' },
      { permission: 'ASSET_DELETE', label: 'Delete assets' },
      { permission: 'INGESTION_EDIT', label: 'Change and run integrations of the team' },
    ],
  },
  {
    title: 'Definitions',
    permissions: [
      { permission: 'DEFINITION_ADD', label: 'Add definitions' },
      { permission: 'DEFINITION_EDIT', label: 'Edit definitions' },
      { permission: 'DEFINITION_DELETE', label: 'Delete definitions' },
    ],
  },
  {
    title: 'Source systems',
    permissions: [
      { permission: 'SOURCE_SYSTEM_ADD', label: 'Add source systems' },
      { permission: 'SOURCE_SYSTEM_EDIT', label: 'Edit source systems' },
      { permission: 'SOURCE_SYSTEM_DELETE', label: 'Delete source systems' },
    ],
  },
  {
    title: 'Tags',
    permissions: [
      { permission: 'MANAGED_TAG_ADD', label: 'Add tags' },
      { permission: 'MANAGED_TAG_EDIT', label: 'Edit tags' },
      { permission: 'MANAGED_TAG_DELETE', label: 'Delete tags' },
    ],
  },
  {
    title: 'Access to data',
    permissions: [
      { permission: 'ACCESS_REQUEST', label: 'Request access for the team' },
      { permission: 'ACCESS_APPROVE', label: 'Approve or reject requests' },
      { permission: 'ACCESS_ADD', label: 'Grant access without a request' },
      { permission: 'ACCESS_EDIT', label: 'Edit access' },
      { permission: 'ACCESS_TERMINATE', label: 'End access' },
      { permission: 'ACCESS_DELETE', label: 'Delete access' },
    ],
  },
  {
    title: 'Team',
    permissions: [
      { permission: 'TEAM_ADD', label: 'Create teams below the team' },
      { permission: 'TEAM_EDIT', label: 'Edit the team' },
      { permission: 'TEAM_DELETE', label: 'Delete the team' },
      { permission: 'TEAM_API_KEY_MANAGE', label: 'Manage API keys of the team' },
      { permission: 'TEAM_MEMBER_ADD', label: 'Add members' },
      { permission: 'TEAM_MEMBER_EDIT', label: 'Change the roles of members' },
      { permission: 'TEAM_MEMBER_DELETE', label: 'Remove members' },
    ],
  },
]

/** Every permission that has an effect. */
export const PERMISSIONS = PERMISSION_GROUPS.flatMap(({ permissions }) =>
  permissions.map(({ permission }) => permission),
)

/** Returns what a permission allows: `Edit the team`. */
export function labelPermission(permission: EffectivePermission): string {
  const labels = PERMISSION_GROUPS.flatMap(({ permissions }) => permissions)
  return labels.find((one) => one.permission === permission)?.label ?? permission
}

/** Every permission, first those that have an effect. */
export const ALL_PERMISSIONS: readonly Permission[] = [
  ...PERMISSIONS,
  ...PERMISSIONS_WITHOUT_EFFECT,
]

/** Replaces retired names in a list of permissions. */
export function toCurrentPermissions(names: readonly string[]): Permission[] {
  const current = new Set(expandPermissions(names))
  return ALL_PERMISSIONS.filter((one) => current.has(one))
}

/** A permission, also one without an effect. */
interface AnyPermission {
  permission: Permission
  label: string
  /** Whether an action needs it already. */
  hasEffect: boolean
}

/** The permissions of one kind of resource. */
interface AllPermissionGroup {
  title: string
  permissions: readonly AnyPermission[]
}

/** The hint for a permission without an effect. */
export const NO_EFFECT = 'No effect yet'

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

/** All permissions, by the kind of resource; those with an effect first. */
export const ALL_PERMISSION_GROUPS: readonly AllPermissionGroup[] = [
  ...PERMISSION_GROUPS.map(({ title, permissions }) => ({
    title,
    permissions: permissions.map((one) => ({ ...one, hasEffect: true })),
  })),
  ...[SEMANTICS, POLICIES].map((title) => ({ title, permissions: [] })),
].map(({ title, permissions }) => ({
  title,
  permissions: [...permissions, ...listWithoutEffect(title)],
}))

function listWithoutEffect(group: string): AnyPermission[] {
  return PERMISSIONS_WITHOUT_EFFECT.flatMap((permission) => {
    const [title, label] = WITHOUT_EFFECT[permission]
    return title === group ? [{ permission, label, hasEffect: false }] : []
  })
}
