/**
 * Validates the exports of many contracts with their target tools: PostgreSQL, MariaDB and DuckDB create
 * the tables, sqlglot parses the other dialects, dbt-core parses the properties files, and BigQuery's
 * published rules apply.
 */

import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import * as fc from 'fast-check'
import { readDataContract } from '../formats/data-contract/read.ts'
import { writeBigQuery } from '../formats/schema/bigquery/write.ts'
import { writeDbt } from '../formats/schema/dbt/write.ts'
import type { Model } from '../formats/schema/model.ts'
import { writeSqlDdl } from '../formats/schema/sql/write.ts'
import type { Platform } from '../formats/schema/types/native-type.ts'
import { readText } from '../formats/text/text.ts'
import { jsonText, type ObjectValue } from '../formats/text/value.ts'
import { findBigQueryProblems } from './bigquery-rules.ts'
import { FEATURES } from './export-features.ts'
import { FULL_ODCS } from './full-contracts.ts'
import { FULL_DCS } from './full-dcs.ts'
import { onMariadb } from './mariadb.ts'
import { modelsArbitrary } from './model-arbitrary.ts'
import { onPeers, runPeerScript } from './peers/peers.ts'
import { useScratchDatabase } from './scratch-database.ts'

const OPTIONS = { name: 'n', id: 'i' }

function readModels(value: ObjectValue): Model[] {
  const source = readText(jsonText(value), 'application/json')
  assert.ok(source.ok)
  const reading = readDataContract(source, { id: 'a', strict: false })
  return reading.ok ? reading.contract.models : []
}

const CONTRACTS: readonly (readonly Model[])[] = [
  ...FEATURES.map((feature) => readModels(feature.with)),
  ...[...FULL_ODCS.values(), ...FULL_DCS.values()].map(readModels),
  ...fc.sample(modelsArbitrary(), { seed: 13, numRuns: 25 }),
]

/** Exports all contracts in a dialect; equal texts count once. */
function writeAll(dialect: Platform): string[] {
  const texts = CONTRACTS.map((models) => writeSqlDdl(models, { ...OPTIONS, dialect }).text)
  return [...new Set(texts)].filter((text) => text !== '')
}

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
    const executed = writeAll('postgresql').filter((text) => !UNKNOWN_TO_DUCKDB.test(text))
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
    const texts = CONTRACTS.filter((_, at) => isForDbt(at)).map((models, at) => {
      const numbered = models.map((model) => ({ ...model, name: `m${at}_${model.name}` }))
      return writeDbt(numbered, OPTIONS).text
    })
    assert.deepEqual(await runPeerScript('properties.py', texts), [])
  })
})

function isForDbt(at: number): boolean {
  const source = FEATURES[at]?.source
  return source === undefined || source === 'dbt' || source === 'odcs' || at % 10 === 0
}

function listFailures(errors: readonly (string | null)[], texts: readonly string[]): string[] {
  return errors
    .flatMap((error, at) => (error === null ? [] : [`${error}\n${texts[at]}`]))
    .slice(0, 5)
}

test('BigQuery accepts each table by its published rules', () => {
  const problems = CONTRACTS.flatMap((models) => {
    const { text } = writeBigQuery(models, OPTIONS)
    return [JSON.parse(text)].flat().flatMap(findBigQueryProblems)
  })
  assert.deepEqual(problems, [])
})

describe('on PostgreSQL', () => {
  const client = useScratchDatabase('exports')

  test('all tables are created', async () => {
    for (const text of writeAll('postgresql')) {
      await client()
        .query(`begin; ${text}`)
        .catch((error: unknown) => {
          throw new Error(text, { cause: error })
        })
      await client().query('rollback')
    }
  })
})

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
