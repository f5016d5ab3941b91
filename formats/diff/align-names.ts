// Gives the models and fields of the older version the spelling of the newer one where the database takes both for the
// same name, so that the comparison finds them.

import type { Field, Model, QualityCheck } from '../schema/model.ts'
import { toUpperCase } from '../schema/sql/quoted-names.ts'
import { parseSqlRule, SQL_TRAITS, writeSqlRule } from '../schema/sql/traits.ts'
import { clip, isObject } from '../text/value.ts'
import type { ModelChanges } from './model-changes.ts'
import { getQuotes, type NameRules, toNameKey } from './name-rules.ts'
import { alignReferences } from './align-references.ts'
import { changeSentence } from './sentence.ts'

const REASON = 'the database takes both for the same name'

/**
 * Aligns the names of two versions, and reports the names that changed only in their spelling. A name that would be the
 * same as two others stays as it is. Returns both versions for the comparison.
 */
export function alignNames(
  changes: ModelChanges,
  before: readonly Model[],
  after: readonly Model[],
  rules: NameRules,
): { before: readonly Model[]; after: readonly Model[] } {
  if (rules.tables === 'exact' && rules.columns === 'exact') return { before, after }
  const toKey = (model: Model): string => toNameKey(model.name, model, rules.tables)
  const isDistinct = [before, after].every((list) => new Set(list.map(toKey)).size === list.length)
  const toFullKey = (model: Model): string => `${toNamespaceKey(model, rules)}.${toKey(model)}`
  const partners = findPartners(before, after, isDistinct ? toKey : toFullKey)
  const aligned = before.map((model) => {
    const partner = partners.get(model)
    if (typeof partner === 'string') return { ...model, name: partner }
    return partner === undefined ? model : alignModel(changes, model, partner, rules)
  })
  return alignReferences({ before, aligned, after }, rules)
}

function toNamespaceKey(model: Model, rules: NameRules): string {
  const parts = model.namespace?.split('.') ?? []
  return parts.map((part) => toNameKey(part, model, rules.tables)).join('.')
}

/**
 * Finds the newer member of each older one. A text is the name of an older member whose spelling a newer member has,
 * but not its meaning: `"id"` and `id`.
 */
function findPartners<T extends Model | Field>(
  before: readonly T[],
  after: readonly T[],
  toKey: (member: T) => string,
): ReadonlyMap<T, T | string> {
  const partners = new Map<T, T | string>()
  const isUnclear = [before, after].some((list) =>
    list.some((member) => getQuotes(member, member.name) === 'sometimes'),
  )
  const [olders, newers] = [groupByKey(before, toKey), groupByKey(after, toKey)]
  const names = new Set(after.map(({ name }) => name))
  for (const older of before) {
    const key = toKey(older)
    const newer = newers.get(key)
    if (olders.get(key) === undefined) continue
    if (newer !== undefined && (newer.name === older.name || !isUnclear)) partners.set(older, newer)
    else if (!newers.has(key) && names.has(older.name) && !isUnclear) {
      const isQuoted = getQuotes(older, older.name) !== undefined
      partners.set(older, isQuoted ? `"${older.name}"` : key.slice(key.lastIndexOf('.') + 1))
    }
  }
  return partners
}

// The members by their keys; undefined for a key that several members have.
function groupByKey<T>(
  members: readonly T[],
  toKey: (member: T) => string,
): ReadonlyMap<string, T | undefined> {
  const groups = new Map<string, T | undefined>()
  for (const member of members) {
    const key = toKey(member)
    groups.set(key, groups.has(key) ? undefined : member)
  }
  return groups
}

function alignModel(changes: ModelChanges, before: Model, after: Model, rules: NameRules): Model {
  const model = alignPart(changes, before, after, {
    subject: `Model ${clip(after.name)}`,
    isIgnored: rules.tables === 'ignored',
  })
  if (
    before.namespace !== after.namespace &&
    toNamespaceKey(before, rules) === toNamespaceKey(after, rules)
  ) {
    report(changes, after, 'namespace', {
      subject: `Model ${clip(after.name)}: namespace`,
      values: [before.namespace, after.namespace],
    })
    if (after.namespace === undefined) delete model.namespace
    else model.namespace = after.namespace
  }
  return alignFields(changes, model, after, rules)
}

function alignFields(changes: ModelChanges, model: Model, after: Model, rules: NameRules): Model {
  if (rules.columns === 'exact') return model
  const toKey = (field: Field): string => toNameKey(field.name, field, rules.columns)
  const partners = findPartners(model.fields, after.fields, toKey)
  const names = new Map<string, string>()
  const fields = model.fields.map((field) => {
    const partner = partners.get(field)
    if (partner === undefined) return field
    if (typeof partner === 'string') {
      names.set(field.name, partner)
      return { ...field, name: partner }
    }
    if (partner.name !== field.name) names.set(field.name, partner.name)
    return alignPart(changes, field, partner, {
      subject: `Field ${clip(after.name)}.${clip(partner.name)}`,
      isIgnored: rules.columns === 'ignored',
    })
  })
  return names.size === 0 ? { ...model, fields } : respellKeys({ ...model, fields }, names)
}

/** Gives a model or field the name of the newer one, and its physical name if the database ignores case. */
function alignPart<T extends Model | Field>(
  changes: ModelChanges,
  before: T,
  after: T,
  { subject, isIgnored }: { subject: string; isIgnored: boolean },
): T {
  if (before.name === after.name && before.physicalName === after.physicalName) return before
  if (before.name !== after.name) {
    report(changes, after, 'name', {
      subject: `${subject}: name`,
      values: [before.name, after.name],
    })
    changes.renamed.set(after.origin, before.origin)
  }
  const named: T = { ...before, name: after.name }
  const [one = '', other = ''] = [before, after].map((part) => part.physicalName ?? part.name)
  if (before.physicalName === after.physicalName || one === other || !isIgnored) return named
  if (toUpperCase(one) !== toUpperCase(other)) return named
  report(changes, after, 'physicalName', {
    subject: `${subject}: physical name`,
    values: [before.physicalName, after.physicalName],
  })
  if (after.physicalName === undefined) delete named.physicalName
  else named.physicalName = after.physicalName
  return named
}

function report(
  changes: ModelChanges,
  after: Model | Field,
  aspect: 'name' | 'namespace' | 'physicalName',
  { subject, values: [one, other] }: { subject: string; values: (string | undefined)[] },
): void {
  const message = changeSentence(subject, one, other, REASON)
  changes.report(after.origin, aspect, { level: 'wording', before: one, after: other, message })
}

// The keys of a model name its fields.
function respellKeys(model: Model, names: ReadonlyMap<string, string>): Model {
  const respell = (name: string): string => names.get(name) ?? name
  const foreignKeys = model.foreignKeys?.map((key) => ({
    ...key,
    fields: key.fields.map(respell),
  }))
  return {
    ...model,
    ...(foreignKeys === undefined ? {} : { foreignKeys }),
    primaryKey: model.primaryKey.map(respell),
    quality: model.quality.map((check) => respellRule(check, respell)),
    fields: model.fields.map((field) => respellClauses(field, respell)),
  }
}

function respellRule(check: QualityCheck, respell: (name: string) => string): QualityCheck {
  const { type, rule } = check
  if (type !== 'sql' || typeof rule !== 'string') return check
  const parsed = parseSqlRule(rule)
  if (parsed.kind !== 'unique') return check
  const body = parsed.body.split(', ').map(respell).join(', ')
  return { ...check, rule: writeSqlRule({ ...parsed, body }) }
}

// `of (a, b)` names the fields of a foreign key.
function respellClauses(field: Field, respell: (name: string) => string): Field {
  const clauses = field.traits?.[SQL_TRAITS.references]
  if (!isObject(clauses)) return field
  const respelled = Object.entries(clauses).map(([target, list]) => [
    target,
    Array.isArray(list)
      ? list.map((clause) => {
          const inner = typeof clause === 'string' ? /^of \((.*)\)$/s.exec(clause)?.[1] : undefined
          return inner === undefined ? clause : `of (${inner.split(', ').map(respell).join(', ')})`
        })
      : list,
  ])
  const traits = { ...field.traits, [SQL_TRAITS.references]: Object.fromEntries(respelled) }
  return { ...field, traits }
}
