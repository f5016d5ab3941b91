/** Emulators of warehouses in which the tables of contracts are created by SQL and read by connectors. */

import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import type { Connector } from '../server/connectors/connector.ts'
import { bigquery } from '../server/connectors/bigquery/connector.ts'
import { snowflake } from '../server/connectors/snowflake/connector.ts'
import { toModels, type ContractDatabase } from './drift-databases.ts'
import { SNOWFLAKE_TOKEN } from './peers/servers.ts'
import { readSource } from './source-reading.ts'
import { toSetup } from './warehouses/peer-promises.ts'

/** Creates a database in fakesnow, at the URL of its façade. */
export function newSnowflakeDatabase(url: string): ContractDatabase {
  const database = `DRIFT_${randomUUID().slice(0, 8).toUpperCase()}`
  let isCreated = false
  const schemas = new Set<string>()
  const run = async (statement: string, schema?: string): Promise<void> => {
    const place = { database, ...(schema !== undefined && { schema }) }
    await post(`${url}/api/v2/statements`, { statement, ...(isCreated && place) }, SNOWFLAKE_TOKEN)
  }
  return {
    dialect: 'snowflake',
    server: (schema) => ({
      server: 'production',
      type: 'snowflake',
      environment: 'prod',
      account: 'myorg-account1',
      database,
      schema: schema.toUpperCase(),
    }),
    async create(names) {
      for (const name of names) {
        await run(`create schema ${name.toUpperCase()}`)
        schemas.add(name.toUpperCase())
      }
    },
    async execute(schema, statements) {
      for (const one of splitStatements(statements)) await run(one, schema.toUpperCase())
    },
    read: () =>
      read(snowflake, {
        configuration: { account: 'myorg-account1', url, authentication: 'token' },
        include: { database: [database] },
        secrets: { token: SNOWFLAKE_TOKEN },
      }),
    async clear() {
      for (const name of schemas) await run(`drop schema if exists ${name} cascade`)
      schemas.clear()
      if (!isCreated) await run(`create database ${database}`)
      isCreated = true
    },
  }
}

/** Creates datasets in the project `test` of bqemulator, at its URL. */
export function newBigQueryDatabase(url: string): ContractDatabase {
  const prefix = `drift_${randomUUID().slice(0, 8)}_`
  const datasets = new Set<string>()
  const base = `${url}/bigquery/v2/projects/test`
  return {
    dialect: 'bigquery',
    server: (schema) => ({
      server: 'production',
      type: 'bigquery',
      environment: 'prod',
      project: 'test',
      dataset: `${prefix}${schema}`,
    }),
    async create(schemas) {
      for (const schema of schemas) {
        const datasetReference = { projectId: 'test', datasetId: `${prefix}${schema}` }
        datasets.add(datasetReference.datasetId)
        await post(`${base}/datasets`, { datasetReference })
      }
    },
    async execute(schema, statements) {
      // The emulator ignores the default dataset, and creates no table with a key.
      const inDataset = (statement: string): string =>
        statement.replace(
          /^(CREATE|ALTER) TABLE (`[^`]+`)(?!\.)/m,
          `$1 TABLE \`${prefix}${schema}\`.$2`,
        )
      for (const one of splitStatements(statements)) {
        const query = inDataset(one).replace(/,\s*PRIMARY KEY \([^)]*\) NOT ENFORCED/, '')
        await post(`${base}/queries`, { query, useLegacySql: false })
      }
    },
    read: () =>
      read(bigquery, {
        configuration: { projects: 'test', authentication: 'none', method: 'rest', endpoint: url },
        include: { schema: [`${prefix}*`] },
        secrets: {},
      }),
    async clear() {
      for (const name of datasets) {
        await send('DELETE', `${base}/datasets/${name}?deleteContents=true`)
      }
      datasets.clear()
    },
  }
}

async function read(connector: Connector, scene: Parameters<typeof toSetup>[1]) {
  const { assets, unreadable } = await readSource(connector, toSetup(connector, scene))
  assert.deepEqual(unreadable, [])
  return toModels(assets, connector.source)
}

function splitStatements(text: string): string[] {
  return text.split(/;\s*(?:\n|$)/).filter((one) => one.trim() !== '')
}

async function post(url: string, body: object, token?: string): Promise<void> {
  await send('POST', url, body, token)
}

async function send(method: string, url: string, body?: object, token = 'any'): Promise<void> {
  const response = await fetch(url, {
    method,
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
  if (!response.ok) throw new Error(`${JSON.stringify(body)}: ${await response.text()}`)
}
