import { readdirSync } from 'node:fs'
import { sql, type Kysely } from 'kysely'

/** The comparison of a database's schema with that of the program. */
export type SchemaVersion = 'same' | 'newer' | 'older'

/** Lists the migrations of a directory in the order of their application. */
export function listMigrations(directory: string): string[] {
  return readdirSync(directory)
    .filter((name) => name.endsWith('.sql'))
    .toSorted()
}

/** Compares the migrations of a database with those of the program. */
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
