import type { Connector } from '../connector.ts'
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
      {
        name: 'serviceAccountKey',
        title: 'Service account key (JSON)',
        required: false,
        multiline: true,
        isNeeded: true,
        onlyWith: WITH_SERVICE_ACCOUNT,
      },
    ],
    connectionFields: ['projects', 'authentication', 'endpoint', 'tokenEndpoint'],
    nameFields: ['projects'],
    levels: ['catalog', 'schema', 'table'],
    scopeLevel: 'schema',
    systemNames,
    assetKinds: ['catalog', 'schema', 'table', 'external_table', 'view', 'materialized_view'],
    kindsLeftOut: ({ includeViews }) =>
      includeViews === false ? ['view', 'materialized_view'] : [],
    guide: 'bigquery',
    serverType: 'bigquery',
  },
  check: async (setup) => await (await import('./checking.ts')).checkSource(setup),
  open: async (setup) => await (await import('./session.ts')).openSession(setup),
}
