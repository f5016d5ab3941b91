import type { Connector, Setup, SourceSession } from '../connector.ts'
import { checkSource } from './checking.ts'
import { configuration, ENCRYPTED, readSetup, systemNames } from './configuration.ts'
import { newConnections } from './lending.ts'
import { listScopes } from './listing.ts'
import { readDatabase } from './reading.ts'

/** PostgreSQL 12 and later. The user needs only CONNECT on its databases. */
export const postgres: Connector = {
  source: 'postgres',
  description: {
    title: 'PostgreSQL',
    summary:
      'Version 12 and later, self-hosted or in a cloud. Reads databases, schemas, tables and views with columns, keys and comments.',
    configuration,
    secrets: [
      // A client certificate or a trusted connection may replace it.
      { name: 'password', title: 'Password', required: false, multiline: false },
      {
        name: 'clientKey',
        title: 'Client key',
        required: false,
        multiline: true,
        isRare: true,
        onlyWith: ENCRYPTED,
      },
    ],
    connectionFields: ['host', 'port', 'user', 'sslMode', 'ca', 'clientCertificate'],
    nameFields: ['database', 'host'],
    levels: ['database', 'schema', 'table'],
    scopeLevel: 'schema',
    systemNames,
    assetKinds: ['database', 'schema', 'table', 'view', 'materialized_view', 'external_table'],
    kindsLeftOut: ({ includeViews }) =>
      includeViews === false ? ['view', 'materialized_view'] : [],
    serverType: 'postgres',
  },
  check: checkSource,
  open: openSession,
}

async function openSession(setup: Setup): Promise<SourceSession> {
  const connecting = readSetup(setup)
  const connections = newConnections(connecting)
  // Logging in proves that the source can be reached.
  await connections.giveBack(await connections.lend())
  return {
    scopes: () => listScopes(connecting, connections),
    read: (scopes) => readDatabase(connecting, scopes, connections),
    close: () => connections.close(),
  }
}
