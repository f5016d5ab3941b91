/** The contents of a scripted source: namespaces with tables and views, in memory, changed by a test. */

import { randomUUID } from 'node:crypto'

/** A type in the form of Iceberg's schemas; the model assigns the ids of nested fields. */
export type ScriptedType =
  | string
  | { struct: ScriptedColumns }
  | { list: ScriptedType }
  | { map: readonly [keys: ScriptedType, values: ScriptedType] }

/** A column: its type (`long`, or `long required`), or an object with details. */
export type ScriptedColumn = ScriptedType | { type: ScriptedType; required?: boolean; doc?: string }

/** Columns by name, in order. */
export type ScriptedColumns = Readonly<Record<string, ScriptedColumn>>

/** The properties of a table in addition to its columns. */
export interface ScriptedDetails {
  comment?: string
  owner?: string
  /** Names of columns. */
  primaryKey?: readonly string[]
  /** Names of columns, optionally with a transform: `day(ordered_at)`. */
  partitionBy?: readonly string[]
  rows?: number
  sizeBytes?: number
  properties?: Readonly<Record<string, string>>
}

/** A namespace: one name, or the parts of a nested one. */
export type NamespaceName = string | readonly string[]

/** The model of a source. */
export interface ScriptedState {
  /**
   * Creates a namespace, or changes its properties. The other functions create namespaces automatically.
   */
  namespace(name: NamespaceName, properties?: Readonly<Record<string, string>>): void
  /** Creates a table, or changes it and keeps its id. */
  table(
    namespace: NamespaceName,
    name: string,
    columns: ScriptedColumns,
    more?: ScriptedDetails,
  ): void
  /** Creates a view, or changes it and keeps its id. */
  view(namespace: NamespaceName, name: string, sql: string, columns?: ScriptedColumns): void
  /** Creates `count` tables with three columns: `table_0001` and so on, all with the same comment. */
  tables(namespace: NamespaceName, count: number, comment?: string): void
  /** Sets the same comment on every table and view, to mark a generation. */
  commentAll(comment: string): void
  /** Drops a table or view. */
  drop(namespace: NamespaceName, name: string): void
  dropNamespace(name: NamespaceName): void
  /** Renames a table or view, also into another namespace, and keeps its id. */
  rename(namespace: NamespaceName, name: string, newName: string, to?: NamespaceName): void
  /** Drops everything. */
  clear(): void
  /** Counts tables and views, and namespaces. */
  size(): { objects: number; namespaces: number }

  findNamespace(parts: readonly string[]): { properties: Record<string, string> } | undefined
  /** Lists the direct children of a namespace, their parts joined by the unit separator, in order. */
  getChildren(parts: readonly string[]): string[]
  getNames(parts: readonly string[], collection: Collection): string[]
  /** Returns the metadata of a table or view in the form of the protocol. */
  getMetadata(parts: readonly string[], collection: Collection, name: string): unknown
}

type Collection = 'tables' | 'views'

interface Space {
  parts: readonly string[]
  properties: Record<string, string>
  tables: Map<string, ScriptedTable>
  views: Map<string, ScriptedView>
}

interface ScriptedTable {
  id: string
  columns: ScriptedColumns
  details: ScriptedDetails
  /** Milliseconds since 1970; fixed, so that nothing changes by itself. */
  updatedAt: number
}

interface ScriptedView {
  id: string
  sql: string
  columns: ScriptedColumns
  comment: string | undefined
  updatedAt: number
}

const SEPARATOR = '\u001F'

/** Creates an empty model. */
export function newScriptedState(): ScriptedState {
  const spaces = new Map<string, Space>()
  let updatedAt = Date.UTC(2026, 0, 1)
  const tick = (): number => (updatedAt += 1000)
  const find = (name: NamespaceName): Space | undefined =>
    spaces.get(getParts(name).join(SEPARATOR))
  const make = (name: NamespaceName): Space => makeSpace(spaces, getParts(name))
  const state: ScriptedState = {
    namespace(name, properties = {}) {
      make(name).properties = { ...properties }
    },
    table(namespace, name, columns, details = {}) {
      const { tables } = make(namespace)
      const id = tables.get(name)?.id ?? randomUUID()
      tables.set(name, { id, columns, details, updatedAt: tick() })
    },
    view(namespace, name, sql, columns = {}) {
      const { views } = make(namespace)
      const { id = randomUUID(), comment } = views.get(name) ?? {}
      views.set(name, { id, sql, columns, comment, updatedAt: tick() })
    },
    tables(namespace, count, comment) {
      for (let number = 1; number <= count; number += 1) {
        const name = `table_${String(number).padStart(4, '0')}`
        const columns = { id: 'long required', name: 'string', amount: 'decimal(10,2)' }
        state.table(namespace, name, columns, comment === undefined ? {} : { comment })
      }
    },
    commentAll(comment) {
      for (const { tables, views } of spaces.values()) {
        for (const table of tables.values()) table.details = { ...table.details, comment }
        for (const view of views.values()) view.comment = comment
      }
    },
    drop(namespace, name) {
      find(namespace)?.tables.delete(name)
      find(namespace)?.views.delete(name)
    },
    dropNamespace: (name) => void spaces.delete(getParts(name).join(SEPARATOR)),
    rename(namespace, name, newName, to = namespace) {
      const [from, target] = [make(namespace), make(to)]
      move(from.tables, name, target.tables, newName)
      move(from.views, name, target.views, newName)
    },
    clear: () => spaces.clear(),
    size: () => ({
      objects: Array.from(spaces.values(), ({ tables, views }) => tables.size + views.size).reduce(
        (sum, size) => sum + size,
        0,
      ),
      namespaces: spaces.size,
    }),
    findNamespace: (parts) => find(parts),
    getChildren: (parts) =>
      Array.from(spaces.values())
        .filter((space) => space.parts.length === parts.length + 1)
        .filter((space) => parts.every((part, place) => space.parts[place] === part))
        .map((space) => space.parts.join(SEPARATOR))
        .toSorted(byCodeUnits),
    getNames: (parts, collection) =>
      Array.from(find(parts)?.[collection].keys() ?? []).toSorted(byCodeUnits),
    getMetadata(parts, collection, name) {
      if (collection === 'tables') return tableMetadata(find(parts)?.tables.get(name))
      return viewMetadata(find(parts)?.views.get(name), parts)
    },
  }
  return state
}

function getParts(name: NamespaceName): readonly string[] {
  return typeof name === 'string' ? [name] : name
}

/** Compares names in the order of page tokens. */
function byCodeUnits(one: string, other: string): number {
  return one < other ? -1 : Number(one > other)
}

function makeSpace(spaces: Map<string, Space>, parts: readonly string[]): Space {
  const key = parts.join(SEPARATOR)
  const found = spaces.get(key)
  if (found) return found
  if (parts.length > 1) makeSpace(spaces, parts.slice(0, -1))
  const space: Space = { parts, properties: {}, tables: new Map(), views: new Map() }
  spaces.set(key, space)
  return space
}

function move<T>(from: Map<string, T>, name: string, to: Map<string, T>, newName: string): void {
  const moved = from.get(name)
  if (moved === undefined) return
  from.delete(name)
  to.set(newName, moved)
}

function tableMetadata(table: ScriptedTable | undefined): unknown {
  if (table === undefined) return undefined
  const { comment, owner, primaryKey = [], partitionBy = [], rows, sizeBytes } = table.details
  const ids = new Ids()
  const fields = getFields(table.columns, ids)
  const getId = (name: string): number => fields.find((field) => field.name === name)?.id ?? -1
  const summary = {
    operation: 'append',
    ...(rows === undefined ? {} : { 'total-records': String(rows) }),
    ...(sizeBytes === undefined ? {} : { 'total-files-size': String(sizeBytes) }),
  }
  const hasSnapshot = rows !== undefined || sizeBytes !== undefined
  const snapshot = { 'snapshot-id': 77, 'timestamp-ms': table.updatedAt, summary }
  return {
    'format-version': 2,
    'table-uuid': table.id,
    location: `s3://scripted/${table.id}`,
    'last-updated-ms': table.updatedAt,
    properties: {
      ...(comment === undefined ? {} : { comment }),
      ...(owner === undefined ? {} : { owner }),
      ...table.details.properties,
    },
    // The current schema is found by its id, not by its position.
    schemas: [
      { type: 'struct', 'schema-id': 3, fields, 'identifier-field-ids': primaryKey.map(getId) },
      { type: 'struct', 'schema-id': 0, fields: [] },
    ],
    'current-schema-id': 3,
    'partition-specs': [
      { 'spec-id': 0, fields: [] },
      {
        'spec-id': 1,
        fields: partitionBy.map((text, place) => partitionField(text, place, getId)),
      },
    ],
    'default-spec-id': 1,
    ...(hasSnapshot
      ? { 'current-snapshot-id': 77, snapshots: [snapshot] }
      : { 'current-snapshot-id': -1 }),
  }
}

function partitionField(text: string, place: number, getId: (name: string) => number): unknown {
  const [, transform = 'identity', name = text] = /^([^(]+)\((.+)\)$/.exec(text) ?? []
  // The table format's `bucket[16]` is `bucket[16](customer)` here.
  const suffix = transform === 'identity' ? '' : `_${transform.replaceAll(/\W.*/g, '')}`
  return {
    'source-id': getId(name),
    'field-id': 1000 + place,
    name: `${name}${suffix}`,
    transform,
  }
}

function viewMetadata(view: ScriptedView | undefined, parts: readonly string[]): unknown {
  if (view === undefined) return undefined
  const fields = getFields(view.columns, new Ids())
  return {
    'view-uuid': view.id,
    'format-version': 1,
    location: `s3://scripted/${view.id}`,
    'current-version-id': 2,
    versions: [
      getVersion(1, view.updatedAt - 1, 'select 1', parts),
      getVersion(2, view.updatedAt, view.sql, parts),
    ],
    schemas: [{ type: 'struct', 'schema-id': 1, fields }],
    properties: view.comment === undefined ? {} : { comment: view.comment },
  }
}

function getVersion(id: number, timestamp: number, sql: string, parts: readonly string[]): unknown {
  return {
    'version-id': id,
    'schema-id': 1,
    'timestamp-ms': timestamp,
    summary: {},
    'default-namespace': parts,
    representations: [{ type: 'sql', sql, dialect: 'spark' }],
  }
}

class Ids {
  #last = 0

  next(): number {
    this.#last += 1
    return this.#last
  }
}

interface Field {
  id: number
  name: string
  type: unknown
  required: boolean
  doc?: string
}

function getFields(columns: ScriptedColumns, ids: Ids): Field[] {
  return Object.entries(columns).map(([name, column]) => {
    const id = ids.next()
    const more = typeof column === 'object' && 'type' in column ? column : { type: column }
    const isMarked = typeof more.type === 'string' && more.type.endsWith(' required')
    const { required = isMarked, doc } = more
    return {
      id,
      name,
      type: getType(more.type, ids),
      required,
      ...(doc === undefined ? {} : { doc }),
    }
  })
}

function getType(type: ScriptedType, ids: Ids): unknown {
  if (typeof type === 'string') return type.replace(/ required$/, '')
  if ('struct' in type) return { type: 'struct', fields: getFields(type.struct, ids) }
  if ('list' in type) {
    return {
      type: 'list',
      'element-id': ids.next(),
      element: getType(type.list, ids),
      'element-required': false,
    }
  }
  const [keys, values] = type.map
  return {
    type: 'map',
    'key-id': ids.next(),
    key: getType(keys, ids),
    'value-id': ids.next(),
    value: getType(values, ids),
    'value-required': false,
  }
}
