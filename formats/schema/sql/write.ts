// Writing of SQL that creates tables. What a dialect cannot express is listed as a loss: a database that is set up from
// the text keeps fewer promises than the contract makes.

import { splitNamespace } from '../bigquery/namespace.ts'
import { Losses } from '../losses.ts'
import type { Field, Model, Written } from '../model.ts'
import {
  canBeKey,
  keyBytes,
  KEY_BYTES_MAX,
  type TableColumn,
  columnNames,
  writeColumn,
  inlineComment,
  statementComment,
} from './column-write.ts'
import { writeForeignKeys, type WrittenTable } from './foreign-keys.ts'
import { type SqlDialect, getDialect, quotedName } from './quote.ts'
import { legalName, NameScope } from '../types/legal-name.ts'
import type { Platform } from '../types/native-type.ts'

/**
 * Writes models as CREATE TABLE statements of a dialect, `postgresql` by default. All names are quoted. The second of two
 * models with the same name is left out and listed as a loss.
 */
export function writeSqlDdl(
  models: readonly Model[],
  { dialect: platform = 'postgresql' }: { dialect?: Platform; name: string; id: string },
): Written {
  const losses = new Losses('SQL')
  const dialect = getDialect(platform)
  if (dialect === undefined) {
    for (const { name } of models) losses.add(name, `SQL cannot be written for "${platform}".`)
    return { text: '', losses: losses.all }
  }
  const writer = new Writer(dialect, losses)
  const statements = models.flatMap((model) => writer.table(model))
  const foreignKeys = writeForeignKeys(writer.tables, dialect, losses)
  const schemas = [...writer.schemas].map(([quoted, name]) => dialect.createSchema(quoted, name))
  const all = [...schemas, ...statements, ...foreignKeys]
  return { text: all.map((statement) => `${statement};\n`).join('\n'), losses: losses.all }
}

type TableName = Pick<WrittenTable, 'quoted' | 'path' | 'isQualified'>

class Writer {
  /** The schemas of the tables by their quoted names. */
  readonly schemas = new Map<string, string>()
  readonly tables: WrittenTable[] = []
  readonly #dialect: SqlDialect
  readonly #losses: Losses
  readonly #names: NameScope

  constructor(dialect: SqlDialect, losses: Losses) {
    this.#dialect = dialect
    this.#losses = losses
    this.#names = new NameScope(dialect.platform)
  }

  table(model: Model): string[] {
    const table = this.#tableName(model)
    const { quoted: name } = table
    if (this.#names.has(name.toLowerCase())) {
      this.#losses.add(model.name, 'Another model has the same name; this one is left out.')
      return []
    }
    this.#names.add(name.toLowerCase())
    this.#modelLosses(model)
    const names = columnNames(model, this.#dialect, this.#losses)
    const rowBytes = { left: ROW_BYTES_MAX - COLUMN_BYTES * model.fields.length }
    const context = { dialect: this.#dialect, losses: this.#losses, model, table: name, rowBytes }
    const columns = model.fields.map((field, at) => writeColumn(field, names[at] ?? '', context))
    const key = this.#key(model, columns)
    const written = key === undefined ? [] : model.primaryKey
    const lines = [...columns.map(({ line }) => line), ...(key === undefined ? [] : [key])]
    if (lines.length === 0 && this.#dialect.platform !== 'postgresql') {
      this.#losses.add(model.name, 'A table without columns cannot be created; it is left out.')
      return []
    }
    this.tables.push({ ...table, model, columns, key: written })
    const body = lines.length === 0 ? '()' : `(\n${lines.map((line) => `  ${line}`).join(',\n')}\n)`
    const comment = inlineComment('table', model, model.name, this.#dialect, this.#losses)
    const created = `CREATE TABLE ${name} ${body}${comment}${this.#properties(columns)}`
    return [
      created,
      ...statementComment('TABLE', name, model.description, this.#dialect),
      ...columns.flatMap(({ after }) => after),
    ]
  }

  #tableName({ name, physicalName, namespace, database }: Model): TableName {
    const { platform } = this.#dialect
    const table = legalName(physicalName ?? name, 'table', platform)
    if (table.problem !== undefined) this.#losses.add(name, table.problem)
    const quoted = quotedName(table.name, this.#dialect)
    if (namespace === undefined || namespace === '')
      return { quoted, path: table.name, isQualified: false }
    const { path, problem } = schemaPath(namespace, platform)
    if (problem !== undefined) this.#losses.add(name, problem)
    if (database !== undefined && DATABASES.has(platform)) path.unshift(database)
    else if (database !== undefined) {
      this.#losses.add(name, `A script creates tables in one database; "${database}" is not named.`)
    }
    const schema = path.map((part) => quotedName(part, this.#dialect)).join('.')
    this.schemas.set(schema, path.at(-1) ?? '')
    return {
      quoted: `${schema}.${quoted}`,
      path: [...path, table.name].join('.'),
      isQualified: true,
    }
  }

  #modelLosses(model: Model): void {
    const { name, kind, physicalName, namespace, quality, tags } = model
    const lose = (message: string): void => this.#losses.add(name, message)
    if (kind !== 'table') lose(`The ${kind} is written as a table.`)
    if (physicalName !== undefined) {
      lose('A table has one name in SQL: the physical name is written, the other one is not.')
    }
    if (namespace === '') lose('The empty namespace cannot be expressed.')
    if (quality.length > 0) lose('SQL cannot express the quality checks.')
    if (tags.length > 0) lose('SQL cannot express the tags.')
    this.#losses.addModelTraits(model)
  }

  #key(model: Model, columns: readonly TableColumn[]): string | undefined {
    if (model.primaryKey.length === 0) return undefined
    const { platform, keySuffix } = this.#dialect
    const keys = model.primaryKey.map((name) => columns.find(({ field }) => field.name === name))
    const bytes = keys.reduce(
      (sum, column) => sum + (column ? keyBytes(column.type, platform) : 0),
      0,
    )
    const isExpressed =
      keySuffix !== undefined &&
      bytes <= KEY_BYTES_MAX &&
      keys.every((column) => column !== undefined && canBeKey(column.type, platform))
    const path = (field: Field): string => `${model.name}.${field.name}`
    if (!isExpressed) {
      const reason = keySuffix === undefined ? '' : ' with columns of these types'
      this.#losses.add(model.name, `The primary key cannot be expressed${reason}.`)
      for (const column of keys) {
        if (column === undefined) continue
        this.#losses.add(
          path(column.field),
          'The column is in the primary key, which is not written.',
        )
      }
      return undefined
    }
    for (const column of keys) {
      if (column === undefined || column.field.required || platform === 'bigquery') continue
      this.#losses.add(path(column.field), 'A column of a primary key is required.')
    }
    return `PRIMARY KEY (${keys.map((column) => column?.quoted ?? '').join(', ')})${keySuffix}`
  }

  // Delta tables accept these characters in names of columns only when columns are mapped by name.
  #properties(columns: readonly TableColumn[]): string {
    const isMapped =
      this.#dialect.platform === 'databricks' &&
      columns.some(({ field, name }) => /[ ,;{}()\n\t=]/.test(name) || hasOddName(field))
    return isMapped ? ` TBLPROPERTIES ('delta.columnMapping.mode' = 'name')` : ''
  }
}

/** The platforms whose statements name the database of a schema. */
const DATABASES: ReadonlySet<Platform> = new Set(['snowflake', 'databricks', 'bigquery'])

function schemaPath(namespace: string, platform: Platform): { path: string[]; problem?: string } {
  if (platform === 'bigquery') {
    const { project, dataset, ...rest } = splitNamespace(namespace)
    return { path: project === undefined ? [dataset] : [project, dataset], ...rest }
  }
  const { name, problem } = legalName(namespace, 'schema', platform)
  return problem === undefined
    ? { path: [name] }
    : { path: [name], problem: `Namespace: ${problem}` }
}

/** The maximum size of a MySQL row in bytes; each column also needs some in addition to its text. */
const ROW_BYTES_MAX = 65_000
const COLUMN_BYTES = 20

function hasOddName({ fields = [], items, values }: Field): boolean {
  return [items, values, ...fields].some(
    (one) => one !== undefined && (/[ ,;{}()\n\t=]/.test(one.name) || hasOddName(one)),
  )
}
