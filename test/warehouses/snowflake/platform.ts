/** Snowflake as a platform of the shared cases, with the schemas of one database. */

import { snowflake } from '../../../server/connectors/snowflake/connector.ts'
import { openSession } from '../../../server/connectors/snowflake/session.ts'
import { pagingByQuery } from '../paging.ts'
import {
  groupContents,
  splitSchema,
  type CaseColumn,
  type CaseContents,
  type CaseTable,
  type Platform,
  type PlatformServer,
} from '../platform.ts'
import type { ModelColumn, ModelTable, SnowflakeModel } from './model.ts'
import { startSnowflakeServer } from './server.ts'

const DATABASE = 'SHOP'
const PER_PARTITION = 1000

const NO_PAGES =
  'A result announces its partitions; faults.test.ts reads n and n + 1, and incomplete ones.'

/** The platform's record. */
export const snowflakePlatform: Platform = {
  connector: snowflake,
  open: openSession,
  startServer,
  configure: (url) => ({
    configuration: {
      account: 'myorg-account1',
      url,
      authentication: 'oauth',
      clientId: 'portbook',
      tokenEndpoint: `${url}/oauth/token`,
    },
    secrets: { clientSecret: 'canary-secret' },
  }),
  wrongSecrets: { clientSecret: 'canary-wrong' },
  paging: pagingByQuery([], 'partition', ''),
  requests: {
    schemas: 'SHOW SCHEMAS',
    tables: 'information_schema.tables',
    tokens: '/oauth/token',
  },
  laterRequests: 'information_schema.columns',
  keepsFormerNames: true,
  proofs: 'select table_name, deleted',
  longStatements: {
    configuration: {},
    steps: {
      listing: 'SHOW SCHEMAS',
      reading: "tables where table_schema = 'sales'",
      check: 'SHOW DATABASES',
    },
    failure: "tables where table_schema = 'other'",
  },
  combinedReadings: {
    INFORMATION_SCHEMA: {
      configuration: {},
      parts: ['information_schema.columns', 'SHOW VIEWS', 'SHOW PRIMARY KEYS'],
    },
    ACCOUNT_USAGE: {
      configuration: { readsFrom: 'account_usage' },
      parts: ['account_usage.columns', 'account_usage.views'],
    },
  },
  toPath: (schema, table) => [
    ...splitSchema(schema, DATABASE),
    ...(table === undefined ? [] : [table]),
  ],
  systemSchemas: ['INFORMATION_SCHEMA'],
  tablesPerPage: PER_PARTITION,
  countRequests(schemas, tablesPerSchema, columns) {
    const parts = countPartitions(tablesPerSchema) + countPartitions(tablesPerSchema * columns)
    // The token, the databases, the schemas and three kinds of keys; the tables and columns of each schema.
    return 1 + 1 + 1 + 3 + schemas * parts
  },
  concurrency: 1,
  hasTableIds: false,
  exemptions: {
    'reads a table without columns': 'Every table has columns; two-answers.test.ts omits them.',
    'requests smaller pages if an answer is too large':
      'A parameter of each statement limits the size of its partitions.',
    'reads exactly one full page': NO_PAGES,
    'reads one entry more than a full page': NO_PAGES,
    'reads exactly two full pages': NO_PAGES,
    'continues after an empty page with a token': NO_PAGES,
  },
  runExemptions: {
    'a dropped table beside a hidden one is not deleted':
      'Snowflake proves each dropped table by itself.',
  },
}

function countPartitions(rows: number): number {
  return Math.max(1, Math.ceil(rows / PER_PARTITION))
}

// The time of the last DDL changes with the table.
const newClock = (): ((path: string, table: CaseTable) => string) => {
  const changes = new Map<string, { text: string; seconds: number }>()
  return (path, table) => {
    const text = JSON.stringify(table)
    const last = changes.get(path)
    const isFirst = last === undefined
    const seconds = last?.text === text ? last.seconds : Date.now() / 1000 - (isFirst ? 3600 : 0)
    changes.set(path, { text, seconds })
    return `${seconds} 960`
  }
}

async function startServer(): Promise<PlatformServer> {
  const getLastDdl = newClock()
  const toDatabases = (contents: CaseContents): SnowflakeModel['databases'] => {
    const databases = [...groupContents(contents, DATABASE)].map(([database, own]) => {
      const schemas = Object.entries(own).map(([schema, tables]) => {
        const entries = tables.map((table) => {
          const last_ddl = getLastDdl(`${database}.${schema}.${table.name}`, table)
          return [table.name, toModelTable(table, last_ddl)] as const
        })
        return [schema, { tables: Object.fromEntries(entries) }] as const
      })
      return [database, { schemas: Object.fromEntries(schemas) }] as const
    })
    return Object.fromEntries(databases)
  }
  const { url, model, countRunning, close } = await startSnowflakeServer()
  Object.assign(model, {
    pendingPolls: 0,
    rowsPerPartition: PER_PARTITION,
    showsInformationSchema: false,
  })
  return {
    url,
    setContents(contents) {
      const before = listPaths(model.databases)
      model.databases = toDatabases(contents)
      const now = listPaths(model.databases)
      for (const path of before.filter((each) => !now.includes(each))) model.dropped.add(path)
      for (const path of now) model.dropped.delete(path)
    },
    showOther(part, contents) {
      if (contents === undefined) delete model.otherDatabases[part]
      else model.otherDatabases[part] = toDatabases(contents)
    },
    rename(schema, name, newName) {
      const tables = model.databases[DATABASE]?.schemas[schema]?.tables ?? {}
      const { [name]: table, ...others } = tables
      if (table === undefined) return
      const schemas = model.databases[DATABASE]?.schemas ?? {}
      schemas[schema] = { tables: { ...others, [newName]: table } }
    },
    deny(schema) {
      const part = `tables where table_schema = '${schema}'`
      model.errors[part] = { code: '003001', sqlState: '42501', message: 'of the script' }
    },
    hide: (schema, table) => void model.hidden.add(`${DATABASE}.${schema}.${table}`),
    allow() {
      model.errors = {}
      model.hidden.clear()
    },
    expireTokens: () => model.tokens.clear(),
    statements: {
      hold: (part) => void (model.held = part),
      countRunning,
      countCancelled: () => model.cancelled.length,
    },
    acceptProxy: () => undefined,
    close,
  }
}

function listPaths(databases: SnowflakeModel['databases']): string[] {
  return Object.entries(databases).flatMap(([database, { schemas }]) =>
    Object.entries(schemas).flatMap(([schema, { tables }]) =>
      Object.keys(tables).map((table) => `${database}.${schema}.${table}`),
    ),
  )
}

function toModelTable(table: CaseTable, last_ddl: string): ModelTable {
  const { columns = [{ name: 'id' }], comment, viewText, primaryKey } = table
  return {
    columns: columns.map(toModelColumn),
    facts: { last_ddl, ...(comment === undefined ? {} : { comment }) },
    ...(viewText === undefined ? {} : { text: viewText }),
    ...(primaryKey === undefined ? {} : { primaryKey }),
  }
}

function toModelColumn({ name, type, comment }: CaseColumn): ModelColumn {
  const length = type === undefined ? { character_maximum_length: 100 } : {}
  return { name, type: type ?? 'TEXT', comment: comment ?? null, ...length }
}
