import { quoteName } from './sql-text.ts'

/** The privileges that show an object and not its data. Dynamic tables have no REFERENCES. */
const PRIVILEGES = [
  ['TABLES', 'REFERENCES'],
  ['EXTERNAL TABLES', 'REFERENCES'],
  ['EVENT TABLES', 'REFERENCES'],
  ['ICEBERG TABLES', 'REFERENCES'],
  ['DYNAMIC TABLES', 'MONITOR'],
  ['VIEWS', 'REFERENCES'],
  ['MATERIALIZED VIEWS', 'REFERENCES'],
] as const

/**
 * Lists the smallest grants for the metadata of a database, without its data, as statements. `database` may be a
 * placeholder in angle brackets.
 */
export function listGrants(database: string, role: string): string[] {
  const name = database.startsWith('<') ? database : quoteName(database)
  return [
    `GRANT USAGE ON DATABASE ${name} TO ROLE ${role}`,
    `GRANT USAGE ON ALL SCHEMAS IN DATABASE ${name} TO ROLE ${role}`,
    ...PRIVILEGES.map(
      ([objects, privilege]) =>
        `GRANT ${privilege} ON ALL ${objects} IN DATABASE ${name} TO ROLE ${role}`,
    ),
  ]
}
