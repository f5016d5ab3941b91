import type { Connector } from '../connector.ts'
import { leaveOutViews, newSecret, type Description } from '../description.ts'
import { configuration, ENCRYPTED, LEVELS, readSetup, systemNames } from './configuration.ts'

const secrets = [
  newSecret('password', 'Password'),
  newSecret('clientKey', 'Key of the client certificate', {
    multiline: true,
    isRare: true,
    onlyWith: ENCRYPTED,
  }),
]

// The hashes of passwords stay hidden.
const GRANTS_RIGHT =
  'GRANT SELECT ON mysql.db, mysql.tables_priv, mysql.columns_priv, mysql.roles_mapping (MySQL: mysql.role_edges), and SELECT (User, Host, Select_priv, Insert_priv, Update_priv, Delete_priv, Grant_priv, Super_priv, is_role) ON mysql.user (MySQL: User_attributes instead of is_role).'

function describe(title: string, versions: string): Description {
  return {
    title,
    summary: `${versions}. Reads databases, tables and views with columns and keys.`,
    configuration,
    secrets,
    connectionFields: ['host', 'port', 'user', 'ssl', 'ca', 'clientCertificate'],
    nameFields: ['host'],
    levels: LEVELS,
    scopeLevel: 'database',
    systemNames,
    assetKinds: ['database', 'table', 'view'],
    kindsLeftOut: leaveOutViews,
    // The standard has one server type for both.
    serverType: 'mysql',
    measures: { right: 'GRANT SELECT on the tables, SHOW VIEW on views, and nothing else.' },
    grants: { gates: [], delayHours: 0, right: GRANTS_RIGHT },
    guide: 'mysql',
  }
}

/** Reads MySQL 5.7, 8 and 9, and MariaDB servers as MariaDB. */
export const mysql: Connector = {
  source: 'mysql',
  description: describe('MySQL', 'Versions 5.7, 8 and 9'),
  check: async (setup) => await (await import('./check.ts')).checkSource(readSetup(setup), 'MySQL'),
  open: async (setup) => await (await import('./session.ts')).openSession(readSetup(setup)),
}

/** Reads MariaDB 10.2 and later. */
export const mariadb: Connector = {
  source: 'mariadb',
  description: describe('MariaDB', 'Version 10.2 and later'),
  check: async (setup) =>
    await (await import('./check.ts')).checkSource(readSetup(setup), 'MariaDB'),
  open: async (setup) => await (await import('./session.ts')).openSession(readSetup(setup)),
}
