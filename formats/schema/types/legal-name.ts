// Names that each SQL platform accepts. Names in catalogs that a platform rejects, even in quotes, are
// changed as little as possible.

import { truncate } from '../../text/value.ts'
import type { Platform } from './native-type.ts'

type NameKind = 'schema' | 'table' | 'column'

/** A name that the platform accepts, and why it differs from the original one. */
interface LegalName {
  name: string
  problem?: string
}

interface NameRule {
  /** The platform's name in sentences. */
  product: string
  /** Characters that are replaced by `_`, with their names. */
  illegal?: { readonly [kind in NameKind]?: RegExp }
  /** Names that get a `_` at the beginning, or at the end. */
  prefixed?: { readonly [kind in NameKind]?: RegExp }
  suffixed?: { readonly [kind in NameKind]?: ReadonlySet<string> }
  /** Blanks at the end are removed. */
  isTrimmed?: true
  /** The maximum length in characters, or in bytes of UTF-8 if `inBytes`. */
  lengthMax: number
  inBytes?: true
}

const SYSTEM_COLUMNS: ReadonlySet<string> = new Set([
  'ctid',
  'xmin',
  'xmax',
  'cmin',
  'cmax',
  'tableoid',
])

const NO_TABLE_OF_SPARK = /[ ./\p{Cc}]/gu
const NO_TABLE_OF_HIVE = /[^A-Za-z0-9_]/g

const RULES: ReadonlyMap<Platform, NameRule> = new Map<Platform, NameRule>([
  [
    'postgresql',
    {
      product: 'PostgreSQL',
      prefixed: { schema: /^pg_/ },
      suffixed: { column: SYSTEM_COLUMNS },
      lengthMax: 63,
      inBytes: true,
    },
  ],
  [
    'mysql',
    {
      product: 'MySQL',
      illegal: {
        schema: /[\u{10000}-\u{10FFFF}]/gu,
        table: /[\u{10000}-\u{10FFFF}]/gu,
        column: /[\u{10000}-\u{10FFFF}]/gu,
      },
      isTrimmed: true,
      lengthMax: 64,
    },
  ],
  ['sqlserver', { product: 'SQL Server', lengthMax: 128 }],
  ['snowflake', { product: 'Snowflake', lengthMax: 255 }],
  [
    'bigquery',
    {
      product: 'BigQuery',
      // https://cloud.google.com/bigquery/docs/schemas#column_names
      illegal: {
        schema: /[^A-Za-z0-9_]/g,
        table: /[^\p{L}\p{M}\p{N}\p{Pc}\p{Pd} ]/gu,
        column: /[^\p{L}\p{M}\p{N}\p{Pc}\p{Pd} ]/gu,
      },
      prefixed: {
        column:
          /^(?:[^\p{L}_]|_TABLE_|_FILE_|_PARTITION|_ROW_TIMESTAMP|__ROOT__|_COLIDENTIFIER|_CHANGE_)/iu,
      },
      lengthMax: 300,
    },
  ],
  [
    'databricks',
    {
      product: 'Databricks',
      illegal: { schema: NO_TABLE_OF_SPARK, table: NO_TABLE_OF_SPARK, column: /\p{Cc}/gu },
      lengthMax: 255,
    },
  ],
  [
    'hive',
    {
      product: 'Hive',
      illegal: { schema: NO_TABLE_OF_HIVE, table: NO_TABLE_OF_HIVE, column: /[.:,`\p{Cc}]/gu },
      lengthMax: 128,
    },
  ],
])

const NUL = '\0'

/** Returns a name as a platform accepts it in quotes. */
export function legalName(wanted: string, kind: NameKind, platform: Platform): LegalName {
  if (wanted === '')
    return { name: '_', problem: 'A name must not be empty; it is written as "_".' }
  const rule = RULES.get(platform)
  const clean = wanted.replaceAll(NUL, '').toWellFormed()
  const name = (rule === undefined ? clean : accepted(clean, kind, rule)) || '_'
  if (name === wanted) return { name }
  const product = rule?.product ?? platform
  return { name, problem: `${product} does not accept this name; it is written as "${name}".` }
}

function accepted(clean: string, kind: NameKind, rule: NameRule): string {
  const { illegal, prefixed, suffixed, isTrimmed, lengthMax, inBytes } = rule
  const pattern = illegal?.[kind]
  let name = pattern === undefined ? clean : clean.replaceAll(pattern, '_')
  if (prefixed?.[kind]?.test(name) === true) name = `_${name.startsWith('_') ? 'x' : ''}${name}`
  if (suffixed?.[kind]?.has(name) === true) name = `${name}_`
  name = cut(name, lengthMax, inBytes === true)
  return isTrimmed === true ? name.trimEnd() : name
}

function cut(name: string, lengthMax: number, inBytes: boolean): string {
  if (!inBytes) return truncate(name, lengthMax)
  const bytes = new TextEncoder().encode(name)
  if (bytes.length <= lengthMax) return name
  // A character that is cut in two becomes U+FFFD.
  return new TextDecoder().decode(bytes.subarray(0, lengthMax)).replace(/\uFFFD+$/, '')
}

/** Returns a name without case and accents. */
export function foldName(name: string): string {
  return name.normalize('NFD').replaceAll(/\p{M}/gu, '').toLowerCase()
}

/** The names of one schema, table or type, of which no two may be equal for the platform. */
export class NameScope {
  readonly #fold: (name: string) => string
  readonly #platform: Platform
  readonly #taken = new Set<string>()
  readonly #numbers = new Map<string, number>()

  constructor(platform: Platform) {
    this.#platform = platform
    if (platform === 'postgresql' || platform === 'snowflake') this.#fold = (name) => name
    else if (platform === 'mysql') this.#fold = foldName
    else this.#fold = (name) => name.toLowerCase()
  }

  has(name: string): boolean {
    return this.#taken.has(this.#fold(name))
  }

  /** Returns the name if it is free, else the name with a number. */
  add(name: string): string {
    let unique = name
    for (let number = this.#numbers.get(name) ?? 2; this.has(unique); number += 1) {
      const suffix = `_${number}`
      const { lengthMax = Infinity } = RULES.get(this.#platform) ?? {}
      unique = `${cut(name, lengthMax - suffix.length, this.#platform === 'postgresql')}${suffix}`
      this.#numbers.set(name, number)
    }
    this.#taken.add(this.#fold(unique))
    return unique
  }
}

/** Returns the legal names of fields, no two of which are equal, in the order of the fields. */
export function legalColumns(wanted: readonly string[], platform: Platform): LegalName[] {
  const scope = new NameScope(platform)
  return wanted.map((given): LegalName => {
    const { name, problem } = legalName(given, 'column', platform)
    const unique = scope.add(name)
    if (unique !== name) {
      return { name: unique, problem: `Another field has this name; it is written as "${unique}".` }
    }
    return problem === undefined ? { name } : { name, problem }
  })
}

/** Writes a name inside a type, in quotes: it may be a reserved word. */
export function quoteInnerName(name: string, platform: Platform): string {
  return platform === 'snowflake'
    ? `"${name.replaceAll('"', '""')}"`
    : `\`${name.replaceAll('`', '``')}\``
}
