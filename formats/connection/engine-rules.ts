// The rules of query engines.

import { newTable } from '../name/table.ts'
import { shellWord, urlQuery } from './quote.ts'
import { createClient, createUrl, DBT, inOneLine, LOGIN, option, USER } from './rule-parts.ts'
import type { PlatformRules, QueryDialect, SnippetRule, Target } from './target.ts'

function toPath({ get }: Target): string {
  const schema = get('schema') && `/${get('schema')}`
  return get('catalog') && `/${get('catalog')}${schema}`
}

function createTrino(client: string, name: string): PlatformRules {
  const dialect: QueryDialect = {
    quotes: 'double',
    limit: 'limit',
    location: { database: 'catalog', schema: 'schema' },
  }
  const plain = ['catalog', 'schema']
  return {
    port: '443',
    dialect,
    rules: [
      createClient(client, ({ address, port, get, statement }) => [
        client,
        option('--server', `${port === '8080' ? 'http' : 'https'}://${address}`),
        `--user=${USER} --password`,
        option('--catalog', get('catalog')),
        option('--schema', get('schema')),
        option('--execute', statement),
      ]),
      createUrl(
        'JDBC',
        (t) => `jdbc:${name}://${t.address}${toPath(t)}${t.port === '8080' ? '' : '?SSL=true'}`,
        { plain },
      ),
      createUrl('SQLAlchemy', (t) => `${name}://${LOGIN}${t.address}${toPath(t)}`, { plain }),
      DBT,
    ],
  }
}

const CLICKHOUSE_DIALECT: QueryDialect = {
  quotes: 'escapedTick',
  limit: 'limit',
  location: { schema: 'database' },
}

// These ports speak HTTP; the command-line client has a protocol of its own.
const isHttpPort = (port: string): boolean => port === '8123' || port === '8443'
const isEncryptedPort = (port: string): boolean => port === '8443' || port === '9440'

const CLICKHOUSE: PlatformRules = {
  port: '9440',
  dialect: CLICKHOUSE_DIALECT,
  rules: [
    {
      tool: 'clickhouse-client',
      language: 'shell',
      needs: ['host', 'statement'],
      write: ({ host, port, get, statement }) => {
        if (isHttpPort(port)) return undefined
        const words = [
          'clickhouse-client',
          option('--host', host),
          option('--port', port),
          isEncryptedPort(port) ? '--secure' : '',
          `--user=${USER} --ask-password`,
          option('--database', get('database')),
          option('--query', statement),
        ]
        return words.filter(Boolean).join(' ')
      },
    },
    {
      tool: 'JDBC',
      language: 'url',
      needs: ['host'],
      plain: ['database'],
      write: ({ address, port, get }) => {
        if (!isHttpPort(port)) return undefined
        const scheme = isEncryptedPort(port) ? 'https' : 'http'
        return `jdbc:clickhouse:${scheme}://${address}/${get('database')}`
      },
    },
    createUrl(
      'SQLAlchemy',
      ({ address, port, get }) => {
        const driver = isHttpPort(port) ? 'clickhousedb' : 'clickhouse+native'
        const secure = isEncryptedPort(port) ? '?secure=true' : ''
        return `${driver}://${LOGIN}${address}/${get('database')}${secure}`
      },
      { plain: ['database'] },
    ),
    DBT,
  ],
}

const ATHENA_DIALECT: QueryDialect = {
  quotes: 'double',
  limit: 'limit',
  location: { database: 'catalog', schema: 'schema' },
}

const ATHENA: PlatformRules = {
  dialect: ATHENA_DIALECT,
  rules: [
    createClient(
      'aws',
      ({ get, statement }) => [
        'aws athena start-query-execution',
        option('--region', get('regionName')),
        option('--work-group', get('workgroup')),
        option('--query-string', inOneLine(statement)),
        option(
          '--result-configuration',
          get('stagingDir') && `OutputLocation=${get('stagingDir')}`,
        ),
      ],
      { needs: ['statement'] },
    ),
    createUrl(
      'SQLAlchemy',
      ({ get }) => {
        const query = urlQuery({
          s3_staging_dir: get('stagingDir'),
          work_group: get('workgroup'),
          catalog_name: get('catalog'),
        })
        return `awsathena+rest://athena.${get('regionName')}.amazonaws.com:443/${get('schema')}${query}`
      },
      { needs: ['regionName', 'schema'], plain: ['schema'] },
    ),
    DBT,
  ],
}

function createHive(port: string, jdbc: string, client: SnippetRule): PlatformRules {
  const dialect: QueryDialect = {
    quotes: 'tick',
    limit: 'limit',
    location: { schema: 'database' },
  }
  const plain = ['database']
  return {
    port,
    dialect,
    rules: [
      client,
      createUrl('JDBC', (t) => `jdbc:${jdbc}://${t.address}/${t.get('database')}`, { plain }),
      createUrl(
        'SQLAlchemy',
        (t) => `${jdbc.replace('2', '')}://${LOGIN}${t.address}/${t.get('database')}`,
        { plain },
      ),
      DBT,
    ],
  }
}

const BEELINE = createClient(
  'beeline',
  ({ address, get, statement }) => [
    `beeline -u ${shellWord(`jdbc:hive2://${address}/${get('database')}`)}`,
    `-n ${USER} -e ${shellWord(inOneLine(statement))}`,
  ],
  { plain: ['database'], interprets: /\$\{/ },
)

const IMPALA_SHELL = createClient(
  'impala-shell',
  ({ host, get, statement }) => [
    'impala-shell',
    option('--impalad', host),
    option('--database', get('database')),
    option('--query', inOneLine(statement)),
  ],
  { interprets: /\$\{/ },
)

const DREMIO_DIALECT: QueryDialect = {
  quotes: 'double',
  limit: 'limit',
  location: { schema: 'schema' },
}

const DREMIO: PlatformRules = {
  port: '31010',
  dialect: DREMIO_DIALECT,
  rules: [
    createUrl(
      'JDBC',
      ({ address, get }) => {
        return `jdbc:dremio:direct=${address}${get('schema') && `;schema=${get('schema')}`}`
      },
      { plain: ['schema'] },
    ),
    DBT,
  ],
}

/** The rules of query engines by the type of their servers. */
export const ENGINE_RULES = newTable<PlatformRules>({
  trino: createTrino('trino', 'trino'),
  presto: createTrino('presto', 'presto'),
  clickhouse: CLICKHOUSE,
  athena: ATHENA,
  hive: createHive('10000', 'hive2', BEELINE),
  impala: createHive('21050', 'impala', IMPALA_SHELL),
  dremio: DREMIO,
})
