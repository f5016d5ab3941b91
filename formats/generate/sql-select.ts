import { getDialect, quotedName, type SqlDialect } from '../schema/sql/quote.ts'
import { Scope } from '../schema/identifier.ts'
import type { Model } from '../schema/model.ts'
import type { Platform } from '../schema/types/native-type.ts'
import type { GeneratedFile } from './generated-file.ts'
import type { ServerLocation } from './server-location.ts'

const FILE_NAME_CHARACTERS_MAX = 100

/** Writes a query of all columns of each model, by their names on the platform. */
export function writeSelects(
  models: readonly Model[],
  platform: Platform,
  location: ServerLocation,
): GeneratedFile[] {
  const dialect = getDialect(platform)
  if (dialect === undefined) throw new Error(`No SQL is written for ${platform}.`)
  const scope = new Scope()
  return models.map((model) => {
    // File systems may ignore letter case.
    const base = scope.identifier(model.name.toLowerCase().slice(0, FILE_NAME_CHARACTERS_MAX))
    const content = writeSelect(model, dialect, location)
    return { filename: `${base}.sql`, language: 'sql', content }
  })
}

function writeSelect(model: Model, dialect: SqlDialect, location: ServerLocation): string {
  const quote = (text: string): string => quotedName(text, dialect)
  const columns = model.fields.map(({ name, physicalName = name }) => `  ${quote(physicalName)}`)
  const from = listNameParts(model, location).map(quote).join('.')
  return `SELECT\n${columns.length === 0 ? '  *' : columns.join(',\n')}\nFROM ${from};\n`
}

// Contracts often qualify the physical name of a table.
const QUALIFIED_NAME = /^[\w$-]+(?:\.[\w$-]+){1,2}$/

function listNameParts(
  { name, physicalName = name, namespace }: Model,
  { database, schema = namespace }: ServerLocation,
): string[] {
  if (QUALIFIED_NAME.test(physicalName)) return physicalName.split('.')
  if (schema === undefined) return [physicalName]
  return database === undefined ? [schema, physicalName] : [database, schema, physicalName]
}
