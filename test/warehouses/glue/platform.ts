/** AWS Glue as a platform of the shared cases, with temporary keys of a role. */

import { glue } from '../../../server/connectors/glue/connector.ts'
import { openSession } from '../../../server/connectors/glue/session.ts'
import type { ProxiedRequest, When } from '../fault-proxy.ts'
import { pagingByBody } from '../paging.ts'
import {
  splitSchema,
  type CaseColumn,
  type CaseTable,
  type Platform,
  type PlatformServer,
} from '../platform.ts'
import { startGlueServer, type GlueTableEntry } from './server.ts'

const PER_PAGE = 100
const ACCOUNT = '123456789012'
const ROLE = `arn:aws:iam::${ACCOUNT}:role/portbook`

/** The platform's record. */
export const gluePlatform: Platform = {
  connector: glue,
  open: openSession,
  startServer,
  configure: (url) => ({
    configuration: {
      region: 'eu-central-1',
      catalogId: ACCOUNT,
      authentication: 'role',
      accessKeyId: 'AKIATEST',
      roleArn: ROLE,
      endpoint: url,
      stsEndpoint: `${url}/`,
      lakeFormationEndpoint: url,
    },
    secrets: { secretAccessKey: 'canary-secret' },
  }),
  wrongSecrets: { secretAccessKey: 'canary-wrong' },
  paging: pagingByBody(['DatabaseList', 'TableList'], 'NextToken'),
  requests: {
    schemas: calls('GetDatabases'),
    tables: calls('GetTables'),
    tokens: 'Action=AssumeRole',
  },
  proofs: calls('GetTable'),
  // A table is one answer; connector.test.ts reads links and tags without their targets.
  combinedReadings: {},
  toPath: (schema, table) => [splitSchema(schema, '')[1], ...(table === undefined ? [] : [table])],
  systemSchemas: [],
  tablesPerPage: PER_PAGE,
  countRequests(schemas, tablesPerSchema) {
    const pages = Math.max(1, Math.ceil(tablesPerSchema / PER_PAGE))
    // The keys of the role and the databases; the tables of each database.
    return 1 + Math.max(1, Math.ceil(schemas / PER_PAGE)) + schemas * pages
  },
  concurrency: 1,
  hasTableIds: false,
  exemptions: {
    'leaves system schemas out': 'A Data Catalog has no databases of its own.',
  },
  runExemptions: {},
}

function calls(operation: string): When {
  return ({ headers }: ProxiedRequest) => headers['x-amz-target'] === `AWSGlue.${operation}`
}

async function startServer(): Promise<PlatformServer> {
  const { url, model, close } = await startGlueServer()
  return {
    url,
    setContents(contents) {
      model.databases = Object.fromEntries(
        Object.entries(contents).map(([schema, tables]) => [
          splitSchema(schema, '')[1],
          tables.map(toGlueTable),
        ]),
      )
    },
    rename(schema, name, newName) {
      const table = model.databases[schema]?.find((each) => each.Name === name)
      if (table !== undefined) table.Name = newName
    },
    deny: (schema) => void model.denied.add(schema),
    hide: (schema, table) => void model.hidden.add(`${schema}.${table}`),
    allow() {
      model.denied.clear()
      model.hidden.clear()
    },
    expireTokens() {
      for (const key of model.keys.values()) key.isExpired = key.token !== undefined
    },
    acceptProxy(proxyUrl, isChanging) {
      model.hosts.add(new URL(proxyUrl).host)
      model.checksSignatures = !isChanging
    },
    close,
  }
}

function toGlueTable(table: CaseTable): GlueTableEntry {
  const { name, columns = [{ name: 'id' }], comment, viewText } = table
  return {
    Name: name,
    TableType: viewText === undefined ? 'MANAGED_TABLE' : 'VIRTUAL_VIEW',
    StorageDescriptor: { Columns: columns.map(toGlueColumn) },
    PartitionKeys: [],
    ...(comment === undefined ? {} : { Description: comment }),
    ...(viewText === undefined ? {} : { ViewOriginalText: viewText }),
  }
}

function toGlueColumn({ name, type = 'string', comment }: CaseColumn): object {
  return { Name: name, Type: type, ...(comment === undefined ? {} : { Comment: comment }) }
}
