import semver from 'semver'

// The first line of a migration may name the first version whose processes may go on writing after it was applied:
//
//   -- writable-by: 0.3.0
//
// The line is stored with the migration, so that processes read it that do not have the file.

const LINE = /^-- writable-by: (\S+)\r?\n/
const MENTION = /^[^\w\n]*writable[-_ ]by\b/im
const EXAMPLE = '-- writable-by: 0.3.0'

/** A migration in the database. */
export interface AppliedMigration {
  name: string
  /** The first version that may write after it; null = only versions that have the migration. */
  writableBy: string | null
}

/**
 * Returns the version in the first line of a migration, a semantic version without a prefix or build metadata; null if
 * the migration has no such line. Errors: Error if the line is malformed, or not the first one.
 */
export function parseWritableBy(name: string, text: string): string | null {
  if (!MENTION.test(text)) return null
  const [line = '', version = ''] = LINE.exec(text) ?? []
  if (semver.valid(version) === version && !MENTION.test(text.slice(line.length))) return version
  throw new Error(
    `migration ${name} has a malformed line: write a version as its first line, such as "${EXAMPLE}", and nowhere else`,
  )
}

/** Lists those of some newer migrations after which processes of a version may not write. */
export function listBlocking(
  migrations: readonly AppliedMigration[],
  version: string,
): AppliedMigration[] {
  return migrations.filter(({ writableBy }) => !mayWrite(version, writableBy))
}

function mayWrite(version: string, writableBy: string | null): boolean {
  // A later version may store what this one cannot compare.
  if (semver.valid(version) === null || semver.valid(writableBy) === null) return false
  return writableBy !== null && semver.gte(version, writableBy)
}

/**
 * Returns the first version that may write after all of some migrations; null if only versions that have all of them
 * may.
 */
export function findFirstWriter(migrations: readonly AppliedMigration[]): string | null {
  let first: string | null = null
  for (const { writableBy } of migrations) {
    if (semver.valid(writableBy) === null || writableBy === null) return null
    if (first === null || semver.gt(writableBy, first)) first = writableBy
  }
  return first
}
