/** Runs the statements of the connector on a model: https://docs.snowflake.com/en/sql-reference */

import type { ModelError, ModelSchema, ModelTable, SnowflakeModel } from './model.ts'

/** A row by the names of its columns. */
export type ModelRow = Record<string, string | number | null | undefined>

/** SHOW leaves out more rows than this. */
const SHOW_ROWS_MAX = 10_000

const NAME = String.raw`"((?:[^"]|"")*)"`
const TEXT = String.raw`'((?:[^'\\]|''|\\.)*)'`

/** Runs a statement; returns its rows with the selected columns, or the error. */
export function runStatement(model: SnowflakeModel, sql: string): ModelRow[] | ModelError {
  const other = Object.entries(model.otherDatabases).find(([part]) => sql.includes(part))?.[1]
  const isUsage = sql.includes('account_usage')
  const rows = runWhole(other && !isUsage ? { ...model, databases: other } : model, sql)
  const list = /^select (.+?) from /s.exec(sql)?.[1] ?? '*'
  if (Array.isArray(rows) && list === '*, current_timestamp() as read_at') {
    return rows.map((row) => ({ ...row, read_at: `${Date.now() / 1000} 960` }))
  }
  if (!Array.isArray(rows) || list === '*') return rows
  const names = list.split(',').map((part) => part.trim().split(/[ .]/).at(-1) ?? '')
  return rows.map((row) => Object.fromEntries(names.map((name) => [name, row[name]])))
}

function runWhole(model: SnowflakeModel, sql: string): ModelRow[] | ModelError {
  const error = Object.entries(model.errors).find(([part]) => sql.includes(part))?.[1]
  if (error !== undefined) return error
  if (sql.startsWith('SHOW ')) return show(model, sql)
  if (sql.startsWith('select current_user()')) {
    const warehouse_name = model.hasWarehouse ? 'PORTBOOK_WH' : null
    return [{ user_name: 'PORTBOOK', role_name: 'READER', warehouse_name }]
  }
  if (!model.hasWarehouse) {
    return { code: '000606', sqlState: '57P03', message: 'No active warehouse selected' }
  }
  if (sql.includes('account_usage')) return runOnAccountUsage(model, sql)
  return runOnInformationSchema(model, sql)
}

function show(model: SnowflakeModel, sql: string): ModelRow[] | ModelError {
  const objects = /^SHOW ([A-Z ]+?)(?: IN | LIMIT |$)/.exec(sql)?.[1] ?? ''
  const path = getPath(sql)
  if (objects === 'DATABASES') return page(sql, listDatabases(model))
  const database = model.databases[path[0] ?? '']
  if (database === undefined) return notFound(path)
  if (objects === 'SCHEMAS') {
    const schemas = Object.entries(database.schemas).map(([name, { owner, comment }]) => ({
      name,
      owner: owner ?? '',
      comment: comment ?? '',
    }))
    const own = { name: 'INFORMATION_SCHEMA', owner: '', comment: '' }
    return page(sql, [...schemas, ...(model.showsInformationSchema ? [own] : [])])
  }
  const schemas = Object.entries(database.schemas).filter(
    ([name]) => path[1] === undefined || path[1] === name,
  )
  const [, , only] = path
  if (path[1] !== undefined && schemas.length === 0) return notFound(path)
  if (only !== undefined && schemas[0]?.[1].tables[only] === undefined) return notFound(path)
  return page(
    sql,
    schemas.flatMap(([schema, { tables }]) =>
      Object.entries(tables)
        .filter(([table]) => only === undefined || only === table)
        .flatMap(([table, content]) => showTable(objects, [path[0] ?? '', schema, table], content)),
    ),
    objects.endsWith('KEYS'),
  )
}

function listDatabases({ databases }: SnowflakeModel): ModelRow[] {
  return Object.entries(databases).map(([name, { owner, comment, origin }]) => ({
    name,
    origin: origin ?? '',
    owner: owner ?? '',
    comment: comment ?? '',
    kind: origin === undefined ? 'STANDARD' : 'IMPORTED DATABASE',
  }))
}

function page(sql: string, rows: ModelRow[], isUnordered = false): ModelRow[] {
  const after = new RegExp(`FROM ${TEXT}$`).exec(sql)?.[1]
  if (isUnordered) return rows.slice(0, SHOW_ROWS_MAX)
  const ordered = rows.toSorted((a, b) => compare(String(a['name']), String(b['name'])))
  const from =
    after === undefined ? 0 : 1 + ordered.findIndex(({ name }) => name === unquote(after))
  return ordered.slice(from, from + SHOW_ROWS_MAX)
}

function showTable(
  objects: string,
  [database, schema, table]: [string, string, string],
  { text, isSecure, primaryKey = [], uniqueKeys = [], foreignKeys = [] }: ModelTable,
): ModelRow[] {
  const own = { database_name: database, schema_name: schema }
  const toKey = (name: string, columns: readonly string[]): ModelRow[] =>
    columns
      .map((column_name, index) => ({
        ...own,
        table_name: table,
        column_name,
        key_sequence: index + 1,
        constraint_name: name,
      }))
      .toReversed()
  switch (objects) {
    case 'VIEWS':
      if (text === undefined) return []
      return [{ ...own, name: table, text, is_secure: String(isSecure === true) }]
    case 'OBJECTS':
      return [{ ...own, name: table, kind: text === undefined ? 'TABLE' : 'VIEW' }]
    case 'PRIMARY KEYS':
      return toKey('pk', primaryKey)
    case 'UNIQUE KEYS':
      return uniqueKeys.flatMap((columns, index) => toKey(`uk${index}`, columns))
    default:
      return foreignKeys.flatMap(({ columns, references, to }, index) =>
        columns.map((column, at) => ({
          pk_database_name: references[0],
          pk_schema_name: references[1],
          pk_table_name: references[2],
          pk_column_name: to[at],
          fk_database_name: database,
          fk_schema_name: schema,
          fk_table_name: table,
          fk_column_name: column,
          key_sequence: at + 1,
          fk_name: `fk${index}`,
        })),
      )
  }
}

function runOnInformationSchema(model: SnowflakeModel, sql: string): ModelRow[] | ModelError {
  const database = model.databases[getPath(sql)[0] ?? '']
  if (database === undefined) return notFound(getPath(sql))
  if (sql.includes('group by')) {
    return Object.entries(database.schemas).map(([table_schema, { tables }]) => ({
      table_schema,
      tables: Object.keys(tables).length,
    }))
  }
  const schemaName = getText(sql, 'table_schema =') ?? ''
  const [first, end] = [getText(sql, 'table_name >='), getText(sql, 'table_name <')]
  const names = getTexts(sql, 'table_name')
  const schema = database.schemas[schemaName]
  const start = `${getPath(sql)[0]}.${schemaName}.`
  const tables = listTables(schema)
    .filter(([name]) => !model.hidden.has(`${start}${name}`))
    .filter(
      ([name]) =>
        (first === undefined || compare(name, first) >= 0) &&
        (end === undefined || compare(name, end) < 0) &&
        (names === undefined || names.includes(name)),
    )
    .filter(([, table]) => !sql.includes('not like') || !getType(table).endsWith('VIEW'))
  const rows = sql.includes('information_schema.tables')
    ? tables.map(([name, table]) => toTableRow(schemaName, name, table))
    : tables.flatMap(([name, table]) => toColumnRows(schemaName, name, table))
  if (rows.length <= model.rowsMax) return rows
  return {
    code: '090030',
    sqlState: '22000',
    message: 'Information schema query returned too much',
  }
}

// The conditions of the statement decide.
function listGrants({ grantsToRoles, grantsToUsers }: SnowflakeModel, sql: string): ModelRow[] {
  const current = (rows: readonly ModelRow[]): ModelRow[] =>
    rows.filter(({ deleted_on }) => !deleted_on || !sql.includes('deleted_on is null'))
  if (sql.includes('grants_to_users')) return current(grantsToUsers)
  const database = getText(sql, 'table_catalog =')
  return current(grantsToRoles).filter(({ granted_on, name, table_catalog, privilege }) => {
    const kind = String(granted_on)
    if (database === undefined) return privilege === 'USAGE' && sql.includes(`'${kind}'`)
    if (kind === 'DATABASE') return name === database
    return table_catalog === database && /^SCHEMA$|TABLE$|VIEW$/.test(kind)
  })
}

function runOnAccountUsage(model: SnowflakeModel, sql: string): ModelRow[] | ModelError {
  if (sql.startsWith('select table_name, deleted')) return listDropped(model, sql)
  if (sql.includes(' limit 1')) return [{ one: 1 }]
  if (sql.includes('.grants_to_')) return listGrants(model, sql)
  if (sql.includes('tag_references')) {
    const database = getText(sql, 'object_database =')
    const schema = getText(sql, 'object_schema =')
    return model.tags.filter(({ domain, object_database, object_name, object_schema }) => {
      if (domain === 'DATABASE') return schema === undefined && object_name === database
      const isBelow = object_database === database
      if (domain === 'SCHEMA') return schema === undefined && isBelow
      const isSelected =
        sql.includes(`'COLUMN'`) && (schema === undefined || schema === object_schema)
      return isBelow && isSelected
    })
  }
  const name = getText(sql, 'table_catalog =') ?? ''
  const getTables = (part: string, schema: string): [string, ModelTable][] =>
    listTables((model.otherDatabases[part] ?? model.databases)[name]?.schemas[schema])
  const names = getTexts(sql, 'table_schema') ?? []
  return names.flatMap((schema) => {
    const views = new Map(getTables('account_usage.views', schema))
    const columns = new Map(getTables('account_usage.columns', schema))
    return getTables('account_usage.tables', schema).flatMap(([table, content], index) => {
      const view = views.get(table)
      const described = columns.get(table)
      return [
        {
          ...toTableRow(schema, table, content),
          table_id: index,
          ordinal_position: 0,
          ...(view === undefined ? {} : { view_id: index, view_definition: view.text }),
          is_secure: content.isSecure === true ? 'YES' : 'NO',
        },
        ...(described === undefined
          ? []
          : toColumnRows(schema, table, described).map((row) => ({ ...row, table_id: index }))),
      ]
    })
  })
}

/** Renamed tables have rows only under their new names. */
function listDropped(model: SnowflakeModel, sql: string): ModelRow[] {
  const [database, schema] = [getText(sql, 'table_catalog ='), getText(sql, 'table_schema =')]
  return (getTexts(sql, 'table_name') ?? []).flatMap((name): ModelRow[] => {
    const path = `${database}.${schema}.${name}`
    if (model.dropped.has(path)) return [{ table_name: name, deleted: '1700000000.000000000 960' }]
    const isLive = model.databases[database ?? '']?.schemas[schema ?? '']?.tables[name]
    return isLive === undefined ? [] : [{ table_name: name, deleted: null }]
  })
}

function listTables(schema: ModelSchema | undefined): [string, ModelTable][] {
  return Object.entries(schema?.tables ?? {}).toSorted(([a], [b]) => compare(a, b))
}

function getType({ facts, text }: ModelTable): string {
  return String(facts?.['table_type'] ?? (text === undefined ? 'BASE TABLE' : 'VIEW'))
}

function toTableRow(schema: string, name: string, table: ModelTable): ModelRow {
  return {
    table_schema: schema,
    table_name: name,
    table_owner: null,
    table_type: getType(table),
    is_temporary: 'NO',
    comment: null,
    ...table.facts,
  }
}

function toColumnRows(schema: string, table: string, { columns }: ModelTable): ModelRow[] {
  return columns.map(({ name, type, ...more }, index) => ({
    table_schema: schema,
    table_name: table,
    column_name: name,
    ordinal_position: index + 1,
    data_type: type,
    is_nullable: 'YES',
    is_identity: 'NO',
    ...more,
  }))
}

function getPath(sql: string): string[] {
  const path = new RegExp(
    `(?:IN (?:DATABASE|SCHEMA|TABLE)|from) ${NAME}(?:\\.${NAME})?(?:\\.${NAME})?`,
  ).exec(sql)
  return (path ?? [])
    .slice(1)
    .filter((name) => name !== undefined)
    .map((name) => name.replaceAll('""', '"'))
}

function getText(sql: string, before: string): string | undefined {
  const text = new RegExp(`${before} ${TEXT}`).exec(sql)?.[1]
  return text === undefined ? undefined : unquote(text)
}

function getTexts(sql: string, column: string): string[] | undefined {
  const list = new RegExp(`${column} in \\((.+?)\\) (?:and|order)`).exec(sql)?.[1]
  return list
    ?.matchAll(new RegExp(TEXT, 'g'))
    .map(([, text = '']) => unquote(text))
    .toArray()
}

function unquote(text: string): string {
  return text.replaceAll("''", "'").replaceAll(/\\(.)/gs, '$1')
}

function compare(one: string, other: string): number {
  return Buffer.compare(Buffer.from(one), Buffer.from(other))
}

function notFound(path: readonly string[]): ModelError {
  const message = `Object '${path.join('.')}' does not exist or not authorized.`
  return { code: '002003', sqlState: '02000', message }
}
