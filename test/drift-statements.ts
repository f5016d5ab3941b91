/** Statements that change tables of PostgreSQL and MariaDB, and the types that a column can become. */

import type { ActualModel } from '../formats/reality/actual.ts'
import type { PromisedField, PromisedModel } from '../formats/reality/promise.ts'
import { readNativeType } from '../formats/schema/types/read-type.ts'
import type { Random } from './random.ts'

/** A table that keeps its promise, in its schema. */
export interface MutatedTable {
  dialect: 'postgresql' | 'mysql'
  schema: string
  table: string
  promise: PromisedModel
  actual: ActualModel
}

/** A column with the promise about it. */
interface Target {
  name: string
  type: string
  isRequired: boolean
  field: PromisedField
}

/** The types that a type can become: wider, narrower or another, or one with the same category of values. */
type Types = readonly (readonly [type: string, level: 'breaking' | 'additive', category: boolean])[]

const POSTGRES_TYPES: readonly (readonly [RegExp, (parameters: number[]) => Types])[] = [
  [
    /^(?:varchar|character varying)\((\d+)\)$/,
    ([length = 1]) => [
      [`varchar(${length + 5})`, 'breaking', true],
      ...(length > 1 ? ([[`varchar(${length - 1})`, 'additive', true]] as const) : []),
      ['text', 'breaking', true],
      ['integer', 'breaking', false],
    ],
  ],
  [
    /^text$/,
    () => [
      ['varchar(50)', 'additive', true],
      ['boolean', 'breaking', false],
    ],
  ],
  [
    /^smallint$/,
    () => [
      ['integer', 'breaking', true],
      ['text', 'breaking', false],
    ],
  ],
  [
    /^integer$/,
    () => [
      ['bigint', 'breaking', true],
      ['smallint', 'additive', true],
      ['text', 'breaking', false],
    ],
  ],
  [
    /^bigint$/,
    () => [
      ['integer', 'additive', true],
      ['numeric(20,0)', 'breaking', true],
      ['date', 'breaking', false],
    ],
  ],
  [
    /^numeric\((\d+),(\d+)\)$/,
    ([digits = 10, scale = 2]) => [
      [`numeric(${digits + 2},${scale})`, 'breaking', true],
      ...(digits - 1 > scale
        ? ([[`numeric(${digits - 1},${scale})`, 'additive', true]] as const)
        : []),
      ['text', 'breaking', false],
    ],
  ],
  [
    /^double precision$/,
    () => [
      ['real', 'additive', true],
      ['text', 'breaking', false],
    ],
  ],
  [
    /^real$/,
    () => [
      ['double precision', 'breaking', true],
      ['text', 'breaking', false],
    ],
  ],
  [/^date$/, () => [['text', 'breaking', false]]],
  [
    /^timestamp with time zone$/,
    () => [
      ['timestamp', 'breaking', true],
      ['text', 'breaking', false],
    ],
  ],
  [
    /^timestamp without time zone$/,
    () => [
      ['timestamptz', 'breaking', true],
      ['text', 'breaking', false],
    ],
  ],
  [/^boolean$/, () => [['integer', 'breaking', false]]],
  [
    /^uuid$/,
    () => [
      ['text', 'breaking', true],
      ['bytea', 'breaking', false],
    ],
  ],
  [/^jsonb$/, () => [['text', 'breaking', false]]],
]

const MYSQL_TYPES: typeof POSTGRES_TYPES = [
  [
    /^varchar\((\d+)\)$/,
    ([length = 1]) => [
      [`varchar(${length + 5})`, 'breaking', true],
      ...(length > 1 ? ([[`varchar(${length - 1})`, 'additive', true]] as const) : []),
      ['date', 'breaking', false],
    ],
  ],
  [
    /^longtext$/,
    () => [
      ['text', 'additive', true],
      ['date', 'breaking', false],
    ],
  ],
  [
    /^smallint(?:\(\d+\))?$/,
    () => [
      ['int', 'breaking', true],
      ['date', 'breaking', false],
    ],
  ],
  [
    /^int(?:\(\d+\))?$/,
    () => [
      ['bigint', 'breaking', true],
      ['smallint', 'additive', true],
      ['date', 'breaking', false],
    ],
  ],
  [
    /^bigint(?:\(\d+\))?$/,
    () => [
      ['int', 'additive', true],
      ['date', 'breaking', false],
    ],
  ],
  [
    /^decimal\((\d+),(\d+)\)$/,
    ([digits = 10, scale = 2]) => [
      [`decimal(${Math.min(digits + 2, 65)},${scale})`, 'breaking', true],
      ...(digits - 1 > scale
        ? ([[`decimal(${digits - 1},${scale})`, 'additive', true]] as const)
        : []),
      ['date', 'breaking', false],
    ],
  ],
  [
    /^double$/,
    () => [
      ['float', 'additive', true],
      ['date', 'breaking', false],
    ],
  ],
  [
    /^float$/,
    () => [
      ['double', 'breaking', true],
      ['date', 'breaking', false],
    ],
  ],
  [/^datetime(?:\(\d\))?$/, () => [['date', 'breaking', false]]],
  [/^date$/, () => [['int', 'breaking', false]]],
  [/^tinyint\(1\)$/, () => [['date', 'breaking', false]]],
  [/^json$/, () => [['blob', 'breaking', false]]],
]

/** Lists the types that the type of a column can become; none if a change would not be compared. */
export function listTypes({ type, field }: Target, { dialect, promise }: MutatedTable): Types {
  if (field.type !== undefined) {
    // A type that the platform does not have is not compared.
    const isKnown = readNativeType(field.type, dialect).logicalType !== 'unknown'
    if (promise.types !== dialect || !isKnown) return []
  }
  for (const [pattern, create] of dialect === 'mysql' ? MYSQL_TYPES : POSTGRES_TYPES) {
    const match = pattern.exec(type)
    if (match === null) continue
    return create(match.slice(1).map(Number)).filter(([other]) => other !== type)
  }
  return []
}

/** Lists the columns that the contract has. */
export function listColumns({ actual, promise }: MutatedTable): Target[] {
  const fields = new Map(promise.fields.map((field) => [field.column ?? field.name, field]))
  return actual.columns.flatMap(({ field: { name, physicalType = '', required } }) => {
    const field = fields.get(name)
    return field === undefined ? [] : [{ name, type: physicalType, isRequired: required, field }]
  })
}

/** Returns a test for columns that are in no key. */
export function isFree({ actual, promise }: MutatedTable): (target: Target) => boolean {
  const used = new Set([...actual.primaryKey, ...actual.uniqueColumns])
  return ({ name, field }) => !used.has(name) && !promise.key.includes(field.name)
}

/** Returns whether a table has unique columns. */
export function hasUnique({ actual }: MutatedTable): boolean {
  return actual.uniqueColumns.size > 0
}

/** Returns whether a column can be in a key. */
export function isKeyable({ type }: Target): boolean {
  return !/^(?:json|.*text|.*blob|geo|point|varchar\(\d{4,})/.test(type)
}

/** Writes a change of a type. */
export function setType({ dialect, table }: MutatedTable, target: Target, type: string): string {
  const name = q(target.name, dialect)
  return dialect === 'mysql'
    ? `alter table ${q(table, dialect)} modify column ${define({ ...target, type }, dialect)}`
    : `alter table ${q(table, dialect)} alter column ${name} type ${type} using null::${type}`
}

/** Writes a change of NOT NULL. */
export function setRequired(
  { dialect, table }: MutatedTable,
  target: Target,
  isRequired: boolean,
): string {
  const name = q(target.name, dialect)
  return dialect === 'mysql'
    ? `alter table ${q(table, dialect)} modify column ${define({ ...target, isRequired }, dialect)}`
    : `alter table ${q(table, dialect)} alter column ${name} ${isRequired ? 'set' : 'drop'} not null`
}

/** Writes a renamed column. */
export function rename({ dialect, table }: MutatedTable, { name }: Target, renamed: string) {
  const [from, to] = [q(name, dialect), q(renamed, dialect)]
  return {
    kind: 'rename a column',
    apply: `alter table ${q(table, dialect)} rename column ${from} to ${to}`,
    revert: `alter table ${q(table, dialect)} rename column ${to} to ${from}`,
  }
}

/** Writes the definition of a column. */
export function define(
  { name, type, isRequired }: Target,
  dialect: MutatedTable['dialect'],
): string {
  const nullable = type.startsWith('timestamp') && dialect === 'mysql' ? ' null' : ''
  return `${q(name, dialect)} ${type}${isRequired ? ' not null' : nullable}`
}

/** Writes the removal of a primary key. */
export function dropKey({ dialect, table }: Pick<MutatedTable, 'dialect' | 'table'>): string {
  const what = dialect === 'mysql' ? 'primary key' : `constraint ${q(`${table}_pkey`, dialect)}`
  return `alter table ${q(table, dialect)} drop ${what}`
}

/** Writes an additional primary key. */
export function addKey({ dialect, table }: MutatedTable, key: readonly string[]): string {
  const columns = key.map((name) => q(name, dialect)).join(', ')
  const name = dialect === 'mysql' ? '' : `constraint ${q(`${table}_pkey`, dialect)} `
  return `alter table ${q(table, dialect)} add ${name}primary key (${columns})`
}

/** Returns a random item of a list; undefined if it is empty. */
export function pick<T>(list: readonly T[], random: Random): T | undefined {
  return list[Math.floor(random() * list.length)]
}

/** Quotes a name. */
export function q(name: string, dialect: MutatedTable['dialect']): string {
  return dialect === 'mysql'
    ? `\`${name.replaceAll('`', '``')}\``
    : `"${name.replaceAll('"', '""')}"`
}
