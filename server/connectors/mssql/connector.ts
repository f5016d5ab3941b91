import type { Connector } from '../connector.ts'
import { leaveOutViews, newSecret, type Description } from '../description.ts'
import {
  fabricConfiguration,
  LEVELS,
  mssqlConfiguration,
  readFabricSetup,
  readMssqlSetup,
  systemNames,
  WITH_ENTRA,
  WITH_LOGIN,
} from './configuration.ts'
import { WORKSPACE_LIMIT } from './flavour.ts'

const COMMON = {
  levels: LEVELS,
  scopeLevel: 'schema',
  systemNames,
  assetKinds: ['database', 'schema', 'table', 'external_table', 'view'],
  kindsLeftOut: leaveOutViews,
  // The standard has one server type for both.
  serverType: 'sqlserver',
} satisfies Partial<Description>

// No privilege is needed to use a schema.
const GRANTS = {
  gates: [],
  delayHours: 0,
  right:
    'GRANT VIEW DEFINITION TO the user in each database, and VIEW ANY DEFINITION TO its login on the server. From SQL Server 2022 on, VIEW SECURITY DEFINITION and VIEW ANY SECURITY DEFINITION suffice.',
}

/** Reads SQL Server, Azure SQL and Synapse. */
export const mssql: Connector = {
  source: 'mssql',
  description: {
    ...COMMON,
    title: 'SQL Server',
    grants: GRANTS,
    guide: 'sql-server',
    summary:
      'SQL Server from 2012, Azure SQL and Synapse. Reads databases, schemas, tables and views with columns, keys, descriptions and sensitivity labels.',
    configuration: mssqlConfiguration,
    secrets: [
      newSecret('password', 'Password', { isNeeded: true, onlyWith: WITH_LOGIN }),
      newSecret('clientSecret', 'Client secret', { isNeeded: true, onlyWith: WITH_ENTRA }),
    ],
    connectionFields: [
      'host',
      'port',
      'database',
      'authentication',
      'user',
      'tenantId',
      'clientId',
      'tokenEndpoint',
      'encryption',
      'ca',
    ],
    nameFields: ['host'],
  },
  check: async (setup) => await (await import('./checking.ts')).checkSource(readMssqlSetup(setup)),
  open: async (setup) => await (await import('./session.ts')).openSession(readMssqlSetup(setup)),
}

/** Reads the warehouses and SQL analytics endpoints of a workspace of Microsoft Fabric. */
export const fabric: Connector = {
  source: 'fabric',
  description: {
    ...COMMON,
    title: 'Microsoft Fabric',
    grants: {
      gates: [],
      delayHours: 0,
      right: 'GRANT VIEW DEFINITION TO the application in each database.',
      limit: WORKSPACE_LIMIT,
    },
    guide: 'fabric',
    summary:
      'Warehouses, lakehouses and SQL databases of a workspace, by their SQL endpoint. Reads schemas, tables and views with columns.',
    configuration: fabricConfiguration,
    secrets: [newSecret('clientSecret', 'Client secret', { required: true })],
    connectionFields: ['host', 'port', 'database', 'tenantId', 'clientId', 'tokenEndpoint'],
    nameFields: ['database'],
  },
  check: async (setup) => await (await import('./checking.ts')).checkSource(readFabricSetup(setup)),
  open: async (setup) => await (await import('./session.ts')).openSession(readFabricSetup(setup)),
}
