import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { DCS, diffContracts, ODCS } from '../../test/contract-versions.ts'
import type { Value } from '../text/value.ts'
import { highestLevel } from './level.ts'
import { splitPhysicalName } from './places.ts'

type Fields = Readonly<Record<string, Value>>

/** Types of servers whose tables have a place, with its fields from the part next to the name of a table outwards. */
const PLACES: Readonly<Record<string, readonly string[]>> = {
  alloydb: ['schema', 'database'],
  athena: ['schema', 'catalog'],
  bigquery: ['dataset', 'project'],
  clickhouse: ['database'],
  cloudsql: ['schema', 'database'],
  custom: ['schema', 'database'],
  databricks: ['schema', 'catalog'],
  db2: ['schema', 'database'],
  dremio: ['schema'],
  duckdb: ['schema', 'database'],
  glue: ['database'],
  hive: ['database'],
  impala: ['database'],
  mysql: ['database'],
  oracle: ['schema'],
  postgres: ['schema', 'database'],
  postgresql: ['schema', 'database'],
  presto: ['schema', 'catalog'],
  redshift: ['schema', 'database'],
  snowflake: ['schema', 'database'],
  sqlserver: ['schema', 'database'],
  trino: ['schema', 'catalog'],
  vertica: ['schema', 'database'],
}

const official: { $defs: { Server: { properties: { type: { enum: string[] } } } } } = JSON.parse(
  readFileSync(new URL('../standards/odcs-v3.2.0.schema.json', import.meta.url), 'utf8'),
)
const TYPES = [...new Set([...official.$defs.Server.properties.type.enum, ...Object.keys(PLACES)])]

const SPECIFICATIONS: Readonly<Record<string, (path: string) => string>> = {
  odcs: (path) => path,
  'sql-ddl': (path) => `create table ${path} (a integer);`,
  bigquery: (path) => {
    const [table, datasetId, projectId] = path.split('.').toReversed()
    const tableReference = { projectId, datasetId, tableId: table }
    return JSON.stringify({ tableReference, schema: { fields: [{ name: 'a', type: 'INT64' }] } })
  },
}

/** A contract of a language with one model at a path. */
function contractWith(language: string, servers: readonly Fields[], path: string): Value {
  const write = SPECIFICATIONS[language] ?? String
  if (language === 'odcs') {
    const fields = [{ name: 'a', logicalType: 'integer' }]
    const schema = [{ name: 'o', physicalName: path, properties: fields }]
    return { ...ODCS, servers: servers.map((one, at) => ({ server: `s${at}`, ...one })), schema }
  }
  const named = Object.fromEntries(servers.map((one, at) => [`s${at}`, { ...one }]))
  if (language === 'dcs') {
    const config = { postgresTable: path }
    return { ...DCS, servers: named, models: { o: { config, fields: { a: { type: 'integer' } } } } }
  }
  const schema = { type: language, specification: write(path) }
  return { ...DCS, dataContractSpecification: '0.9.3', servers: named, schema }
}

function compareAt(language: string, servers: readonly Fields[], path: string, from = 'o'): string {
  const [before, after] = [from, path].map((name) => contractWith(language, servers, name))
  return highestLevel(diffContracts(before ?? null, after ?? null))
}

const VALUES = ['s', 'd']

function createServer(type: string, values: readonly string[] = VALUES): Fields {
  const fields = (PLACES[type] ?? []).map((name, at) => [name, values[at] ?? ''])
  return { type, ...Object.fromEntries(fields) }
}

for (const language of ['odcs', 'dcs', 'sql-ddl']) {
  for (const type of TYPES) {
    const depth = PLACES[type]?.length ?? 0
    const path = [...VALUES.slice(0, depth).toReversed(), 'o'].join('.')
    test(`${language} › ${type} › a qualifier is additive only if the server has it`, () => {
      const server = createServer(type)
      if (depth > 0) {
        assert.equal(compareAt(language, [server], path), 'additive')
        assert.equal(compareAt(language, [server], 's.o'), 'additive')
        assert.equal(compareAt(language, [server, server], path), 'additive')
      }
      assert.equal(compareAt(language, [server], 'other.o'), 'breaking')
      assert.equal(compareAt(language, [server], `other.${path}`), 'breaking')
      assert.equal(compareAt(language, [server], `d.other.o`), 'breaking')
      assert.equal(compareAt(language, [{ type }], 's.o'), 'breaking')
      assert.equal(compareAt(language, [server, createServer(type, ['t', 'd'])], 's.o'), 'breaking')
      assert.equal(compareAt(language, [server, { type: 'kafka' }], 's.o'), 'breaking')
      assert.equal(compareAt(language, [], 's.o'), 'breaking')
      for (const variable of ['${env}', '{{ env }}', '$(env)']) {
        const unknown = createServer(type, [variable, variable])
        assert.equal(compareAt(language, [unknown], `${variable}.o`), 'breaking', variable)
      }
    })
  }
}

test('bigquery › the project and the dataset of a table are compared with the server', () => {
  const server = createServer('bigquery', ['sales', 'my-project'])
  const move = (path: string, from?: string) => compareAt('bigquery', [server], path, from)
  assert.equal(move('sales.o'), 'additive')
  assert.equal(move('my-project.sales.o', 'sales.o'), 'additive')
  assert.equal(move('other.o'), 'breaking')
  assert.equal(move('your-project.sales.o', 'sales.o'), 'breaking')
})

test('a namespace of Avro, Protobuf or ODCS is a part of the full name, not a place', () => {
  const server = createServer('postgres')
  const avro = { type: 'record', name: 'o', fields: [{ name: 'a', type: 'int' }] }
  const message = 'message O { optional int32 a = 1; }'
  const pairs: Readonly<Record<string, readonly [string, string]>> = {
    avro: [JSON.stringify(avro), JSON.stringify({ ...avro, namespace: 's' })],
    protobuf: [`syntax = "proto2"; ${message}`, `syntax = "proto2"; package s; ${message}`],
  }
  for (const [language, texts] of Object.entries(pairs)) {
    const [before, after] = texts.map((specification) => ({
      ...DCS,
      dataContractSpecification: '0.9.3',
      servers: { prod: server },
      schema: { type: language, specification },
    }))
    assert.equal(highestLevel(diffContracts(before ?? null, after ?? null)), 'breaking', language)
  }
})

test('splitPhysicalName › reads quotes of all dialects', () => {
  assert.deepEqual(splitPhysicalName('d.s.o'), ['d', 's', 'o'])
  assert.deepEqual(splitPhysicalName('"a.b"."c""d"'), ['a.b', 'c"d'])
  assert.deepEqual(splitPhysicalName('[dbo].[o]'), ['dbo', 'o'])
  assert.deepEqual(splitPhysicalName('`p.s.o`'), ['p', 's', 'o'])
  assert.deepEqual(splitPhysicalName('`p`.`s`.o'), ['p', 's', 'o'])
  assert.deepEqual(splitPhysicalName('a"b.c'), ['a"b', 'c'])
})
