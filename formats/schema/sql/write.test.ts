import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { modelsArbitrary } from '../../../test/model-arbitrary.ts'
import { differingPaths } from '../../../test/model-equality.ts'
import { Notes } from '../../text/problem.ts'
import type { Field, Loss, Model, Written } from '../model.ts'
import { plainField, plainModel } from '../plain.ts'
import { Specification } from '../specification.ts'
import { writeSqlDdl } from './write.ts'
import { readSqlDdl } from './read.ts'
import type { Platform } from '../types/native-type.ts'
import { useScratchDatabase } from '../../../test/scratch-database.ts'

const client = useScratchDatabase('ddl')

const SQL_PLATFORMS: readonly Platform[] = [
  'postgresql',
  'mysql',
  'sqlserver',
  'snowflake',
  'bigquery',
  'databricks',
  'hive',
]

function write(models: readonly Model[], dialect: Platform = 'postgresql'): Written {
  return writeSqlDdl(models, { dialect, name: 'n', id: 'i' })
}

function readBack(text: string, platform: Platform): { models: Model[]; warnings: string[] } {
  const notes = new Notes({ locate: () => ({ line: 1, column: 1 }) })
  const models = readSqlDdl(new Specification(text, [], notes), { platform })
  return { models, warnings: notes.warnings.map(({ message }) => message) }
}

/**
 * Lists differences after reading back that no loss mentions, neither for them nor for their
 * surroundings.
 */
function unexplained(
  models: readonly Model[],
  read: readonly Model[],
  losses: readonly Loss[],
): string[] {
  return differingPaths(models, read).filter(
    (path) =>
      !losses.some(
        (loss) =>
          path === loss.path ||
          (/^[.[{]/.test(path.slice(loss.path.length)) && path.startsWith(loss.path)),
      ),
  )
}

/** Executes the text and lists the columns of each table, as PostgreSQL reports them. */
async function execute(
  text: string,
): Promise<
  { table: string; column: string; type: string; required: boolean; comment: string | null }[]
> {
  await client().query('begin')
  try {
    if (text !== '') await client().query(text)
    const { rows } = await client().query(
      `select c.relname as table, a.attname as column, format_type(a.atttypid, a.atttypmod) as type,
        a.attnotnull as required, col_description(c.oid, a.attnum) as comment
      from pg_class c join pg_attribute a on a.attrelid = c.oid
      where c.relkind = 'r' and a.attnum > 0 and c.xmin::text = pg_current_xact_id()::xid::text
        and c.relnamespace not in (select oid from pg_namespace where nspname in ('pg_catalog', 'pg_toast'))
      order by c.oid, a.attnum`,
    )
    return rows
  } finally {
    await client().query('rollback')
  }
}

function table(name: string, fields: readonly Field[], more: Partial<Model> = {}): Model {
  return { ...plainModel(name, ''), kind: 'table', fields: [...fields], ...more }
}

test('PostgreSQL › creates every generated model as described, and reads it back without differences except the losses', async () => {
  const property = fc.asyncProperty(modelsArbitrary(), async (models) => {
    const { text, losses } = write(models)
    const columns = await execute(text)
    const { models: read, warnings } = readBack(text, 'postgresql')
    assert.deepEqual(warnings, [])
    const described = read.flatMap(({ name, fields }) =>
      fields.map((field) => ({
        table: name,
        column: field.name,
        required: field.required,
        comment: field.description ?? null,
      })),
    )
    assert.deepEqual(
      columns.map(({ table, column, required, comment }) => ({ table, column, required, comment })),
      described,
    )
    const kept = models.filter(
      ({ name }) => !losses.some((loss) => loss.path === name && /left out/.test(loss.message)),
    )
    assert.deepEqual(unexplained(kept, read, losses), [], text)
  })
  await fc.assert(property, { numRuns: 70, seed: 4 })
})

for (const platform of SQL_PLATFORMS) {
  test(`${platform} › reads every generated model back without differences except the losses`, () => {
    const property = fc.property(modelsArbitrary(), (models) => {
      const { text, losses } = write(models, platform)
      const { models: read, warnings } = readBack(text, platform)
      assert.deepEqual(warnings, [], text)
      const kept = models.filter(
        ({ name }) => !losses.some((loss) => loss.path === name && /left out/.test(loss.message)),
      )
      assert.deepEqual(unexplained(kept, read, losses), [], text)
    })
    fc.assert(property, { numRuns: 80, seed: 6 })
  })
}

test('PostgreSQL › names, comments and values cannot break out of their quotes', async () => {
  await client().query('create table victim (a int)')
  const evil = [
    'a"; drop table victim; --',
    "a'; drop table victim; --",
    '$$; drop table victim; $$',
    '\\"; drop table victim; --',
    "\\'; drop table victim; --",
    '*/ drop table victim; /*',
    '\n--\n; drop table victim;',
  ]
  for (const word of evil) {
    const field: Field = {
      ...plainField(word, 'string', ''),
      description: word,
      enum: [word],
      physicalType: word,
    }
    const odd: Field = { ...plainField('odd', 'unknown', ''), physicalType: `geometry(${word})` }
    const { text } = write([table(word, [field, odd], { description: word, namespace: word })])
    const columns = await execute(text)
    assert.deepEqual(
      columns.map(({ table: name, column, comment }) => [name, column, comment]),
      [
        [word, word, word],
        [word, 'odd', null],
      ],
    )
  }
  await client().query('select a from victim')
})

test('PostgreSQL › writes types, keys and conditions', async () => {
  const orders = table(
    'orders',
    [
      text('id', { format: 'uuid', required: true, primaryKeyPosition: 1 }),
      text('code', { maxLength: 10, minLength: 2, unique: true }),
      { ...plainField('total', 'number', ''), precision: 12, scale: 2, minimum: 0 },
      { ...plainField('n', 'integer', ''), format: 'int32', exclusiveMaximum: 5 },
      { ...plainField('tags', 'array', ''), items: text('', {}) },
    ],
    { primaryKey: ['id'] },
  )
  const { text: ddl } = write([orders])
  const columns = await execute(ddl)
  assert.deepEqual(
    columns.map(({ column, type, required }) => [column, type, required]),
    [
      ['id', 'uuid', true],
      ['code', 'character varying(10)', false],
      ['total', 'numeric(12,2)', false],
      ['n', 'integer', false],
      ['tags', 'text[]', false],
    ],
  )
  await client().query(ddl)
  const insert = (values: string): Promise<unknown> =>
    client().query(`insert into orders values (gen_random_uuid(), ${values})`)
  await insert("'ab', 0, 4, '{}'")
  for (const [values, constraint] of [
    ["'a', 0, 4, '{}'", /check/],
    ["'ab', 0, 4, '{}'", /unique/],
    ["'cd', -1, 4, '{}'", /check/],
    ["'ef', 0, 5, '{}'", /check/],
  ] as const) {
    await assert.rejects(insert(values), constraint)
  }
})

test('lists what a dialect cannot express', () => {
  const field: Field = {
    ...plainField('a', 'string', ''),
    pattern: 'x',
    classification: 'pii',
    references: ['b.c'],
  }
  for (const platform of SQL_PLATFORMS) {
    const { losses } = write([table('t', [field])], platform)
    assert.deepEqual(
      losses.map(({ path }) => path),
      ['t.a', 't.a', 't.a'],
    )
  }
  assert.equal(write([table('t', [field])], 'avro').losses.length, 1)
})

test('skips the second model with a name, and lists it as a loss', () => {
  const { text, losses } = write([table('t', []), table('T', []), table('t', [])])
  assert.equal(text.match(/CREATE TABLE/g)?.length, 1)
  assert.equal(losses.length, 2)
})

function text(name: string, more: Partial<Field>): Field {
  return { ...plainField(name, 'string', ''), ...more }
}

const DESCRIBED = table(
  'orders ',
  [{ ...plainField('n', 'integer', ''), minimum: 0, description: 'd'.repeat(2000) }],
  { namespace: 'sales' },
)

test('MySQL › creates the database, and writes a shortened comment before the condition', () => {
  const { text: ddl, losses } = write([DESCRIBED], 'mysql')
  assert.equal(
    ddl,
    `CREATE DATABASE IF NOT EXISTS \`sales\`;\n\nCREATE TABLE \`sales\`.\`orders\` (\n  \`n\` bigint COMMENT '${'d'.repeat(1024)}' CHECK (\`n\` >= 0)\n);\n`,
  )
  assert.deepEqual(
    losses.map(({ path, message }) => `${path}: ${message}`),
    [
      'orders : MySQL does not accept this name; it is written as "orders".',
      'orders .n: The description is cut after 1024 characters.',
    ],
  )
})

test('each dialect creates the schema of a table', () => {
  const model = { ...DESCRIBED, name: 'orders' }
  for (const platform of SQL_PLATFORMS) {
    assert.match(write([model], platform).text, /CREATE (?:SCHEMA|DATABASE)[^;]*sales/, platform)
  }
})

test('Hive › writes tables without constraints, and lists these', () => {
  const id = { ...plainField('id', 'integer', ''), required: true, primaryKeyPosition: 1 }
  const { text: ddl, losses } = write([table('t', [id], { primaryKey: ['id'] })], 'hive')
  assert.equal(ddl, 'CREATE TABLE `t` (\n  `id` bigint\n);\n')
  assert.deepEqual(
    losses.map(({ path }) => path),
    ['t.id', 't', 't.id'],
  )
})
