// Converts the columns and constraints of a table to a model.

import { put, type Value } from '../../text/value.ts'
import type { Field, Model, QualityCheck } from '../model.ts'
import { plainField } from '../plain.ts'
import { readCondition } from './check.ts'
import type { SqlColumn, SqlCondition, SqlConstraint } from './parts.ts'
import { listDomains, resolveType } from './script-types.ts'
import { typedField } from '../types/typed-field.ts'

/** Builds the field of a column. */
export function buildField(column: SqlColumn, origin: string, takePart: () => boolean): Field {
  const native = column.type && resolveType(column.type, takePart)
  const plain = plainField(column.name, native?.logicalType ?? 'unknown', origin)
  const field: Field = { ...plain, ...(native === undefined ? {} : typedField(native, origin)) }
  if (native !== undefined && native.text !== '') field.physicalType = native.text
  field.required = column.isRequired
  put(field, 'description', column.description)
  for (const domain of listDomains(column.type)) {
    if (domain.isRequired) field.required = true
    for (const { name, ...condition } of domain.checks) {
      const stated = renameInCondition(condition, new Map([['value', column.name]]))
      applyCondition(stated, [field], { name, owner: field, model: undefined })
    }
  }
  if (column.unanalyzed.length > 0) field.traits = { unanalyzed: [...column.unanalyzed] }
  return field
}

/** Adds a key to a model and its fields. */
export function applyKey(
  constraint: Extract<SqlConstraint, { kind: 'primaryKey' | 'unique' }>,
  fields: readonly Field[],
  model: Model,
): void {
  // A key with an unknown part, such as an expression, is kept as it is stated.
  const isResolved = constraint.columns?.length === constraint.names.length
  const [first] = fields
  if (constraint.kind === 'primaryKey') {
    if (first === undefined || !isResolved) return
    model.primaryKey = fields.map(({ name }) => name)
    for (const [at, field] of fields.entries()) field.primaryKeyPosition = at + 1
  } else if (first !== undefined && isResolved && fields.length === 1) first.unique = true
  else {
    const names = isResolved ? fields.map(({ name }) => name) : constraint.names
    addRule(model.quality, `unique (${names.join(', ')})`, constraint.name, model.origin)
  }
}

/** Adds a condition to a model, or to the field that it is about. */
export function applyCheck(
  { name, condition, owner, written = [] }: Extract<SqlConstraint, { kind: 'check' }>,
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
  applyCondition(current, options.constrained, { name, owner: ownField, model: options.model })
}

// A condition that states what the values of one field are belongs to the field; any other one is a rule in SQL.
function applyCondition(
  { text, tokens }: SqlCondition,
  fields: readonly Field[],
  options: { name: string | undefined; owner: Field | undefined; model: Model | undefined },
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
  const owner = options.owner ?? options.model
  if (owner !== undefined) addRule(owner.quality, text, options.name, owner.origin)
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
