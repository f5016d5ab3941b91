import type { Connector } from '../connector.ts'
import { leaveOutViews, newSecret } from '../description.ts'
import {
  snowflakeConfiguration,
  systemNames,
  WITH_CLIENT,
  WITH_KEY,
  WITH_TOKEN,
} from './configuration.ts'

/** Connector for Snowflake. */
export const snowflake: Connector = {
  source: 'snowflake',
  description: {
    title: 'Snowflake',
    summary:
      'Reads databases, schemas, tables and views with columns, keys, comments and owners through the SQL API. Tags are optional.',
    configuration: snowflakeConfiguration,
    secrets: [
      newSecret('privateKey', 'Private key', {
        multiline: true,
        isNeeded: true,
        onlyWith: WITH_KEY,
      }),
      newSecret('passphrase', 'Passphrase of the private key', { onlyWith: WITH_KEY }),
      newSecret('token', 'Programmatic access token', { isNeeded: true, onlyWith: WITH_TOKEN }),
      newSecret('clientSecret', 'Client secret', { isNeeded: true, onlyWith: WITH_CLIENT }),
    ],
    connectionFields: [
      'account',
      'url',
      'authentication',
      'user',
      'clientId',
      'tokenEndpoint',
      'accountLocator',
    ],
    nameFields: ['account'],
    levels: ['database', 'schema', 'table'],
    scopeLevel: 'schema',
    systemNames,
    assetKinds: ['database', 'schema', 'table', 'external_table', 'view', 'materialized_view'],
    hidesTables: true,
    grants: {
      gates: [1, 2],
      // The views lag up to two hours.
      delayHours: 3,
      right: 'GRANT DATABASE ROLE SNOWFLAKE.SECURITY_VIEWER TO ROLE that the account uses.',
    },
    kindsLeftOut: leaveOutViews,
    guide: 'snowflake',
    serverType: 'snowflake',
    readingVersion: 1,
  },
  check: async (setup) => await (await import('./checking.ts')).checkSource(setup),
  open: async (setup) => await (await import('./session.ts')).openSession(setup),
}
