import { dirname } from 'node:path'
import { formatCommand } from '../command-name.ts'

const DAMAGE = [
  /pg_control/,
  /incorrect checksum in control file/,
  /database files are incompatible with server/,
  /could not find the database system/,
  /could not locate a valid checkpoint record/,
  /could not locate required checkpoint record/,
  /invalid (?:primary )?checkpoint/,
  /invalid page in block/,
  /is not a valid data directory/,
  /could not (?:open|read|access) (?:file|directory|status of transaction) /,
]

/** Returns whether a line of PostgreSQL's log reports that its files are damaged or missing. */
export function reportsDamage(line: string): boolean {
  return DAMAGE.some((pattern) => pattern.test(line))
}

/**
 * Returns the message for an operator whose PostgreSQL data are damaged. `root` is the folder that contains
 * them, as in `ClusterPaths`.
 */
export function describeDamage(root: string, reason: string): string {
  return `The database in ${dirname(root)} is damaged (${reason}). Move ${root} away, and restore a backup with: ${formatCommand('restore <file or folder>')}`
}

/** An error of Portbook's own PostgreSQL. Its message is one line for the operator. */
export class LocalPostgresError extends Error {
  override readonly name = 'LocalPostgresError'
}
