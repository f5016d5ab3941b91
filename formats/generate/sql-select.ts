import { getDialect, quotedName, type SqlDialect } from '../schema/sql/quote.ts'
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
    const content = writeSelect(
      model,
      dialect,
      listNameParts(model, location, qualified.has(model)),
    )
    return { filename: `${base}.sql`, language: 'sql', content }
  })
}

function writeSelect(model: Model, dialect: SqlDialect, path: readonly string[]): string {
  const quote = (text: string): string => quotedName(text, dialect)
  const columns = model.fields.map(({ name, physicalName = name }) => `  ${quote(physicalName)}`)
  const from = path.map(quote).join('.')
  return `SELECT\n${columns.length === 0 ? '  *' : columns.join(',\n')}\nFROM ${from};\n`
}

function listNameParts(
  { name, physicalName = name, namespace, database: ownDatabase }: Model,
  { database, schema = namespace }: ServerLocation,
  isQualified: boolean,
): string[] {
  const path = isQualified ? [ownDatabase ?? database, namespace] : [database, schema]
  const [outer, inner] = path
  if (inner === undefined) return [physicalName]
  return outer === undefined ? [inner, physicalName] : [outer, inner, physicalName]
}
