import { readdirSync } from 'node:fs'
import { sql, type Kysely } from 'kysely'
import { findFirstWriter, listBlocking, type AppliedMigration } from './writable-by.ts'

/** The schema of a database as a program sees it: whether the program may write, and why not. */
export interface SchemaState {
  /**
   * `same`: the program may write. `newer`: a newer version has applied migrations after which this one may not write.
   * `older`: migrations of this program are missing.
   */
  version: 'same' | 'newer' | 'older'
  /** The migrations that this program does not have, also those after which it may write. */
  newer: readonly AppliedMigration[]
  /** The first version that may write; null if it is not known. */
  firstWriter: string | null
}

/** The schema of a database that has exactly the migrations of the program. */
export const SAME_SCHEMA: SchemaState = { version: 'same', newer: [], firstWriter: null }

/** A program as its schema depends on it. */
interface Program {
  /** The names of its migrations. */
  migrations: readonly string[]
  /** Its semantic version. */
  version: string
}

interface Row {
  names: string[] | null
  writers: (string | null)[] | null
  knownCount: number
}

/** Lists the migrations of a directory in the order of their application. */
export function listMigrations(directory: string): string[] {
  return readdirSync(directory)
    .filter((name) => name.endsWith('.sql'))
    .toSorted()
}

/** Compares the applied migrations of a database with those of a program. */
export async function compareSchema<Tables>(
  db: Kysely<Tables>,
  { migrations, version }: Program,
): Promise<SchemaState> {
  // As JSON, because an older schema does not have the column.
  const { rows } = await sql<Row>`
    select
      array_agg(name order by name) filter (where name <> all(${migrations}::text[])) as names,
      array_agg(to_jsonb(schema_migration) ->> 'writable_by' order by name)
        filter (where name <> all(${migrations}::text[])) as writers,
      count(*) filter (where name = any(${migrations}::text[])) as "knownCount"
    from schema_migration
  `.execute(db)
  const { names, writers, knownCount } = rows[0] ?? { names: null, writers: null, knownCount: 0 }
  const newer = (names ?? []).map((name, index) => ({
    name,
    writableBy: writers?.[index] ?? null,
  }))
  const firstWriter = findFirstWriter(newer)
  if (listBlocking(newer, version).length > 0) return { version: 'newer', newer, firstWriter }
  const isComplete = knownCount === migrations.length
  return { version: isComplete ? 'same' : 'older', newer, firstWriter }
}
