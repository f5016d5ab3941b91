// The tables of a script, statement by statement, in every dialect.

import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { test } from 'node:test'
import { LineIndex, Notes } from '../../text/problem.ts'
import { asText } from '../../text/value.ts'
import type { Field, Model } from '../model.ts'
import { Specification } from '../specification.ts'
import { readSqlDdl } from './read.ts'
import { detectPlatform } from './dialect.ts'
import type { Platform } from '../types/native-type.ts'

/** Reads a script; warnings are `line:column message`. */
function read(text: string, platform?: Platform): { tables: string[]; warnings: string[] } {
  const lines = new LineIndex(text)
  const notes = new Notes({
    locate: () => ({ line: 1, column: 1 }),
    locateInside: (_path, offset) => lines.toPosition(offset),
  })
  const models = readSqlDdl(new Specification(text, [], notes), platform ? { platform } : {})
  return {
    tables: models.map(writeModel),
    warnings: notes.warnings.map(({ line, column, message }) => `${line}:${column} ${message}`),
  }
}

function writeModel({ namespace, name, fields, primaryKey, quality, traits }: Model): string {
  const key = primaryKey.length === 0 ? '' : ` key(${primaryKey.join()})`
  const rules = quality.map(({ rule }) => ` [${asText(rule) ?? ''}]`).join('')
  const opaque = traits === undefined ? '' : ` ?${JSON.stringify(traits['unanalyzed'] ?? traits)}`
  const full = namespace === undefined ? name : `${namespace}.${name}`
  return `${full}: ${fields.map(writeField).join(', ')}${key}${rules}${opaque}`
}

function writeField(field: Field): string {
  const { name, physicalType = '', logicalType, required, unique, traits } = field
  const values = field.enum ?? field.items?.enum
  return [
    `${name} ${physicalType}`.trim(),
    logicalType === 'unknown' && physicalType !== '' ? '(unknown)' : '',
    required ? '!' : '',
    unique ? ' unique' : '',
    values === undefined ? '' : `{${values.map((one) => asText(one) ?? '').join()}}`,
    field.minLength === undefined ? '' : ` >=${field.minLength}`,
    field.fields === undefined ? '' : `{${field.fields.map((one) => one.name).join()}}`,
    traits === undefined ? '' : ` ?${JSON.stringify(traits['unanalyzed'])}`,
  ].join('')
}

const T = 'create table t (a int);\n'

const scripts: readonly [
  behaviour: string,
  platform: Platform | undefined,
  text: string,
  tables: readonly string[],
  warnings?: readonly string[],
][] = [
  [
    'an identity of pg_dump is not a column',
    'postgresql',
    'create table public.t (id int not null, b text);\nALTER TABLE public.t ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (SEQUENCE NAME public.s START WITH 1);',
    ['public.t: id integer!, b text'],
  ],
  [
    'CLUSTER BY precedes the columns in GET_DDL',
    'snowflake',
    'create or replace TABLE T cluster by (a)(a number(38,0), b varchar(3));',
    ['T: a NUMBER(38,0), b VARCHAR(3)'],
  ],
  [
    'ON CLUSTER of ClickHouse precedes the columns',
    undefined,
    'create table t on cluster c (a Int32) engine=MergeTree order by a',
    ['t: a int32'],
  ],
  [
    'a project of BigQuery has hyphens',
    'bigquery',
    'CREATE TABLE my-project.d.t (a INT64); CREATE TABLE my-project-12.d.u (a INT64);',
    ['my-project.d.t: a INT64', 'my-project-12.d.u: a INT64'],
  ],
  [
    'indexes are not columns, columns called key and index are',
    undefined,
    'create table t (id int, name varchar(9), KEY idx (name), INDEX i (id));create table u (key varchar(9), index int)',
    ['t: id integer, name varchar(9)', 'u: key varchar(9), index integer'],
  ],
  [
    'indexes and defaults of SQL Server are not columns',
    'sqlserver',
    'create table t (id int, index ix nonclustered (id))\nalter table t add default (0) for id\nalter table t add constraint d default (0) for id\nalter table t drop constraint d',
    ['t: id int'],
  ],
  [
    'an index of a hybrid table is not a column',
    'snowflake',
    'create table t (b int, index ix(b))',
    ['t: b NUMBER(38,0)'],
  ],
  [
    'an expectation of Databricks is a check',
    'databricks',
    'create table t (a int, CONSTRAINT c EXPECT (a > 0 or b) ON VIOLATION DROP ROW)',
    ['t: a int [a > 0 or b]'],
  ],
  [
    'a missing comma is a warning at its place, and no column is lost',
    'postgresql',
    'create table t (id integer NOT NULL\n b text, c int d int, e int default 0\n f frob)',
    ['t: id integer!, b text, c integer, d integer, e integer, f frob(unknown)'],
    [
      '2:2 A comma is missing before "b".',
      '2:16 A comma is missing before "d".',
      '3:2 A comma is missing before "f".',
    ],
  ],
  [
    'a table without columns is a warning',
    'databricks',
    "create table t using delta location 'x';create table u ();",
    ['t:  ?["using delta location \'x\'"]', 'u: '],
    ['1:14 No column of table "t" could be read.'],
  ],
  [
    'LIKE, INHERITS and PARTITION OF copy columns',
    'postgresql',
    'create table a (x int primary key, y date); create table b (like a including all, z int); create table c () inherits (a); create table p partition of a for values from (1) to (2); alter table a add n int; create table d (like nope);',
    [
      'a: x integer!, y date, n integer key(x)',
      'b: x integer!, y date, z integer key(x)',
      'c: x integer!, y date, n integer',
      'p: x integer!, y date, n integer key(x) ?{"visibility":["for values from ( 1 ) to ( 2 )"]}',
      'd:  ?["like nope"]',
    ],
    [
      '1:227 The columns of "nope" are not known here. Add its CREATE TABLE before this one.',
      '1:219 No column of table "d" could be read.',
    ],
  ],
  [
    'a query gives the names of columns',
    'postgresql',
    'create table a (x int); create table b as select * from a; create view v as with q as (select 1) select x, max(x) as m from a;',
    [
      'a: x integer',
      'b: x integer ?["select * from a"]',
      'v: x, m ?["with q as ( select 1 ) select x , max ( x ) as m from a"]',
    ],
  ],
  [
    'partition columns of BigQuery are columns if they are listed',
    'bigquery',
    "create external table t (a INT64) with partition columns (b date) options (format='x');create external table u (a INT64) with partition columns",
    ['t: a INT64, b DATE', 'u: a INT64 ?["with partition columns"]'],
    ['1:137 The partition columns are not listed here, so they are not read.'],
  ],
  [
    'enumerations, domains and composite types are read as the script leaves them',
    'postgresql',
    "create type mood as enum ('a','b'); create domain code as varchar(9) not null check (length(value) >= 3); create type pt as (x int, y numeric(3,1)); create table t (m mood[], c code, p pt, q public.mood); alter type mood add value 'c'; alter type pt add attribute z int;",
    ['t: m mood[]{a,b,c}, c varchar(9)! >=3, p pt{x,y,z}, q mood{a,b,c}'],
  ],
  [
    'clauses of MySQL after a type do not hide the type',
    'mysql',
    'create table t (a varchar(40) BINARY, p point SRID 4326 not null, c char(3) character set latin1)',
    ['t: a varchar(40) ?["binary"], p point! ?["srid 4326"], c char(3) ?["character set latin1"]'],
  ],
  [
    'types without a platform are read by their usual meaning',
    undefined,
    'create table t (a text(4096), b timestamp(6) with time zone, c clob, d numeric(10,2), e varbinary(3))',
    ['t: a text(4096), b timestamp with time zone, c clob, d numeric(10,2), e varbinary(3)'],
  ],
  [
    'placeholders are names',
    undefined,
    'create table @cdm.person (a int); create table :S.t (a int); create table ${s}.u (a int); create table {{ s }}.v (a int); create table {{ p }}_w (a int); create table &s..x (a int); create table $(S).y (a int); alter table @cdm.person add b int; {% if x %}create table z (a int);{% endif %}',
    [
      '@cdm.person: a integer, b integer',
      ':S.t: a integer',
      '${s}.u: a integer',
      '{{ s }}.v: a integer',
      '{{ p }}_w: a integer',
      '&s.x: a integer',
      '$(S).y: a integer',
      'z: a integer',
    ],
  ],
  [
    'clauses that a model cannot express are kept as unanalyzed',
    'postgresql',
    'create table t (a int generated always as (b * 2) stored not null, b text collate "C", c int frob 3 not null)',
    [
      't: a integer! ?["generated always as ( b * 2 ) stored"], b text ?["collate \\"C\\""], c integer! ?["frob 3"]',
    ],
    ['1:94 "frob" is not a clause of a column that is read. Changes of it count as breaking.'],
  ],
  [
    'statements that cannot be read are kept as unanalyzed',
    'postgresql',
    `${T}alter table t drop b;\nalter table t frob;\nalter table q add c int;\ndo $$ begin alter table t add z int; end $$;`,
    [
      't: a integer ?["alter table t drop b","alter table t frob","alter table q add c int","do \' begin alter table t add z int; end \'"]',
    ],
    [
      '2:20 Table "t" has no column "b" here.',
      '3:15 "frob" is not an action of ALTER TABLE that is read.',
      '4:13 The script changes table "q" but does not create it.',
      '5:1 This code seems to change tables, and code is not executed here.',
    ],
  ],
  [
    'the body of a procedure is not executed',
    'mysql',
    `${T}delimiter //\ncreate procedure p()\nbegin\n drop table t;\n if x then alter table t drop a; end if;\nend //\ndelimiter ;\nalter table t add b int;`,
    ['t: a int, b int'],
  ],
  [
    'statements of SQL Server need no semicolons, and guards are looked through',
    'sqlserver',
    "create table t (a int)\nalter table t add b int, c varchar(3) not null\nexec sp_rename 'dbo.t.b', 'bb', 'COLUMN'\nif object_id('x') is null\ncreate table x (y int)\ngo\ncreate procedure p as\ndrop table t\ngo\nalter table t alter column c nvarchar(5)",
    ['t: a int, bb int, c nvarchar(5)', 'x: y int'],
  ],
  [
    'a renamed column is renamed in keys and checks',
    undefined,
    'create table t (a int primary key, b int, check (a > b));alter table t rename a to c;alter table t rename b to d',
    ['t: c integer!, d integer key(c) [c > d]'],
  ],
  [
    'MySQL redefines columns whole',
    undefined,
    "CREATE TABLE t (a int not null auto_increment, b varchar(5) default 'x' on update current_timestamp comment 'hi', primary key (a)) engine=InnoDB;alter table t modify b varchar(9) not null first, change a id bigint, drop primary key, add unique key u (id), add index k (b)",
    ['t: b varchar(9)!, id bigint! unique'],
  ],
  [
    'views of mysqldump are in comments that are executed',
    'mysql',
    '/*!50001 CREATE VIEW `v` AS SELECT 1 AS `a`*/;\n/*!50001 DROP VIEW IF EXISTS `v`*/;\n/*!50001 CREATE ALGORITHM=UNDEFINED */\n/*!50013 DEFINER=`r`@`%` SQL SECURITY DEFINER */\n/*!50001 VIEW `v` AS select `t`.`a` AS `a` from `t` */;',
    ['v: a ?["select \\"t\\" . \\"a\\" as \\"a\\" from \\"t\\""]'],
  ],
  [
    'a cast in a default is not a placeholder',
    'postgresql',
    "create table t (a text[] default '{}'::text[], b text default 'x'::character varying not null)",
    ['t: a text[], b text!'],
  ],
  [
    'a table in another schema is not changed',
    'postgresql',
    'create table s.t (a int);alter table x.t add b int;alter table t add c int;',
    ['s.t: a integer, c integer ?["alter table x . t add b int"]'],
    ['1:38 The script changes table "x.t" but does not create it.'],
  ],
]

for (const [behaviour, platform, text, tables, warnings = []] of scripts) {
  test(`${platform ?? 'no server'} › ${behaviour}`, () => {
    assert.deepEqual(read(text, platform), { tables, warnings })
  })
}

// PostgreSQL wrote the schema after it had executed the migrations, so it is the oracle.
test('postgresql › the migrations of this product leave the tables of its schema', () => {
  const server = new URL('../../../server/', import.meta.url)
  const names = readdirSync(new URL('migrations/', server)).filter((name) => name.endsWith('.sql'))
  const migrations = names
    .toSorted()
    .map((name) => readFileSync(new URL(`migrations/${name}`, server), 'utf8'))
  // The program creates this table itself, before the first migration.
  const created = 'create table schema_migration (name text)'
  const executed = getColumns([created, ...migrations].join(';\n'))
  const schema = getColumns(readFileSync(new URL('schema.sql', server), 'utf8'))
  for (const tables of [executed, schema]) tables.delete('schema_migration')
  assert.ok(executed.size > 20)
  assert.deepEqual(executed, schema)
})

/** Returns the columns of each table in alphabetical order. */
function getColumns(text: string): Map<string, string[]> {
  const notes = new Notes({ locate: () => ({ line: 1, column: 1 }) })
  const models = readSqlDdl(new Specification(text, [], notes), { platform: 'postgresql' })
  assert.deepEqual(notes.warnings, [])
  return new Map(
    models.map(({ name, fields }) => [
      name,
      fields.map((one) => `${one.name} ${one.physicalType} ${one.required}`).toSorted(),
    ]),
  )
}

const dialects: readonly [text: string, platform: Platform | undefined][] = [
  ['create table t (a int) ENGINE=InnoDB', 'mysql'],
  ['create table t (a int auto_increment)', 'mysql'],
  ['create table `t` (`a` int)', 'mysql'],
  ['create table [dbo].[t] ([a] int)', 'sqlserver'],
  ['create table t (a nvarchar(10), b int identity(1,1))', 'sqlserver'],
  ['create table t (a number(38,0), b variant)', 'snowflake'],
  ["-- select GET_DDL('table', 't')\ncreate table t (a int)", 'snowflake'],
  ['create table `p.d.t` (a STRUCT<b INT64>)', 'bigquery'],
  ['create table t (a string) using delta', 'databricks'],
  ['create table t (a string) stored as parquet', 'hive'],
  ['create table t (a serial)', 'postgresql'],
  ["create table t (a jsonb default '{}'::jsonb)", 'postgresql'],
  ['create table t (a varchar2(10), b number(3))', undefined],
  ['create table t (a UInt8) engine = MergeTree order by a', undefined],
  ['create table t (id integer primary key autoincrement)', undefined],
  ['create table t (a int, b numeric(10,2), c varchar(10))', undefined],
]

for (const [text, platform] of dialects) {
  test(`dialect › ${text.slice(0, 60)} is ${platform ?? 'ambiguous'}`, () => {
    assert.equal(detectPlatform(text), platform)
  })
}
