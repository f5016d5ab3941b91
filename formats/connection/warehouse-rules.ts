// The rules of warehouses, whose addresses are more than a host.

import { newTable } from '../name/table.ts'
import { pythonText, shellWord, urlQuery } from './quote.ts'
import { createClient, createUrl, DBT, inOneLine, LOGIN, option, USER } from './rule-parts.ts'
import type { PlatformRules, QueryDialect, Target } from './target.ts'

const SNOWFLAKE_DIALECT: QueryDialect = {
  quotes: 'double',
  limit: 'limit',
  location: { database: 'database', schema: 'schema' },
}

function listSnowflakeParts({ get, role }: Target): Record<string, string> {
  return { warehouse: get('warehouse'), role }
}

const SNOWFLAKE: PlatformRules = {
  dialect: SNOWFLAKE_DIALECT,
  rules: [
    createClient(
      'snow',
      ({ get, role, statement }) => [
        'snow sql --temporary-connection',
        option('--account', get('account')),
        `--user=${USER}`,
        option('--database', get('database')),
        option('--schema', get('schema')),
        option('--warehouse', get('warehouse')),
        option('--role', role),
        option('--query', statement),
      ],
      // The client replaces its own variables in statements.
      { needs: ['account', 'statement'], interprets: /&|<%|%>|\{[{%#]/ },
    ),
    createUrl(
      'JDBC',
      (t) => {
        const host = t.host === '' ? `${t.get('account')}.snowflakecomputing.com` : t.address
        const own = { db: t.get('database'), schema: t.get('schema'), ...listSnowflakeParts(t) }
        return `jdbc:snowflake://${host}/${urlQuery(own)}`
      },
      { needs: ['account'] },
    ),
    createUrl(
      'SQLAlchemy',
      (t) => {
        const { get } = t
        const query = urlQuery(listSnowflakeParts(t))
        return `snowflake://${LOGIN}${get('account')}/${get('database')}/${get('schema')}${query}`
      },
      { needs: ['account', 'database', 'schema'], plain: ['database', 'schema'] },
    ),
    DBT,
  ],
}

const BIGQUERY_DIALECT: QueryDialect = {
  quotes: 'escapedTick',
  limit: 'limit',
  location: { database: 'project', schema: 'dataset' },
}

const BIGQUERY: PlatformRules = {
  dialect: BIGQUERY_DIALECT,
  rules: [
    // A query runs in a project of its reader, who pays for it.
    createClient(
      'bq',
      ({ statement }) => [
        `bq query --project_id=${shellWord('<your-project>')} --nouse_legacy_sql`,
        shellWord(inOneLine(statement)),
      ],
      { needs: ['statement'] },
    ),
    createUrl(
      'JDBC',
      ({ get }) =>
        `jdbc:bigquery://https://www.googleapis.com/bigquery/v2:443;ProjectId=<your-project>;OAuthType=3;DefaultDataset=${get('project')}.${get('dataset')}`,
      { needs: ['project', 'dataset'], plain: ['project', 'dataset'] },
    ),
    createUrl('SQLAlchemy', ({ get }) => `bigquery://${get('project')}/${get('dataset')}`, {
      needs: ['project', 'dataset'],
      plain: ['project', 'dataset'],
    }),
    DBT,
  ],
}

const DATABRICKS_DIALECT: QueryDialect = {
  quotes: 'tick',
  limit: 'limit',
  location: { database: 'catalog', schema: 'schema' },
}

/** Spark, which reads a table by its statement. */
export const SPARK_SQL = {
  tool: 'Spark',
  language: 'python',
  needs: ['statement'],
  // Spark replaces ${…} of its own settings.
  interprets: /\$\{/,
  write: ({ statement }: Target) =>
    `rows = spark.sql(${pythonText(inOneLine(statement))})\nrows.show()`,
} as const

const DATABRICKS: PlatformRules = {
  dialect: DATABRICKS_DIALECT,
  rules: [
    createClient('dbsqlcli', ({ host, statement }) => [
      'dbsqlcli',
      option('--hostname', host),
      `--http-path=${shellWord('<http-path>')}`,
      `-e ${shellWord(inOneLine(statement))}`,
    ]),
    SPARK_SQL,
    createUrl(
      'JDBC',
      ({ host, get }) => {
        const catalog = get('catalog') && `;ConnCatalog=${get('catalog')}`
        const schema = get('schema') && `;ConnSchema=${get('schema')}`
        return `jdbc:databricks://${host}:443/default;transportMode=http;ssl=1;AuthMech=3;httpPath=<http-path>${catalog}${schema}`
      },
      { plain: ['catalog', 'schema'] },
    ),
    createUrl('SQLAlchemy', ({ host, get }) => {
      const own = urlQuery({ catalog: get('catalog'), schema: get('schema') }).replace('?', '&')
      return `databricks://token:<password>@${host}?http_path=<http-path>${own}`
    }),
    DBT,
  ],
}

/** The rules of warehouses by the type of their servers. */
export const WAREHOUSE_RULES = newTable<PlatformRules>({
  snowflake: SNOWFLAKE,
  bigquery: BIGQUERY,
  databricks: DATABRICKS,
  spark: { dialect: DATABRICKS_DIALECT, rules: [SPARK_SQL] },
})
