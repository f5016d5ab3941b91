// Qualified names of tables, `sales.orders` or `shop."sales".orders`, as contracts contain them.

import type { Platform } from './types/native-type.ts'

/** The parts of a table's name on its platform. */
interface TableName {
  /** The database, project or catalog. */
  database?: string
  /** The schema or dataset. */
  schema?: string
  table: string
}

// A part is in quotes, or begins with a letter: the digits of `orders_v1.2` are not a table.
const PART =
  /"((?:[^"]|"")+)"|`((?:[^`]|``)+)`|\[((?:[^\]]|\]\])+)\]|([\p{L}_#][\p{L}\p{N}_$#-]*)/uy

const NAME_CHARS_MAX = 1000

/** The most parts that the name of a table has; a platform without an entry has no tables. */
const PARTS_MAX: ReadonlyMap<Platform, number> = new Map<Platform, number>([
  ['postgresql', 3],
  ['mysql', 2],
  ['sqlserver', 3],
  ['snowflake', 3],
  ['bigquery', 3],
  ['databricks', 3],
  ['hive', 2],
  ['iceberg', 3],
])

/**
 * Splits the name of a table at its dots; dots inside quotes are part of the name, except in BigQuery, where backticks
 * may enclose the whole. Returns undefined for a name that is not qualified or quoted, or has more parts than names of
 * the platform.
 */
export function splitTableName(name: string, platform: Platform): TableName | undefined {
  const whole = platform === 'bigquery' ? /^`([^`]+)`$/.exec(name)?.[1] : undefined
  const text = whole ?? name
  const parts = text.length > NAME_CHARS_MAX ? undefined : splitParts(text)
  const partsMax = PARTS_MAX.get(platform) ?? 0
  if (parts === undefined || parts.length > partsMax) return undefined
  const table = parts.at(-1)
  if (table === undefined || table === name) return undefined
  const [schema, database] = [parts.at(-2), parts.at(-3)]
  return {
    ...(database === undefined ? {} : { database }),
    ...(schema === undefined ? {} : { schema }),
    table,
  }
}

function splitParts(name: string): string[] | undefined {
  const parts: string[] = []
  const part = new RegExp(PART)
  for (;;) {
    const match = part.exec(name)
    if (match === null) return undefined
    const [, quoted, ticked, bracketed, plain = ''] = match
    parts.push(
      quoted?.replaceAll('""', '"') ??
        ticked?.replaceAll('``', '`') ??
        bracketed?.replaceAll(']]', ']') ??
        plain,
    )
    if (part.lastIndex === name.length) return parts
    if (name.charAt(part.lastIndex) !== '.') return undefined
    part.lastIndex += 1
  }
}
