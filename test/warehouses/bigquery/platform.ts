/** BigQuery as a platform of the shared cases: the datasets of one project, read with the REST API. */

import { bigquery } from '../../../server/connectors/bigquery/connector.ts'
import { openSession } from '../../../server/connectors/bigquery/session.ts'
import { pagingByQuery } from '../paging.ts'
import {
  groupContents,
  splitSchema,
  type CaseContents,
  type CaseTable,
  type Platform,
  type PlatformServer,
} from '../platform.ts'
import {
  newServiceAccount,
  startBigQueryServer,
  type BigQueryModel,
  type BigQueryTableEntry,
} from './server.ts'

const PROJECT = 'shop'
const PER_PAGE = 50

const ACCOUNT = newServiceAccount()

const SHOWS_ALL = 'An account sees all tables of a dataset or none: a listing hides none.'

/** The platform's record. */
export const bigQueryPlatform: Platform = {
  connector: bigquery,
  open: openSession,
  startServer,
  configure: (url) => ({
    configuration: {
      projects: PROJECT,
      method: 'rest',
      endpoint: url,
      tokenEndpoint: `${url}/token`,
    },
    secrets: { serviceAccountKey: markKey(ACCOUNT.json) },
  }),
  wrongSecrets: { serviceAccountKey: markKey(newServiceAccount().json) },
  paging: pagingByQuery(['datasets', 'tables'], 'pageToken', 'nextPageToken'),
  requests: { schemas: '/datasets?', tables: '/tables?', tokens: 'POST /token' },
  longStatements: {
    configuration: { method: 'queries' },
    steps: { reading: 'VIEWS' },
    failure: 'INFORMATION_SCHEMA.COLUMNS',
  },
  combinedReadings: {
    'REST API': { configuration: {}, parts: ['tables.get'] },
    queries: {
      configuration: { method: 'queries' },
      parts: ['COLUMNS', 'VIEWS', 'COLUMN_FIELD_PATHS', 'TABLE_OPTIONS'],
    },
  },
  archive: { projects: `${PROJECT}, archive` },
  toPath: (schema, table) => [
    ...splitSchema(schema, PROJECT),
    ...(table === undefined ? [] : [table]),
  ],
  systemSchemas: ['_script12ab', '_anonymous'],
  tablesPerPage: PER_PAGE,
  countRequests(schemas, tablesPerSchema) {
    const pages = Math.max(1, Math.ceil(tablesPerSchema / PER_PAGE))
    // The token and the datasets; each dataset, its tables, and each of them.
    const perSchema = 1 + pages + tablesPerSchema
    return 1 + Math.max(1, Math.ceil(schemas / PER_PAGE)) + schemas * perSchema
  },
  concurrency: 8,
  hasTableIds: false,
  exemptions: {
    'reads an empty source': 'A configured project is a scope even if it has no datasets.',
    'sends as many requests for one table as for a page of them':
      'The REST API returns the columns of one table per request; queries.test.ts counts those of queries.',
  },
  runExemptions: {
    'a table that the account may no longer see is kept': SHOWS_ALL,
    'a table that the source still shows or refuses is kept for any time': SHOWS_ALL,
    'a dropped table beside a hidden one is not deleted': SHOWS_ALL,
    'a table of which the source proves nothing is held for 14 days of complete listings':
      SHOWS_ALL,
    'a table that is shown again begins another 14 days': SHOWS_ALL,
  },
}

// The cases look for this word in logs.
function markKey(json: string): string {
  return JSON.stringify({ canary: 'canary-key', ...(JSON.parse(json) as object) })
}

async function startServer(): Promise<PlatformServer> {
  const { url, model, countRunning, close } = await startBigQueryServer()
  Object.assign(model, {
    account: ACCOUNT,
    tokens: new Set(),
    pageSize: PER_PAGE,
    billingProject: PROJECT,
  })
  return {
    url,
    setContents(contents) {
      model.projects = { [PROJECT]: {}, ...toProjects(contents) }
      const paths = Object.entries(model.projects).flatMap(([project, datasets]) =>
        Object.keys(datasets).map((dataset) => `${project}.${dataset}`),
      )
      model.details = Object.fromEntries(paths.map((path) => [path, { location: 'EU' }]))
    },
    showOther(part, contents) {
      if (contents === undefined) delete model.otherProjects[part]
      else model.otherProjects[part] = toProjects(contents)
    },
    rename(schema, name, newName) {
      const table = model.projects[PROJECT]?.[schema]?.find((each) => each.name === name)
      if (table !== undefined) table.name = newName
    },
    deny: (schema) => void model.denied.add(`${PROJECT}.${schema}`),
    allow: () => model.denied.clear(),
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

function toProjects(contents: CaseContents): BigQueryModel['projects'] {
  const projects = [...groupContents(contents, PROJECT)].map(([project, own]) => {
    const datasets = Object.entries(own).map(
      ([schema, tables]) => [schema, tables.map(toEntry)] as const,
    )
    return [project, Object.fromEntries(datasets)] as const
  })
  return Object.fromEntries(projects)
}

function toEntry(table: CaseTable): BigQueryTableEntry {
  const { name, columns = [{ name: 'id' }], comment, viewText } = table
  const fields = columns.map((column) => ({
    name: column.name,
    type: column.type ?? 'STRING',
    ...(column.comment === undefined ? {} : { description: column.comment }),
  }))
  return {
    name,
    schema: { fields },
    ...(comment === undefined ? {} : { description: comment }),
    ...(viewText === undefined ? {} : { type: 'VIEW', view: { query: viewText } }),
  }
}
