/** The calls of the Python SDK that are served, in their order. */

import { odps } from '../../world.ts'
import { buildLineageEvent } from '../../permissions/requests.ts'
import { newSpan, toTraces } from '../../usage.ts'
import { listCrudRows } from './crud.ts'
import { DOCUMENTS } from './documents.ts'
import { SCIM_ROWS } from './scim.ts'
import type { SdkRow } from './sdk-row.ts'

const CERTIFICATION = '0b0f4a3e-7a1c-4f0e-9a52-0d9c6f7f2f11'
const COST = { dataProductId: 'orders', name: 'Warehouse', amount: 12.5, currency: 'EUR' }

const ACCESS = {
  id: 'sdk-access',
  info: { purpose: 'Reports', startDate: '2026-01-01' },
  provider: { dataProductId: 'orders', outputPortId: 'current' },
  consumer: { teamId: 'b' },
}
const REPORT = { platform: 'snowflake', executor: 'connector' }

const AGREEMENTS: readonly SdkRow[] = [
  { call: 'access.put', args: ['sdk-access', ACCESS] },
  { call: 'access.get', args: ['sdk-access'], gives: { info: { status: 'requested' } } },
  { call: 'access.list', includes: [{ id: 'sdk-access' }] },
  { call: 'access.list', options: { provider_data_product_id: 'none' }, gives: [] },
  { call: 'access.list', options: { consumer_data_product_id: 'none' }, gives: [] },
  { call: 'access.list', options: { page: 1, page_size: 10 }, gives: [] },
  { call: 'access.reject', args: ['sdk-access'] },
  { call: 'access.approve', args: ['sdk-access'] },
  {
    call: 'access.get',
    args: ['sdk-access'],
    gives: { info: { status: 'approved', active: true } },
  },
  { call: 'access.get_provisioning', args: ['sdk-access'], fails: [404, 'not_found'] },
  ...(
    [
      ['report_provisioning_started', REPORT, 'provisioning'],
      ['report_provisioning_failed', { ...REPORT, diagnostics: 'none' }, 'provisioning-failed'],
      ['report_provisioning_succeeded', { ...REPORT, reference: 'grant-1' }, 'provisioned'],
      ['report_deprovisioning_started', REPORT, 'deprovisioning'],
      ['report_deprovisioning_failed', { ...REPORT, diagnostics: 'none' }, 'deprovisioning-failed'],
      ['report_deprovisioning_succeeded', REPORT, 'deprovisioned'],
      ['put_provisioning', { status: 'provisioned', ...REPORT }, 'provisioned'],
    ] as const
  ).map(([method, report, status]): SdkRow => ({
    call: `access.${method}`,
    args: ['sdk-access', report],
    gives: { status },
  })),
  { call: 'access.get_provisioning', args: ['sdk-access'], gives: { status: 'provisioned' } },
  {
    call: 'access.evaluate',
    caller: 'Ue',
    args: [
      {
        subject: { type: 'user', id: 'current_user' },
        resource: { type: 'data_product', id: 'orders', properties: { outputPortId: 'current' } },
        action: { name: 'query', properties: { sql: 'select 1', purpose: 'Reports' } },
      },
    ],
    keeps: { decision: ['decision'] },
  },
  { call: 'access.cancel', args: ['sdk-access'] },
  { call: 'access.delete', args: ['sdk-access'] },
  { call: 'access.get', args: ['sdk-access'], fails: [404, 'not_found'] },
]

const RESULT = {
  id: '466b4c17-8176-42f1-8199-59125dde5e61',
  dataContractId: 'orders-contract',
  result: 'passed',
  timestampStart: '2026-07-03T10:46:28.195230Z',
  timestampEnd: '2026-07-03T10:46:42.481447Z',
  checks: [{ type: 'schema', name: 'orders', result: 'passed' }],
}
const RESULTS = { data_contract_id: 'orders-contract' }
const START = '2026-07-03T10:46:42Z'
const PERIOD = { from_: START, to: '2026-07-04T00:00:00+02:00' }

const REPORTS: readonly SdkRow[] = [
  { call: 'test_results.post', args: [RESULT] },
  { call: 'test_results.get', args: [RESULT.id], gives: { id: RESULT.id, result: 'passed' } },
  { call: 'test_results.list', options: RESULTS, gives: [{ id: RESULT.id }] },
  {
    call: 'test_results.list',
    options: { ...RESULTS, ...PERIOD, size: 1 },
    gives: [{ id: RESULT.id }],
  },
  { call: 'test_results.list', options: { ...RESULTS, to: START }, gives: [] },
  { call: 'test_results.list', options: { branch: 'none', server: 'none', page: 0 }, gives: [] },
  // Without a server, a version and times, as some programs send results.
  {
    call: 'test_results.post',
    args: [{ id: 'bare', dataContractId: 'orders-contract', result: 'passed' }],
  },
  { call: 'test_results.get', args: ['bare'], gives: { server: '', dataContractVersion: '' } },
  { call: 'test_results.list', options: RESULTS, gives: [{ id: 'bare' }, { id: RESULT.id }] },
  { call: 'test_results.delete', args: ['bare'] },
  { call: 'test_results.delete', args: [RESULT.id] },
  {
    call: 'data_contracts.post_branch_test_results',
    args: ['orders-contract', 'draft/one', { ...RESULT, id: CERTIFICATION }],
  },
  {
    call: 'data_contracts.list_branch_test_results',
    args: ['orders-contract', 'draft/one'],
    options: { ...PERIOD, size: 5, page: 0 },
    gives: [{ id: CERTIFICATION, branch: 'draft/one' }],
  },
  {
    call: 'lineage.post_event',
    args: [
      {
        ...buildLineageEvent('sdk'),
        eventTime: '2026-07-03T10:46:42Z',
        producer: 'https://example.test',
        schemaURL: 'https://openlineage.io/spec/2-0-2/OpenLineage.json',
      },
    ],
    options: { data_product_id: 'orders', output_port_name: 'current' },
  },
  {
    call: 'lineage.list_events',
    options: { data_product_id: 'orders' },
    gives: [{ run: { runId: 'sdk' } }],
  },
  {
    call: 'lineage.list_events',
    options: { run_id: 'sdk', ...PERIOD, page: 0, size: 1 },
    gives: [{ run: { runId: 'sdk' } }],
  },
  { call: 'lineage.list_events', options: { run_id: 'sdk', to: START }, gives: [] },
  { call: 'lineage.delete_events', options: { run_id: 'sdk' }, gives: { deletedCount: 1 } },
  {
    call: 'usage.post_traces',
    args: [
      toTraces('orders', [{ ...newSpan({ user: 'ada' }), kind: 'SPAN_KIND_CLIENT' }], {
        scope: 'sdk',
      }),
    ],
  },
  { call: 'usage.get_traces', options: { scope_name: 'sdk' }, gives: { resourceSpans: [{}] } },
  {
    call: 'usage.get_traces',
    options: { scope_name: 'sdk', to: '2026-01-01T00:00:00Z', page: 0, size: 1 },
    gives: { resourceSpans: [] },
  },
  { call: 'usage.delete_traces', options: { scope_name: 'sdk' }, gives: { deletedCount: 1 } },
  { call: 'costs.add', args: [COST] },
  {
    call: 'costs.list',
    options: { data_product_id: 'orders' },
    gives: [COST],
    keeps: { cost: [0, 'id'] },
  },
  { call: 'costs.delete', args: ['$cost'] },
  { call: 'costs.delete', args: ['$cost'], fails: [404, 'not_found'] },
]

const SETTINGS: readonly SdkRow[] = [
  { call: 'organization.get_settings', keeps: { organization: ['id'] } },
  { call: 'organization.list_members', keeps: { email: [0, 'emailAddress'] } },
  { call: 'organization.list_members', options: { page: 1 }, gives: [] },
  { call: 'organization.get_member', args: ['$email'], gives: { emailAddress: '$email' } },
  { call: 'organization.get_features' },
  {
    call: 'organization.put_features',
    args: [{ dataContractTestsEnabled: true }],
    gives: { dataContractTestsEnabled: true },
  },
  { call: 'organization.get_customization' },
  { call: 'organization.get_customization_yaml' },
  {
    call: 'organization.put_customization',
    args: [{ dataProduct: { customFilters: [{ displayName: 'Tier', customField: 'tier' }] } }],
  },
  { call: 'organization.put_customization_yaml', args: ['dataProduct:\n  customFilters: []\n'] },
  { call: 'organization.get_scim_mapping' },
  { call: 'organization.get_scim_mapping_yaml' },
  {
    call: 'organization.put_scim_mapping',
    args: [{ scimGroupMappings: [{ scimGroup: 'owners', type: 'organizationOwner' }] }],
  },
  { call: 'organization.put_scim_mapping_yaml', args: ['scimGroupMappings: []\n'] },
  { call: 'organization.get_email_templates', keeps: { templates: ['templates'] } },
  { call: 'organization.put_email_templates', args: [{ templates: {} }] },
  { call: 'organization.get_team_roles', gives: { mode: 'default' } },
  {
    call: 'organization.put_team_roles',
    args: [
      {
        mode: 'custom-team-roles',
        'team-roles': [
          { name: 'Owner', permissions: ['DATAPRODUCT_ADD', 'ACCESS_APPROVE'] },
          { name: 'Editor', permissions: ['RESOURCES_EDIT'] },
          { name: 'Member', permissions: [] },
        ],
      },
    ],
    gives: { mode: 'custom-team-roles' },
  },
  { call: 'organization.put_team_roles', args: [{ mode: 'default' }] },
  {
    call: 'organization.create_api_key',
    options: { scope: 'team', team_id: 'a', display_name: 'SDK', expires_at: '2099-12-31' },
    gives: { scope: 'team', teamId: 'a' },
    keeps: { newKey: ['organizationApiKeyId'] },
  },
  { call: 'organization.delete_api_key', args: ['$newKey'] },
  {
    call: 'organization.create_api_key',
    options: { scope: 'team', team_id: 'a', permissions: ['DATAPRODUCT_ADD', 'TEST_EXECUTE'] },
    gives: { permissions: ['DATAPRODUCT_ADD', 'DATACONTRACT_TEST_RUN', 'POLICY_CHECK_RUN'] },
    keeps: { limitedKey: ['organizationApiKeyId'] },
  },
  { call: 'organization.delete_api_key', args: ['$limitedKey'] },
  {
    call: 'organization.create_api_key',
    options: { scope: 'team', team_id: 'a', permissions: [] },
    gives: { permissions: [] },
    keeps: { readingKey: ['organizationApiKeyId'] },
  },
  { call: 'organization.delete_api_key', args: ['$readingKey'] },
  {
    call: 'organization.create_api_key',
    options: { scope: 'team_read', team_id: 'a', permissions: ['DATAPRODUCT_ADD'] },
    fails: [400, 'request_malformed'],
  },
]

const OTHERS: readonly SdkRow[] = [
  {
    call: 'search.query',
    args: ['orders'],
    options: { resource_type: 'DATA_PRODUCT', search_mode: 'keyword', diagnostics: false },
  },
  { call: 'schemas.get_odcs' },
  { call: 'schemas.get_odcs', options: { version: '3.0.2', custom: true } },
  { call: 'schemas.get_odps' },
  { call: 'events.poll', options: { long_polling: false }, keeps: { event: [0, 'id'] } },
  { call: 'events.poll', options: { last_event_id: '$event', long_polling: false } },
  // The SDK reads only UUIDs as ids of data products here.
  { call: 'data_products.put', args: [CERTIFICATION, odps(CERTIFICATION)] },
  ...listCrudRows({
    group: 'example_data',
    id: 'rows',
    document: { id: 'rows', dataProductId: CERTIFICATION, schemaName: 'orders', data: [{ id: 1 }] },
    listOptions: { data_product_id: CERTIFICATION },
  }),
  { call: 'integrations.ingest.list', includes: [{ externalId: '$integration' }] },
  { call: 'integrations.ingest.list', options: { source: 'postgres', enabled: true }, gives: [] },
  {
    call: 'integrations.ingest.get',
    args: ['$integration'],
    gives: { externalId: '$integration' },
  },
  {
    call: 'integrations.ingest.list_runs',
    args: ['$integration'],
    gives: [{ ingestionRunId: '$run' }],
  },
  {
    call: 'integrations.ingest.list_runs',
    args: ['$integration'],
    options: { limit: 1, status: 'FAILED' },
    gives: [],
  },
  {
    call: 'integrations.ingest.get_latest_run',
    args: ['$integration'],
    gives: { ingestionRunId: '$run' },
  },
  {
    call: 'integrations.ingest.get_run',
    args: ['$integration', '$run'],
    gives: { ingestionRunId: '$run' },
  },
  { call: 'integrations.ingest.trigger_run', args: ['$integration'] },
  { call: 'integrations.ingest.cancel_run', args: ['$integration'] },
  { call: 'semantics.list_namespaces', gives: [] },
]

/** The tables of calls, each for a separate organization. */
export const SERVED_ROWS: Readonly<Record<string, readonly SdkRow[]>> = {
  documents: DOCUMENTS,
  agreements: AGREEMENTS,
  reports: REPORTS,
  settings: SETTINGS,
  others: OTHERS,
  provisioning: SCIM_ROWS,
}
