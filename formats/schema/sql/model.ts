// Converts the columns and constraints of a table to a model.

import { isObject, put, type Value } from '../../text/value.ts'
import type { Field, Model, QualityCheck } from '../model.ts'
import { plainField } from '../plain.ts'
import { readCondition, type SqlCondition } from './check.ts'
import type { SqlColumn, SqlConstraint } from './parts.ts'
import { listDomains, resolveType, type TypeContext } from './script-types.ts'
import { getClauseEffect, SQL_TRAITS, writeSqlRule } from './traits.ts'
import { typedField } from '../types/typed-field.ts'

/** Builds the field of a column. */
export function buildField(
  column: SqlColumn,
  origin: string,
  { takePart, types }: TypeContext,
): Field {
  const native = column.type && resolveType(column.type, takePart)
  const plain = plainField(column.name, native?.logicalType ?? 'unknown', origin)
  const field: Field = { ...plain, ...(native === undefined ? {} : typedField(native, origin)) }
  if (native !== undefined && native.text !== '') field.physicalType = native.text
  field.required = column.isRequired
  put(field, 'description', column.description)
  for (const domain of listDomains(column.type)) {
    if (domain.isRequired) field.required = true
    for (const { name, clauses, ...condition } of domain.checks) {
      const stated = renameInCondition(condition, new Map([['value', column.name]]))
      applyRule(stated, clauses, { fields: [field], name, owner: field })
    }
  }
  const unanalyzed = [...column.unanalyzed, ...types.listHiddenRules(column.type)]
  if (unanalyzed.length > 0) addTrait(field, 'unanalyzed', unanalyzed)
  return field
}

/** Adds a key to a model and its fields. */
export function applyKey(
  constraint: Extract<SqlConstraint, { kind: 'primaryKey' | 'unique' }>,
  fields: readonly Field[],
  model: Model,
): void {
  const clauses = constraint.clauses.toSorted()
  // A key with an unknown part, such as an expression, is kept as it is stated.
  const isResolved = constraint.columns?.length === constraint.names.length
  const [first] = fields
  if (constraint.kind === 'primaryKey') {
    if (first === undefined || !isResolved) return
    model.primaryKey = fields.map(({ name }) => name)
    for (const [at, field] of fields.entries()) field.primaryKeyPosition = at + 1
    if (clauses.length > 0) addTrait(model, SQL_TRAITS.primaryKey, clauses)
    return
  }
  // An index of some rows promises nothing about the others.
  const isWhole = isResolved && !clauses.some((clause) => /^(?:where |only$)/.test(clause))
  if (first !== undefined && isWhole && fields.length === 1) addUnique(first, clauses)
  else {
    const names = isResolved ? fields.map(({ name }) => name) : constraint.names
    const rule = writeSqlRule({ kind: 'unique', body: names.join(', '), clauses })
    addRule(model.quality, rule, constraint.name, model.origin)
  }
}

// Of several constraints of one field, the one with the fewest clauses is the promise.
function addUnique(field: Field, clauses: string[]): void {
  const isWeaker =
    field.unique && countWeak(field.traits?.[SQL_TRAITS.unique]) <= countWeak(clauses)
  if (isWeaker) return
  field.unique = true
  addTrait(field, SQL_TRAITS.unique, clauses.length > 0 ? clauses : undefined)
}

function countWeak(clauses: Value | undefined): number {
  if (!Array.isArray(clauses)) return 0.5
  const texts = clauses.filter((clause) => typeof clause === 'string')
  return texts.filter((clause) => getClauseEffect(clause) !== 'less').length
}

/** Adds what the fields of a foreign key refer to, with its clauses. */
export function applyReferences(
  constraint: Extract<SqlConstraint, { kind: 'foreignKey' }>,
  fields: readonly Field[],
  model: Model,
): void {
  const { names, table, references } = constraint
  const isWhole = fields.length === references.length && fields.length === names.length
  if (fields.length > 1 && isWhole) {
    const key = {
      fields: fields.map(({ name }) => name),
      references: references.map((column) => [...table, column].join('.')),
    }
    model.foreignKeys = [...(model.foreignKeys ?? []), key]
  }
  const clauses = constraint.clauses.toSorted()
  // A row must have all these values together.
  if (names.length > 1) clauses.push(`of (${names.join(', ')})`)
  for (const [at, field] of fields.entries()) {
    const column = references[at]
    const reference = (column === undefined ? table : [...table, column]).join('.')
    const known = field.traits?.[SQL_TRAITS.references]
    const others = isObject(known) ? known : {}
    if (field.references.includes(reference) && others[reference] === undefined) continue
    if (!field.references.includes(reference)) field.references.push(reference)
    const { [reference]: _, ...rest } = others
    const all = clauses.length > 0 ? { ...rest, [reference]: clauses } : rest
    addTrait(field, SQL_TRAITS.references, Object.keys(all).length > 0 ? all : undefined)
  }
}

/** Sets a property of a schema language; undefined removes it. */
export function addTrait(part: Model | Field, name: string, value: Value | undefined): void {
  const { [name]: _, ...rest } = part.traits ?? {}
  const traits = value === undefined ? rest : { ...rest, [name]: value }
  if (Object.keys(traits).length > 0) part.traits = traits
  else delete part.traits
}

/** Adds a condition to a model, or to the field that it is about. */
export function applyCheck(
  { name, condition, owner, written = [], clauses }: Extract<SqlConstraint, { kind: 'check' }>,
  columns: readonly SqlColumn[],
  options: { constrained: readonly Field[]; fields: ReadonlyMap<SqlColumn, Field>; model: Model },
): void {
  const renames = new Map<string, string>()
  for (const [at, column] of columns.entries()) {
    const before = written[at] ?? column.name
    if (before !== column.name.toLowerCase()) renames.set(before, column.name)
  }
  const current = renames.size === 0 ? condition : renameInCondition(condition, renames)
  const ownField = owner && options.fields.get(owner)
  const part = ownField ?? options.model
  applyRule(current, clauses, { fields: options.constrained, name, owner: part })
}

// A condition that is not checked for all rows promises nothing about the values of a field.
function applyRule(
  condition: SqlCondition,
  clauses: string[],
  options: { fields: readonly Field[]; name: string | undefined; owner: Field | Model },
): void {
  const { fields, name, owner } = options
  if (clauses.length === 0) return applyCondition(condition, fields, { name, owner })
  const rule = writeSqlRule({ kind: 'check', body: condition.text, clauses })
  addRule(owner.quality, rule, name, owner.origin)
}

// A condition that states what the values of one field are belongs to the field; any other one is a rule in SQL.
function applyCondition(
  { text, tokens }: SqlCondition,
  fields: readonly Field[],
  { name, owner }: { name: string | undefined; owner: Field | Model },
): void {
  const stated = readCondition(tokens)
  const folded = stated?.field.toLowerCase()
  const field = stated && fields.find(({ name }) => name.toLowerCase() === folded)
  const isNew =
    stated !== undefined &&
    field !== undefined &&
    Object.keys(stated.constraints).every((key) => !Object.hasOwn(field, key))
  if (isNew) {
    Object.assign(field, stated.constraints)
    return
  }
  addRule(owner.quality, text, name, owner.origin)
}

/** Adds a rule in SQL. */
export function addRule(
  quality: QualityCheck[],
  rule: Value,
  name: string | undefined,
  origin: string,
): void {
  const check: QualityCheck = { type: 'sql', rule, origin }
  put(check, 'name', name)
  quality.push(check)
}

// Conditions are kept as the script states them, so later names are put in when the model is built.
function renameInCondition(
  { text, tokens, start }: SqlCondition,
  names: ReadonlyMap<string, string>,
): SqlCondition {
  const parts: string[] = []
  let from = start
  const renamed = tokens.map((token) => {
    const name = token.kind === 'word' || token.kind === 'name' ? token.text.toLowerCase() : ''
    const other = names.get(name)
    if (other === undefined) return token
    parts.push(text.slice(from - start, token.start - start), other)
    from = token.end
    return { ...token, text: other }
  })
  parts.push(text.slice(from - start))
  return { text: parts.join(''), tokens: renamed, start }
}
