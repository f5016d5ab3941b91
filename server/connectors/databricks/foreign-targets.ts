/** The columns of other catalogs to which foreign keys refer: only the catalog of a key's target describes it. */

import { SourceFailure, type ForeignKey } from '../connector.ts'
import { runStatement } from './statements.ts'
import type { Workspace } from './workspace.ts'

/** A foreign key whose columns are being collected. */
export type GrowingKey = {
  -readonly [name in keyof ForeignKey]: string[]
}

/** A column of a foreign key whose target is a key of another catalog. */
export interface ForeignTarget {
  key: GrowingKey
  /** The catalog, the schema and the name of the primary key to which it refers. */
  constraint: readonly [catalog: string, schema: string, name: string]
  /** The position of the column in that primary key, from 1. */
  position: string
}

// The Statement Execution API accepts at most 256 parameters.
const NAMES_AT_ONCE = 200

/**
 * Completes foreign keys with their targets in other catalogs, a catalog at a time. Keys whose target may not be read
 * stay without its columns. Errors: those of runStatement, except for a missing permission.
 */
export async function addForeignTargets(
  workspace: Workspace,
  targets: readonly ForeignTarget[],
): Promise<void> {
  for (const [catalog, wanted] of Map.groupBy(targets, ({ constraint: [name] }) => name)) {
    try {
      await addCatalogTargets(workspace, catalog, wanted)
    } catch (error) {
      if (!(error instanceof SourceFailure) || error.kind !== 'permission') throw error
      const message = `Foreign keys to ${catalog} are read without the columns that they refer to: ${error.message}`
      workspace.setup.log('warn', message)
    }
  }
}

async function addCatalogTargets(
  workspace: Workspace,
  catalog: string,
  targets: readonly ForeignTarget[],
): Promise<void> {
  const names = [...new Set(targets.map(({ constraint: [, , name] }) => name))]
  const columns = new Map<string, readonly string[]>()
  for (let at = 0; at < names.length; at += NAMES_AT_ONCE) {
    const entries = names.slice(at, at + NAMES_AT_ONCE).map((name, index) => [`n${index}`, name])
    const parameters: Record<string, string> = Object.fromEntries(entries)
    const statement = {
      sql: toStatement(catalog, Object.keys(parameters)),
      parameters,
      what: `the keys of ${catalog} to which other catalogs refer`,
    }
    for await (const rows of runStatement(workspace, statement)) {
      for (const [schema, name, position, ...target] of rows) {
        columns.set(
          JSON.stringify([schema, name, position]),
          target.map((part) => part ?? ''),
        )
      }
    }
  }
  for (const [key, parts] of Map.groupBy(targets, (target) => target.key)) {
    const matches = parts.map(({ constraint, position }) =>
      columns.get(JSON.stringify([...constraint.slice(1), position])),
    )
    const [[schema = '', table = ''] = []] = matches
    const referenced = matches.flatMap((target) => target?.[2] ?? [])
    // A key of which only some columns are shown is shown without any.
    if (referenced.length < parts.length) continue
    key.references = [catalog, schema, table]
    key.referencedColumns.push(...referenced)
  }
}

/** The columns of keys by name: https://docs.databricks.com/sql/language-manual/information-schema/key_column_usage.html */
function toStatement(catalog: string, names: readonly string[]): string {
  return `
    select constraint_schema, constraint_name, ordinal_position, table_schema, table_name, column_name
    from ${quoteIdentifier(catalog)}.information_schema.key_column_usage
    where position_in_unique_constraint is null
      and constraint_name in (${names.map((name) => `:${name}`).join(', ')})
    order by constraint_schema, constraint_name, ordinal_position`
}

/** Quotes an identifier for a statement. */
export function quoteIdentifier(name: string): string {
  return `\`${name.replaceAll('`', '``')}\``
}
