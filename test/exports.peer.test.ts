/**
 * Validates the exports of many contracts with their target tools: MariaDB and DuckDB create the tables, sqlglot parses
 * the other dialects, and dbt-core parses the properties files.
 */

import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { writeDbt } from '../formats/schema/dbt/write.ts'
import type { Platform } from '../formats/schema/types/native-type.ts'
import { listPromises, PROPERTIES } from './dbt-manifests.ts'
import { FEATURES } from './export-features.ts'
import { EXPORT_OPTIONS, EXPORTED_CONTRACTS, writeAll } from './exported-contracts.ts'
import { onMariadb } from './mariadb.ts'
import { onPeers, runPeerScript } from './peers/peers.ts'

// The dialects of sqlglot for dialects that no server here executes.
const PARSED: readonly [Platform, string][] = [
  ['postgresql', 'redshift'],
  ['sqlserver', 'tsql'],
  ['snowflake', 'snowflake'],
  ['bigquery', 'bigquery'],
  ['databricks', 'databricks'],
  ['hive', 'hive'],
]

// Types of PostgreSQL that DuckDB lacks: decimals of more than 38 digits, money, and some precisions.
const UNKNOWN_TO_DUCKDB = /\bmoney\b|numeric\((?:39|[4-9]\d|\d{3,})|\(\d\) with time zone/

interface SqlResult {
  parse: (string | null)[]
  execute: (string | null)[]
}

onPeers(['python'], () => {
  describe('SQL', () => {
    const parsed = PARSED.flatMap(([platform, dialect]) =>
      // sqlglot parses CHECK after UNIQUE as the name of an index.
      writeAll(platform).map((text) => ({
        dialect,
        text: text.replaceAll(' UNIQUE CHECK', ' CHECK'),
      })),
    )
    // DuckDB adds no constraints to tables that exist.
    const executed = writeAll('postgresql')
      .map((text) => text.replaceAll(/^ALTER TABLE .* ADD FOREIGN KEY .*;$/gm, ''))
      .filter((text) => !UNKNOWN_TO_DUCKDB.test(text))
    let result: SqlResult

    before(async () => {
      result = (await runPeerScript('sql.py', { parse: parsed, execute: executed })) as SqlResult
    })

    test('is parsed by sqlglot in each dialect', () => {
      assert.deepEqual(
        listFailures(
          result.parse,
          parsed.map(({ text }) => text),
        ),
        [],
      )
    })

    test('of PostgreSQL is executed by DuckDB', () => {
      assert.deepEqual(listFailures(result.execute, executed), [])
    })
  })

  test('dbt-core parses properties files without a deprecation', async () => {
    // dbt is slow for each test of a column, and ignores types.
    const texts = EXPORTED_CONTRACTS.filter((_, at) => isForDbt(at)).map((models, at) => {
      const numbered = models.map((model) => ({ ...model, name: `m${at}_${model.name}` }))
      return writeDbt(numbered, EXPORT_OPTIONS).text
    })
    const { problems } = await parseProperties({ schemas: texts, models: [] })
    assert.deepEqual(problems, [])
  })

  test('the manifest that dbt-core writes of a properties file is read as the file itself', async () => {
    const { problems, manifest } = await parseProperties({
      schemas: [PROPERTIES],
      models: ['customers', 'orders', 'items_v1', 'items_v2'],
    })
    // The properties file is one that older versions read, too: it has no `arguments`.
    assert.deepEqual(
      problems.filter((problem) => !problem.startsWith('MissingArguments')),
      [],
    )
    assert.deepEqual(listPromises(manifest ?? ''), listPromises(PROPERTIES))
  })
})

interface Parsed {
  problems: string[]
  manifest: string | null
}

async function parseProperties(given: { schemas: string[]; models: string[] }): Promise<Parsed> {
  return (await runPeerScript('properties.py', given)) as Parsed
}

function isForDbt(at: number): boolean {
  const source = FEATURES[at]?.source
  return source === undefined || source === 'dbt' || source === 'odcs' || at % 10 === 0
}

function listFailures(errors: readonly (string | null)[], texts: readonly string[]): string[] {
  return errors
    .flatMap((error, at) => (error === null ? [] : [`${error}\n${texts[at]}`]))
    .slice(0, 5)
}

onMariadb((server) => {
  test('all tables are created', async () => {
    // Tables with the same name are in separate databases, which all exist from the start.
    const failures: string[] = []
    for (const [at, text] of writeAll('mysql').entries()) {
      const schemas = [...text.matchAll(/^CREATE DATABASE IF NOT EXISTS (`(?:[^`]|``)*`)/gm)]
      const drops = schemas.map(([, name]) => `drop database if exists ${name};`).join('')
      const run = `create database m${at}; use m${at}; ${text} drop database m${at};${drops}`
      await server()
        .execute(run)
        .catch((error: unknown) => failures.push(`${String(error)}\n${text}`))
    }
    assert.deepEqual(failures.slice(0, 5), [])
  })
})
