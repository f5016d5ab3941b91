/**
 * The catalog of a scripted server: databases in memory, and the answers to the statements of the connector.
 * A statement is recognized by the catalog views that it names; the conditions in its text decide about rows.
 */

import {
  answerAccess,
  answerServerAccess,
  type AccessModel,
  type ServerAccessModel,
} from './access.ts'
import type { TdsError, TdsType, TdsValue } from './tds.ts'
import { listFacts } from './table-facts.ts'

/** A column of a table. */
export interface ColumnModel {
  name: string
  type: string
  /** In bytes. */
  maxLength?: number
  precision?: number
  scale?: number
  isNullable?: boolean
  description?: string
  default?: string
  computed?: string
  isPersisted?: boolean
  identity?: readonly [string | null, string | null]
  generatedAlways?: number
  labels?: readonly [string | null, string | null]
}

/** An index with the names of its columns. */
export interface KeyModel {
  isPrimary?: boolean
  columns: readonly string[]
  isFiltered?: boolean
  isDisabled?: boolean
}

/** A table or view. */
export interface ObjectModel {
  id: number
  schema: string
  name: string
  type?: 'U' | 'V' | 'P'
  columns: readonly ColumnModel[]
  description?: string
  owner?: string
  isExternal?: boolean
  temporalType?: number
  /** 1 = the history of a ledger table. */
  ledgerType?: number
  isShipped?: boolean
  keys?: readonly KeyModel[]
  foreignKeys?: readonly {
    name: string
    columns: readonly string[]
    references: readonly [schema: string, table: string, ...columns: string[]]
  }[]
  /** Null = encrypted. */
  definition?: string | null
  dependencies?: readonly (readonly [schema: string, name: string])[]
  partitionColumn?: string
  rows?: number
  /** The time in UTC at which rows were last changed, without a zone. */
  updatedAt?: string
  bytes?: number
  labels?: readonly [string | null, string | null]
  /** Whether the user has a permission for it only; others are hidden in such a schema. */
  isGranted?: boolean
}

/** A schema of a database. */
export interface SchemaModel {
  id: number
  owner?: string
  description?: string
  /** Whether the user sees only granted objects. */
  isHidden?: boolean
}

/** A database. */
export interface DatabaseModel {
  id: number
  created?: string
  state?: string
  owner?: string
  description?: string
  /** False = the user may not open it. */
  isGranted?: boolean
  schemas: Record<string, SchemaModel>
  objects: Iterable<ObjectModel>
  access?: AccessModel
  /** Whether VIEW DEFINITION is denied for some object, which hides it. */
  hasDenial?: boolean
  /** Whether the user may read the state of the server. */
  showsState?: boolean
  /** Whether the user may read the dependencies of views. */
  isOwner?: boolean
  /** Views and columns that this product does not have. */
  missing?: ReadonlySet<string>
  /** Views that exist, but are rejected. */
  rejected?: ReadonlySet<string>
}

/** A server. */
export interface MssqlModel {
  edition: number
  version: string
  serverName: string
  databases: Record<string, DatabaseModel>
  administrators?: ServerAccessModel
  /** Whether databases are hidden that the user may not open. */
  hidesDatabases: boolean
}

/** A result, which may end with an error. */
export interface StatementAnswer {
  types: readonly TdsType[]
  rows: Iterable<readonly TdsValue[]>
  error?: TdsError
}

const VIEWS_WITH_COLUMNS = {
  columns: 'generated_always_type',
  tables: 'temporal_type is_external ledger_type',
} as const

/** Answers a statement on a connection whose current database is given. */
export function answerStatement(model: MssqlModel, current: string, text: string): StatementAnswer {
  if (/^\s*set /.test(text)) return { types: [], rows: [] }
  if (text.includes('EngineEdition')) {
    const row = [model.edition, model.version, model.serverName, current]
    return { types: ['int', 'name', 'name', 'name'], rows: [row] }
  }
  if (/from sys\.databases\s+order by/.test(text)) return listDatabases(model, text)
  const server = answerServerAccess(model.administrators, text)
  if (server !== undefined) return server
  const name = /from (\[(?:[^\]]|\]\])+\])\.sys/.exec(text)?.[1]?.slice(1, -1).replaceAll(']]', ']')
  const database = model.databases[name ?? '']
  if (name === undefined || database === undefined) return reject(911, 'No such database.')
  const isOneDatabase = [5, 6, 11, 12].includes(model.edition)
  if (isOneDatabase && name !== current) return reject(40515, 'Not supported in this version.')
  if (database.state !== undefined) return reject(942, 'The database is offline.')
  if (database.isGranted === false) return reject(916, 'Not able to access the database.')
  const missing = findRejected(database, text)
  if (missing !== undefined) return missing
  const access = answerAccess(database.access ?? {}, text)
  if (access !== undefined) return access
  if (text.includes('dm_db_index_usage_stats')) return listUpdates(database)
  if (text.includes('.sys.all_views')) return listFeatures(database, text)
  if (text.includes('suser_sname')) return listContainers(name, database, text)
  const types: TdsType[] = [
    ...Array.from({ length: 3 }, () => 'int' as const),
    ...Array.from({ length: 7 }, () => 'name' as const),
    'text',
  ]
  return { types, rows: listFacts(database, text) }
}

function reject(number: number, message: string): StatementAnswer {
  return { types: [], rows: [], error: { number, message } }
}

function listDatabases({ databases, edition, hidesDatabases }: MssqlModel, text: string) {
  const hasAccess = text.includes('has_dbaccess')
  const rows = Object.entries(databases)
    .filter(([, { isGranted }]) => !hidesDatabases || isGranted !== false)
    .map(([name, { state = 'ONLINE', isGranted = true }]) => [
      name,
      state,
      hasAccess ? Number(isGranted) : null,
      hasAccess && edition < 5 ? Number(!hidesDatabases) : null,
    ])
  return { types: ['name', 'name', 'int', 'int'], rows } satisfies StatementAnswer
}

function listUpdates({ showsState = false, objects }: DatabaseModel): StatementAnswer {
  if (!showsState) return reject(300, 'VIEW SERVER STATE permission was denied.')
  const rows = [...objects].flatMap(({ id, updatedAt }) =>
    updatedAt === undefined ? [] : [[id, `${updatedAt}Z`]],
  )
  return { types: ['int', 'name'], rows }
}

function findRejected(database: DatabaseModel, text: string): StatementAnswer | undefined {
  const code = text.replaceAll(/N'(?:[^']|'')*'/g, '')
  for (const [, view = ''] of code.matchAll(/\.sys\.(\w+)/g)) {
    if (database.missing?.has(view)) return reject(208, `Invalid object name 'sys.${view}'.`)
    if (database.rejected?.has(view)) return reject(15871, `sys.${view} is not supported.`)
    if (view !== view.toLowerCase()) return reject(208, `Invalid object name 'sys.${view}'.`)
  }
  if (database.isOwner === false && text.includes('.sys.sql_expression_dependencies d')) {
    return reject(229, 'The SELECT permission was denied.')
  }
  for (const missing of database.missing ?? []) {
    const [, column] = missing.split('.')
    if (column !== undefined && new RegExp(`\\b\\w\\.${column}\\b`).test(text)) {
      return reject(207, `Invalid column name '${column}'.`)
    }
  }
  return undefined
}

function listFeatures({ missing, isOwner = true }: DatabaseModel, text: string): StatementAnswer {
  const listed = /v\.name in \(([^)]+)\)/.exec(text)?.[1] ?? ''
  const views = [...listed.matchAll(/N'(\w+)'/g)].map(([, view = '']) => view)
  const rows = views
    .filter((view) => !missing?.has(view))
    .filter((view) => view !== 'sql_expression_dependencies' || isOwner || !text.includes('<>'))
    .flatMap((view) => {
      const columns = view === 'columns' || view === 'tables' ? VIEWS_WITH_COLUMNS[view] : ''
      const present = columns.split(' ').filter((name) => name && !missing?.has(`${view}.${name}`))
      return [[view, null], ...present.map((column) => [view, column])]
    })
  return { types: ['name', 'name'], rows }
}

function listContainers(name: string, database: DatabaseModel, text: string): StatementAnswer {
  const { id, created = '2024-01-02T03:04:05.678', owner = 'sa', schemas, objects } = database
  const hasDescriptions = text.includes('extended_properties')
  const hasCheck = text.includes('has_perms_by_name')
  const isDenied = database.hasDenial === true && text.includes(`x.type = 'VW'`)
  const isWhole = !isDenied && Object.values(schemas).every(({ isHidden }) => isHidden !== true)
  const visible = new Set(
    Object.values(schemas).some(({ isHidden }) => isHidden)
      ? [...objects].filter(({ isGranted }) => isGranted).map(({ schema }) => schema)
      : [],
  )
  const own = [
    null,
    null,
    owner,
    hasDescriptions ? (database.description ?? null) : null,
    Number(hasCheck && isWhole),
    `${id}@${created}`,
  ]
  // Only schemas with a permission are visible.
  const rows = Object.entries(schemas)
    .filter(([schema, { isHidden }]) => isHidden !== true || visible.has(schema))
    .map(([schema, { id: schemaId, owner: principal = 'dbo', description, isHidden = false }]) => [
      schemaId,
      schema,
      text.includes('database_principals') ? principal : null,
      hasDescriptions ? (description ?? null) : null,
      Number(hasCheck && !isHidden && !isDenied),
      null,
    ])
  const isAsked = text.includes(`N'${name.replaceAll("'", "''")}'`)
  return {
    types: ['int', 'name', 'name', 'name', 'int', 'name'],
    rows: isAsked ? [own, ...rows] : rows,
  }
}
