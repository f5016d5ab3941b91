import type { Connector } from '../connector.ts'
import { leaveOutViews, newSecret } from '../description.ts'
import { configuration, ENCRYPTED, systemNames } from './configuration.ts'

const REDSHIFT = ['redshift', 'Amazon Redshift'] as const
const COCKROACHDB = ['cockroachdb', 'CockroachDB'] as const

/**
 * PostgreSQL 12 and later, and products with its protocol. The user needs only CONNECT on the
 * databases of PostgreSQL.
 */
export const postgres: Connector = {
  source: 'postgres',
  description: {
    title: 'PostgreSQL',
    summary:
      'Version 12 and later, self-hosted or in a cloud, also with TimescaleDB; Amazon Redshift, CockroachDB. Reads databases, schemas, tables and views with columns, keys and comments.',
    configuration,
    secrets: [
      // A client certificate or a trusted connection may replace it.
      newSecret('password', 'Password'),
      newSecret('clientKey', 'Client key', { multiline: true, isRare: true, onlyWith: ENCRYPTED }),
    ],
    connectionFields: ['host', 'port', 'user', 'sslMode', 'ca', 'clientCertificate'],
    nameFields: ['database', 'host'],
    levels: ['database', 'schema', 'table'],
    scopeLevel: 'schema',
    systemNames,
    assetKinds: ['database', 'schema', 'table', 'view', 'materialized_view', 'external_table'],
    kindsLeftOut: leaveOutViews,
    serverType: 'postgres',
    grants: {
      gates: [1, 2],
      delayHours: 0,
      right:
        'The user needs no more than CONNECT on the databases; in Redshift a role with ACCESS SYSTEM TABLE.',
      exceptions: new Map([COCKROACHDB]),
    },
    measures: {
      right: 'GRANT USAGE on the schemas and SELECT on the tables, and nothing else.',
      exceptions: new Map([REDSHIFT, COCKROACHDB]),
    },
  },
  check: async (setup) => await (await import('./checking.ts')).checkSource(setup),
  open: async (setup) => await (await import('./session.ts')).openSession(setup),
}
