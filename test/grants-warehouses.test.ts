/** Grants of warehouses through a run, to findings about access. */

import assert from 'node:assert/strict'
import { describe, test, type TestContext } from 'node:test'
import { bigquery } from '../server/connectors/bigquery/connector.ts'
import type { Connector } from '../server/connectors/connector.ts'
import { databricks } from '../server/connectors/databricks/connector.ts'
import { glue } from '../server/connectors/glue/connector.ts'
import { mssql } from '../server/connectors/mssql/connector.ts'
import { snowflake } from '../server/connectors/snowflake/connector.ts'
import { newGrantWorld } from './grant-world.ts'
import { onStore } from './stores.ts'
import { newTable as newBigQueryTable } from './warehouses/bigquery/source.ts'
import { startBigQueryServer } from './warehouses/bigquery/server.ts'
import { newTable as newGlueTable, startGlueSource } from './warehouses/glue/source.ts'
import {
  newDatabase,
  newTable as newMssqlTable,
  startMssqlSource,
} from './warehouses/mssql/source.ts'
import { newTable as newSnowflakeTable } from './warehouses/snowflake/source.ts'
import { snowflakePlatform } from './warehouses/snowflake/platform.ts'
import { startSnowflakeServer } from './warehouses/snowflake/server.ts'
import { startUnitySource } from './warehouses/unity/source.ts'

/** A name on the platform: its kind, and itself. */
type Name = readonly [kind: string, name: string]

/** A source with a table on which some names may read. */
interface Case {
  connector: Connector
  configuration: object
  secrets: Readonly<Record<string, string>>
  /** The path of the table, joined by dots. */
  table: string
  /** Those who may read it. */
  readers: readonly Name[]
  /** Those who may not, although they have a grant. */
  others: readonly Name[]
  /** Takes the grants away. */
  revoke(): void
  /** Hides the grants from the account, or shows them again. */
  hide(isHidden: boolean): void
}

async function startSqlServer(t: TestContext): Promise<Case> {
  const { model, setup } = await startMssqlSource(t)
  const on = { schema: 'dbo', object: 'orders' }
  const change = (permissions: readonly number[], isVisible = true): void => {
    const readers = permissions.length > 0 ? [[16_390, 7] as const] : []
    model.administrators = []
    model.databases['shop'] = newDatabase([newMssqlTable('orders')], {
      access: {
        isVisible,
        principals: [
          { id: 5, name: 'ann' },
          { id: 6, name: 'bob' },
          { id: 7, name: 'cy' },
          { id: 8, name: 'shut', type: 'R' },
        ],
        members: [[8, 6], ...readers],
        permissions: [
          ...permissions.map((grantee) => ({ grantee, permission: 'SELECT', ...on })),
          { grantee: 8, permission: 'SELECT', state: 'D', schema: 'dbo' },
        ],
      },
    })
  }
  change([5, 6])
  const { configuration, secrets } = setup()
  return {
    connector: mssql,
    configuration,
    secrets,
    table: 'shop.dbo.orders',
    readers: [
      ['user', 'ann'],
      ['user', 'cy'],
    ],
    others: [['user', 'bob']],
    revoke: () => change([]),
    hide: (isHidden) => change([], !isHidden),
  }
}

async function startSnowflakeCase(t: TestContext): Promise<Case> {
  const { url, model, close } = await startSnowflakeServer()
  t.after(close)
  model.pendingPolls = 0
  model.databases = { SHOP: { schemas: { SALES: { tables: { ORDERS: newSnowflakeTable() } } } } }
  const on = { granted_to: 'ROLE', table_catalog: 'SHOP' }
  const grant = (name: string, granted_on: string, privilege: string, grantee_name: string) => ({
    ...on,
    table_schema: 'SALES',
    granted_on,
    name,
    privilege,
    grantee_name,
  })
  const uses = [
    grant('SHOP', 'DATABASE', 'USAGE', 'READER'),
    grant('SALES', 'SCHEMA', 'USAGE', 'READER'),
  ]
  model.grantsToRoles = [
    ...uses,
    grant('ORDERS', 'TABLE', 'SELECT', 'READER'),
    grant('ORDERS', 'TABLE', 'SELECT', 'WITHOUT_USAGE'),
  ]
  model.grantsToUsers = [{ role: 'READER', grantee_name: 'ANN' }]
  return {
    ...snowflakePlatform.configure(url),
    connector: snowflake,
    table: 'SHOP.SALES.ORDERS',
    readers: [
      ['user', 'ANN'],
      ['role', 'READER'],
    ],
    others: [['role', 'WITHOUT_USAGE']],
    revoke: () => void (model.grantsToRoles = uses),
    hide(isHidden) {
      const error = { code: '002003', sqlState: '42S02', message: 'not authorized' }
      model.errors = isHidden ? { '.grants_to_': error } : {}
    },
  }
}

async function startBigQuery(t: TestContext): Promise<Case> {
  const { url, model, close } = await startBigQueryServer()
  t.after(close)
  model.projects = { shop: { sales: [newBigQueryTable('orders')] } }
  const change = (...access: readonly object[]): void => {
    model.details = { 'shop.sales': { location: 'EU', access } }
  }
  const owner = { role: 'OWNER', specialGroup: 'projectOwners' }
  change(owner, { role: 'READER', userByEmail: 'ann@example.com' })
  const condition = { expression: 'request.time < timestamp("2027-01-01T00:00:00Z")' }
  const members = ['user:bob@example.com']
  model.policies = {
    'shop.sales.orders': [{ role: 'roles/bigquery.dataViewer', members, condition }],
  }
  return {
    connector: bigquery,
    configuration: bigquery.description.configuration.parse({
      projects: 'shop',
      method: 'rest',
      authentication: 'none',
      endpoint: url,
    }),
    secrets: {},
    table: 'shop.sales.orders',
    readers: [['user', 'ann@example.com']],
    others: [['user', 'bob@example.com']],
    revoke: () => change(owner),
    hide: (isHidden) =>
      isHidden ? void (model.details = { 'shop.sales': { location: 'EU' } }) : change(owner),
  }
}

async function startDatabricks(t: TestContext): Promise<Case> {
  const { model, setup } = await startUnitySource(t)
  const owned = { main: { owner: 'portbook@example.com' } }
  model.details = owned
  const uses = { principal: 'ann@example.com', privileges: ['USE_CATALOG'] }
  model.permissions = {
    main: [uses],
    'main.sales': [{ ...uses, privileges: ['USE_SCHEMA'] }],
    'main.sales.orders': [
      { principal: 'ann@example.com', privileges: ['SELECT'] },
      { principal: 'bob@example.com', privileges: ['SELECT'] },
    ],
  }
  const { configuration, secrets } = setup()
  return {
    connector: databricks,
    configuration,
    secrets,
    table: 'main.sales.orders',
    readers: [['user', 'ann@example.com']],
    others: [['user', 'bob@example.com']],
    revoke: () => void delete model.permissions['main.sales.orders'],
    hide: (isHidden) => void (model.details = isHidden ? {} : owned),
  }
}

async function startGlue(t: TestContext): Promise<Case> {
  const { model, setup } = await startGlueSource(t)
  model.databases = { sales: [newGlueTable('orders')] }
  const reader = 'arn:aws:iam::123456789012:role/reader'
  const other = 'arn:aws:iam::123456789012:role/other'
  model.permissions = {
    'sales.orders': [
      { principal: reader, permissions: ['SELECT'] },
      { principal: other, permissions: ['DESCRIBE'] },
    ],
  }
  const { configuration, secrets } = setup()
  return {
    connector: glue,
    configuration,
    secrets,
    table: 'sales.orders',
    readers: [['role', reader]],
    others: [['role', other]],
    revoke: () => void (model.permissions = {}),
    hide(isHidden) {
      model.administrators = { full: [], readOnly: isHidden ? [] : [model.callerArn] }
    },
  }
}

const CASES: Readonly<Record<string, (t: TestContext) => Promise<Case>>> = {
  'SQL Server': startSqlServer,
  Snowflake: startSnowflakeCase,
  BigQuery: startBigQuery,
  Databricks: startDatabricks,
  'AWS Glue': startGlue,
}

describe('grants of warehouses', () => {
  onStore((store) => {
    for (const [name, start] of Object.entries(CASES)) {
      test(`${name} › names readers only, keeps findings while grants are hidden, and resolves revoked ones`, async (t) => {
        const { table, readers, others, revoke, hide, ...real } = await start(t)
        const grants = await newGrantWorld(store(), real)
        const run = async (): Promise<string[]> => {
          const { status, message } = await grants.ingestion.run()
          assert.equal(status, 'SUCCESS', message ?? '')
          const open = await grants.listOpen()
          return open.map(({ kind, grantee, isRead }) => `${kind} ${grantee}${isRead ? '' : ' ?'}`)
        }
        assert.deepEqual(await run(), [])
        await grants.addPorts([table])
        for (const [kind, own] of [...readers, ...others]) {
          await grants.map(own, { kind: 'team', id: 'b' }, kind)
        }
        const expected = readers.map(([, own]) => `granted_without_agreement ${own}`).toSorted()
        assert.deepEqual(await run(), expected)
        revoke()
        hide(true)
        assert.deepEqual(
          await run(),
          expected.map((line) => `${line} ?`),
        )
        hide(false)
        assert.deepEqual(await run(), [])
      })
    }
  })
})
