// The state of a table while the statements of a script change it: its columns, its constraints, and the clauses that could
// not be read.

import { put } from '../../text/value.ts'
import type { Field, Model, ModelKind } from '../model.ts'
import { plainModel } from '../plain.ts'
import { addRule, addTrait, applyCheck, applyKey, applyReferences, buildField } from './model.ts'
import type { SqlColumn, SqlConstraint } from './parts.ts'
import { type ColumnType, listTypeTexts, type TypeContext } from './script-types.ts'
import { SQL_TRAITS } from './traits.ts'
import type { Platform } from '../types/native-type.ts'
import { TableVisibility } from './visibility.ts'

/** Constraints that are changed by statements about several of them, in all. */
const VISITED_MAX = 100_000
const TOO_MANY = 'more changes of constraints'

/** A clause with the name of a constraint. */
interface NamedClause {
  drop: () => void
  /** Checks the rows that were not checked. */
  validate?: () => void
}

export class SqlTable {
  /** The qualified name: `[database, schema, table]`. */
  parts: readonly string[]
  readonly kind: ModelKind
  description: string | undefined
  /** Statements and clauses that could not be read, in canonical form. */
  readonly unanalyzed: string[] = []
  /** The clauses that decide which rows and values a consumer sees. */
  readonly visibility = new TableVisibility()
  /** Tables that inherit the columns of this one. */
  readonly children: SqlTable[] = []
  readonly #platform: Platform | undefined
  #order: SqlColumn[] = []
  readonly #byName = new Map<string, SqlColumn>()
  readonly #constraints: SqlConstraint[] = []
  readonly #byConstraintName = new Map<string, SqlConstraint>()
  /** The named clauses that are not constraints here: `CONSTRAINT d DEFAULT 0`. */
  readonly #namedClauses = new Map<string, NamedClause>()
  #resolvedCount = 0
  #visited = 0

  constructor(
    parts: readonly string[],
    options: { kind: ModelKind; platform: Platform | undefined },
  ) {
    this.parts = parts
    this.kind = options.kind
    this.#platform = options.platform
  }

  columns(): SqlColumn[] {
    return this.#order.filter(({ isDropped }) => !isDropped)
  }

  hasColumns(): boolean {
    return this.#order.some(({ isDropped }) => !isDropped)
  }

  /** Finds a column by its name: as written, or else in lower case. */
  column(name: string): SqlColumn | undefined {
    return this.#byName.get(name) ?? this.#byName.get(name.toLowerCase())
  }

  hasColumn(name: string): boolean {
    return this.#byName.get(name)?.name === name
  }

  /** Adds a column. If the table has one of that name, the returned column is not part of the table. */
  addColumn(name: string, type: ColumnType | undefined): SqlColumn {
    const column: SqlColumn = { name, type, isRequired: false, isDropped: false, unanalyzed: [] }
    if (this.hasColumn(name)) return { ...column, isDropped: true }
    this.#order.push(column)
    this.#index(column)
    return column
  }

  /** Moves a column to the front, or behind another one. */
  move(column: SqlColumn, after: SqlColumn | undefined): void {
    // The order of columns is not a promise, and moving columns of wide tables takes time.
    if (this.#order.length > 2000) return
    const rest = this.#order.filter((one) => one !== column)
    rest.splice(after === undefined ? 0 : rest.indexOf(after) + 1, 0, column)
    this.#order = rest
  }

  renameColumn(column: SqlColumn, name: string): void {
    this.#unindex(column)
    column.name = name
    this.#index(column)
  }

  dropColumn(column: SqlColumn): void {
    column.isDropped = true
    this.#unindex(column)
  }

  /** Drops all columns, before others replace them. */
  dropColumns(): void {
    for (const column of this.columns()) this.dropColumn(column)
  }

  #index(column: SqlColumn): void {
    const folded = column.name.toLowerCase()
    if (this.#byName.get(folded)?.name !== folded) this.#byName.set(folded, column)
    this.#byName.set(column.name, column)
  }

  #unindex(column: SqlColumn): void {
    for (const name of [column.name, column.name.toLowerCase()]) {
      if (this.#byName.get(name) === column) this.#byName.delete(name)
    }
  }

  addConstraint(constraint: SqlConstraint): void {
    this.#constraints.push(constraint)
  }

  /** Finds the columns of the constraints that the last statement added. It may add a constraint before its columns. */
  resolveConstraints(): void {
    for (; this.#resolvedCount < this.#constraints.length; this.#resolvedCount += 1) {
      const constraint = this.#constraints[this.#resolvedCount]
      if (constraint === undefined) continue
      constraint.columns = this.#findColumns(constraint)
      if (constraint.kind === 'check') {
        constraint.written = constraint.columns.map(({ name }) => name.toLowerCase())
      }
      if (constraint.kind === 'primaryKey' && this.#platform !== 'bigquery') {
        // Everywhere but in BigQuery, a primary key is never null.
        for (const column of constraint.columns) column.isRequired = true
      }
      const name = constraint.name ?? this.#implicitName(constraint)
      this.#byConstraintName.set(name.toLowerCase(), constraint)
    }
  }

  #findColumns(constraint: SqlConstraint): SqlColumn[] {
    const names =
      constraint.kind === 'check'
        ? constraint.condition.tokens.flatMap(({ kind, text }) =>
            kind === 'word' || kind === 'name' ? [text] : [],
          )
        : constraint.names
    const columns = names.flatMap((name) => this.column(name) ?? [])
    return [...new Set(columns)]
  }

  // PostgreSQL and MySQL name constraints that the script does not name.
  #implicitName(constraint: SqlConstraint): string {
    const [first = ''] = constraint.columns?.map(({ name }) => name) ?? []
    const table = this.parts.at(-1) ?? ''
    if (constraint.kind === 'primaryKey') return `${table}_pkey`
    if (constraint.kind === 'unique' && this.#platform === 'mysql') return first
    const columns = constraint.columns?.map(({ name }) => name).join('_') ?? ''
    const suffix = { unique: 'key', foreignKey: 'fkey', check: 'check', rule: 'excl' }
    return `${table}_${columns}_${suffix[constraint.kind]}`
  }

  /** Names a clause of a column that can be dropped, and validated, like a constraint. */
  nameClause(name: string, clause: NamedClause): void {
    this.#namedClauses.set(name.toLowerCase(), clause)
  }

  /** Marks a constraint as checked for all rows. */
  validateConstraint(name: string): void {
    this.#namedClauses.get(name.toLowerCase())?.validate?.()
    for (const constraint of this.constraintsNamed(name)) {
      constraint.clauses = constraint.clauses.filter((clause) => clause !== 'not valid')
    }
  }

  isInPrimaryKey(column: SqlColumn): boolean {
    return this.#constraints.some(
      ({ kind, isDropped, columns }) =>
        kind === 'primaryKey' && isDropped !== true && columns?.includes(column) === true,
    )
  }

  /** Drops a constraint by its name; false if the script does not name it. */
  dropConstraint(name: string): boolean {
    const clause = this.#namedClauses.get(name.toLowerCase())
    if (clause !== undefined) {
      clause.drop()
      return this.#namedClauses.delete(name.toLowerCase())
    }
    const constraint = this.#byConstraintName.get(name.toLowerCase())
    if (constraint === undefined || constraint.isDropped === true) return false
    constraint.isDropped = true
    return true
  }

  /** Drops a unique index that becomes a constraint, and returns it; undefined if the table has none of this name. */
  takeUnique(name: string): { names: readonly string[]; clauses: string[] } | undefined {
    const index = this.#byConstraintName.get(name.toLowerCase())
    if (index?.kind !== 'unique' || index.isDropped === true) return undefined
    index.isDropped = true
    const names = index.columns?.map((column) => column.name) ?? []
    return {
      names: names.length === index.names.length ? names : index.names,
      clauses: index.clauses,
    }
  }

  get constraintCount(): number {
    return this.#constraints.length
  }

  /** Returns the constraints from a position on. */
  constraintsFrom(position: number): SqlConstraint[] {
    return this.#visit(this.#constraints.slice(position))
  }

  /** Returns the constraints with a name; all of them for `all`. */
  constraintsNamed(name: string): SqlConstraint[] {
    if (name.toLowerCase() === 'all') return this.#visit(this.#constraints)
    const constraint = this.#byConstraintName.get(name.toLowerCase())
    return constraint === undefined ? [] : [constraint]
  }

  // A script that changes many constraints too often is not read to its end.
  #visit(constraints: SqlConstraint[]): SqlConstraint[] {
    this.#visited += constraints.length
    if (this.#visited <= VISITED_MAX) return constraints
    if (!this.unanalyzed.includes(TOO_MANY)) this.unanalyzed.push(TOO_MANY)
    return []
  }

  /** Returns the keys of a kind, on these columns if they are given. */
  constraintsOf(kind: 'primaryKey' | 'unique', names?: readonly string[]): SqlConstraint[] {
    return this.#visit(this.#constraints).filter(
      (one) =>
        one.kind === kind && (names === undefined || one.names.join('\0') === names.join('\0')),
    )
  }

  renameConstraint(name: string, newName: string): boolean {
    const constraint = this.#byConstraintName.get(name.toLowerCase())
    if (constraint === undefined) return false
    constraint.name = newName
    this.#byConstraintName.delete(name.toLowerCase())
    this.#byConstraintName.set(newName.toLowerCase(), constraint)
    return true
  }

  dropPrimaryKey(): void {
    for (const constraint of this.#constraints) {
      if (constraint.kind === 'primaryKey') constraint.isDropped = true
    }
  }

  /** Copies the columns of another table; NOT NULL is copied, constraints are not. */
  copyColumns(source: SqlTable, takeColumn: () => boolean): void {
    for (const { name, type, isRequired, description, unanalyzed } of source.columns()) {
      if (this.hasColumn(name) || !takeColumn()) continue
      const column = this.addColumn(name, type)
      column.isRequired = isRequired
      column.unanalyzed.push(...unanalyzed)
      put(column, 'description', description)
    }
  }

  /** Copies the keys and checks of another table whose columns were copied. */
  copyConstraints(source: SqlTable): void {
    for (const constraint of source.#constraints) {
      if (constraint.isDropped === true || constraint.kind === 'foreignKey') continue
      const { columns, ...rest } = constraint
      const copy = { ...rest, clauses: [...rest.clauses] }
      // Columns of the source may have been renamed since the constraint was stated.
      if (columns?.some(({ isDropped }) => isDropped) === true) continue
      const isResolved = copy.kind !== 'check' && columns?.length === copy.names.length
      if (isResolved) copy.names = columns.map(({ name }) => name)
      this.addConstraint(copy.kind === 'check' ? { ...copy, owner: undefined } : copy)
    }
  }

  /** Lists the texts in which the table names other parts of the database. */
  texts(): string[] {
    const columns = this.columns()
    const constraints = this.#constraints.flatMap((one) => {
      if (one.isDropped === true) return []
      if (one.kind === 'check') return [one.condition.text]
      if (one.kind === 'rule') return [one.text]
      return one.kind === 'foreignKey' ? [[...one.table, ...one.references].join(' ')] : []
    })
    return [
      ...columns.flatMap(({ unanalyzed, type }) => [...unanalyzed, ...listTypeTexts(type)]),
      ...this.unanalyzed,
      ...this.visibility.list(),
      ...constraints,
    ]
  }

  /** Builds the model. `context.takePart` counts the parts of types that the script defines. */
  build(origin: string, context: TypeContext): Model {
    const model: Model = { ...plainModel(this.parts.at(-1) ?? '', origin), kind: this.kind }
    if (this.parts.length > 1) model.namespace = this.parts.slice(0, -1).join('.')
    put(model, 'description', this.description === '' ? undefined : this.description)
    const fields = new Map<SqlColumn, Field>()
    for (const column of this.columns()) {
      const field = buildField(column, origin, context)
      fields.set(column, field)
      model.fields.push(field)
    }
    for (const constraint of this.#constraints) {
      if (constraint.isDropped !== true) this.#apply(constraint, model, fields)
    }
    const visibility = this.visibility.list()
    if (visibility.length > 0) addTrait(model, SQL_TRAITS.visibility, visibility)
    if (this.unanalyzed.length > 0) addTrait(model, 'unanalyzed', [...this.unanalyzed])
    return model
  }

  #apply(constraint: SqlConstraint, model: Model, fields: Map<SqlColumn, Field>): void {
    const columns = this.#getRemainingColumns(constraint)
    if (columns === undefined) return
    const constrained = columns.flatMap((column) => fields.get(column) ?? [])
    if (constraint.kind === 'check') applyCheck(constraint, columns, { constrained, fields, model })
    else if (constraint.kind === 'rule') {
      addRule(model.quality, constraint.text, constraint.name, model.origin)
    } else if (constraint.kind === 'foreignKey') applyReferences(constraint, constrained, model)
    else applyKey(constraint, constrained, model)
  }

  // A dropped column drops its constraints, except in MySQL, where keys only lose the column.
  #getRemainingColumns(constraint: SqlConstraint): SqlColumn[] | undefined {
    const columns = constraint.columns ?? []
    if (!columns.some(({ isDropped }) => isDropped)) return columns
    if (this.#platform !== 'mysql' || constraint.kind === 'check') return undefined
    const remaining = columns.filter(({ isDropped }) => !isDropped)
    return remaining.length === 0 ? undefined : remaining
  }
}
