import { getDialect, quotedName } from '../schema/sql/quote.ts'
import { Scope } from '../schema/identifier.ts'
import type { Model } from '../schema/model.ts'
import type { Platform } from '../schema/types/native-type.ts'
import type { GeneratedFile } from './generated-file.ts'
import type { ServerLocation } from './server-location.ts'

const FILE_NAME_CHARACTERS_MAX = 100

/**
 * Writes a query of all columns of each model, by their names on the platform. Tables are in the location, except the
 * qualified models, whose names contain their schema.
 */
export function writeSelects(
  { models, qualified }: { models: readonly Model[]; qualified: ReadonlySet<Model> },
  platform: Platform,
  location: ServerLocation,
): GeneratedFile[] {
  const dialect = getDialect(platform)
  if (dialect === undefined) throw new Error(`No SQL is written for ${platform}.`)
  const scope = new Scope()
  return models.map((model) => {
    // File systems may ignore letter case.
    const base = scope.identifier(model.name.toLowerCase().slice(0, FILE_NAME_CHARACTERS_MAX))
    const content = writeSelect({
      columns: listColumns(model),
      path: listNameParts(model, location, qualified.has(model)),
      quote: (text) => quotedName(text, dialect),
    })
    return { filename: `${base}.sql`, language: 'sql', content }
  })
}

/** The parts of a query of one table. */
interface Select {
  /** The names of the columns on the platform; empty = all. */
  columns: readonly string[]
  /** The name of the table, the outermost part first. */
  path: readonly string[]
  quote: (name: string) => string
  /** Text after SELECT, and lines after the table, which limit the rows. */
  limit?: { before?: string; after?: string }
}

/** Writes a query of one table, which ends with a line feed. */
export function writeSelect({ columns, path, quote, limit = {} }: Select): string {
  const { before = '', after = '' } = limit
  const list = columns.map((name) => `  ${quote(name)}`)
  const from = path.map(quote).join('.')
  return `SELECT${before}\n${list.length === 0 ? '  *' : list.join(',\n')}\nFROM ${from}${after};\n`
}

/** Lists the names of the columns of a model on the platform. */
export function listColumns({ fields }: Model): string[] {
  return fields.map(({ name, physicalName = name }) => physicalName)
}

/** Lists the parts of the name of a table, the outermost first. The name of a qualified one contains its schema. */
export function listNameParts(
  { name, physicalName = name, namespace, database: ownDatabase }: Model,
  { database, schema = namespace }: ServerLocation,
  isQualified: boolean,
): string[] {
  const path = isQualified ? [ownDatabase ?? database, namespace] : [database, schema]
  const [outer, inner] = path
  if (inner === undefined) return [physicalName]
  return outer === undefined ? [inner, physicalName] : [outer, inner, physicalName]
}
