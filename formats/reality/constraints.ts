// Compares keys and nullability. Tables that were created by a query declare neither, so a table without any constraint
// proves nothing about its values: that is one finding of the model, which keeps the promise.

import type { Field } from '../schema/model.ts'
import { truncate } from '../text/value.ts'
import type { ActualColumn, ActualModel } from './actual.ts'
import { SIDE_CHARACTERS_MAX, type DriftDifference, type Unverifiable } from './difference.ts'
import type { PromisedField, PromisedModel } from './promise.ts'

/** A finding, or a part that cannot be compared. */
export type ConstraintResult =
  | { finding: DriftDifference }
  | { unverifiable: Unverifiable }
  | undefined

/** Products whose connectors always read keys, so that an absent key is a fact. */
const KEY_PRODUCTS: ReadonlySet<string | undefined> = new Set([
  'postgres',
  'cockroachdb',
  'yugabytedb',
  'redshift',
  'mysql',
  'mariadb',
  'mssql',
  'fabric',
  'snowflake',
  'bigquery',
])

/** Products of those that have unique columns. */
const UNIQUE_PRODUCTS: ReadonlySet<string | undefined> = new Set(
  [...KEY_PRODUCTS].filter((product) => product !== 'bigquery'),
)

/** The constraints of one promise and one table. */
export class Constraints {
  readonly #promise: PromisedModel
  readonly #actual: ActualModel
  readonly #columns: ReadonlyMap<string, string>
  readonly #isView: boolean
  readonly #hasNone: boolean
  readonly #hasNested: boolean
  readonly #keyNames: ReadonlySet<string>

  /** `pairs` are the columns of the fields that have one. */
  constructor(
    promise: PromisedModel,
    actual: ActualModel,
    pairs: ReadonlyMap<PromisedField, ActualColumn>,
  ) {
    this.#promise = promise
    this.#actual = actual
    this.#columns = new Map(
      Array.from(pairs, ([{ name }, { field }]): [string, string] => [name, field.name]),
    )
    const fields = actual.columns.map(({ field }) => field)
    this.#isView = actual.kind === 'view'
    this.#hasNested = fields.some(hasRequiredInside)
    const isBare =
      actual.primaryKey.length === 0 &&
      actual.uniqueColumns.size === 0 &&
      !fields.some(({ required }) => required)
    this.#hasNone = isBare && !this.#hasNested
    this.#keyNames = new Set([...actual.primaryKey, ...this.#keyColumns()])
  }

  /** Compares whether a field may be null; `at` is its path, `isNested` whether it is inside a column. */
  compareNullability(
    promised: PromisedField,
    { name, required: isRequired, logicalType }: Field,
    at: string,
    isNested: boolean,
  ): ConstraintResult {
    if ((promised.required === true) === isRequired) return undefined
    if (isRequired) {
      // A key makes its columns required.
      if (!isNested && this.#keyNames.has(name)) return undefined
      const both = { promised: 'nullable', actual: 'required' }
      return { finding: { field: at, aspect: 'nullable', level: 'additive', ...both } }
    }
    // An array of BigQuery is empty, never null.
    if (this.#actual.product === 'bigquery' && logicalType === 'array') return undefined
    if (this.#isView)
      return unverifiable(at, 'A view does not report whether its columns are required.')
    if (isNested && !this.#hasNested) {
      return unverifiable(at, 'The table does not report which nested fields are required.')
    }
    if (this.#hasNone) return undefined
    const both = { promised: 'required', actual: 'nullable' }
    return { finding: { field: at, aspect: 'nullable', level: 'breaking', ...both } }
  }

  /** Compares whether the column of a field is unique. */
  compareUniqueness({ unique, name }: PromisedField, column: Field, at: string): ConstraintResult {
    const { uniqueColumns, primaryKey, product } = this.#actual
    if (unique !== true || uniqueColumns.has(column.name)) return undefined
    if (primaryKey.length === 1 && primaryKey[0] === column.name) return undefined
    // The difference of the key is a finding of its own.
    if (this.#promise.key.length === 1 && this.#promise.key[0] === name) return undefined
    if (this.#isView)
      return unverifiable(at, 'A view does not report whether its columns are unique.')
    if (this.#hasNone) return undefined
    if (!UNIQUE_PRODUCTS.has(product)) {
      return unverifiable(at, 'The platform does not report which columns are unique.')
    }
    const both = { promised: 'unique', actual: 'not unique' }
    return { finding: { field: at, aspect: 'unique', level: 'breaking', ...both } }
  }

  /** Compares the primary key, and reports a table without any constraint. */
  compareModel(): ConstraintResult {
    const promised = this.#keyColumns()
    const { key } = this.#promise
    const isWhole = promised.length === key.length
    const { primaryKey, product } = this.#actual
    if (this.#hasNone && !this.#isView) return this.#compareNone(isWhole ? promised : [])
    // A key whose column is missing is not another difference.
    if (!isWhole || isSameSet(promised, primaryKey)) return undefined
    const both = { promised: toText(promised), actual: toText(primaryKey) }
    if (key.length === 0) {
      return { finding: { field: '', aspect: 'key', level: 'additive', ...both } }
    }
    if (primaryKey.length === 0 && this.#isView) {
      return unverifiable('', 'A view does not report a primary key.')
    }
    if (primaryKey.length === 0 && !KEY_PRODUCTS.has(product)) {
      return unverifiable('', 'The platform does not report whether the table has a primary key.')
    }
    return { finding: { field: '', aspect: 'key', level: 'breaking', ...both } }
  }

  #compareNone(key: readonly string[]): ConstraintResult {
    const present = this.#promise.fields.filter(({ name }) => this.#columns.has(name))
    const required = present.filter((field) => field.required === true).map(({ name }) => name)
    const unique = present.filter((field) => field.unique === true).map(({ name }) => name)
    const parts = [
      ['required', required],
      ['unique', unique],
      ['primary key', key],
    ] as const
    const given = parts.filter(([, names]) => names.length > 0)
    if (given.length === 0) return undefined
    const text = given.map(([what, names]) => `${what}: ${names.join(', ')}`).join('; ')
    const both = { promised: truncate(text, SIDE_CHARACTERS_MAX), actual: null }
    return { finding: { field: '', aspect: 'constraints', level: 'additive', ...both } }
  }

  // The columns of the promised key that exist.
  #keyColumns(): string[] {
    return this.#promise.key.flatMap((name) => this.#columns.get(name) ?? [])
  }
}

function hasRequiredInside({ fields = [], items, keys, values }: Field): boolean {
  const parts = [items, keys, values].filter((part) => part !== undefined)
  return [...fields, ...parts].some((part) => part.required || hasRequiredInside(part))
}

function isSameSet(one: readonly string[], other: readonly string[]): boolean {
  return one.length === other.length && new Set([...one, ...other]).size === new Set(one).size
}

function toText(key: readonly string[]): string | null {
  return key.length === 0 ? null : truncate(key.join(', '), SIDE_CHARACTERS_MAX)
}

function unverifiable(field: string, reason: string): ConstraintResult {
  return { unverifiable: { field, reason } }
}
