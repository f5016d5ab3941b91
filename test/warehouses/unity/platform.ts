/** Unity Catalog as a platform of the shared cases, with the schemas of one catalog. */

import { databricks } from '../../../server/connectors/databricks/connector.ts'
import { openSession } from '../../../server/connectors/databricks/session.ts'
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
import { startUnityServer, type UnityTable } from './server.ts'

const CATALOG = 'main'
const PER_PAGE = 50

/** The platform's record. */
export const databricksPlatform: Platform = {
  connector: databricks,
  open: openSession,
  startServer,
  configure: (url) => ({
    configuration: { url, authentication: 'oauth', clientId: 'portbook' },
    secrets: { clientSecret: 'canary-secret' },
  }),
  wrongSecrets: { clientSecret: 'canary-wrong' },
  paging: pagingByQuery(['catalogs', 'schemas', 'tables'], 'page_token', 'next_page_token'),
  requests: { schemas: '/schemas?', tables: '/tables?', tokens: '/oidc/v1/token' },
  proofs: '/exists',
  longStatements: {
    configuration: { warehouseId: 'abc1' },
    steps: { reading: 'key_column_usage', check: 'select 1' },
    failure: ({ method, body }) => method === 'POST' && body.includes('"value":"other"'),
  },
  combinedReadings: {
    'the listing': { configuration: {}, parts: ['columns'], isOneState: true },
  },
  toPath: (schema, table) => [
    ...splitSchema(schema, CATALOG),
    ...(table === undefined ? [] : [table]),
  ],
  systemSchemas: ['information_schema'],
  tablesPerPage: PER_PAGE,
  countRequests(schemas, tablesPerSchema) {
    const pages = Math.max(1, Math.ceil(tablesPerSchema / PER_PAGE))
    // The token, the catalogs and the schemas; the tables of each schema.
    return 2 + Math.max(1, Math.ceil(schemas / PER_PAGE)) + schemas * pages
  },
  concurrency: 1,
  hasTableIds: true,
  exemptions: {},
  runExemptions: {},
}

async function startServer(): Promise<PlatformServer> {
  const { url, model, countRunning, close } = await startUnityServer()
  model.tokens = new Set()
  // By schema and current name.
  const ids = new Map<string, string>()
  // The contents of tables with the time of their last change, by id.
  const changes = new Map<string, { text: string; updatedAt: number }>()
  let now = Date.UTC(2026, 0, 1)
  const withTime = (id: string, table: UnityTable): UnityTable => {
    const text = JSON.stringify(table)
    const last = changes.get(id)
    const updatedAt = last?.text === text ? last.updatedAt : (now += 1000)
    changes.set(id, { text, updatedAt })
    return { ...table, updated_at: updatedAt }
  }
  const getId = (schema: string, name: string): string => {
    const key = JSON.stringify([schema, name])
    const id = ids.get(key) ?? `t-${ids.size + 1}`
    ids.set(key, id)
    return id
  }
  const toSchemas = (contents: CaseContents): Record<string, UnityTable[]> => {
    const schemas = Object.entries(contents).map(([schema, tables]): [string, UnityTable[]] => [
      schema,
      tables.map((table) => {
        const id = getId(schema, table.name)
        return withTime(id, toUnityTable(table, id))
      }),
    ])
    return Object.fromEntries(schemas)
  }
  return {
    url,
    setContents(contents) {
      const catalogs = [...groupContents(contents, CATALOG)]
      model.catalogs = Object.fromEntries(catalogs.map(([name, own]) => [name, toSchemas(own)]))
    },
    showOther(_part, contents) {
      const catalogs = [...groupContents(contents ?? {}, CATALOG)].map(
        ([name, own]) => [name, toSchemas(own)] as const,
      )
      model.listedColumns = contents === undefined ? undefined : Object.fromEntries(catalogs)
    },
    rename(schema, name, newName) {
      ids.set(JSON.stringify([schema, newName]), getId(schema, name))
      const table = model.catalogs[CATALOG]?.[schema]?.find((each) => each.name === name)
      if (table !== undefined) table.name = newName
    },
    deny: (schema) => void model.denied.add(`${CATALOG}.${schema}`),
    hide: (schema, table) => void model.hidden.add(`${CATALOG}.${schema}.${table}`),
    allow() {
      model.denied.clear()
      model.hidden.clear()
    },
    expireTokens: () => model.tokens?.clear(),
    statements: {
      hold: (part) => void (model.held = part),
      countRunning,
      countCancelled: () => model.cancelled.length,
    },
    acceptProxy: () => undefined,
    close,
  }
}

function toUnityTable(table: CaseTable, id: string): UnityTable {
  const { name, columns = [{ name: 'id' }], comment, viewText } = table
  return {
    name,
    table_id: id,
    table_type: viewText === undefined ? 'MANAGED' : 'VIEW',
    columns: columns.map(toUnityColumn),
    ...(comment === undefined ? {} : { comment }),
    ...(viewText === undefined ? {} : { view_definition: viewText }),
  }
}

function toUnityColumn({ name, type = 'string', comment }: CaseColumn, position: number): object {
  return {
    name,
    type_text: type,
    type_json: JSON.stringify({ name, type, nullable: true, metadata: {} }),
    nullable: true,
    position,
    ...(comment === undefined ? {} : { comment }),
  }
}
