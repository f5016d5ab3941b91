// Writing of the columns of a table with their comments.

import type { Attribute, Losses } from '../losses.ts'
import type { Field, Model } from '../model.ts'
import { writeCondition } from './check-write.ts'
import { type SqlDialect, quotedName, quotedText } from './quote.ts'
import { legalColumns } from '../types/legal-name.ts'
import { writeNativeType } from '../types/write-type.ts'
import { truncate } from '../../text/value.ts'
import type { Platform } from '../types/native-type.ts'

/** The table that a column is written in. */
interface TableContext {
  dialect: SqlDialect
  losses: Losses
  model: Model
  /** The table's quoted name. */
  table: string
  /** The remaining bytes of a MySQL row. */
  rowBytes: { left: number }
}

const EXPRESSED: readonly Attribute[] = [
  'physicalName',
  'primaryKeyPosition',
  'description',
  'maxLength',
  'precision',
  'scale',
  'format',
  // The writer of foreign keys reports those that it cannot write.
  'references',
]

/** Returns the names that the columns of a model get, and lists those that differ from their fields' names. */
export function columnNames(
  { name: model, fields, primaryKey }: Model,
  { platform }: SqlDialect,
  losses: Losses,
): string[] {
  const wanted = fields.map(({ name, physicalName }) => physicalName ?? name)
  return legalColumns(wanted, platform).map(({ name, problem }, at) => {
    const field = fields[at]
    if (field === undefined) return name
    const path = `${model}.${field.name}`
    if (problem !== undefined) losses.add(path, problem)
    if (field.physicalName !== undefined) {
      const message =
        'A column has one name in SQL: the physical name is written, the other is not.'
      losses.add(path, message)
    }
    if (name !== field.name && primaryKey.includes(field.name)) {
      losses.add(model, `The primary key names "${field.name}" by its name in SQL, "${name}".`)
    }
    return name
  })
}

/** Writes a column, with the statements that follow its table. */
export function writeColumn(field: Field, name: string, context: TableContext): TableColumn {
  const { dialect, losses, model, table } = context
  const path = `${model.name}.${field.name}`
  const quoted = quotedName(name, dialect)
  const type = columnType(field, path, context)
  const covered = new Set(EXPRESSED)
  const isKey = model.primaryKey.length === 1 && model.primaryKey[0] === field.name
  const isUnique = field.unique && dialect.unique && canBeKey(type, dialect.platform)
  if (isUnique) covered.add('unique')
  const check = writeCondition(field, { column: quoted, type, dialect, covered })
  const parts = [quoted, type, ...nullability(field, type, context)]
  if (isUnique && !isKey) parts.push('UNIQUE')
  else if (isUnique) losses.add(path, 'A primary key is unique; a separate UNIQUE is not written.')
  const comment = inlineComment('column', field, path, dialect, losses)
  // MariaDB accepts a comment only in front of a condition.
  const condition = check !== undefined && dialect.checks === 'inline' ? ` CHECK (${check})` : ''
  const after = statementComment('COLUMN', `${table}.${quoted}`, field.description, dialect)
  if (check !== undefined && dialect.checks === 'altered') {
    const constraint = quotedName(`${name}_values`, dialect)
    after.unshift(`ALTER TABLE ${table} ADD CONSTRAINT ${constraint} CHECK (${check})`)
  }
  losses.addUncovered(field, path, covered)
  return {
    field,
    name,
    quoted,
    type,
    isUnique: isUnique && !isKey,
    line: `${parts.join(' ')}${comment}${condition}`,
    after,
  }
}

function nullability(
  field: Field,
  type: string,
  { dialect, losses, model }: TableContext,
): string[] {
  const { platform, required } = dialect
  // Most platforms make the columns of a key required, Databricks rejects them otherwise.
  const isKeyed = model.primaryKey.includes(field.name) && platform === 'databricks'
  if (!required) {
    if (field.required) losses.add(`${model.name}.${field.name}`, 'Hive columns may be null.')
    return []
  }
  if (field.required || isKeyed) return ['NOT NULL']
  // Without it, older servers make the column required and set it on each change of its row.
  return platform === 'mysql' && type.startsWith('timestamp') ? ['NULL'] : []
}

function columnType(
  field: Field,
  path: string,
  { dialect, losses, rowBytes: row }: TableContext,
): string {
  const { text, losses: messages } = writeNativeType(field, dialect.platform)
  for (const message of messages) losses.add(path, message)
  const bytes = dialect.platform === 'mysql' ? (rowBytes(text) ?? 0) : 0
  if (bytes <= row.left) {
    row.left -= bytes
    return text
  }
  const unlimited = /binary/.test(text) ? 'longblob' : 'longtext'
  losses.add(path, `The row is too long for "${text}" in MySQL; "${unlimited}" is written.`)
  return unlimited
}

/** Writes the description of a table or column where it follows the definition; empty where it does not. */
export function inlineComment(
  what: 'table' | 'column',
  { description }: { description?: string },
  path: string,
  dialect: SqlDialect,
  losses: Losses,
): string {
  if (description === undefined || description === '') return ''
  if (dialect.comments === 'none') {
    losses.add(path, 'The description cannot be expressed.')
    return ''
  }
  if (dialect.comments === 'statement') return ''
  const max = dialect.commentMax[what]
  const clean = cleanText(description)
  const cut = truncate(clean, max)
  if (cut !== clean) losses.add(path, `The description is cut after ${max} characters.`)
  const text = quotedText(cut, dialect)
  if (dialect.comments === 'options') return ` OPTIONS (description = ${text})`
  return ` ${what === 'table' ? dialect.tableComment : 'COMMENT'} ${text}`
}

/** Writes the description of a table or column as its own statement, in dialects that have one. */
export function statementComment(
  what: 'TABLE' | 'COLUMN',
  name: string,
  description: string | undefined,
  dialect: SqlDialect,
): string[] {
  if (description === undefined || description === '' || dialect.comments !== 'statement') return []
  return [`COMMENT ON ${what} ${name} IS ${quotedText(cleanText(description), dialect)}`]
}

function cleanText(text: string): string {
  return text.replaceAll('\0', '').toWellFormed()
}

/** A column as it is written. */
export interface TableColumn {
  field: Field
  name: string
  quoted: string
  type: string
  /** Whether the column is written as unique. */
  isUnique: boolean
  /** The column's line in CREATE TABLE, and the statements that follow it. */
  line: string
  after: string[]
}

/** An index of MySQL holds at most this many bytes. */
export const KEY_BYTES_MAX = 3072

/** Returns how many bytes a column takes in a key, where that is limited. */
export function keyBytes(type: string, platform: Platform): number {
  return platform === 'mysql' ? (rowBytes(type) ?? 8) : 0
}

/** Returns how many bytes of a row of MySQL a text or binary of limited length takes; undefined for other types. */
function rowBytes(type: string): number | undefined {
  const [, name = '', length = ''] = /^((?:var)?(?:char|binary))\((\d+)\)/.exec(type) ?? []
  if (name === '') return undefined
  return Number(length) * (name.endsWith('char') ? 4 : 1)
}

/** Returns whether a column of a type can be in a key; MySQL and SQL Server cannot index unlimited texts. */
export function canBeKey(type: string, platform: Platform): boolean {
  if (/^(?:json|variant|object|array|struct|map|geo|xml|point)/i.test(type)) return false
  if (platform === 'mysql') {
    return !/text$|blob$/.test(type) && keyBytes(type, platform) <= KEY_BYTES_MAX
  }
  if (platform === 'bigquery') return !/^(?:INTERVAL|RANGE)/.test(type)
  return platform !== 'sqlserver' || !/\(max\)$|^(?:n?text|image)$/.test(type)
}
