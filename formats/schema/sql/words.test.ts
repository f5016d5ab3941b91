// Words that a platform does not reserve are names of columns, in every place where a column may be defined.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { useScratchDatabase } from '../../../test/scratch-database.ts'
import { NOWHERE } from '../../shape/inspect.ts'
import { Notes } from '../../text/problem.ts'
import { Specification } from '../specification.ts'
import type { Platform } from '../types/native-type.ts'
import { readSqlDdl } from './read.ts'

const client = useScratchDatabase('words')

function listColumns(text: string, platform?: Platform): string[] {
  const specification = new Specification(text, [], new Notes(NOWHERE))
  const [model] = readSqlDdl(specification, platform === undefined ? {} : { platform })
  return model?.fields.map(({ name }) => name) ?? []
}

/** Statements that leave the columns a, the word, and b. */
const PLACES: readonly ((word: string) => string)[] = [
  (word) => `create table t (a int, ${word} text, b text)`,
  (word) => `create table t (a int, ${word} int unique, b text)`,
  (word) => `create table t (a int, ${word} text unique constraint c check (a > 0), b text)`,
  (word) => `create table t (a int, ${word} varchar(10) not null default 'x', b text)`,
  (word) => `create table t (a int, ${word} numeric(10, 2) primary key, b text)`,
  (word) => `create table t (a int, ${word} int references r (x) on delete set null, b text)`,
  (word) => `create table t (a int, "${word}" text, b text)`,
  (word) => `create table t (a int); alter table t add ${word} int; alter table t add b text`,
  (word) => `create table t (a int, x text, b text); alter table t rename column x to ${word}`,
  (word) => `create table t (a int, ${word} int, b text); alter table t alter ${word} set not null`,
  (word) => `create table t (a int, b text, ${word} int, c int);
    alter table t drop column ${word}; alter table t rename c to ${word};
    alter table t drop column b; alter table t add column b text`,
]

test('on PostgreSQL, each word that is not reserved is the name of a column', async () => {
  const { rows } = await client().query<{ word: string }>(
    `select word from pg_get_keywords() where catcode in ('U', 'C') order by 1`,
  )
  const words = rows.map(({ word }) => word)
  assert.ok(words.includes('key') && words.includes('index'))
  await client().query(`create table words (${words.map((word) => `${word} text`).join(', ')})`)
  const lost = words.flatMap((word) =>
    PLACES.flatMap((write) => {
      const columns = listColumns(write(word), 'postgresql')
      return columns.join() === ['a', word, 'b'].join() ? [] : [`${write(word)}: ${columns.join()}`]
    }),
  )
  assert.deepEqual(lost, [])
})

test('key and index are columns unless they define an index', () => {
  const script =
    'create table s.jobs (id bigint primary key, key text unique constraint c check (length(key) > 1), index int unique)'
  assert.deepEqual(listColumns(script, 'postgresql'), ['id', 'key', 'index'])
  assert.deepEqual(listColumns(script), ['id', 'key', 'index'])
  assert.deepEqual(listColumns('create table t (a int, key geometry(point, 4326))', 'postgresql'), [
    'a',
    'key',
  ])
  assert.deepEqual(listColumns('create table t (a int, key k (a), index i (a desc))', 'mysql'), [
    'a',
  ])
  assert.deepEqual(
    listColumns(
      'create table t (a int, index i unique nonclustered (a), index j (a))',
      'sqlserver',
    ),
    ['a'],
  )
})

const ACTIONS = ['cascade', 'restrict', 'no action', 'set null', 'set default']

test('no action of a foreign key is the name of a column', () => {
  const pairs = ACTIONS.flatMap((one) => ACTIONS.map((other) => [one, other] as const))
  const lost = pairs.flatMap(([one, other]) => {
    const clauses = [`on delete ${one} on update ${other}`, `on update ${one} on delete ${other}`]
    const scripts = clauses.flatMap((actions) => [
      `create table t (a int, b int, constraint f foreign key (a) references r (a) ${actions})`,
      `create table t (a int, constraint f foreign key (a) references r (a) ${actions}, b int)`,
      `create table t (a int references r (a) ${actions}, b int not null)`,
      `create table t (a int, b int); alter table t add foreign key (a) references r (a) ${actions}`,
    ])
    return ([undefined, 'postgresql', 'mysql', 'sqlserver'] as const).flatMap((platform) =>
      scripts.filter((script) => listColumns(script, platform).join() !== 'a,b'),
    )
  })
  assert.deepEqual(lost, [])
})
