/** Changes of tables by statements, each with the findings that it must make, in PostgreSQL and MariaDB. */

import {
  addKey,
  define,
  dropKey,
  hasUnique,
  isFree,
  isKeyable,
  listColumns,
  listTypes,
  pick,
  q,
  rename,
  setRequired,
  setType,
  type MutatedTable,
} from './drift-statements.ts'
import type { Random } from './random.ts'

/** A change of a table; `expected` are `field aspect level`. */
export interface Mutation {
  kind: string
  apply: string
  revert: string
  expected: string[]
}

type Change = (table: MutatedTable, random: Random) => Mutation | undefined

/** Every kind of change. A change that a table does not allow returns undefined. */
export const CHANGES: Readonly<Record<string, Change>> = {
  'add a column': ({ dialect, table }, random) => {
    const name = `added_${Math.floor(random() * 1000)}`
    return {
      kind: 'add a column',
      apply: `alter table ${q(table, dialect)} add column ${q(name, dialect)} integer`,
      revert: `alter table ${q(table, dialect)} drop column ${q(name, dialect)}`,
      expected: [`${name} column.extra additive`],
    }
  },
  'drop a column': (table, random) => {
    const target = pick(listColumns(table).filter(isFree(table)), random)
    if (target === undefined || listColumns(table).length < 2) return undefined
    const { dialect } = table
    const name = q(target.name, dialect)
    return {
      kind: 'drop a column',
      apply: `alter table ${q(table.table, dialect)} drop column ${name}`,
      revert: `alter table ${q(table.table, dialect)} add column ${define(target, dialect)}`,
      expected: [`${target.field.name} column.missing breaking`],
    }
  },
  'rename a column': (table, random) => {
    const target = pick(listColumns(table), random)
    if (target === undefined) return undefined
    const renamed = `${target.name.slice(0, 40)}_x`
    return {
      ...rename(table, target, renamed),
      expected: [
        `${target.field.name} column.missing breaking`,
        `${renamed} column.extra additive`,
      ],
    }
  },
  'write a column in another case': (table, random) => {
    const lower = listColumns(table).filter(({ name }) => /^[a-z_]+$/.test(name))
    const target = pick(lower, random)
    if (target === undefined) return undefined
    const upper = target.name.toUpperCase()
    const isSame = table.dialect === 'mysql'
    const expected = [
      `${target.field.name} column.missing breaking`,
      `${upper} column.extra additive`,
    ]
    return { ...rename(table, target, upper), expected: isSame ? [] : expected }
  },
  'change a type': (table, random) => {
    const targets = listColumns(table).filter(
      (one) => isFree(table)(one) && listTypes(one, table).length > 0,
    )
    const target = pick(targets, random)
    const change = target && pick(listTypes(target, table), random)
    if (target === undefined || change === undefined) return undefined
    const [type, level, isInCategory] = change
    const isDecisive = target.field.type !== undefined
    const finding = `${target.field.name} type ${isDecisive ? level : 'breaking'}`
    return {
      kind: `change ${target.type.replace(/\(.*/, '')} to ${type.replace(/\(.*/, '')} ${level}`,
      apply: setType(table, target, type),
      revert: setType(table, target, target.type),
      expected: isDecisive || !isInCategory ? [finding] : [],
    }
  },
  'allow null': (table, random) => {
    const required = listColumns(table).filter(({ field }) => field.required === true)
    const target = pick(required.filter(isFree(table)), random)
    if (target === undefined) return undefined
    const hasMore = required.length > 1 || table.actual.primaryKey.length > 0 || hasUnique(table)
    return {
      kind: 'allow null',
      apply: setRequired(table, target, false),
      revert: setRequired(table, target, true),
      expected: [hasMore ? `${target.field.name} nullable breaking` : ' constraints additive'],
    }
  },
  'forbid null': (table, random) => {
    const target = pick(
      listColumns(table).filter((one) => !one.isRequired),
      random,
    )
    if (target === undefined) return undefined
    return {
      kind: 'forbid null',
      apply: setRequired(table, target, true),
      revert: setRequired(table, target, false),
      expected: [`${target.field.name} nullable additive`],
    }
  },
  'drop the key': (table) => {
    const { primaryKey } = table.actual
    if (primaryKey.length === 0) return undefined
    return {
      kind: 'drop the key',
      apply: dropKey(table),
      revert: addKey(table, primaryKey),
      expected: [' key breaking'],
    }
  },
  'change the key': (table, random) => {
    const { primaryKey } = table.actual
    const others = listColumns(table).filter(
      (one) => one.isRequired && isKeyable(one) && !primaryKey.includes(one.name),
    )
    const target = pick(others, random)
    if (primaryKey.length === 0 || target === undefined) return undefined
    const key = random() < 0.5 ? [target.name] : [...primaryKey, target.name]
    return {
      kind: 'change the key',
      apply: `${dropKey(table)}; ${addKey(table, key)}`,
      revert: `${dropKey(table)}; ${addKey(table, primaryKey)}`,
      expected: [' key breaking'],
    }
  },
  'reorder the key': (table) => {
    const { primaryKey } = table.actual
    if (primaryKey.length < 2) return undefined
    return {
      kind: 'reorder the key',
      apply: `${dropKey(table)}; ${addKey(table, primaryKey.toReversed())}`,
      revert: `${dropKey(table)}; ${addKey(table, primaryKey)}`,
      expected: [],
    }
  },
  'add a key': (table, random) => {
    const { primaryKey } = table.actual
    const target = pick(
      listColumns(table).filter((one) => one.isRequired && isKeyable(one)),
      random,
    )
    if (primaryKey.length > 0 || table.promise.key.length > 0 || target === undefined)
      return undefined
    return {
      kind: 'add a key',
      apply: addKey(table, [target.name]),
      revert: dropKey(table),
      expected: [' key additive'],
    }
  },
  'drop a unique constraint': (table, random) => {
    const unique = listColumns(table).filter(
      ({ field, name }) => field.unique === true && table.actual.uniqueColumns.has(name),
    )
    const target = pick(
      unique.filter(({ name }) => !table.actual.primaryKey.includes(name)),
      random,
    )
    if (target === undefined) return undefined
    const { dialect } = table
    const name = dialect === 'mysql' ? target.name : `${table.table}_${target.name}_key`
    const [drop, add] =
      dialect === 'mysql' ? ['index', 'unique index'] : ['constraint', 'constraint']
    const unit = dialect === 'mysql' ? '' : 'unique '
    return {
      kind: 'drop a unique constraint',
      apply: `alter table ${q(table.table, dialect)} drop ${drop} ${q(name, dialect)}`,
      revert: `alter table ${q(table.table, dialect)} add ${add} ${q(name, dialect)} ${unit}(${q(target.name, dialect)})`,
      expected: [`${target.field.name} unique breaking`],
    }
  },
  'write a comment': ({ dialect, table }, random) => {
    const text = `note ${Math.floor(random() * 1000)}`
    const write = (comment: string): string =>
      dialect === 'mysql'
        ? `alter table ${q(table, dialect)} comment = '${comment}'`
        : `comment on table ${q(table, dialect)} is '${comment}'`
    return { kind: 'write a comment', apply: write(text), revert: write(''), expected: [] }
  },
  'drop the table': ({ dialect, table }) => {
    const name = q(table, dialect)
    const like = dialect === 'mysql' ? `like ${name}` : `(like ${name} including all)`
    return {
      kind: 'drop the table',
      apply: `create table copy_of_it ${like}; drop table ${name}`,
      revert: `create table ${name} ${like.replace(name, 'copy_of_it')}; drop table copy_of_it`,
      expected: [' object breaking'],
    }
  },
  'rename the table': ({ dialect, table }) => ({
    kind: 'rename the table',
    apply: `alter table ${q(table, dialect)} rename to renamed_table`,
    revert: `alter table renamed_table rename to ${q(table, dialect)}`,
    expected: [' object breaking'],
  }),
  'move the table to another schema': ({ dialect, table, schema }) => ({
    kind: 'move the table to another schema',
    apply:
      dialect === 'mysql'
        ? `create database ${q(`${schema}_x`, dialect)}; rename table ${q(table, dialect)} to ${q(`${schema}_x`, dialect)}.${q(table, dialect)}`
        : `create schema ${q(`${schema}_x`, dialect)}; alter table ${q(table, dialect)} set schema ${q(`${schema}_x`, dialect)}`,
    revert:
      dialect === 'mysql'
        ? `rename table ${q(`${schema}_x`, dialect)}.${q(table, dialect)} to ${q(table, dialect)}`
        : `alter table ${q(`${schema}_x`, dialect)}.${q(table, dialect)} set schema ${q(schema, dialect)}`,
    expected: [' object breaking'],
  }),
  'replace the table by a view': ({ dialect, table, promise }) => ({
    kind: 'replace the table by a view',
    apply: `alter table ${q(table, dialect)} rename to base_table; create view ${q(table, dialect)} as select * from base_table`,
    revert: `drop view ${q(table, dialect)}; alter table base_table rename to ${q(table, dialect)}`,
    expected: promise.kind === 'table' ? [' kind additive'] : [],
  }),
}
