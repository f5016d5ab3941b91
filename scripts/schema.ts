/**
 * Writes server/schema.sql, the schema that all migrations together make, or with `--check` says
 * whether it is current. It is what a reviewer reads: a migration shows a step, this the result.
 */

import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Client } from 'pg'
import { migrate } from '../server/kit/migrate.ts'
import { MIGRATIONS } from '../server/store.ts'
import { startPostgres } from '../test/postgres.ts'

const TARGET = join(import.meta.dirname, '../server/schema.sql')

const HEADER = `-- The schema that the migrations make together. Written by \`npm run schema\`; never by hand.
`

// Not-null constraints (n) show as a part of their column.
const TABLES = `
  select
    class.relname as name,
    (
      select string_agg(
        '  ' || attribute.attname || ' ' || format_type(attribute.atttypid, attribute.atttypmod)
          || case when attribute.attcollation = '"C"'::regcollation then ' collate "C"' else '' end
          || case when attribute.attnotnull then ' not null' else '' end
          || case
            when attribute.attidentity = 'a' then ' generated always as identity'
            when attribute.attgenerated = 's'
              then ' generated always as (' || pg_get_expr(fallback.adbin, fallback.adrelid) || ') stored'
            when fallback.adbin is not null then ' default ' || pg_get_expr(fallback.adbin, fallback.adrelid)
            else ''
          end,
        E',\\n' order by attribute.attnum
      )
      from pg_attribute as attribute
      left join pg_attrdef as fallback on fallback.adrelid = attribute.attrelid
        and fallback.adnum = attribute.attnum
      where attribute.attrelid = class.oid
        and attribute.attnum > 0
        and not attribute.attisdropped
    ) as columns,
    (
      select string_agg(
        '  constraint ' || conname || ' ' || pg_get_constraintdef(oid),
        E',\\n' order by contype desc, conname
      )
      from pg_constraint
      where conrelid = class.oid
        and contype <> 'n'
    ) as constraints,
    (
      select string_agg(pg_get_indexdef(indexrelid) || ';', E'\\n' order by indexrelid::regclass::text)
      from pg_index
      where indrelid = class.oid
        and not exists (select from pg_constraint where conindid = indexrelid)
    ) as indexes
  from pg_class as class
  where class.relkind = 'r'
    and class.relnamespace = 'public'::regnamespace
  order by class.relname`

const FUNCTIONS = `
  select pg_get_functiondef(oid) as definition
  from pg_proc
  where pronamespace = 'public'::regnamespace
  order by proname`

interface TableRow {
  name: string
  columns: string
  constraints: string | null
  indexes: string | null
}

const current = await schemaOfMigrations()
if (!process.argv.includes('--check')) writeFileSync(TARGET, current)
else if (readFileSync(TARGET, 'utf8') !== current) {
  console.error('server/schema.sql is stale: run `npm run schema`')
  process.exitCode = 1
}

async function schemaOfMigrations(): Promise<string> {
  const server = await startPostgres()
  try {
    const connection = { connectionString: server.url }
    await migrate(connection, MIGRATIONS)
    const client = new Client(connection)
    await client.connect()
    const { rows } = await client.query<TableRow>(TABLES)
    const functions = await client.query<{ definition: string }>(FUNCTIONS)
    await client.end()
    const definitions = functions.rows.map(({ definition }) => `\n${definition.trimEnd()};\n`)
    return HEADER + [...rows.map(statementOf), ...definitions].join('')
  } finally {
    await server.stop()
  }
}

function statementOf({ name, columns, constraints, indexes }: TableRow): string {
  const parts = [columns, constraints].filter((part) => part !== null).join(',\n')
  return `\ncreate table ${name} (\n${parts}\n);\n${indexes === null ? '' : `\n${indexes}\n`}`
}
