/**
 * Levels of changed types, checked with databases: if a column of the new type takes a value that one of the old type does
 * not, the change must be breaking. `LEVEL_RUNS` multiplies the number of pairs, `LEVEL_SEED` repeats a run.
 */

import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import type { Client } from 'pg'
import { KnownTypes } from './known-types.ts'
import { compareFieldTypes } from './field-type.ts'
import { plainField } from '../schema/plain.ts'
import type { Platform } from '../schema/types/native-type.ts'
import { readNativeType } from '../schema/types/read-type.ts'
import { typedField } from '../schema/types/typed-field.ts'
import { onMariadb } from '../../test/mariadb.ts'
import { onPeers, runPeerScript } from '../../test/peers/peers.ts'
import { newRandom } from '../../test/random.ts'
import { useScratchDatabase } from '../../test/scratch-database.ts'
import { listTypes, SAMPLE_VALUES } from '../../test/type-values.ts'

const SEED = Number(process.env['LEVEL_SEED'] ?? Date.now() % 1_000_000)
const RUNS = Number(process.env['LEVEL_RUNS'] ?? 1)
const PAIRS = 1000

console.log(`types: seed ${SEED}`)

const random = newRandom(SEED)
const TYPES = listTypes(60, random)

/** The values that a column of a type takes, by their position; undefined if the database does not have the type. */
type Values = ReadonlySet<number> | undefined

function checkPairs(values: readonly Values[], platform: Platform | undefined): void {
  const known = TYPES.flatMap((text, at) => {
    const taken = values[at]
    return taken === undefined ? [] : [{ text, taken }]
  })
  const types = new KnownTypes()
  const wrong: string[] = []
  let witnesses = 0
  for (let run = 0; run < PAIRS * RUNS; run += 1) {
    const [one, other] = [0, 0].map(() => known[Math.floor(random() * known.length)])
    assert.ok(one && other)
    const witness = [...other.taken].find((at) => !one.taken.has(at))
    if (witness === undefined) continue
    witnesses += 1
    const sides = { before: platform, after: platform, known: types }
    const change = compareFieldTypes(
      toField(one.text, platform),
      toField(other.text, platform),
      sides,
    )
    const { verdict = 'same' } = change ?? {}
    if (verdict === 'same' || verdict === 'narrower') {
      wrong.push(
        `${one.text} → ${other.text} is ${verdict}, but takes ${SAMPLE_VALUES[witness]?.slice(0, 40)}`,
      )
    }
  }
  assert.ok(
    witnesses > PAIRS / 10,
    `${witnesses} of ${PAIRS * RUNS} pairs of ${known.length} types widen`,
  )
  assert.deepEqual([...new Set(wrong)], [])
}

function toField(physicalType: string, platform: Platform | undefined) {
  const native = readNativeType(physicalType, platform)
  return { ...plainField('a', 'unknown', '/a'), ...typedField(native), physicalType }
}

describe('PostgreSQL', () => {
  const client = useScratchDatabase('types')

  test('a type that takes a new value is a breaking change', async () => {
    await client().query(`set timezone = 'UTC'; ${TAKES_IN_POSTGRES}`)
    checkPairs(await readPostgres(client()), 'postgresql')
  })
})

// Whether a column of a type takes a value and returns it as it was, in any of the ways in which it can be read.
const TAKES_IN_POSTGRES = `
create function pg_temp.is_kept(value text, read_as text) returns boolean language plpgsql as $$
declare kept boolean;
begin
  execute format('select a::%s = %L::%s from pg_temp.t', read_as, value, read_as) into kept;
  return coalesce(kept, false);
exception when others then return false;
end $$;
create function pg_temp.takes(value text) returns boolean language plpgsql as $$
begin
  truncate pg_temp.t;
  execute format('insert into pg_temp.t values (%L)', value);
  return pg_temp.is_kept(value, 'text') or pg_temp.is_kept(value, 'numeric')
    or pg_temp.is_kept(value, 'timestamptz') or pg_temp.is_kept(value, 'time')
    or pg_temp.is_kept(value, 'interval') or pg_temp.is_kept(value, 'jsonb');
exception when others then return false;
end $$;`

async function readPostgres(client: Client): Promise<Values[]> {
  const values: Values[] = []
  for (const text of TYPES) {
    const isKnown = await client
      .query(`drop table if exists pg_temp.t; create temporary table t (a ${text})`)
      .then(
        () => true,
        () => false,
      )
    if (!isKnown) {
      values.push(undefined)
      continue
    }
    const { rows } = await client.query<{ at: number }>(
      `select (ordinality - 1)::int as at from unnest($1::text[]) with ordinality as v (value, ordinality)
      where pg_temp.takes(value)`,
      [SAMPLE_VALUES],
    )
    values.push(new Set(rows.map(({ at }) => at)))
  }
  return values
}

onMariadb((server) => {
  test('a type that takes a new value is a breaking change', async () => {
    await server().execute('create database types character set utf8mb4')
    const values: Values[] = []
    for (const text of TYPES) {
      // Geometries have no form as text, and a serial replaces zero by the next number.
      const isText = !/^(?:geometry|point|serial)/i.test(text)
      values.push(isText ? await readMariadb(server(), text) : undefined)
    }
    checkPairs(values, 'mysql')
  })
})

async function readMariadb(
  server: ReturnType<Parameters<Parameters<typeof onMariadb>[0]>[0]>,
  text: string,
): Promise<Values> {
  const create = `use types; set sql_mode = 'STRICT_ALL_TABLES'; drop table if exists t; create table t (at int, a ${text})`
  const isKnown = await server.execute(create).then(
    () => true,
    () => false,
  )
  if (!isKnown) return undefined
  // One procedure call for each value would be slow; rows that fail are skipped by a handler.
  const inserts = SAMPLE_VALUES.map((value, at) => `insert into t values (${at}, ${quote(value)});`)
  const body = `create or replace procedure fill() begin declare continue handler for sqlexception, sqlwarning begin end; ${inserts.join(' ')} end`
  await server.execute(`use types; set sql_mode = 'STRICT_ALL_TABLES'; ${body}`)
  const checks = SAMPLE_VALUES.map(
    (value, at) => `(${at}, ${quote(value)}, ${/^-?\d+(?:\.\d+)?$/.test(value) ? value : 'null'})`,
  )
  const rows = await server.execute(
    `use types; set sql_mode = 'STRICT_ALL_TABLES'; call fill();
    create or replace table v (at int, value longtext, number decimal(65,20)); insert into v values ${checks.join(', ')};
    select t.at from (select at, cast(a as binary) as bytes, cast(a as char) as text from t) t join v on v.at = t.at
    where bytes = cast(v.value as binary)
      or text regexp '^-?[0-9]+([.][0-9]+)?$' and cast(text as decimal(65,20)) = v.number
      or v.value like '____-%' and text like '____-%' and cast(text as datetime(6)) = cast(v.value as datetime(6))
      or v.value like '__:__:%' and text like '__:__:%' and cast(text as time(6)) = cast(v.value as time(6))`,
  )
  return new Set(rows.map(({ at }) => Number(at)))
}

function quote(value: string): string {
  return `'${value.replaceAll('\\', '\\\\').replaceAll("'", "''")}'`
}

// DuckDB gives these words of PostgreSQL another meaning.
const HOMONYMS: ReadonlySet<string> = new Set(['oid'])

onPeers(['python'], () => {
  describe('DuckDB', () => {
    let values: Values[]
    before(async () => {
      const types = TYPES.map((text) => (HOMONYMS.has(text) || random() < 0.5 ? 'unknown' : text))
      const result = await runPeerScript('type_values.py', { types, values: SAMPLE_VALUES })
      values = (result as (number[] | null)[]).map((taken) =>
        taken === null ? undefined : new Set(taken),
      )
    })

    test('a type that takes a new value is a breaking change', () => {
      checkPairs(values, undefined)
    })
  })
})
