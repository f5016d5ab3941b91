/** The calls of the Python SDK for parts of the API that are not served yet. Their arguments are made up. */

import type { SdkRow } from './sdk-row.ts'

const GIT = ['get_git_connection', 'put_git_connection', 'delete_git_connection', 'pull_from_git']
const PUSH = ['push_to_git', 'push_to_git_as_pull_request']
const CREDENTIALS = ['list', 'create', 'get', 'update', 'delete'].map((verb) =>
  verb === 'list' ? 'list_git_credentials' : `${verb}_git_credential`,
)
const BRANCHES = [
  'list_branches',
  'get_branch',
  'create_branch',
  'delete_branch',
  'rebase_branch',
  'list_branch_changes',
  'merge_branch',
]

const LATER: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>> = {
  git: {
    data_products: ['import_from_git', ...GIT, ...PUSH],
    data_contracts: ['import_from_git', ...GIT, ...PUSH],
    organization: CREDENTIALS,
    teams: CREDENTIALS,
    semantics: [...GIT, ...PUSH],
  },
  branches: {
    data_contracts: [
      ...BRANCHES,
      'get_branch_yaml',
      'put_branch_yaml',
      'test_branch',
      'generate_branch',
    ],
    semantics: [...BRANCHES, 'get_branch_ontology_yaml', 'put_branch_ontology_yaml'],
  },
  semantics: {
    semantics: [
      'get_namespace',
      'put_namespace',
      'delete_namespace',
      'get_ontology_yaml',
      'put_ontology_yaml',
      'list_concepts',
      'get_concept',
      'put_concept',
      'delete_concept',
      'list_relationships',
      'get_relationship',
      'put_relationship',
      'delete_relationship',
    ],
  },
  'agents as principals': {
    agent_identities: [
      'list',
      'get',
      'put',
      'delete',
      'list_api_keys',
      'create_api_key',
      'delete_api_key',
      'list_oauth_clients',
      'create_oauth_client',
      'delete_oauth_client',
      'list_connections',
      'create_connection',
      'delete_connection',
      'list_token_issuers',
      'put_token_issuer',
      'delete_token_issuer',
    ],
  },
  'integrations by API': {
    'integrations.ingest': ['put', 'delete'],
    'integrations.unity_catalog_metadata': [
      'list',
      'get',
      'put',
      'delete',
      'list_tables',
      'list_queue',
      'retry_failed_tables',
      'discard_queue',
    ],
  },
  'copies of access': { access: ['preview_copy', 'copy'] },
  'types of data products': {
    organization: [
      'get_data_product_types',
      'get_data_product_types_yaml',
      'put_data_product_types',
      'put_data_product_types_yaml',
    ],
  },
  builders: { data_product_builders: ['list', 'get', 'put', 'delete'] },
}

/** The rows of all these parts. */
export const LATER_SDK_ROWS: readonly SdkRow[] = Object.entries(LATER).flatMap(([later, groups]) =>
  Object.entries(groups).flatMap(([group, methods]) =>
    methods.map((method) => ({ call: `${group}.${method}`, later })),
  ),
)
