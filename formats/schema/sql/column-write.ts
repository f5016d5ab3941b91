// Writing of the columns of a table.

import type { Attribute, Losses } from '../losses.ts'
import type { Field, Model } from '../model.ts'
import { writeCondition } from './check-write.ts'
import { canBeKey, rowBytes, type TableColumn } from './written-column.ts'
import { inlineComment, statementComment } from './comment-write.ts'
import { type SqlDialect, quotedName } from './quote.ts'
import { legalColumns } from '../types/legal-name.ts'
import { writeNativeType } from '../types/write-type.ts'

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
  return { field, name, quoted, type, line: `${parts.join(' ')}${comment}${condition}`, after }
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
