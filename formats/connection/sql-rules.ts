// The rules of databases: how to connect with their client, JDBC, SQLAlchemy and dbt. Addresses of JDBC follow the
// documents of the drivers, those of SQLAlchemy the documents of the dialects.

import { newTable } from '../name/table.ts'
import { bracedValue, shellWord, urlPart, urlQuery } from './quote.ts'
import {
  byQuery,
  createClient,
  createUrl,
  flag,
  LOGIN,
  option,
  path,
  USER,
  withDbt,
} from './rule-parts.ts'
import type { PlatformRules, QueryDialect } from './target.ts'

const DOUBLE = { quotes: 'double', limit: 'limit' } as const

function createPostgres(jdbc: string, sqlalchemy: string, port: string): PlatformRules {
  return withDbt({
    port,
    dialect: { ...DOUBLE, location: { schema: 'schema' } },
    rules: [
      createClient('psql', ({ address, get, statement }) => [
        'psql',
        shellWord(`postgresql://<user>@${address}${path(get('database'))}`),
        `-c ${shellWord(statement)}`,
      ]),
      createUrl('JDBC', ({ address, get }) => {
        const query = urlQuery({ currentSchema: get('schema') })
        return `jdbc:${jdbc}://${address}/${urlPart(get('database'))}${query}`
      }),
      createUrl(
        'SQLAlchemy',
        (t) => `${sqlalchemy}://${LOGIN}${t.address}${path(t.get('database'))}`,
        {
          plain: ['database'],
        },
      ),
    ],
  })
}

const POSTGRES = createPostgres('postgresql', 'postgresql+psycopg', '5432')

function createMysql(client: string, jdbc: string, sqlalchemy: string): PlatformRules {
  return withDbt({
    port: '3306',
    dialect: { quotes: 'tick', limit: 'limit', location: { schema: 'database' } },
    rules: [
      createClient(
        client,
        ({ host, port, get, statement }) => [
          client,
          option('--host', host),
          option('--port', port),
          `--user=${USER} --password`,
          option('--database', get('database')),
          option('--execute', statement),
        ],
        // The client has commands of its own, which begin with a backslash.
        { interprets: /\\/ },
      ),
      createUrl('JDBC', (t) => `jdbc:${jdbc}://${t.address}${path(t.get('database'))}`),
      createUrl(
        'SQLAlchemy',
        (t) => `${sqlalchemy}://${LOGIN}${t.address}${path(t.get('database'))}`,
        {
          plain: ['database'],
        },
      ),
    ],
  })
}

const SQL_SERVER: PlatformRules = withDbt({
  port: '1433',
  dialect: {
    quotes: 'bracket',
    limit: 'top',
    location: { database: 'database', schema: 'schema' },
  },
  rules: [
    createClient('sqlcmd', ({ host, port, get, statement }) => [
      'sqlcmd',
      `-S ${shellWord(`tcp:${host},${port}`)}`,
      flag('-d', get('database')),
      `-U ${USER}`,
      // Without -x, $(name) would be replaced.
      '-x',
      `-Q ${shellWord(statement)}`,
    ]),
    createUrl('JDBC', ({ address, get }) => {
      const database = get('database') === '' ? '' : `;databaseName=${bracedValue(get('database'))}`
      return `jdbc:sqlserver://${address}${database};encrypt=true`
    }),
    createUrl(
      'SQLAlchemy',
      (t) =>
        `mssql+pyodbc://${LOGIN}${t.address}${path(t.get('database'))}?driver=ODBC+Driver+18+for+SQL+Server`,
      { plain: ['database'] },
    ),
  ],
})

const ORACLE: PlatformRules = withDbt({
  port: '1521',
  dialect: { quotes: 'double', limit: 'fetch', location: { schema: 'schema' } },
  rules: [
    createClient(
      'sqlplus',
      ({ address, get, statement }) => [
        `sqlplus ${shellWord(`<user>@//${address}/${get('serviceName')}`)} <<'SQL'\nset define off\n${statement}\nSQL`,
      ],
      { needs: [...byQuery, 'serviceName'], plain: ['serviceName'] },
    ),
    createUrl('JDBC', (t) => `jdbc:oracle:thin:@//${t.address}/${t.get('serviceName')}`, {
      needs: ['host', 'serviceName'],
      plain: ['serviceName'],
    }),
    createUrl(
      'SQLAlchemy',
      (t) =>
        `oracle+oracledb://${LOGIN}${t.address}/${urlQuery({ service_name: t.get('serviceName') })}`,
      { needs: ['host', 'serviceName'] },
    ),
  ],
})

const DB2: PlatformRules = withDbt({
  port: '50000',
  dialect: { quotes: 'double', limit: 'fetch', location: { schema: 'schema' } },
  rules: [
    createClient(
      'clpplus',
      (t) => [`clpplus -nw ${shellWord(`<user>@${t.address}/${t.get('database')}`)}`],
      { needs: ['host', 'database'], plain: ['database'] },
    ),
    createUrl('JDBC', (t) => `jdbc:db2://${t.address}/${t.get('database')}`, {
      plain: ['database'],
    }),
    createUrl('SQLAlchemy', (t) => `db2+ibm_db://${LOGIN}${t.address}/${t.get('database')}`, {
      plain: ['database'],
    }),
  ],
})

const DUCKDB: PlatformRules = withDbt({
  dialect: { ...DOUBLE, location: { schema: 'schema' } },
  rules: [
    createClient(
      'duckdb',
      ({ get, statement }) => [
        'duckdb -readonly',
        shellWord(get('database')),
        `-c ${shellWord(statement)}`,
      ],
      { needs: ['database', 'statement'] },
    ),
    {
      tool: 'JDBC',
      language: 'url',
      needs: ['database'],
      // Options of the driver follow a semicolon.
      write: ({ get }) =>
        /^[\w./~-]+$/.test(get('database')) ? `jdbc:duckdb:${get('database')}` : undefined,
    },
  ],
})

const VERTICA: PlatformRules = withDbt({
  port: '5433',
  dialect: { ...DOUBLE, location: { schema: 'schema' } },
  rules: [
    createClient('vsql', ({ host, port, get, statement }) => [
      `vsql -h ${shellWord(host)} -p ${shellWord(port)}`,
      flag('-d', get('database')),
      `-U ${USER}`,
      `-c ${shellWord(statement)}`,
    ]),
    createUrl('JDBC', (t) => `jdbc:vertica://${t.address}/${t.get('database')}`, {
      plain: ['database'],
    }),
    createUrl(
      'SQLAlchemy',
      (t) => `vertica+vertica_python://${LOGIN}${t.address}/${t.get('database')}`,
      {
        plain: ['database'],
      },
    ),
  ],
})

const EXASOL: PlatformRules = withDbt({
  port: '8563',
  dialect: { ...DOUBLE, location: { schema: 'schema' } },
  rules: [
    createClient('exaplus', ({ address, statement }) => [
      `exaplus -c ${shellWord(address)} -u ${USER} -sql ${shellWord(statement)}`,
    ]),
    createUrl(
      'JDBC',
      (t) => `jdbc:exa:${t.address}${t.get('schema') && `;schema=${t.get('schema')}`}`,
      {
        plain: ['schema'],
      },
    ),
    createUrl('SQLAlchemy', (t) => `exa+websocket://${LOGIN}${t.address}${path(t.get('schema'))}`, {
      plain: ['schema'],
    }),
  ],
})

const HANA: PlatformRules = withDbt({
  port: '30015',
  dialect: { ...DOUBLE, location: { schema: 'schema' } },
  rules: [
    createClient('hdbsql', ({ address, get, statement }) => [
      `hdbsql -n ${shellWord(address)}`,
      flag('-d', get('database')),
      `-u ${USER}`,
      shellWord(statement),
    ]),
    createUrl(
      'JDBC',
      ({ address, get }) => {
        const query = urlQuery({ databaseName: get('database'), currentschema: get('schema') })
        return `jdbc:sap://${address}/${query}`
      },
      { plain: ['database', 'schema'] },
    ),
    createUrl('SQLAlchemy', (t) => `hana+hdbcli://${LOGIN}${t.address}`),
  ],
})

const TERADATA: PlatformRules = withDbt({
  port: '1025',
  dialect: { quotes: 'double', limit: 'top', location: { schema: 'database' } },
  rules: [
    createUrl(
      'JDBC',
      ({ host, port, get }) => {
        const database = get('database') === '' ? '' : `,DATABASE=${get('database')}`
        return `jdbc:teradata://${host}/DBS_PORT=${port}${database}`
      },
      { plain: ['database'] },
    ),
    createUrl('SQLAlchemy', ({ host, port, get }) => {
      const query = urlQuery({ database: get('database'), dbs_port: port })
      return `teradatasql://${LOGIN}${host}/${query}`
    }),
  ],
})

// Drivers whose address is the host and the database, and no common command.
function createJdbc(
  jdbc: string,
  port: string,
  limit: QueryDialect['limit'],
  { location = {}, suffix = '' }: { location?: QueryDialect['location']; suffix?: string } = {},
): PlatformRules {
  return {
    port,
    dialect: { quotes: 'double', limit, location },
    rules: [
      createUrl('JDBC', (t) => `jdbc:${jdbc}://${t.address}${path(t.get('database'))}${suffix}`, {
        plain: ['database'],
      }),
    ],
  }
}

/** The rules of databases by the type of their servers. */
export const SQL_RULES = newTable<PlatformRules>({
  postgresql: POSTGRES,
  postgres: POSTGRES,
  cloudsql: POSTGRES,
  alloydb: POSTGRES,
  yugabytedb: { ...POSTGRES, port: '5433' },
  cockroachdb: createPostgres('postgresql', 'cockroachdb', '26257'),
  redshift: createPostgres('redshift', 'redshift+redshift_connector', '5439'),
  mysql: createMysql('mysql', 'mysql', 'mysql+pymysql'),
  mariadb: createMysql('mariadb', 'mariadb', 'mariadb+pymysql'),
  sqlserver: SQL_SERVER,
  mssql: SQL_SERVER,
  'azure-sql': SQL_SERVER,
  synapse: SQL_SERVER,
  fabric: SQL_SERVER,
  oracle: ORACLE,
  db2: DB2,
  duckdb: DUCKDB,
  vertica: VERTICA,
  exasol: EXASOL,
  hana: HANA,
  teradata: TERADATA,
  denodo: createJdbc('denodo', '9999', 'limit', { location: { schema: 'database' } }),
  informix: createJdbc('informix-sqli', '9088', 'first', { suffix: ':INFORMIXSERVER=<server>' }),
  ingres: createJdbc('ingres', '21064', 'fetch'),
  vectorwise: createJdbc('ingres', '21064', 'fetch'),
  zen: createJdbc('pervasive', '1583', 'top'),
  btrieve: createJdbc('pervasive', '1583', 'top'),
})
