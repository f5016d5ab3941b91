import assert from 'node:assert/strict'
import test from 'node:test'
import type { ObjectValue } from '../text/value.ts'
import { isServerOfSource, listSources } from './server-address.ts'

type Row = [type: string, server: ObjectValue, source: string, configuration: ObjectValue]

const EQUAL: readonly Row[] = [
  [
    'postgres',
    { host: 'DB.example', port: 5432, database: 'd' },
    'postgres',
    { host: 'db.example', port: 5432, database: [] },
  ],
  [
    'postgresql',
    { host: 'db', database: 'd' },
    'postgres',
    { host: 'db', port: 5432, database: ['c', 'd'] },
  ],
  [
    'postgres',
    { host: 'db', port: '5432', database: 'd' },
    'postgres',
    { host: 'db', database: ['x_*'] },
  ],
  ['mysql', { host: 'db' }, 'mariadb', { host: 'db', port: 3306 }],
  ['sqlserver', { host: 'db', database: 'd' }, 'mssql', { host: 'db', port: 1433, database: 'd' }],
  ['snowflake', { account: 'Org-A', database: 'd' }, 'snowflake', { account: 'org-a' }],
  ['bigquery', { project: 'p', dataset: 'd' }, 'bigquery', { projects: ['o', 'p'] }],
  ['databricks', { host: 'x.cloud.example' }, 'databricks', { url: 'https://x.cloud.example/' }],
  ['glue', { account: '1234', database: 'd' }, 'glue', { catalogId: '1234' }],
  [
    'iceberg',
    { catalogUrl: 'https://c.example/iceberg/', namespace: 'sales' },
    'iceberg',
    { uri: 'https://c.example/iceberg' },
  ],
  [
    'iceberg',
    { catalogUrl: 'https://c.example/v1', warehouse: 'w' },
    'iceberg',
    { uri: 'https://C.example', warehouse: 'w' },
  ],
]

const DIFFERENT: readonly Row[] = [
  ['postgres', { host: 'db', database: 'd' }, 'postgres', { host: 'db', database: ['c'] }],
  ['postgres', { host: 'db', port: 5433 }, 'postgres', { host: 'db' }],
  ['postgres', { host: 'db' }, 'mysql', { host: 'db', port: 5432 }],
  ['postgres', {}, 'postgres', {}],
  ['postgres', { host: '${HOST}' }, 'postgres', { host: '${HOST}' }],
  ['postgres', { host: 'db', port: '${PORT:-5432}' }, 'postgres', { host: 'db' }],
  ['postgres', { host: 'db', database: '${DB}' }, 'postgres', { host: 'db' }],
  ['snowflake', { account: '${ACCOUNT}' }, 'snowflake', { account: '${ACCOUNT}' }],
  ['iceberg', { catalogUrl: 'https://c.example/a' }, 'iceberg', { uri: 'https://c.example/b' }],
  ['iceberg', { catalogUrl: 'https://${HOST}/a' }, 'iceberg', { uri: 'https://${HOST}/a' }],
  ['iceberg', { catalogUrl: 'https://c', warehouse: '${W}' }, 'iceberg', { uri: 'https://c' }],
  [
    'iceberg',
    { catalogUrl: 'https://c', warehouse: 'v' },
    'iceberg',
    { uri: 'https://c', warehouse: 'w' },
  ],
  ['iceberg', { catalogUrl: 'no address' }, 'iceberg', { uri: 'no address' }],
  ['toString', { host: 'db' }, 'postgres', { host: 'db' }],
]

function isEqual([type, properties, source, configuration]: Row): boolean {
  const server = { name: 's', type, properties, origin: '' }
  return isServerOfSource(server, { source, configuration })
}

test('isServerOfSource › equal addresses, in every notation', () => {
  for (const row of EQUAL) assert.equal(isEqual(row), true, JSON.stringify(row))
})

test('isServerOfSource › other addresses, missing ones, and variables, which equal nothing', () => {
  for (const row of DIFFERENT) assert.equal(isEqual(row), false, JSON.stringify(row))
})

test('listSources › the connectors that read a server', () => {
  assert.deepEqual(listSources({ name: 's', type: 'MySQL', properties: {}, origin: '' }), [
    'mysql',
    'mariadb',
  ])
  assert.deepEqual(listSources({ name: 's', properties: {}, origin: '' }), [])
})
