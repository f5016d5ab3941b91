// Which names of tables and columns a database takes for the same, by the product of the server.

import type { DataContract } from '../data-contract/data-contract.ts'
import type { Field, Model } from '../schema/model.ts'
import { toUpperCase } from '../schema/sql/quoted-names.ts'
import { SQL_TRAITS } from '../schema/sql/traits.ts'
import { getField } from '../text/value.ts'

/**
 * `exact`: names that differ in case are different; `ignored`: they are the same, also in quotes; `upper`: names outside of
 * quotes are stored in upper case, so that only names in quotes may differ in case.
 */
type NameRule = 'exact' | 'ignored' | 'upper'

/** The rules of a product. */
export interface NameRules {
  tables: NameRule
  columns: NameRule
}

const EXACT: NameRules = { tables: 'exact', columns: 'exact' }
const IGNORED: NameRules = { tables: 'ignored', columns: 'ignored' }
const UPPER: NameRules = { tables: 'upper', columns: 'upper' }
// The names of tables depend on the file system (MySQL) or on a setting of the dataset (BigQuery).
const COLUMNS: NameRules = { tables: 'exact', columns: 'ignored' }

// Others, and those with a setting for it, compare exactly: the scripts of PostgreSQL are read into the names that it stores.
const RULES: ReadonlyMap<string, NameRules> = new Map([
  ['snowflake', UPPER],
  ['oracle', UPPER],
  ['db2', UPPER],
  ['mysql', COLUMNS],
  ['mariadb', COLUMNS],
  ['bigquery', COLUMNS],
  ['sqlserver', IGNORED],
  ['mssql', IGNORED],
  ['azure-sql', IGNORED],
  ['synapse', IGNORED],
  ['databricks', IGNORED],
  ['spark', IGNORED],
  ['hive', IGNORED],
  ['impala', IGNORED],
  ['glue', IGNORED],
  ['athena', IGNORED],
  ['trino', IGNORED],
  ['presto', IGNORED],
  ['duckdb', IGNORED],
])

/** The names in these languages, and those of models of the standards, are names of tables and columns. */
const LANGUAGES: ReadonlySet<string | undefined> = new Set([
  undefined,
  'sql-ddl',
  'bigquery',
  'dbt',
])

/** Returns the rules that all servers of both versions have; exact ones if they differ or no server is given. */
export function findNameRules(
  contracts: readonly Pick<DataContract, 'servers' | 'schemaType'>[],
): NameRules {
  const languages = contracts.map(({ schemaType }) => schemaType?.toLowerCase())
  if (!languages.every((language) => LANGUAGES.has(language))) return EXACT
  if (languages.every((language) => language === 'bigquery')) return COLUMNS
  const types = contracts.flatMap(({ servers }) => servers.map(({ type }) => type))
  const rules = new Set(types.map((type) => RULES.get(type?.toLowerCase() ?? '') ?? EXACT))
  const [only = EXACT] = rules
  // Other documents do not state whether a name is in quotes.
  const isKnown = only !== UPPER || languages.every((language) => language === 'sql-ddl')
  return rules.size === 1 && isKnown ? only : EXACT
}

/** Returns a text that is equal for names that are the same; `part` has the name and states whether it is in quotes. */
export function toNameKey(name: string, part: Model | Field, rule: NameRule): string {
  if (rule === 'ignored') return toUpperCase(name)
  return rule === 'exact' || getQuotes(part, name) !== undefined ? name : toUpperCase(name)
}

/** Returns whether a name is in quotes that keep its case. */
export function getQuotes(part: Model | Field, name: string): 'always' | 'sometimes' | undefined {
  const use = getField(part.traits?.[SQL_TRAITS.quotedNames], name)
  return use === 'always' || use === 'sometimes' ? use : undefined
}
