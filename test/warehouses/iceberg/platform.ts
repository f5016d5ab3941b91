/** The Iceberg REST catalog as a platform of the shared cases. */

import { iceberg } from '../../../server/connectors/iceberg/connector.ts'
import { namespaceName } from '../../../server/connectors/iceberg/namespace-name.ts'
import { openSession } from '../../../server/connectors/iceberg/session.ts'
import { startScriptedSource, type ScriptedSource } from '../../scripted-source.ts'
import type { ScriptedColumn } from '../../scripted-state.ts'
import { pagingByQuery } from '../paging.ts'
import {
  splitSchema,
  type CaseContents,
  type CaseTable,
  type Platform,
  type PlatformServer,
} from '../platform.ts'

const PER_PAGE = 100
const CLIENT = { clientId: 'portbook', clientSecret: 'canary-secret' }

/** The platform's record. */
export const icebergPlatform: Platform = {
  connector: iceberg,
  open: openSession,
  startServer,
  configure: (url) => ({
    configuration: { uri: url, authentication: 'oauth2', clientId: CLIENT.clientId },
    secrets: { clientSecret: CLIENT.clientSecret },
  }),
  wrongSecrets: { clientSecret: 'canary-wrong' },
  paging: pagingByQuery(['namespaces', 'identifiers'], 'pageToken', 'next-page-token'),
  requests: {
    schemas: ({ target }) => target.startsWith('/v1/namespaces?'),
    tables: ({ target }) => /^\/v1\/namespaces\/[^/]+\/tables(?:\?|$)/.test(target),
    tokens: '/v1/oauth/tokens',
  },
  proofs: '/tables/old',
  // faults.test.ts lists tables that cannot be loaded.
  combinedReadings: {},
  toPath: (schema, table) => [
    namespaceName([splitSchema(schema, '')[1]]),
    ...(table === undefined ? [] : [table]),
  ],
  systemSchemas: [],
  tablesPerPage: PER_PAGE,
  countRequests(schemas, tablesPerSchema) {
    const pages = Math.max(1, Math.ceil(tablesPerSchema / PER_PAGE))
    const pagesOfSchemas = Math.max(1, Math.ceil(schemas / PER_PAGE))
    // The token, the configuration and the namespaces; each namespace, its children, its views and its tables.
    return 2 + pagesOfSchemas + schemas * (3 + pages + tablesPerSchema)
  },
  concurrency: 8,
  hasTableIds: true,
  exemptions: {
    'leaves system schemas out': 'A catalog has no namespaces of its own.',
    'sends as many requests for one table as for a page of them':
      'The protocol loads each table with a request.',
  },
  runExemptions: {},
}

async function startServer(): Promise<PlatformServer> {
  const source = await startScriptedSource({ pageSize: PER_PAGE })
  source.access = { kind: 'oauth2', ...CLIENT }
  const { state } = source
  return {
    url: source.url,
    setContents: (contents) => replaceContents(source, contents),
    rename: (schema, name, newName) => state.rename([schema], name, newName),
    deny: (schema) => void source.fail(`tables ${schema}`, { status: 403 }),
    hide: (schema, table) => void source.hidden.add(`${schema}.${table}`),
    allow() {
      source.heal()
      source.hidden.clear()
    },
    expireTokens: () => source.expireTokens(),
    acceptProxy: () => undefined,
    close: async () => await source.close(),
  }
}

// Tables that stay are changed and not created again: they keep their ids.
function replaceContents({ state }: ScriptedSource, contents: CaseContents): void {
  for (const schema of state.getChildren([])) {
    const isKept = Object.keys(contents).some((name) => splitSchema(name, '')[1] === schema)
    if (!isKept) state.dropNamespace([schema])
  }
  for (const [schemaName, tables] of Object.entries(contents)) {
    const [, schema] = splitSchema(schemaName, '')
    const names = new Set(tables.map(({ name }) => name))
    for (const collection of ['tables', 'views'] as const) {
      for (const name of state.getNames([schema], collection)) {
        if (!names.has(name)) state.drop([schema], name)
      }
    }
    state.namespace([schema])
    for (const table of tables) put(state, schema, table)
  }
}

function put(state: ScriptedSource['state'], schema: string, table: CaseTable): void {
  const { name, columns = [{ name: 'id' }], comment, viewText } = table
  const fields = Object.fromEntries(
    columns.map((column): [string, ScriptedColumn] => [
      column.name,
      {
        type: column.type ?? 'string',
        ...(column.comment === undefined ? {} : { doc: column.comment }),
      },
    ]),
  )
  if (viewText !== undefined) state.view([schema], name, viewText, fields)
  else state.table([schema], name, fields, comment === undefined ? {} : { comment })
}
