import type { Batch, Connector, Scope, Setup, SourceSession } from '../connector.ts'
import { POSTGRES_LISTING } from './catalog.ts'
import { checkSource } from './checking.ts'
import { configuration, ENCRYPTED, readSetup, systemNames } from './configuration.ts'
import { readFlatDatabase } from './flat-reading.ts'
import { askVersion, readFlavour, setPlatform } from './flavour.ts'
import { newConnections } from './lending.ts'
import { listScopes } from './listing.ts'
import { readDatabase } from './reading.ts'

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
  const home = await connections.lend()
  const { dialect, platform } = readFlavour(await askVersion(home))
  await connections.giveBack(home)
  const read = (scopes: readonly Scope[]): AsyncIterable<Batch> =>
    dialect === undefined
      ? readDatabase(connecting, scopes, connections)
      : readFlatDatabase(connecting, scopes, connections, dialect)
  return {
    scopes: () => listScopes(connecting, connections, dialect ?? POSTGRES_LISTING),
    read: (scopes) => (platform === undefined ? read(scopes) : setPlatform(read(scopes), platform)),
    close: () => connections.close(),
  }
}
