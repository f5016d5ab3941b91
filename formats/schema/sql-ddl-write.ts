// Writing of SQL that creates tables. What a dialect has no words for is named as lost: a database that is set up from
// the text keeps fewer promises than the contract makes.

import { type Attribute, Losses } from './losses.ts'
import type { Field, Model, Written } from './model.ts'
import { checkOf } from './sql-check-write.ts'
import {
  type Dialect,
  dialectOf,
  nameProblem,
  quotedName,
  quotedText,
  takenName,
} from './sql-quote.ts'
import type { Platform } from './types/native-type.ts'
import { writeNativeType } from './types/write-type.ts'

/**
 * Writes models as CREATE TABLE statements of a dialect (`postgresql` unless told otherwise). All names stand in quotes.
 * A model that would be the second of its name is left out, and said to be lost.
 */
export function writeSqlDdl(
  models: readonly Model[],
  { dialect: platform = 'postgresql' }: { dialect?: Platform; name: string; id: string },
): Written {
  const losses = new Losses('SQL')
  const dialect = dialectOf(platform)
  if (dialect === undefined) {
    for (const { name } of models) losses.add(name, `There is no SQL of “${platform}” to write.`)
    return { text: '', losses: losses.all }
  }
  const writer = new Writer(dialect, losses)
  const statements = models.flatMap((model) => writer.table(model))
  const schemas = [...writer.schemas].map((name) => `CREATE SCHEMA IF NOT EXISTS ${name}`)
  const all = [...(dialect.schemas ? schemas : []), ...statements]
  return { text: all.map((statement) => `${statement};\n`).join('\n'), losses: losses.all }
}

class Writer {
  readonly schemas = new Set<string>()
  readonly #dialect: Dialect
  readonly #losses: Losses
  readonly #names = new Set<string>()

  constructor(dialect: Dialect, losses: Losses) {
    this.#dialect = dialect
    this.#losses = losses
  }

  table(model: Model): string[] {
    const name = this.#tableName(model)
    if (this.#names.has(name.toLowerCase())) {
      this.#losses.add(model.name, 'Another model has the same name; this one is left out.')
      return []
    }
    this.#names.add(name.toLowerCase())
    this.#modelLosses(model)
    const fields = this.#distinct(model)
    const lines: string[] = []
    const after: string[] = []
    for (const field of fields) this.#field(field, { model, table: name, lines, after })
    const key = this.#key(model, fields)
    if (key !== undefined) lines.push(key)
    if (lines.length === 0 && this.#dialect.platform !== 'postgresql') {
      this.#losses.add(model.name, 'A table without columns cannot be created; it is left out.')
      return []
    }
    const body = lines.length === 0 ? '()' : `(\n${lines.map((line) => `  ${line}`).join(',\n')}\n)`
    const created = `CREATE TABLE ${name} ${body}${this.#tableComment(model)}`
    return [created, ...this.#commentOn('TABLE', name, model.description), ...after]
  }

  #tableName({ name, physicalName, namespace }: Model): string {
    const problem = nameProblem(physicalName ?? name, this.#dialect)
    if (problem !== undefined) this.#losses.add(name, problem)
    const table = this.#quoted(physicalName ?? name)
    if (namespace === undefined || namespace === '') return table
    const schema = this.#quoted(namespace)
    this.schemas.add(schema)
    return `${schema}.${table}`
  }

  #quoted(name: string): string {
    return quotedName(takenName(name, this.#dialect), this.#dialect)
  }

  #modelLosses({ name, kind, physicalName, namespace, quality, tags }: Model): void {
    const lose = (message: string): void => this.#losses.add(name, message)
    if (kind !== 'table') lose(`A ${kind} is written as a table.`)
    if (physicalName !== undefined) {
      lose('SQL has one name for a table: its physical name is written, not the other one.')
    }
    const isUnsaid = namespace === '' || namespace?.includes('\0') === true
    if (isUnsaid) lose('The namespace cannot be told.')
    if (this.#dialect.platform === 'bigquery' && namespace?.includes('.') === true) {
      lose('The namespace is more than one name in BigQuery.')
    }
    if (quality.length > 0) lose('The quality checks cannot be told in SQL.')
    if (tags.length > 0) lose('The tags cannot be told in SQL.')
  }

  // Two columns of one name cannot be created, and most dialects do not look at the case of letters.
  #distinct({ name, fields }: Model): Field[] {
    const isFolding =
      this.#dialect.platform !== 'postgresql' && this.#dialect.platform !== 'snowflake'
    const names = new Set<string>()
    return fields.filter((field) => {
      const column = takenName(columnName(field), this.#dialect)
      const key = isFolding ? column.toLowerCase() : column
      const isNew = !names.has(key)
      names.add(key)
      if (!isNew) {
        const message = 'Another field has the same name in SQL; this one is left out.'
        this.#losses.add(`${name}.${field.name}`, message)
      }
      return isNew
    })
  }

  #field(
    field: Field,
    {
      model,
      table,
      lines,
      after,
    }: { model: Model; table: string; lines: string[]; after: string[] },
  ): void {
    const path = `${model.name}.${field.name}`
    const dialect = this.#dialect
    const column = this.#quoted(columnName(field))
    const isKeyed = model.primaryKey.includes(field.name)
    const problem = nameProblem(columnName(field), dialect)
    if (problem !== undefined) this.#losses.add(path, problem)
    if (field.physicalName !== undefined) {
      const message =
        'SQL has one name for a column: its physical name is written, not the other one.'
      this.#losses.add(path, message)
      if (isKeyed) this.#losses.add(model.name, 'The key names a column by its physical name.')
    }
    const { text, losses } = writeNativeType(field, dialect.platform)
    for (const message of losses) this.#losses.add(path, message)
    const said = new Set<Attribute>([
      'physicalName',
      'primaryKeyPosition',
      'description',
      'maxLength',
      'precision',
      'scale',
      'format',
    ])
    const isKey = model.primaryKey.length === 1 && model.primaryKey[0] === field.name
    const isUnique = field.unique && dialect.unique && canBeKey(text, dialect)
    if (isUnique || !field.unique) said.add('unique')
    const check = checkOf(field, { column, type: text, dialect, said })
    const parts = [column, text]
    if (field.required) parts.push('NOT NULL')
    if (isUnique && !isKey) parts.push('UNIQUE')
    else if (isUnique)
      this.#losses.add(path, 'A key is unique anyhow; that it is also said is not told.')
    if (check !== undefined && dialect.checks === 'inline') parts.push(`CHECK (${check})`)
    if (check !== undefined && dialect.checks === 'altered') {
      const name = quotedName(`${takenName(columnName(field), dialect)}_values`, dialect)
      after.push(`ALTER TABLE ${table} ADD CONSTRAINT ${name} CHECK (${check})`)
    }
    lines.push(`${parts.join(' ')}${this.#columnComment(field, path)}`)
    after.push(...this.#commentOn('COLUMN', `${table}.${column}`, field.description))
    this.#losses.unsaid(field, path, said)
  }

  #key(model: Model, fields: readonly Field[]): string | undefined {
    if (model.primaryKey.length === 0) return undefined
    const keys = model.primaryKey.map((name) => fields.find((field) => field.name === name))
    const { platform, keySuffix } = this.#dialect
    const columns: string[] = []
    for (const field of keys) {
      const type = field && writeNativeType(field, platform).text
      if (field === undefined || type === undefined || !canBeKey(type, this.#dialect)) {
        this.#losses.add(model.name, 'The primary key cannot be told with columns of these types.')
        for (const { name } of keys.filter((key) => key !== undefined)) {
          this.#losses.add(`${model.name}.${name}`, 'That it is in the primary key is not told.')
        }
        return undefined
      }
      if (!field.required && platform !== 'bigquery') {
        this.#losses.add(`${model.name}.${field.name}`, 'A column of a primary key is required.')
      }
      columns.push(this.#quoted(columnName(field)))
    }
    return `PRIMARY KEY (${columns.join(', ')})${keySuffix}`
  }

  #tableComment({ name, description }: Model): string {
    if (description === undefined || description === '') return ''
    const text = quotedText(clean(description), this.#dialect)
    switch (this.#dialect.comments) {
      case 'inline':
        return this.#dialect.platform === 'databricks' ? ` COMMENT ${text}` : ` COMMENT = ${text}`
      case 'options':
        return ` OPTIONS (description = ${text})`
      case 'none':
        this.#losses.add(name, 'The description cannot be told.')
        return ''
      case 'statement':
        return ''
    }
  }

  #columnComment({ description }: Field, path: string): string {
    if (description === undefined || description === '') return ''
    const text = quotedText(clean(description), this.#dialect)
    switch (this.#dialect.comments) {
      case 'inline':
        return ` COMMENT ${text}`
      case 'options':
        return ` OPTIONS (description = ${text})`
      case 'none':
        this.#losses.add(path, 'The description cannot be told.')
        return ''
      case 'statement':
        return ''
    }
  }

  #commentOn(what: 'TABLE' | 'COLUMN', name: string, description: string | undefined): string[] {
    const isSaid = description !== undefined && description !== ''
    if (!isSaid || this.#dialect.comments !== 'statement') return []
    return [`COMMENT ON ${what} ${name} IS ${quotedText(clean(description), this.#dialect)}`]
  }
}

function columnName({ name, physicalName }: Field): string {
  return physicalName ?? name
}

function clean(text: string): string {
  return text.replaceAll('\0', '').toWellFormed()
}

// MySQL and SQL Server index no texts without a limit, and no database an object of any fields.
function canBeKey(type: string, { platform }: Dialect): boolean {
  if (/^(?:json|variant|object|array|struct|map|geo)/i.test(type)) return false
  if (platform === 'mysql') return !/text$|blob$/.test(type)
  return platform !== 'sqlserver' || !type.endsWith('(max)')
}
