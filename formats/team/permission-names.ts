/**
 * The names of permissions that public clients use. Each kind of resource has its own permissions. Documents may
 * also use retired names, each of which several permissions replace.
 */

/** The beginnings of the permissions of each kind of resource: `DATAPRODUCT` of `DATAPRODUCT_EDIT`. */
export type ResourcePermissions =
  | 'DATAPRODUCT'
  | 'DATACONTRACT'
  | 'ASSET'
  | 'DEFINITION'
  | 'SOURCE_SYSTEM'
  | 'MANAGED_TAG'

/**
 * The permissions that no endpoint requires yet, because their feature does not exist. Keys and team roles
 * may have them, and their forms mark them. `test/permission-names.test.ts` compares the list with the endpoints.
 */
export const PERMISSIONS_WITHOUT_EFFECT = [
  'DATAPRODUCT_CHANGE_REQUEST_SUBMIT',
  'DATAPRODUCT_CHANGE_REQUEST_APPROVE',
  'DATAPRODUCT_PUBLISH',
  'DATAPRODUCT_GIT_CONNECT',
  'DATACONTRACT_CHANGE_REQUEST_SUBMIT',
  'DATACONTRACT_CHANGE_REQUEST_APPROVE',
  'DATACONTRACT_GIT_CONNECT',
  'DATACONTRACT_BRANCH_ADD',
  'ASSET_CHANGE_REQUEST_SUBMIT',
  'ASSET_CHANGE_REQUEST_APPROVE',
  'MANAGED_TAG_CHANGE_REQUEST_SUBMIT',
  'MANAGED_TAG_CHANGE_REQUEST_APPROVE',
  'SEMANTIC_NAMESPACE_ADD',
  'SEMANTIC_NAMESPACE_EDIT',
  'SEMANTIC_NAMESPACE_DELETE',
  'SEMANTIC_NAMESPACE_BRANCH_ADD',
  'SEMANTIC_NAMESPACE_GIT_CONNECT',
  'POLICY_CHECK_RUN',
] as const

/** A permission that no endpoint requires yet. */
export type PermissionWithoutEffect = (typeof PERMISSIONS_WITHOUT_EFFECT)[number]

const KINDS = [
  'DATAPRODUCT',
  'DATACONTRACT',
  'ASSET',
  'DEFINITION',
  'SOURCE_SYSTEM',
  'MANAGED_TAG',
  'SEMANTIC_NAMESPACE',
] as const

const PROPOSED_KINDS = ['DATAPRODUCT', 'DATACONTRACT', 'ASSET', 'MANAGED_TAG'] as const

/** The retired names, each with the permissions that replace it. */
export const RETIRED_PERMISSIONS = [
  ['RESOURCES_ADD', KINDS.map((kind) => `${kind}_ADD` as const)],
  [
    'RESOURCES_EDIT',
    [
      ...KINDS.map((kind) => `${kind}_EDIT` as const),
      'DATAPRODUCT_PUBLISH',
      'DATAPRODUCT_GIT_CONNECT',
      'DATACONTRACT_GIT_CONNECT',
      'DATACONTRACT_BRANCH_ADD',
      'SEMANTIC_NAMESPACE_GIT_CONNECT',
      'SEMANTIC_NAMESPACE_BRANCH_ADD',
    ],
  ],
  ['RESOURCES_DELETE', KINDS.map((kind) => `${kind}_DELETE` as const)],
  ['CHANGE_REQUEST_SUBMIT', PROPOSED_KINDS.map((kind) => `${kind}_CHANGE_REQUEST_SUBMIT` as const)],
  [
    'CHANGE_REQUEST_APPROVE',
    PROPOSED_KINDS.map((kind) => `${kind}_CHANGE_REQUEST_APPROVE` as const),
  ],
  ['TEST_EXECUTE', ['DATACONTRACT_TEST_RUN', 'POLICY_CHECK_RUN']],
  ['TEST_RESULTS_WRITE', ['DATAPRODUCT_TEST_RESULTS_EDIT', 'DATACONTRACT_TEST_RESULTS_EDIT']],
] as const

const EXPANSIONS = new Map<string, readonly string[]>(RETIRED_PERMISSIONS)

/** Replaces retired names in a list of permissions; each permission appears once. */
export function expandPermissions(names: readonly string[]): string[] {
  return [...new Set(names.flatMap((name) => EXPANSIONS.get(name) ?? [name]))]
}
