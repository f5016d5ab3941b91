import { SourceFailure } from '../connector.ts'
import { quoteText } from './sql-text.ts'
import type { SnowflakeClient } from './statement-client.ts'

/** Tags of one database, by the path of their object as JSON: `[]` is the database itself. */
export type DatabaseTags = ReadonlyMap<string, readonly string[]>

/** The tags of one database. */
interface TagReader {
  /**
   * Returns at least the tags of the database and its schemas, or those of the tables of one schema. Errors: those of
   * SnowflakeClient, too_large.
   */
  getTags(schema?: string): Promise<DatabaseTags>
}

/** The numbers of tags that are held in memory at once. */
export interface TagLimits {
  /** If a database has more, its schemas are read one by one. */
  databaseMax: number
  /** Some schemas are read at the same time. */
  schemaMax: number
}

const LIMITS: TagLimits = { databaseMax: 500_000, schemaMax: 150_000 }

/** Returns the tags of an object: `path` is below the database. */
export function getTags(tags: DatabaseTags, path: readonly string[]): readonly string[] {
  return tags.get(JSON.stringify(path)) ?? []
}

/** Creates a reader of tags, which reads a database with one statement unless it has too many. */
export function newTagReader(
  client: SnowflakeClient,
  database: string,
  { databaseMax, schemaMax }: TagLimits = LIMITS,
): TagReader {
  const name = quoteText(database)
  const ofDatabase = `domain = 'DATABASE' and object_name = ${name}`
  const below = `object_database = ${name}`
  // Other objects, such as tasks and stages, may have the name of a table.
  const ofTables = `domain = 'COLUMN' or domain like '%TABLE' or domain like '%VIEW'`
  const read = async (condition: string, path: readonly string[], rowsMax: number) => {
    const what = `the tags of ${path.join('.')}`
    return await readTags(client, { sql: toTagStatement(condition), what }, rowsMax)
  }
  const readAll = async () => {
    const condition = `(${ofDatabase}) or (${below} and (domain = 'SCHEMA' or ${ofTables}))`
    return await read(condition, [database], databaseMax)
  }
  const readContainers = async () => {
    const condition = `(${ofDatabase}) or (${below} and domain = 'SCHEMA')`
    return await read(condition, [database], databaseMax)
  }
  let all: ReturnType<typeof read> | undefined
  let containers: ReturnType<typeof read> | undefined
  return {
    async getTags(schema) {
      const whole = await (all ??= readAll())
      if (whole !== undefined) return whole
      const inSchema = `${below} and object_schema = ${quoteText(schema ?? '')} and (${ofTables})`
      const part =
        schema === undefined
          ? await (containers ??= readContainers())
          : await read(inSchema, [database, schema], schemaMax)
      if (part !== undefined) return part
      const [where, max] =
        schema === undefined ? [database, databaseMax] : [`${database}.${schema}`, schemaMax]
      const message = `${where} has more than ${max} tags. Disable "Include tags" to read it`
      throw new SourceFailure('too_large', message)
    },
  }
}

/** Reads tags; undefined if there are too many. Errors: those of SnowflakeClient. */
async function readTags(
  client: SnowflakeClient,
  statement: { sql: string; what: string },
  rowsMax: number,
): Promise<DatabaseTags | undefined> {
  const tags = new Map<string, string[]>()
  let count = 0
  for await (const rows of client.run(statement)) {
    count += rows.length
    if (count > rowsMax) return undefined
    for (const row of rows) {
      const name = row.require('tag_name')
      const value = row.get('tag_value')
      const key = JSON.stringify(toPath(row.require('domain'), row.get.bind(row)))
      const text = value ? `${name}:${value}` : name
      const own = tags.get(key)
      if (own === undefined) tags.set(key, [text])
      else own.push(text)
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

function toTagStatement(condition: string): string {
  return `
    select tag_name, tag_value, object_schema, object_name, column_name, domain
    from snowflake.account_usage.tag_references
    where object_deleted is null and (${condition})
    order by object_schema, object_name, column_name, tag_name, tag_value`
}
