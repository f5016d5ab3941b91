import assert from 'node:assert/strict'
import test from 'node:test'
import * as fc from 'fast-check'
import { readInnerText } from '../../text/text.ts'
import { Notes } from '../../text/problem.ts'
import type { Field, Model } from '../model.ts'
import { Specification } from '../specification.ts'
import { readSqlDdl } from './read.ts'
import { TABLES_MAX } from './script.ts'
import type { Platform } from '../types/native-type.ts'

interface Read {
  models: Model[]
  warnings: { line: number; message: string }[]
}

function read(text: string, platform?: Platform): Read {
  // The text is in a document as a literal block that begins on line 2.
  const outer = `ddl: |-\n${text.replaceAll(/^/gm, '  ')}\n`
  const source = readInnerText(outer, 'application/yaml')
  const notes = new Notes(source.ok ? source : { locate: () => ({ line: 1, column: 1 }) })
  const models = readSqlDdl(new Specification(text, ['ddl'], notes), platform ? { platform } : {})
  return { models, warnings: notes.warnings }
}

function getFields({ models: [model] }: Read): string[] {
  return (model?.fields ?? []).map(summarize)
}

function summarize(field: Field): string {
  const flags = [
    field.required ? '!' : '',
    field.unique ? ' unique' : '',
    field.description ? ` "${field.description}"` : '',
  ]
  return `${field.name} ${field.physicalType ?? '?'}${flags.join('')}`
}

test('PostgreSQL › columns, keys, checks, references and comments', () => {
  const result = read(
    `-- the orders; of the shop
CREATE TABLE IF NOT EXISTS sales.orders (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  "Odd ""Name" character varying(10) NOT NULL DEFAULT 'x;''y',
  status text CHECK (status IN ('NEW', 'PAID')),
  total numeric(12,2) CHECK (total >= 0 AND total < 1e3) /* gross */,
  tags text[], at timestamp(3) with time zone DEFAULT now(),
  customer int REFERENCES customers(id) ON DELETE SET NULL UNIQUE,
  CONSTRAINT late CHECK (at > '2020-01-01' OR total = 0),
  UNIQUE (customer, at), EXCLUDE USING gist (tags WITH &&)
) PARTITION BY RANGE (at);
COMMENT ON TABLE sales.orders IS 'it''s';
COMMENT ON COLUMN sales.orders.id IS E'a\\nb';
ALTER TABLE ONLY sales.orders ADD COLUMN IF NOT EXISTS extra jsonb NOT NULL, ADD CONSTRAINT f FOREIGN KEY (extra) REFERENCES t (u);
GRANT ALL ON sales.orders TO public;`,
    'postgresql',
  )
  assert.deepEqual(result.warnings, [])
  assert.deepEqual(getFields(result), [
    'id bigint! "a\nb"',
    'Odd "Name varchar(10)!',
    'status text',
    'total numeric(12,2)',
    'tags text[]',
    'at timestamp(3) with time zone',
    'customer integer unique',
    'extra jsonb!',
  ])
  const [model] = result.models
  assert.deepEqual(
    [model?.name, model?.namespace, model?.kind, model?.description],
    ['orders', 'sales', 'table', "it's"],
  )
  assert.deepEqual(model?.primaryKey, ['id'])
  assert.deepEqual(model?.fields[2]?.enum, ['NEW', 'PAID'])
  assert.deepEqual([model?.fields[3]?.minimum, model?.fields[3]?.exclusiveMaximum], [0, 1000])
  assert.deepEqual(model?.fields[6]?.references, ['customers.id'])
  assert.deepEqual(model?.fields[7]?.references, ['t.u'])
  assert.deepEqual(
    model?.quality.map(({ name, rule }) => [name, rule]),
    [
      ['late', "at > '2020-01-01' OR total = 0"],
      [undefined, 'unique (customer, at)'],
      [undefined, 'EXCLUDE USING gist (tags WITH &&)'],
    ],
  )
})

test('PostgreSQL › a dump with rows, enumerations, functions and views', () => {
  const result = read(
    `CREATE TYPE public.mood AS ENUM ('ok', 'sad');
CREATE FUNCTION f() RETURNS trigger AS $body$ BEGIN CREATE TABLE no (a int); END; $body$ LANGUAGE plpgsql;
CREATE TABLE p (m public.mood, "check" int, key text);
COPY p (m) FROM stdin;
it's; CREATE TABLE no (a int);
\\.
ALTER TABLE ONLY public.p ADD CONSTRAINT k PRIMARY KEY (m);
CREATE MATERIALIZED VIEW v AS SELECT p.m, count(*) AS "how many" FROM p;`,
    'postgresql',
  )
  assert.deepEqual(result.warnings, [])
  assert.deepEqual(
    result.models.map(({ name, kind }) => [name, kind]),
    [
      ['p', 'table'],
      ['v', 'view'],
    ],
  )
  assert.deepEqual(getFields(result), ['m mood!', 'check integer', 'key text'])
  assert.deepEqual(result.models[0]?.fields[0]?.enum, ['ok', 'sad'])
  assert.deepEqual(
    result.models[1]?.fields.map(({ name }) => name),
    ['m', 'how many'],
  )
})

test('MySQL › keys, comments, backslashes and partitions', () => {
  const result = read(
    "CREATE TABLE `or``ders` (`id` bigint(20) unsigned NOT NULL AUTO_INCREMENT COMMENT 'it\\'s', # the id\n `s` enum('a','b') DEFAULT 'a', ok tinyint(1), v varchar(20) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL, PRIMARY KEY (`id`), UNIQUE KEY `u` (`s`), KEY k (v(10)), FULLTEXT KEY f (v)) ENGINE=InnoDB COMMENT='Orders' PARTITION BY RANGE (YEAR(d)) (PARTITION p0 VALUES LESS THAN (2020))",
    'mysql',
  )
  assert.deepEqual(result.warnings, [])
  assert.deepEqual(getFields(result), [
    `id bigint unsigned! "it's"`,
    "s enum('a','b') unique",
    'ok tinyint(1)',
    'v varchar(20)!',
  ])
  assert.deepEqual([result.models[0]?.name, result.models[0]?.description], ['or`ders', 'Orders'])
})

test('SQL Server › brackets, batches and identity', () => {
  const result = read(
    'CREATE TABLE [dbo].[Order Lines] ([Id] INT IDENTITY(1,1), [Na]]me] NVARCHAR(MAX) NULL CONSTRAINT df DEFAULT ((0)), CONSTRAINT [PK] PRIMARY KEY CLUSTERED ([Id] ASC) WITH (PAD_INDEX = OFF) ON [PRIMARY])\nGO\nALTER TABLE [dbo].[Order Lines] WITH CHECK ADD CONSTRAINT c CHECK (([Id]>(0)))\nGO\nCREATE TABLE t (u uniqueidentifier NOT NULL)',
    'sqlserver',
  )
  assert.deepEqual(result.warnings, [])
  assert.deepEqual(getFields(result), ['Id int!', 'Na]me nvarchar(max)'])
  assert.deepEqual(
    result.models.map(({ name }) => name),
    ['Order Lines', 't'],
  )
  assert.equal(result.models[0]?.quality[0]?.rule, '([Id]>(0))')
})

test('Snowflake › semi-structured types, policies, clustering and comments', () => {
  const result = read(
    "CREATE OR REPLACE TRANSIENT TABLE DB.SCH.ORDERS (ID NUMBER(38,0) NOT NULL AUTOINCREMENT START 1 INCREMENT 1 COMMENT 'the id', V VARIANT, A ARRAY(NUMBER), O OBJECT(a VARCHAR NOT NULL), E VARCHAR WITH MASKING POLICY p, constraint pk primary key (ID)) CLUSTER BY (V) COMMENT = 'orders' // end",
    'snowflake',
  )
  assert.deepEqual(result.warnings, [])
  assert.deepEqual(getFields(result), [
    'ID NUMBER(38,0)! "the id"',
    'V VARIANT',
    'A ARRAY(NUMBER(38,0))',
    'O OBJECT(a VARCHAR NOT NULL)',
    'E VARCHAR',
  ])
  assert.deepEqual(
    [result.models[0]?.namespace, result.models[0]?.description],
    ['DB.SCH', 'orders'],
  )
})

test('BigQuery › options, structs, partitions and unenforced keys', () => {
  const result = read(
    "CREATE TABLE `my-proj.ds.orders` (id INT64 NOT NULL OPTIONS(description=\"\"\"the \"id\"\"\"), a ARRAY<STRUCT<x INT64 OPTIONS(description='q'), y STRING(10)>>, PRIMARY KEY (id) NOT ENFORCED) PARTITION BY DATE(ts) CLUSTER BY id OPTIONS(description='orders', labels=[('a','b')]);\nCREATE EXTERNAL TABLE my-proj.ds.e (a STRING) OPTIONS (format='CSV')",
    'bigquery',
  )
  assert.deepEqual(result.warnings, [])
  assert.deepEqual(getFields(result), [
    'id INT64! "the "id"',
    'a ARRAY<STRUCT<x INT64, y STRING(10)>>',
  ])
  assert.deepEqual(
    result.models.map(({ namespace, name, description }) => [namespace, name, description]),
    [
      ['my-proj.ds', 'orders', 'orders'],
      ['my-proj.ds', 'e', undefined],
    ],
  )
  assert.equal(result.models[0]?.fields[1]?.items?.fields?.[0]?.description, 'q')
})

test('Databricks › generated columns, structs with comments, masks and properties', () => {
  const result = read(
    "CREATE TABLE IF NOT EXISTS main.s.orders (id BIGINT GENERATED ALWAYS AS IDENTITY COMMENT 'the id', s STRUCT<a: INT COMMENT 'x', b: ARRAY<STRING>>, d DATE GENERATED ALWAYS AS (CAST(ts AS DATE)), m STRING MASK f, CONSTRAINT pk PRIMARY KEY (id)) USING DELTA PARTITIONED BY (d) CLUSTER BY (id) LOCATION 's3://x' COMMENT 'orders' TBLPROPERTIES ('delta.x' = 'true');\nCREATE EXTERNAL TABLE e (a string) PARTITIONED BY (day string) STORED AS PARQUET;",
    'databricks',
  )
  assert.deepEqual(result.warnings, [])
  assert.deepEqual(getFields(result), [
    'id bigint! "the id"',
    's struct<a:int,b:array<string>>',
    'd date',
    'm string',
  ])
  assert.equal(result.models[0]?.description, 'orders')
  assert.deepEqual(
    result.models[1]?.fields.map(({ name }) => name),
    ['a', 'day'],
  )
})

test('an unreadable statement gives a warning at its line, and the others are read', () => {
  const result = read(
    'CREATE TABLE a (x int);\nCREATE TABLE b (\n  y int\n  z;\nCREATE TABLE c (x int);',
    'postgresql',
  )
  assert.deepEqual(
    result.models.map(({ name }) => name),
    ['a', 'c'],
  )
  assert.deepEqual(
    result.warnings.map(({ line, message }) => [line, message]),
    [
      [5, '"z" is not a clause of a column that is read. Changes of it count as breaking.'],
      [5, 'Expected "," or ")", but the statement ends.'],
    ],
  )
})

test('an unclosed quote gives a warning at its beginning', () => {
  const result = read("CREATE TABLE a (x int);\nCREATE TABLE b (x int DEFAULT 'a);\n", 'postgresql')
  assert.deepEqual(
    result.models.map(({ name }) => name),
    ['a'],
  )
  assert.deepEqual(
    result.warnings.map(({ line }) => line),
    [3],
  )
})

test('a text without tables gives a warning', () => {
  for (const text of ['', 'select 1', 'hello', ';;;']) {
    assert.equal(read(text).warnings.length, 1)
  }
})

test('tables beyond the limit are not read, with a single warning', () => {
  const { models, warnings } = read('create table a(b int);\n'.repeat(TABLES_MAX + 5))
  assert.equal(models.length, TABLES_MAX)
  assert.deepEqual(
    warnings.map(({ line }) => line),
    [TABLES_MAX + 2],
  )
})

test('names such as __proto__ are names like any other', () => {
  const result = read('CREATE TABLE __proto__ (__proto__ int, constructor text PRIMARY KEY)')
  assert.deepEqual(getFields(result), ['__proto__ integer', 'constructor text!'])
})

test('any text is read without an error', () => {
  const words = fc.constantFrom(
    'create',
    'table',
    'view',
    't',
    '(',
    ')',
    'a',
    'int',
    ',',
    ';',
    'check',
    'primary key',
    'unique',
    'references',
    "'x'",
    "'",
    '"',
    '`',
    '[',
    ']',
    'comment',
    'on',
    'column',
    'is',
    'alter',
    'add',
    'as',
    'select',
    'constraint',
    'options',
    '=',
    '<',
    '>',
    '$$',
    '--',
    '\n',
    '/*',
    'partitioned by',
    '.',
    'type',
    'enum',
  )
  const text = fc.oneof(
    fc.string(),
    fc.array(words, { maxLength: 30 }).map((parts) => parts.join(' ')),
  )
  const platform = fc.constantFrom<Platform>(
    'postgresql',
    'mysql',
    'sqlserver',
    'snowflake',
    'bigquery',
    'databricks',
    'hive',
  )
  const property = fc.property(text, fc.option(platform, { nil: undefined }), (text, platform) => {
    const notes = new Notes({ locate: () => ({ line: 1, column: 1 }) })
    readSqlDdl(new Specification(text, [], notes), platform ? { platform } : {})
  })
  fc.assert(property, { numRuns: 1500, seed: 3 })
})
