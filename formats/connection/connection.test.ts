import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import * as fc from 'fast-check'
import { parse as parseYaml } from 'yaml'
import { createInput, createModel, hostileInput, SERVER_TYPES } from '../../test/connections.ts'
import { describeConnection, type Connection } from './connection.ts'
import { PLATFORM_RULES } from './platforms.ts'

const connect = (type: string, changes = {}): Connection =>
  describeConnection(createInput(type, changes))

const getSnippet = ({ snippets }: Connection, tool: string): string | undefined =>
  snippets.find((snippet) => snippet.tool === tool)?.text

const listWarnings = ({ facts }: Connection): string[] =>
  facts.flatMap(({ name, warning }) => (warning === undefined ? [] : [`${name}: ${warning}`]))

const TOOLS = {
  api: 'curl, Python',
  athena: 'aws, SQLAlchemy, dbt',
  azure: 'DuckDB, Spark',
  bigquery: 'bq, JDBC, SQLAlchemy, dbt',
  btrieve: 'JDBC',
  clickhouse: 'clickhouse-client, SQLAlchemy, dbt',
  databricks: 'dbsqlcli, Spark, JDBC, SQLAlchemy, dbt',
  denodo: 'JDBC',
  dremio: 'JDBC, dbt',
  duckdb: 'duckdb, JDBC, dbt',
  exasol: 'exaplus, JDBC, SQLAlchemy, dbt',
  fastobjects: '',
  glue: 'Spark, DuckDB',
  hana: 'hdbsql, JDBC, SQLAlchemy, dbt',
  cloudsql: 'psql, JDBC, SQLAlchemy, dbt',
  db2: 'clpplus, JDBC, SQLAlchemy, dbt',
  hive: 'beeline, JDBC, SQLAlchemy, dbt',
  iceberg: 'Spark, DuckDB',
  impala: 'impala-shell, JDBC, SQLAlchemy, dbt',
  informix: 'JDBC',
  ingres: 'JDBC',
  kafka: 'kcat, Python',
  kinesis: '',
  local: 'DuckDB, Spark',
  mysql: 'mysql, JDBC, SQLAlchemy, dbt',
  oracle: 'sqlplus, JDBC, SQLAlchemy, dbt',
  poet: '',
  postgresql: 'psql, JDBC, SQLAlchemy, dbt',
  postgres: 'psql, JDBC, SQLAlchemy, dbt',
  presto: 'presto, JDBC, SQLAlchemy, dbt',
  pubsub: '',
  redshift: 'psql, JDBC, SQLAlchemy, dbt',
  s3: 'DuckDB, Spark',
  sftp: 'DuckDB, sftp',
  snowflake: 'snow, JDBC, SQLAlchemy, dbt',
  sqlserver: 'sqlcmd, JDBC, SQLAlchemy, dbt',
  synapse: 'sqlcmd, JDBC, SQLAlchemy, dbt',
  teradata: 'JDBC, SQLAlchemy, dbt',
  trino: 'trino, JDBC, SQLAlchemy, dbt',
  vectorwise: 'JDBC',
  versant: '',
  vertica: 'vsql, JDBC, SQLAlchemy, dbt',
  zen: 'JDBC',
  custom: '',
}

test('every type of server of ODCS has facts, and the tools of its platform', () => {
  const tools = SERVER_TYPES.map((type) => {
    const connection = connect(type)
    assert.deepEqual(listWarnings(connection), [], type)
    assert.ok(connection.facts.some(({ value }) => value === 'db.example.com'))
    return [type, connection.snippets.map(({ tool }) => tool).join(', ')]
  })
  assert.deepEqual(Object.fromEntries(tools), TOOLS)
})

test('a server of PostgreSQL has its address, the role, a statement and commands', () => {
  const input = createInput('PostgreSQL')
  input.server.properties = {
    host: 'db.example.com',
    port: 5432,
    database: 'shop',
    schema: 'sales',
  }
  assert.deepEqual(describeConnection(input), {
    server: 'production',
    environment: 'production',
    platform: 'postgresql',
    model: 'orders',
    facts: [
      { name: 'host', label: 'Host', value: 'db.example.com' },
      { name: 'port', label: 'Port', value: '5432' },
      { name: 'database', label: 'Database', value: 'shop' },
      { name: 'schema', label: 'Schema', value: 'sales' },
      { name: 'table', label: 'Table', value: 'T_ORDERS' },
      { name: 'role', label: 'Role', value: 'READER' },
    ],
    statement: 'SELECT\n  "id",\n  "total amount"\nFROM "sales"."T_ORDERS"\nLIMIT 10;',
    snippets: [
      {
        tool: 'psql',
        language: 'shell',
        text: `psql 'postgresql://<user>@db.example.com:5432/shop' -c 'SELECT\n  "id",\n  "total amount"\nFROM "sales"."T_ORDERS"\nLIMIT 10;'`,
      },
      {
        tool: 'JDBC',
        language: 'url',
        text: 'jdbc:postgresql://db.example.com:5432/shop?currentSchema=sales',
      },
      {
        tool: 'SQLAlchemy',
        language: 'url',
        text: 'postgresql+psycopg://<user>:<password>@db.example.com:5432/shop',
      },
      {
        tool: 'dbt',
        language: 'yaml',
        text: 'version: 2\nsources:\n  - name: sales\n    schema: sales\n    tables:\n      - name: T_ORDERS\n        columns:\n          - name: id\n          - name: total amount',
      },
    ],
    unresolved: [],
  })
})

describe('statements follow the dialect', () => {
  for (const [type, statement] of [
    ['sqlserver', 'SELECT TOP 10 [id], [total amount] FROM [shop].[sales].[T_ORDERS];'],
    ['oracle', 'SELECT "id", "total amount" FROM "sales"."T_ORDERS" FETCH FIRST 10 ROWS ONLY;'],
    ['informix', 'SELECT FIRST 10 "id", "total amount" FROM "T_ORDERS";'],
    ['mysql', 'SELECT `id`, `total amount` FROM `shop`.`T_ORDERS` LIMIT 10;'],
    ['bigquery', 'SELECT `id`, `total amount` FROM `acme`.`sales`.`T_ORDERS` LIMIT 10;'],
    ['trino', 'SELECT "id", "total amount" FROM "main"."sales"."T_ORDERS" LIMIT 10;'],
  ] as const) {
    test(type, () => {
      assert.equal(connect(type).statement?.replaceAll(/\n */g, ' '), statement)
    })
  }

  test('a name with its schema is split, and is not put into the schema of the server', () => {
    const model = createModel('archive.orders', [])
    const { statement } = describeConnection({ ...createInput('oracle'), model })
    assert.equal(statement, 'SELECT\n  *\nFROM "archive"."orders"\nFETCH FIRST 10 ROWS ONLY;')
  })

  test('more columns than a statement can show are written as *', () => {
    const model = createModel(
      't',
      Array.from({ length: 101 }, (_, at) => `c${at}`),
    )
    const { statement } = describeConnection({ ...createInput('postgres'), model })
    assert.equal(statement, 'SELECT\n  *\nFROM "sales"."t"\nLIMIT 10;')
  })

  test('streams, files and interfaces have none', () => {
    for (const type of ['kafka', 's3', 'api']) assert.equal(connect(type).statement, undefined)
  })
})

describe('variables', () => {
  const variables = {
    host: '${DB_HOST}',
    port: '${DB_PORT:-5432}',
    database: '${DB}',
    schema: '${SCHEMA:-sales}',
  }

  test('stay as they are written and are listed as unresolved', () => {
    const model = createModel('${SCHEMA:-sales}.orders', ['id'])
    const connection = describeConnection({ ...createInput('postgres', variables), model })
    assert.deepEqual(listWarnings(connection), [])
    assert.deepEqual(connection.unresolved, Object.values(variables))
    assert.equal(
      connection.statement,
      'SELECT\n  "id"\nFROM "${SCHEMA:-sales}"."orders"\nLIMIT 10;',
    )
    assert.equal(
      getSnippet(connection, 'JDBC'),
      'jdbc:postgresql://${DB_HOST}:${DB_PORT:-5432}/${DB}?currentSchema=${SCHEMA:-sales}',
    )
    const tables = parseYaml(getSnippet(connection, 'dbt') ?? '').sources[0]
    assert.equal(tables.schema, '${SCHEMA:-sales}')
  })

  test('give no snippet if their default would need escapes', () => {
    for (const database of ["${A:-it's}", '${A:--rf}', '${A:-$(touch x)}']) {
      const connection = connect('postgres', { database })
      assert.deepEqual(connection.snippets, [])
      assert.match(listWarnings(connection)[0] ?? '', /^database: .*default/)
    }
  })

  test('a port or an address with a variable is one', () => {
    assert.equal(connect('api', { location: 'https://${HOST}:${PORT}/x' }).snippets.length, 2)
    assert.equal(connect('postgres', { host: '${HOST}', port: '5${X}' }).snippets.length, 0)
  })
})

describe('odd values give no snippet but a fact with a warning', () => {
  for (const [type, changes] of [
    ['postgres', { host: '-oProxyCommand=x' }],
    ['postgres', { host: 'a b' }],
    ['postgres', { host: 'evil@db' }],
    ['postgres', { host: 'db;x' }],
    ['postgres', { port: '5432; rm' }],
    ['postgres', { port: 70_000 }],
    ['postgres', { port: 0 }],
    ['postgres', { database: '-rf' }],
    ['postgres', { database: 'a\nb' }],
    ['postgres', { schema: 'a\u202eb' }],
    ['postgres', { schema: 'x'.repeat(501) }],
    ['kafka', { host: 'a:1,b:x' }],
    ['kafka', { topic: '$(x)' }],
    ['s3', { location: 'javascript:alert(1)' }],
    ['s3', { location: 's3://u:p@bucket/x' }],
    ['s3', { location: 'https://x.example/y?X-Amz-Signature=1' }],
    ['sftp', { location: 'sftp://-oProxyCommand=x/' }],
    ['api', { location: 'https://user@api.example.com/' }],
    ['snowflake', { account: 'a/b' }],
    ['athena', { workgroup: 'file:///etc/passwd' }],
    ['iceberg', { catalogUrl: 'ftp://x/' }],
  ] as const) {
    test(`${type} ${JSON.stringify(changes).slice(0, 60)}`, () => {
      const connection = connect(type, changes)
      assert.deepEqual(connection.snippets, [])
      assert.equal(listWarnings(connection).length, 1)
      assert.doesNotMatch(JSON.stringify(connection.facts), /u:p@|Signature|\\n|\u202e/)
    })
  }

  test('a name of a table or column with invisible characters', () => {
    for (const model of [createModel('a\u200bb', ['id']), createModel('t', ['id', 'a\u2066b'])]) {
      const connection = describeConnection({ ...createInput('postgres'), model })
      assert.deepEqual([connection.statement, connection.snippets], [undefined, []])
      assert.equal(listWarnings(connection).length, 1)
    }
  })

  test('names that a client would interpret only lose the command of that client', () => {
    const model = createModel('t', ['a&b', '<% x %>', "{{ env_var('X') }}"])
    const connection = describeConnection({ ...createInput('snowflake'), model })
    assert.deepEqual(
      connection.snippets.map(({ tool }) => tool),
      ['JDBC', 'SQLAlchemy'],
    )
    assert.match(listWarnings(connection)[0] ?? '', /^tools: /)
  })
})

test('credentials in a document are not shown', () => {
  const { facts } = connect('postgres', {
    password: 'hunter2',
    apiKey: 'hunter2',
    customProperties: [
      { property: 'clientSecret', value: 'hunter2' },
      { property: 'driverVersion', value: 3 },
    ],
    jdbcUrl: 'jdbc:postgresql://me:hunter2@db/x',
  })
  assert.doesNotMatch(JSON.stringify(facts), /hunter2/)
  assert.ok(facts.some(({ label, value }) => label === 'Driver version' && value === '3'))
})

test('a server without a type, or of an unknown one, has its facts', () => {
  for (const type of ['toString', '__proto__', 'mainframe']) {
    const connection = connect(type)
    assert.deepEqual([connection.snippets, connection.statement], [[], undefined])
    assert.ok(connection.facts.length > 5)
  }
  const server = { name: 's', properties: { host: 'x' }, origin: '' }
  assert.deepEqual(describeConnection({ server }), {
    server: 's',
    facts: [{ name: 'host', label: 'Host', value: 'x' }],
    snippets: [],
    unresolved: [],
  })
})

// Reads `jdbc:<driver>:…//host:port/path` as drivers do.
function readJdbc(text: string): { host: string | undefined; isOneLine: boolean } {
  const address = text.replace('https://www.googleapis.com', 'www.googleapis.com')
  const [, host] =
    /^jdbc:[\w:.@+-]*?(?:\/\/|direct=|exa:)([\w.-]+)(?::\d+)?(?:[/;?,]|$)/.exec(address) ?? []
  return { host, isOneLine: !/[\s"'`\\<>]/.test(text.replaceAll(/<[a-z-]+>/g, 'x')) }
}

test('addresses and YAML of hostile names lead to the same server and have the same names', () => {
  for (const type of Object.keys(PLATFORM_RULES)) {
    const property = fc.property(hostileInput(type), (input) => {
      const { snippets } = describeConnection(input)
      for (const { language, tool, text } of snippets) {
        if (tool === 'JDBC' && type !== 'duckdb') {
          const { host, isOneLine } = readJdbc(text)
          const isOwn = ['db.example.com', 'www.googleapis.com', 'bigquery'].includes(host ?? '')
          assert.ok(isOwn || type === 'bigquery', text)
          assert.ok(
            isOneLine || type.includes('sql') || type === 'synapse' || type === 'fabric',
            text,
          )
        }
        if (tool === 'SQLAlchemy') {
          // The names of some drivers have an underscore, which no scheme has.
          const address = new URL(text.replace(/^\w+\+\w+/, (name) => name.replaceAll('_', '-')))
          const hosts = ['db.example.com', 'acme-prod', 'athena.eu-west-1.amazonaws.com']
          assert.ok(type === 'bigquery' || hosts.includes(address.hostname), text)
          assert.doesNotMatch(text.replaceAll(/<[a-z-]+>/g, 'x'), /[\s"'`\\<>]/)
        }
        if (language === 'yaml') {
          const [source, ...more] = parseYaml(text).sources
          assert.deepEqual(more, [])
          const names = (source.tables[0].columns ?? []).map(({ name }: { name: string }) => name)
          assert.deepEqual(
            names,
            input.model?.fields.map(({ name }) => name),
          )
        }
      }
    })
    fc.assert(property, { numRuns: 60, seed: 7 })
  }
})
