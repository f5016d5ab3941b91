// The quoting of names and texts in each dialect. No content of a document can end a quote.

import type { Platform } from '../types/native-type.ts'

/** The syntax differences of a dialect. */
export interface SqlDialect {
  platform: Platform
  /** The quotes around a name. */
  quotes: readonly [string, string]
  /** Texts escape with backslashes instead of doubling quotes. */
  backslashes: boolean
  comments: 'statement' | 'inline' | 'options' | 'none'
  /** The keyword in front of the comment of a table. */
  tableComment: string
  /** Longer comments are cut. */
  commentMax: { column: number; table: number }
  /** Whether a condition is part of the table, its own statement, or cannot be expressed. */
  checks: 'inline' | 'altered' | 'none'
  lengthFunction: string
  /** Columns can be NOT NULL, and unique without being the key. */
  required: boolean
  unique: boolean
  /** The clause after a primary key; undefined if the dialect has no primary keys. */
  keySuffix: string | undefined
  /** The columns that a foreign key may refer to: those of keys and unique ones, or only primary keys. */
  foreignKeys: 'any' | 'ofKeys' | 'none'
  /** The clause after a foreign key. */
  foreignKeySuffix: string
  /** Creates the schema with a quoted name, unless it exists. */
  createSchema: (quoted: string, name: string) => string
}

const QUOTED: readonly [string, string] = ['"', '"']
const TICKED: readonly [string, string] = ['`', '`']

const COMMON: Omit<SqlDialect, 'platform'> = {
  quotes: QUOTED,
  backslashes: false,
  comments: 'inline',
  tableComment: 'COMMENT',
  commentMax: { column: Infinity, table: Infinity },
  checks: 'inline',
  lengthFunction: 'char_length',
  required: true,
  unique: true,
  keySuffix: '',
  foreignKeys: 'any',
  foreignKeySuffix: '',
  createSchema: (quoted) => `CREATE SCHEMA IF NOT EXISTS ${quoted}`,
}

const DIALECTS: readonly SqlDialect[] = [
  { ...COMMON, platform: 'postgresql', comments: 'statement' },
  {
    ...COMMON,
    platform: 'mysql',
    quotes: TICKED,
    backslashes: true,
    tableComment: 'COMMENT =',
    commentMax: { column: 1024, table: 2048 },
    createSchema: (quoted) => `CREATE DATABASE IF NOT EXISTS ${quoted}`,
  },
  {
    ...COMMON,
    platform: 'sqlserver',
    quotes: ['[', ']'],
    comments: 'none',
    lengthFunction: 'len',
    createSchema: (quoted, name) =>
      // CREATE SCHEMA must be the only statement of its batch.
      `IF SCHEMA_ID(${unicodeText(name)}) IS NULL EXEC(${unicodeText(`CREATE SCHEMA ${quoted}`)})`,
  },
  {
    ...COMMON,
    platform: 'snowflake',
    backslashes: true,
    tableComment: 'COMMENT =',
    checks: 'none',
  },
  {
    ...COMMON,
    platform: 'bigquery',
    quotes: TICKED,
    backslashes: true,
    comments: 'options',
    commentMax: { column: 1024, table: 16_384 },
    checks: 'none',
    unique: false,
    keySuffix: ' NOT ENFORCED',
    foreignKeys: 'ofKeys',
    foreignKeySuffix: ' NOT ENFORCED',
  },
  {
    ...COMMON,
    platform: 'databricks',
    quotes: TICKED,
    backslashes: true,
    checks: 'altered',
    unique: false,
    foreignKeys: 'ofKeys',
  },
  {
    ...COMMON,
    platform: 'hive',
    quotes: TICKED,
    backslashes: true,
    commentMax: { column: 256, table: 4000 },
    checks: 'none',
    // Hive has constraints since version 3, but Athena and Glue, which use its language, have none.
    required: false,
    unique: false,
    keySuffix: undefined,
    foreignKeys: 'none',
    createSchema: (quoted) => `CREATE DATABASE IF NOT EXISTS ${quoted}`,
  },
]

/** Returns the dialect of a platform; undefined if no SQL is written for it. */
export function getDialect(platform: Platform): SqlDialect | undefined {
  return DIALECTS.find((dialect) => dialect.platform === platform)
}

/** Writes a name in quotes. */
export function quotedName(name: string, { platform, quotes }: SqlDialect): string {
  const [open, close] = quotes
  const escaped =
    platform === 'bigquery'
      ? name.replaceAll('\\', '\\\\').replaceAll('`', '\\`').replaceAll('\n', '\\n')
      : name.replaceAll(close, close + close)
  return `${open}${escaped}${close}`
}

/** Writes a text as a literal. */
export function quotedText(text: string, { platform, backslashes }: SqlDialect): string {
  if (backslashes) {
    const escaped = text
      .replaceAll('\\', '\\\\')
      .replaceAll("'", "\\'")
      .replaceAll('\n', '\\n')
      .replaceAll('\r', '\\r')
    return `'${escaped}'`
  }
  if (platform === 'sqlserver') return unicodeText(text)
  const doubled = text.replaceAll("'", "''")
  // In the older setting of PostgreSQL, backslashes escape in every text; with the E they do in both.
  return text.includes('\\') ? `E'${doubled.replaceAll('\\', '\\\\')}'` : `'${doubled}'`
}

function unicodeText(text: string): string {
  return `N'${text.replaceAll("'", "''")}'`
}
