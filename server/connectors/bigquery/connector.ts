import type { Connector } from '../connector.ts'
import { leaveOutViews, newSecret } from '../description.ts'
import { bigQueryConfiguration, systemNames, WITH_SERVICE_ACCOUNT } from './configuration.ts'

/** Connector for BigQuery: the projects that one service account can read. */
export const bigquery: Connector = {
  source: 'bigquery',
  description: {
    title: 'BigQuery',
    summary:
      'Projects of Google BigQuery. Reads datasets, tables, external tables and views with nested columns, labels, keys, partitions and policy tags.',
    configuration: bigQueryConfiguration,
    secrets: [
      newSecret('serviceAccountKey', 'Service account key (JSON)', {
        multiline: true,
        isNeeded: true,
        onlyWith: WITH_SERVICE_ACCOUNT,
      }),
    ],
    connectionFields: ['projects', 'authentication', 'endpoint', 'tokenEndpoint'],
    nameFields: ['projects'],
    levels: ['catalog', 'schema', 'table'],
    scopeLevel: 'schema',
    systemNames,
    assetKinds: ['catalog', 'schema', 'table', 'external_table', 'view', 'materialized_view'],
    kindsLeftOut: leaveOutViews,
    grants: {
      gates: [],
      delayHours: 0,
      right:
        'The account needs the permissions bigquery.datasets.getIamPolicy and bigquery.tables.getIamPolicy, such as by the role IAM Security Reviewer.',
      limit: 'Roles on projects, folders and organizations are not visible.',
    },
    guide: 'bigquery',
    serverType: 'bigquery',
  },
  check: async (setup) => await (await import('./checking.ts')).checkSource(setup),
  open: async (setup) => await (await import('./session.ts')).openSession(setup),
}
