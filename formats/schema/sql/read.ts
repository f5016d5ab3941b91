// SQL scripts that define tables and views (DDL), in the dialects of PostgreSQL, MySQL, SQL Server, Snowflake, BigQuery,
// Databricks and Hive. The statements are executed in order, on names and types only; the tables at the end of the script
// are the models. docs/decisions/0017-sql-ddl-parser.md and 0042-sql-scripts-are-executed.md give the reasons.

import { FieldBudget, REFERRED_FIELDS, WRITTEN_FIELDS } from '../field-budget.ts'
import type { Model } from '../model.ts'
import { detectPlatform } from './dialect.ts'
import { findQuotedNames, markQuotedNames } from './quoted-names.ts'
import { scanSql } from './scan.ts'
import { SqlScript } from './script.ts'
import { splitStatements } from './split-statements.ts'
import { withoutRollbacks } from './transactions.ts'
import type { Specification } from '../specification.ts'
import type { ReadLanguageOptions } from '../schema-language.ts'

/**
 * Reads the tables and views that a SQL script leaves. Without a platform, the dialect is recognized from the text; if it
 * is ambiguous, types are looked up in the tables of all platforms. A statement that cannot be read is a warning, and its
 * canonical text is kept in the trait `unanalyzed` of the table that it concerns, or else of the first table.
 */
export function readSqlDdl(specification: Specification, options: ReadLanguageOptions): Model[] {
  const { text } = specification
  if (text === undefined) {
    specification.warning([], 'Write the SQL statements as one text.')
    return []
  }
  const platform = options.platform ?? detectPlatform(text)
  const columns = new FieldBudget(WRITTEN_FIELDS)
  const parts = new FieldBudget(REFERRED_FIELDS)
  const warn = (message: string): void => specification.warning([], message)
  const script = new SqlScript(text, platform, {
    typePlatform: options.areTypesOpen === true ? undefined : platform,
    takeColumn: () => columns.take(warn),
    takePart: () => parts.take(warn),
    warn: (offset, message) => specification.warningAt(offset, message),
  })
  const statements = splitStatements(scanSql(text, platform), text)
  const executed = [...withoutRollbacks(statements, platform)]
  for (const statement of executed) script.run(statement)
  if (!script.hasDefinitions) {
    specification.warningAt(0, 'The script has no CREATE TABLE or CREATE VIEW.')
  }
  const models = script.models(specification.origin([]))
  const isFolded = options.platform === undefined || options.platform === 'snowflake'
  if (!isFolded) return models
  const quoted = findQuotedNames(executed)
  return models.map((model) => markQuotedNames(model, quoted))
}
