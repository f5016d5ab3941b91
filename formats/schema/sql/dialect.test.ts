import assert from 'node:assert/strict'
import { test } from 'node:test'
import { NOWHERE } from '../../shape/inspect.ts'
import { Notes } from '../../text/problem.ts'
import { Specification } from '../specification.ts'
import { detectPlatform } from './dialect.ts'
import { readSqlDdl } from './read.ts'

const DB2 = `CREATE TABLE "SALES"."ORDERS" (
  "ID" BIGINT NOT NULL GENERATED ALWAYS AS IDENTITY (START WITH 1 INCREMENT BY 1 NO CACHE),
  "BYTES" VARCHAR(20) FOR BIT DATA,
  "NAME" VARCHAR(30) CCSID UNICODE NOT NULL WITH DEFAULT '',
  "CODE" CHAR(3) FOR SBCS DATA WITH DEFAULT,
  "PRICE" DECFLOAT(16), "G" GRAPHIC(10), "VG" VARGRAPHIC(20), "D" DBCLOB(1M),
  "C" CLOB(1M) LOGGED NOT COMPACT, "X" XML INLINE LENGTH 100,
  "TS" TIMESTAMP(6) NOT NULL GENERATED ALWAYS FOR EACH ROW ON UPDATE AS ROW CHANGE TIMESTAMP,
  "UNSIGNED" INTEGER, "STRUCT" INTEGER,
  PERIOD SYSTEM_TIME ("TS", "TS2"),
  CONSTRAINT "PK" PRIMARY KEY ("ID") ENFORCED,
  CONSTRAINT "FK" FOREIGN KEY ("CODE") REFERENCES "SALES"."C" ("CODE") ON DELETE RESTRICT ENFORCED ENABLE QUERY OPTIMIZATION
) IN "TS1" INDEX IN "TS2" ORGANIZE BY ROW COMPRESS YES ADAPTIVE;
ALTER TABLE "SALES"."ORDERS" ADD COLUMN "N" INTEGER NOT NULL WITH DEFAULT 0;
ALTER TABLE "SALES"."ORDERS" DATA CAPTURE CHANGES;
ALTER TABLE "SALES"."ORDERS" PCTFREE 10 LOCKSIZE ROW;
`

test('a script of Db2 without a server is read without warnings', () => {
  const notes = new Notes(NOWHERE)
  const [model] = readSqlDdl(new Specification(DB2, [], notes), {})
  assert.deepEqual(notes.warnings, [])
  assert.equal(detectPlatform(DB2), undefined)
  const { namespace, name, primaryKey, traits, fields } = model ?? {}
  assert.deepEqual([namespace, name, primaryKey, traits], ['SALES', 'ORDERS', ['ID'], undefined])
  assert.equal(
    fields?.map((field) => field.name).join(' '),
    'ID BYTES NAME CODE PRICE G VG D C X TS UNSIGNED STRUCT N',
  )
})

/** Words of dialects whose double quotes enclose texts. */
const WORDS = [
  'x INTEGER UNSIGNED',
  'x MEDIUMTEXT, y LONGTEXT',
  'x INT64, y FLOAT64',
  'x BYTES, y STRUCT<a INT64>',
  'x STRUCT<a: INT>',
]
const TAILS = ['', ' ENGINE = InnoDB', ' USING DELTA', ' STORED AS ORC']

test('names in double quotes decide before words do', () => {
  for (const columns of WORDS) {
    for (const tail of TAILS) {
      const script = `CREATE TABLE "S"."T" ("A" INTEGER, ${columns})${tail};`
      const platform = detectPlatform(script) ?? ''
      assert.ok(!['mysql', 'bigquery', 'databricks', 'hive'].includes(platform), script)
      const [model] = readSqlDdl(new Specification(script, [], new Notes(NOWHERE)), {})
      assert.deepEqual([model?.namespace, model?.name, model?.fields[0]?.name], ['S', 'T', 'A'])
    }
  }
})

test('names in backticks and brackets decide before words do', () => {
  assert.equal(detectPlatform('create table `t` (a jsonb, b bytea, c serial);\n-- x $$'), 'mysql')
  assert.equal(detectPlatform('create table [t] (a nvarchar(5), b jsonb, c bytea);'), 'sqlserver')
})
