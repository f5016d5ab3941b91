// Rules for what only SQL scripts state: the clauses of constraints, and who sees which rows. A constraint with a clause
// that is not known may allow anything, so adding and removing it is breaking.

import type { Field, Model, QualityCheck } from '../schema/model.ts'
import { canonicalSql } from '../schema/sql/canonical.ts'
import { parseCondition } from '../schema/sql/check.ts'
import { getClauseEffect, parseSqlRule, SQL_TRAITS } from '../schema/sql/traits.ts'
import { getField, jsonText, type Value } from '../text/value.ts'
import type { Verdict } from './model-changes.ts'
import type { TraitRules } from './trait-rule.ts'
import { combineVerdicts } from './verdict.ts'

const VERDICTS = { less: 'narrower', more: 'wider', unknown: 'different' } as const
const OPPOSITES = { less: 'wider', more: 'narrower', unknown: 'different' } as const

function compareClauses(before: readonly string[], after: readonly string[]): Verdict {
  return combineVerdicts([
    ...after.filter((one) => !before.includes(one)).map((one) => VERDICTS[getClauseEffect(one)]),
    ...before.filter((one) => !after.includes(one)).map((one) => OPPOSITES[getClauseEffect(one)]),
  ])
}

const CLAUSE_REASONS = {
  same: 'it requires the same as before',
  narrower: 'it is checked for more rows now',
  wider: 'it is checked for fewer rows now',
  different: 'it may allow rows that it did not allow before',
}

/** Rules for the properties that only SQL scripts state. */
export const SQL_TRAIT_RULES: TraitRules = {
  [SQL_TRAITS.primaryKey]: {
    label: 'clauses of the primary key',
    compare: (one, other, { before, after }) => {
      const isInBoth = [before, after].every(
        (part) => 'primaryKey' in part && part.primaryKey.length > 0,
      )
      return isInBoth ? compareClauses(toTexts(one), toTexts(other)) : undefined
    },
    reasons: CLAUSE_REASONS,
  },
  [SQL_TRAITS.unique]: {
    label: 'clauses of the unique constraint',
    compare: (one, other, { before, after }) => {
      const isInBoth = [before, after].every((part) => 'unique' in part && part.unique)
      return isInBoth ? compareClauses(toTexts(one), toTexts(other)) : undefined
    },
    reasons: CLAUSE_REASONS,
  },
  [SQL_TRAITS.references]: {
    label: 'clauses of the foreign key',
    compare: (one, other, { before, after }) => {
      const targets = listReferences(before).filter((name) => listReferences(after).includes(name))
      if (targets.length === 0) return undefined
      return combineVerdicts(
        targets.map((name) =>
          compareClauses(toTexts(getField(one, name)), toTexts(getField(other, name))),
        ),
      )
    },
    reasons: { ...CLAUSE_REASONS, different: 'rows are checked or changed in another way' },
  },
  // Names are compared before: a name with another meaning is another name then.
  [SQL_TRAITS.quotedNames]: {
    label: 'quoted names',
    compare: () => undefined,
    reasons: { same: '', narrower: '', wider: '', different: '' },
  },
  [SQL_TRAITS.visibility]: {
    label: 'visible rows and values',
    compare: (one, other) => compareVisibility(toTexts(one), toTexts(other)),
    reasons: {
      same: '',
      narrower: 'consumers get back the right to read it',
      wider: 'consumers lose the right to read it',
      different: 'consumers may see other rows or values',
    },
  },
}

// Rows that a policy hid were not promised either, so also its removal shows other data than before.
function compareVisibility(before: readonly string[], after: readonly string[]): Verdict {
  const verdicts = [
    ...after.filter((one) => !before.includes(one)).map((one) => [one, 'wider'] as const),
    ...before.filter((one) => !after.includes(one)).map((one) => [one, 'narrower'] as const),
  ]
  return combineVerdicts(
    verdicts.map(([text, verdict]) => (text.startsWith('revoke from ') ? verdict : 'different')),
  )
}

function listReferences(part: Model | Field): readonly string[] {
  return 'references' in part ? part.references : []
}

function toTexts(value: Value | undefined): string[] {
  return Array.isArray(value) ? value.map(String) : []
}

interface Key {
  columns: readonly string[]
  clauses: readonly string[]
}

/** Returns whether a model requires what a rule of a SQL script requires, in the same or a stronger way. */
export function isRuleImplied({ type, rule }: QualityCheck, model: Model): boolean {
  if (type !== 'sql' || typeof rule !== 'string') return false
  const { kind, body, clauses } = parseSqlRule(rule)
  if (kind === 'unique') {
    const older = { columns: splitColumns(body), clauses }
    return listKeys(model).some((key) => isKeyImplied(older, key, model))
  }
  if (hasRule(model, body, clauses)) return true
  return clauses.every((clause) => getClauseEffect(clause) === 'more') && hasCondition(model, body)
}

// Rows with equal values in all columns of a key have equal values in some of them.
function isKeyImplied(older: Key, key: Key, model: Model): boolean {
  if (key.columns.length === 0 || !new Set(key.columns).isSubsetOf(new Set(older.columns)))
    return false
  const isNeverNull = key.columns.every(
    (name) => model.fields.find((field) => field.name === name)?.required === true,
  )
  const ignore = (clause: string): boolean => isNeverNull && clause === 'nulls not distinct'
  const clauses = older.clauses.filter((clause) => !ignore(clause))
  return isStronger(compareClauses(clauses, key.clauses))
}

function isStronger(verdict: Verdict): boolean {
  return verdict === 'same' || verdict === 'narrower'
}

function listKeys(model: Model): Key[] {
  const { primaryKey, fields, quality, traits = {} } = model
  const keys: Key[] = [{ columns: primaryKey, clauses: toTexts(traits[SQL_TRAITS.primaryKey]) }]
  for (const { name, unique, traits: own = {} } of fields) {
    if (unique) keys.push({ columns: [name], clauses: toTexts(own[SQL_TRAITS.unique]) })
  }
  for (const { type, rule } of quality) {
    if (type !== 'sql' || typeof rule !== 'string') continue
    const { kind, body, clauses } = parseSqlRule(rule)
    if (kind === 'unique') keys.push({ columns: splitColumns(body), clauses })
  }
  return keys
}

function splitColumns(body: string): string[] {
  return body.split(', ')
}

function hasRule(model: Model, body: string, clauses: readonly string[]): boolean {
  const text = canonicalSql(body)
  return [model, ...model.fields].some(({ quality }) =>
    quality.some(({ type, rule }) => {
      if (type !== 'sql' || typeof rule !== 'string') return false
      const other = parseSqlRule(rule)
      const isSame = other.kind === 'check' && canonicalSql(other.body) === text
      return isSame && isStronger(compareClauses(clauses, other.clauses))
    }),
  )
}

// A condition on one field may be a part of the field: `total > 0`.
function hasCondition(model: Model, body: string): boolean {
  const condition = parseCondition(body)
  const name = condition?.field.toLowerCase()
  const field = model.fields.find((one) => one.name.toLowerCase() === name)
  if (condition === undefined || field === undefined) return false
  const { constraints } = condition
  const pairs = [
    [constraints.enum, field.enum],
    [constraints.minimum, field.minimum],
    [constraints.maximum, field.maximum],
    [constraints.exclusiveMinimum, field.exclusiveMinimum],
    [constraints.exclusiveMaximum, field.exclusiveMaximum],
    [constraints.minLength, field.minLength],
    [constraints.maxLength, field.maxLength],
  ] as const
  return pairs.every(
    ([one, other]) =>
      one === undefined || (other !== undefined && jsonText(one) === jsonText(other)),
  )
}
