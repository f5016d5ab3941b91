// Foreign keys between the tables of a script. They follow all tables, so that tables may refer to each other.

import type { Losses } from '../losses.ts'
import type { Model } from '../model.ts'
import type { Platform } from '../types/native-type.ts'
import { canBeKey, KEY_BYTES_MAX, keyBytes, type TableColumn } from './column-write.ts'
import { type SqlDialect } from './quote.ts'

/** A table of a script. */
export interface WrittenTable {
  model: Model
  /** The quoted name, with its schema. */
  quoted: string
  /** Whether the quoted name has a schema. */
  isQualified: boolean
  /** The name that readers of the script give it, `sales.orders`. */
  path: string
  columns: readonly TableColumn[]
  /** The names of the fields of the primary key; empty if it is not written. */
  key: readonly string[]
}

interface Target {
  table: WrittenTable
  column: TableColumn
}

/** A foreign key of a table, with the texts of its references. */
interface ForeignKey {
  columns: readonly TableColumn[]
  references: readonly string[]
}

/** Writes the foreign keys of all tables; those that cannot be written are listed with the reason. */
export function writeForeignKeys(
  tables: readonly WrittenTable[],
  dialect: SqlDialect,
  losses: Losses,
): string[] {
  // Few contracts with many fields have references.
  const hasKeys = tables.some((table) => listKeys(table).length > 0)
  if (!hasKeys) return []
  const targets = new Targets(tables)
  return tables.flatMap((table) =>
    listKeys(table).flatMap((key) => {
      const found = targets.find(key)
      const problem = 'problem' in found ? found.problem : findProblem(table, key, found, dialect)
      if (problem !== undefined || 'problem' in found) {
        losses.add(pathTo(table, key), `${problem} No foreign key is written.`)
        return []
      }
      noteNames(table, key, found, losses)
      return [writeKey(table, key, found, dialect)]
    }),
  )
}

// A key of several fields is a part of the model.
function pathTo({ model }: WrittenTable, { columns }: ForeignKey): string {
  const [only, ...more] = columns
  return only === undefined || more.length > 0 ? model.name : `${model.name}.${only.field.name}`
}

// Foreign keys of several fields, and the references of single fields that are in none of them.
function listKeys({ model, columns }: WrittenTable): ForeignKey[] {
  const byField = new Map(columns.map((column) => [column.field.name, column]))
  const joint = (model.foreignKeys ?? []).map(({ fields, references }) => ({
    columns: fields.flatMap((name) => byField.get(name) ?? []),
    references,
  }))
  const covered = new Set(
    joint.flatMap((key) =>
      key.columns.map(({ field }, at) => `${field.name}\n${key.references[at] ?? ''}`),
    ),
  )
  const single = columns.flatMap((column) =>
    [...new Set(column.field.references)]
      .filter((reference) => !covered.has(`${column.field.name}\n${reference}`))
      .map((reference) => ({ columns: [column], references: [reference] })),
  )
  return [...joint, ...single]
}

/** The columns of a script by the texts that refer to them. */
class Targets {
  readonly #targets = new Map<string, Target>()

  constructor(tables: readonly WrittenTable[]) {
    // Names in contracts come before those on the platform, and exact names before those in another case.
    for (const table of tables) this.#addTable(table, table.model.name, ({ field }) => field.name)
    for (const table of tables) {
      const { name, physicalName = name } = table.model
      for (const path of [name, physicalName, table.path]) {
        this.#addTable(table, path, ({ field }) => field.name)
        this.#addTable(table, path, (column) => column.name)
      }
    }
    for (const [text, target] of this.#targets.entries().toArray())
      this.#add(text.toLowerCase(), target)
  }

  #addTable(table: WrittenTable, path: string, getName: (column: TableColumn) => string): void {
    for (const column of table.columns) this.#add(`${path}.${getName(column)}`, { table, column })
    // SQL may omit the columns, which are then those of the key.
    const [only, ...more] = table.key
    const column = table.columns.find(({ field }) => field.name === only)
    if (column !== undefined && more.length === 0) this.#add(path, { table, column })
  }

  #add(text: string, target: Target): void {
    if (!this.#targets.has(text)) this.#targets.set(text, target)
  }

  find({
    references,
  }: ForeignKey): { table: WrittenTable; columns: TableColumn[] } | { problem: string } {
    const found: Target[] = []
    for (const text of references) {
      const target = this.#targets.get(text) ?? this.#targets.get(text.toLowerCase())
      if (target === undefined) return { problem: `"${text}" is not a column of this script.` }
      found.push(target)
    }
    const [first] = found
    if (first === undefined || found.some(({ table }) => table !== first.table)) {
      return { problem: `${quoteAll(references)} are not columns of one table.` }
    }
    return { table: first.table, columns: found.map(({ column }) => column) }
  }
}

function quoteAll(texts: readonly string[]): string {
  return texts.map((text) => `"${text}"`).join(', ')
}

function findProblem(
  own: WrittenTable,
  { columns, references }: ForeignKey,
  target: { table: WrittenTable; columns: readonly TableColumn[] },
  { platform, foreignKeys }: SqlDialect,
): string | undefined {
  if (foreignKeys === 'none') return 'The dialect has no foreign keys.'
  if (!isKey(target, foreignKeys === 'ofKeys')) {
    const kind = foreignKeys === 'ofKeys' ? 'the written primary key' : 'a written key, nor unique'
    return `${quoteAll(references)} is not ${kind}.`
  }
  if (platform === 'mysql' && own.isQualified && !target.table.isQualified) {
    return `MySQL looks for a table without a database in that of "${own.path}".`
  }
  for (const [at, { type }] of columns.entries()) {
    const other = target.columns[at]?.type ?? ''
    if (!areComparable(type, other, platform)) {
      return `"${references[at]}" has another type, ${other} instead of ${type}.`
    }
    if (!canBeKey(type, platform)) return `A column of the type ${type} cannot be indexed.`
  }
  const bytes = columns.reduce((sum, { type }) => sum + keyBytes(type, platform), 0)
  return bytes > KEY_BYTES_MAX ? 'The columns are too long for an index.' : undefined
}

function isKey(
  { table, columns }: { table: WrittenTable; columns: readonly TableColumn[] },
  isPrimaryOnly: boolean,
): boolean {
  const names = new Set(columns.map(({ field }) => field.name))
  const isPrimary =
    table.key.length === columns.length && table.key.every((name) => names.has(name))
  const [only, ...more] = columns
  return isPrimary || (!isPrimaryOnly && more.length === 0 && only?.isUnique === true)
}

const INTEGERS = new Set(['smallint', 'integer', 'bigint'])

// Whether a foreign key of one type may refer to the other.
function areComparable(type: string, other: string, platform: Platform): boolean {
  if (type.toLowerCase() === other.toLowerCase()) return true
  if (platform === 'postgresql') {
    const areTexts = [type, other].every((text) => /^(?:text|varchar)\b/.test(text))
    return areTexts || (INTEGERS.has(type) && INTEGERS.has(other))
  }
  return platform === 'mysql' && [type, other].every((text) => text.startsWith('varchar('))
}

function writeKey(
  { quoted }: WrittenTable,
  { columns }: ForeignKey,
  target: { table: WrittenTable; columns: readonly TableColumn[] },
  { foreignKeySuffix, platform }: SqlDialect,
): string {
  // MySQL needs the columns in the order of the key.
  const order = platform === 'mysql' ? target.table.key : []
  const pairs = columns
    .map((column, at) => ({ column, other: target.columns[at] }))
    .toSorted((a, b) => order.indexOf(getName(a.other)) - order.indexOf(getName(b.other)))
  const own = pairs.map(({ column }) => column.quoted).join(', ')
  const others = pairs.map(({ other }) => other?.quoted ?? '').join(', ')
  return `ALTER TABLE ${quoted} ADD FOREIGN KEY (${own}) REFERENCES ${target.table.quoted} (${others})${foreignKeySuffix}`
}

function getName(column: TableColumn | undefined): string {
  return column?.field.name ?? ''
}

function noteNames(
  table: WrittenTable,
  key: ForeignKey,
  target: { table: WrittenTable; columns: readonly TableColumn[] },
  losses: Losses,
): void {
  for (const [at, reference] of key.references.entries()) {
    const written = `${target.table.path}.${target.columns[at]?.name ?? ''}`
    if (written === reference) continue
    losses.add(
      pathTo(table, key),
      `The foreign key names "${reference}" by its name in SQL, "${written}".`,
    )
  }
}
