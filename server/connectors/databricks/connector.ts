import type { Connector } from '../connector.ts'
import { leaveOutViews, newSecret } from '../description.ts'
import { databricksConfiguration, systemNames, WITH_CLIENT } from './configuration.ts'

/** Connector for Unity Catalog: that of Databricks, and the open-source server. */
export const databricks: Connector = {
  source: 'databricks',
  description: {
    title: 'Databricks',
    summary:
      'Unity Catalog of Databricks, or the open-source server. Reads catalogs, schemas, tables and views with nested columns; keys and tags through a SQL warehouse.',
    configuration: databricksConfiguration,
    secrets: [
      newSecret('clientSecret', 'Client secret', { isNeeded: true, onlyWith: WITH_CLIENT }),
      newSecret('token', 'Personal access token', {
        isNeeded: true,
        onlyWith: { name: 'authentication', values: ['token'] },
      }),
    ],
    connectionFields: ['url', 'authentication', 'clientId', 'tenantId', 'tokenEndpoint'],
    nameFields: ['url'],
    levels: ['catalog', 'schema', 'table'],
    scopeLevel: 'schema',
    systemNames,
    assetKinds: ['catalog', 'schema', 'table', 'external_table', 'view', 'materialized_view'],
    hidesTables: true,
    grants: {
      gates: [1, 2],
      delayHours: 0,
      right:
        'GRANT MANAGE ON CATALOG … TO the account, or make it an owner or an admin of the metastore. The open-source server has no grants of this kind.',
    },
    kindsLeftOut: leaveOutViews,
    guide: 'databricks',
    serverType: 'databricks',
    readingVersion: 1,
  },
  check: async (setup) => await (await import('./checking.ts')).checkSource(setup),
  open: async (setup) => await (await import('./session.ts')).openSession(setup),
}
