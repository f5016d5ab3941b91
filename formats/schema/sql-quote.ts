// How each dialect quotes names and texts. Whatever stands in a document, nothing of it ends a quote.

import type { Platform } from './types/native-type.ts'

/** What tells one dialect's statements from another's. */
export interface Dialect {
  platform: Platform
  /** The quotes around a name. */
  quotes: readonly [string, string]
  /** Texts have backslashes, not doubled quotes. */
  backslashes: boolean
  comments: 'statement' | 'inline' | 'options' | 'none'
  /** Whether a condition is a part of the table, a statement of its own, or cannot be said. */
  checks: 'inline' | 'altered' | 'none'
  lengthFunction: string
  /** A field that is unique beside the key can be told. */
  unique: boolean
  keySuffix: string
  schemas: boolean
}

const QUOTED: readonly [string, string] = ['"', '"']
const TICKED: readonly [string, string] = ['`', '`']

const DIALECTS: readonly Dialect[] = [
  {
    platform: 'postgresql',
    quotes: QUOTED,
    backslashes: false,
    comments: 'statement',
    checks: 'inline',
    lengthFunction: 'char_length',
    unique: true,
    keySuffix: '',
    schemas: true,
  },
  {
    platform: 'mysql',
    quotes: TICKED,
    backslashes: true,
    comments: 'inline',
    checks: 'inline',
    lengthFunction: 'char_length',
    unique: true,
    keySuffix: '',
    schemas: false,
  },
  {
    platform: 'sqlserver',
    quotes: ['[', ']'],
    backslashes: false,
    comments: 'none',
    checks: 'inline',
    lengthFunction: 'len',
    unique: true,
    keySuffix: '',
    schemas: false,
  },
  {
    platform: 'snowflake',
    quotes: QUOTED,
    backslashes: true,
    comments: 'inline',
    checks: 'none',
    lengthFunction: '',
    unique: true,
    keySuffix: '',
    schemas: false,
  },
  {
    platform: 'bigquery',
    quotes: TICKED,
    backslashes: true,
    comments: 'options',
    checks: 'none',
    lengthFunction: '',
    unique: false,
    keySuffix: ' NOT ENFORCED',
    schemas: false,
  },
  {
    platform: 'databricks',
    quotes: TICKED,
    backslashes: true,
    comments: 'inline',
    checks: 'altered',
    lengthFunction: 'char_length',
    unique: false,
    keySuffix: '',
    schemas: false,
  },
]

/** Gives the dialect of a platform; undefined when no tables can be created there in SQL of ours. */
export function dialectOf(platform: Platform): Dialect | undefined {
  return DIALECTS.find((dialect) => dialect.platform === platform)
}

/** Writes a name in quotes. */
export function quotedName(name: string, { platform, quotes }: Dialect): string {
  const [open, close] = quotes
  const escaped =
    platform === 'bigquery'
      ? name.replaceAll('\\', '\\\\').replaceAll('`', '\\`').replaceAll('\n', '\\n')
      : name.replaceAll(close, close + close)
  return `${open}${escaped}${close}`
}

/** Writes a text as a literal. */
export function quotedText(text: string, { platform, backslashes }: Dialect): string {
  if (backslashes) {
    const escaped = text
      .replaceAll('\\', '\\\\')
      .replaceAll("'", "\\'")
      .replaceAll('\n', '\\n')
      .replaceAll('\r', '\\r')
    return `'${escaped}'`
  }
  const doubled = text.replaceAll("'", "''")
  if (platform === 'sqlserver') return `N'${doubled}'`
  // In the older setting of PostgreSQL, backslashes escape in every text; with the E they do in both.
  return text.includes('\\') ? `E'${doubled.replaceAll('\\', '\\\\')}'` : `'${doubled}'`
}

const NUL = '\0'

/** What is wrong with a name for a dialect, as a sentence; undefined when it can be written as it is. */
export function nameProblem(name: string, { platform }: Dialect): string | undefined {
  if (name === '') return 'An empty name cannot be written; it is written as “_”.'
  if (name.includes(NUL)) return 'A name cannot hold the character NUL; it is left out.'
  if (platform === 'postgresql' && new TextEncoder().encode(name).length > 63) {
    return 'PostgreSQL cuts names off after 63 bytes.'
  }
  if (platform === 'postgresql' && SYSTEM_COLUMNS.has(name)) {
    return `PostgreSQL keeps the name “${name}” for itself; it is written as “${name}_”.`
  }
  if (platform === 'bigquery' && !/^[\p{L}\p{M}\p{N}\p{Pc}\p{Pd} ]+$/u.test(name)) {
    return 'BigQuery does not take all characters of this name.'
  }
  if (platform === 'databricks' && /[ ./\p{Cc}]/u.test(name)) {
    return 'Databricks does not take all characters of this name everywhere.'
  }
  return undefined
}

/** Gives a name as a dialect can take it. */
export function takenName(name: string, { platform }: Dialect): string {
  const clean = name.replaceAll(NUL, '').toWellFormed()
  if (clean === '') return '_'
  return platform === 'postgresql' && SYSTEM_COLUMNS.has(clean) ? `${clean}_` : clean
}

const SYSTEM_COLUMNS = new Set(['ctid', 'xmin', 'xmax', 'cmin', 'cmax', 'tableoid'])
