import { SourceFailure } from '../connector.ts'
import { quoteText } from './sql-text.ts'
import type { SnowflakeClient } from './statement-client.ts'

/** The tags of one database, by the path of their object as JSON: `[]` is the database itself. */
export type DatabaseTags = ReadonlyMap<string, readonly string[]>

// More tags than this cannot be held in memory.
const TAGS_MAX = 500_000

/** Returns the tags of an object: `path` is below the database. */
export function getTags(tags: DatabaseTags, path: readonly string[]): readonly string[] {
  return tags.get(JSON.stringify(path)) ?? []
}

/** Reads the tags of a database with one statement. Errors: those of SnowflakeClient, too_large. */
export async function readTags(client: SnowflakeClient, database: string): Promise<DatabaseTags> {
  const tags = new Map<string, string[]>()
  const what = `the tags of ${database}`
  let count = 0
  for await (const rows of client.run({ sql: toTagStatement(database), what })) {
    count += rows.length
    if (count > TAGS_MAX)
      throw new SourceFailure('too_large', `There are too many rows for ${what}`)
    for (const row of rows) {
      const name = row.require('tag_name')
      const value = row.get('tag_value')
      const key = JSON.stringify(toPath(row.require('domain'), row.get.bind(row)))
      tags.set(key, [...(tags.get(key) ?? []), value ? `${name}:${value}` : name])
    }
  }
  return tags
}

function toPath(domain: string, get: (column: string) => string | undefined): string[] {
  const [schema = '', object = '', column = ''] = [
    get('object_schema'),
    get('object_name'),
    get('column_name'),
  ]
  if (domain === 'DATABASE') return []
  if (domain === 'SCHEMA') return [object]
  return domain === 'COLUMN' ? [schema, object, column] : [schema, object]
}

// Other objects, such as tasks and stages, may have the name of a table.
function toTagStatement(database: string): string {
  const name = quoteText(database)
  return `
    select tag_name, tag_value, object_schema, object_name, column_name, domain
    from snowflake.account_usage.tag_references
    where object_deleted is null and (
      (domain = 'DATABASE' and object_name = ${name})
      or (object_database = ${name} and (
        domain in ('SCHEMA', 'COLUMN') or domain like '%TABLE' or domain like '%VIEW')))
    order by object_schema, object_name, column_name, tag_name, tag_value`
}
