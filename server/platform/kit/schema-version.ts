import { readdirSync } from 'node:fs'
import { sql, type Kysely } from 'kysely'

/** The result of comparing the schema of a database with that of a program. */
export type SchemaVersion = 'same' | 'newer' | 'older'

/** Lists the migrations of a directory in the order of their application. */
export function listMigrations(directory: string): string[] {
  return readdirSync(directory)
    .filter((name) => name.endsWith('.sql'))
    .toSorted()
}

/** Compares the applied migrations of a database with those of a program. */
export async function compareSchema<Tables>(
  db: Kysely<Tables>,
  names: readonly string[],
): Promise<SchemaVersion> {
  const { rows } = await sql<{ unknownCount: number; knownCount: number }>`
    select
      count(*) filter (where name <> all(${names}::text[])) as "unknownCount",
      count(*) filter (where name = any(${names}::text[])) as "knownCount"
    from schema_migration
  `.execute(db)
  const { unknownCount, knownCount } = rows[0] ?? { unknownCount: 0, knownCount: 0 }
  if (unknownCount > 0) return 'newer'
  return knownCount < names.length ? 'older' : 'same'
}
