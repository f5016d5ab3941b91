import { readdirSync } from 'node:fs'
import { sql, type Kysely } from 'kysely'

/** How a store's schema compares with the one that a program was written for. */
export type SchemaVersion = 'same' | 'newer' | 'older'

/** Lists the names of the migrations in a directory, in the order in which they are applied. */
export function listMigrations(directory: string): string[] {
  return readdirSync(directory)
    .filter((name) => name.endsWith('.sql'))
    .toSorted()
}

/** Compares the migrations that a store has with those that a program knows. */
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
