// Compares two versions of a field: its type, its constraints, and its nested fields.

import type { Field, QualityCheck } from '../schema/model.ts'
import { clip } from '../text/value.ts'
import { type AspectRule, FIELD_ASPECTS } from './aspects.ts'
import { haveBranches, matchBranches, withoutType } from './branches.ts'
import { compareFieldTypes, describeField, fieldSummary, isImpliedByType } from './field-type.ts'
import { type Platforms, type FieldTypeChange, typeText } from './field-type.ts'
import { reportDescriptions } from './descriptions.ts'
import { matchNamed } from './match.ts'
import { type Aspect, toLevel, type ModelChanges } from './model-changes.ts'
import { compareChecks } from './quality.ts'
import { changeSentence, describeRemoval } from './sentence.ts'
import { compareTraits, haveEqualTraits } from './traits.ts'
import { getTypeReason, reportPart } from './type-report.ts'
import { compareVectors } from './vector.ts'

/** Options of a comparison of fields. */
export interface FieldOptions {
  platforms: Platforms
  /** False if fields are in a map, whose order has no meaning. */
  isOrdered: boolean
  /** Returns whether the newer model requires what a removed or changed rule required. */
  isKept?: (check: QualityCheck) => boolean
}

const BIGGER = ['none', 'wording', 'additive', 'breaking'] as const

/**
 * Compares the fields of a model, or of a field that contains fields; `label` is the name of their owner in messages.
 * Returns the new names of renamed fields by their old names.
 */
export function compareFields(
  changes: ModelChanges,
  before: readonly Field[],
  after: readonly Field[],
  owner: { label: string; noun: string; origin: string },
  options: FieldOptions,
): ReadonlyMap<string, string> {
  const matches = matchNamed(before, after, describeField)
  const getLabel = (field: Field) => `${owner.label}.${clip(field.name)}`
  for (const pair of matches.pairs) {
    if (pair.renamed) reportRenamed(changes, pair.before, pair.after, owner.label)
    else if (!isUntouched(pair.before, pair.after, options)) {
      compareField(changes, pair.before, pair.after, getLabel(pair.after), options)
    }
  }
  for (const field of matches.removed) {
    const message = `Field ${getLabel(field)} was removed; consumers that read it fail.`
    changes.reportRemoved(field.origin, fieldSummary(field), describeRemoval(message, field))
  }
  for (const field of matches.added) {
    const type = clip(typeText(field))
    const message = `Field ${getLabel(field)} was added (${type}); all previous promises still hold.`
    changes.reportAdded(field.origin, fieldSummary(field), message)
  }
  const renames = matches.pairs.filter(({ renamed }) => renamed)
  const names = new Map(renames.map((pair) => [pair.before.name, pair.after.name]))
  if (!matches.isReordered || !options.isOrdered) return names
  changes.report(owner.origin, 'order', {
    level: 'wording',
    kind: 'changed',
    before: before.map(({ name }) => name),
    after: after.map(({ name }) => name),
    message: `${owner.noun} ${owner.label}: the order of its fields changed; fields are identified by name.`,
  })
  return names
}

function reportRenamed(changes: ModelChanges, before: Field, after: Field, label: string): void {
  const from = clip(before.name)
  const message = `Field ${label}.${from} was renamed to ${clip(after.name)}; consumers that use the old name fail.`
  changes.report(after.origin, 'name', {
    level: 'breaking',
    kind: 'renamed',
    before: before.name,
    after: after.name,
    message: describeRemoval(message, before),
  })
  changes.renamed.set(after.origin, before.origin)
}

// Fast path: most fields did not change. Fields that contain others or a list are compared in full.
function isUntouched(a: Field, b: Field, { platforms }: FieldOptions): boolean {
  return (
    platforms.before === platforms.after &&
    a.physicalType === b.physicalType &&
    a.logicalType === b.logicalType &&
    a.description === b.description &&
    a.required === b.required &&
    a.unique === b.unique &&
    a.maxLength === b.maxLength &&
    a.minLength === b.minLength &&
    a.precision === b.precision &&
    a.scale === b.scale &&
    a.format === b.format &&
    a.pattern === b.pattern &&
    a.minimum === b.minimum &&
    a.maximum === b.maximum &&
    a.exclusiveMinimum === b.exclusiveMinimum &&
    a.exclusiveMaximum === b.exclusiveMaximum &&
    a.minItems === b.minItems &&
    a.maxItems === b.maxItems &&
    a.physicalName === b.physicalName &&
    a.classification === b.classification &&
    a.deprecated === b.deprecated &&
    a.semanticType === b.semanticType &&
    a.expression === b.expression &&
    a.vector === b.vector &&
    haveEqualTraits(a.traits, b.traits) &&
    isPlain(a) &&
    isPlain(b)
  )
}

function isPlain(field: Field): boolean {
  const { tags, references, quality, items, keys, values, fields, branches } = field
  const isAlone = tags.length + references.length + quality.length === 0
  const isWhole = items === undefined && keys === undefined && values === undefined
  return isAlone && isWhole && (fields ?? branches ?? field.enum) === undefined
}

/** Compares two fields with the same name. */
function compareField(
  changes: ModelChanges,
  before: Field,
  after: Field,
  label: string,
  options: FieldOptions,
): void {
  if (haveBranches(before, after)) return compareUnions(changes, before, after, label, options)
  const type = compareFieldTypes(before, after, options.platforms)
  const start = changes.list.length
  compareParts(changes, before, after, label, options)
  compareVectors(changes, before, after, label)
  const typeChange = type && reportType(changes, before, after, label, { ...type, start })
  for (const rule of FIELD_ASPECTS) {
    if (rule.names.every((name) => isAlike(before[name], after[name]))) continue
    if (typeChange !== undefined && isExplained(rule, before, after, typeChange)) continue
    reportAspect(changes, rule, before, after, label)
  }
  compareRest(changes, before, after, label, options)
}

function compareRest(
  changes: ModelChanges,
  before: Field,
  after: Field,
  label: string,
  { isKept }: FieldOptions,
): void {
  compareTraits(changes, `Field ${label}`, before, after)
  reportDescriptions(changes, `Field ${label}`, before, after)
  const checks = { before: before.quality, after: after.quality }
  const owner = { origin: after.origin, subject: `Field ${label}` }
  compareChecks(changes, checks, isKept === undefined ? owner : { ...owner, isKept })
}

const UNION_ASPECTS: ReadonlySet<Aspect> = new Set(['physicalName', 'required', 'unique'])

function compareUnions(
  changes: ModelChanges,
  before: Field,
  after: Field,
  label: string,
  options: FieldOptions,
): void {
  const { pairs, removed, added } = matchBranches(before, after, options.platforms)
  for (const pair of pairs) {
    const inside = `${label}<${clip(pair.after.name)}>`
    compareField(changes, pair.before, pair.after, inside, options)
  }
  const report = (level: 'additive' | 'breaking', branch: Field, reason: string): void => {
    const [one, other] = level === 'additive' ? [branch.name] : [undefined, branch.name]
    const message = changeSentence(`Field ${label}: possible type`, one, other, reason)
    changes.report(after.origin, 'type', { level, before: one, after: other, message })
  }
  for (const branch of removed) report('additive', branch, 'values no longer have this type')
  for (const branch of added) report('breaking', branch, 'no value had this type before')
  for (const rule of FIELD_ASPECTS) {
    if (UNION_ASPECTS.has(rule.aspect)) reportAspect(changes, rule, before, after, label)
  }
  compareRest(changes, withoutType(before), withoutType(after), label, options)
}

function isAlike(a: Field[keyof Field], b: Field[keyof Field]): boolean {
  return a === b || (Array.isArray(a) && Array.isArray(b) && a.length + b.length === 0)
}

// A change that the type implies is reported with the type: a longer `varchar` is one change, not two.
function isExplained(
  rule: AspectRule,
  before: Field,
  after: Field,
  type: FieldTypeChange,
): boolean {
  if (type.before === undefined && type.after === undefined) return false
  return (
    isImpliedByType(type.before, before, rule.names) &&
    isImpliedByType(type.after, after, rule.names)
  )
}

function reportAspect(
  changes: ModelChanges,
  { aspect, words, names, getValue, compare, reasons, reasonFor }: AspectRule,
  before: Field,
  after: Field,
  label: string,
): void {
  const [one, other] = [getValue(before), getValue(after)]
  const verdict = compare(before, after)
  const getText = (field: Field) => JSON.stringify(names.map((name) => field[name]))
  if (verdict === 'same' && getText(before) === getText(after)) return
  changes.report(after.origin, aspect, {
    level: toLevel(verdict),
    before: one,
    after: other,
    message: changeSentence(
      `Field ${label}: ${words}`,
      one,
      other,
      reasonFor?.(before, after) ?? reasons[verdict],
    ),
  })
}

// A type that contains others is skipped if their changes are already reported.
function reportType(
  changes: ModelChanges,
  before: Field,
  after: Field,
  label: string,
  type: FieldTypeChange & { start: number },
): FieldTypeChange | undefined {
  const level = toLevel(type.verdict)
  const inner = changes.highestSince(type.start)
  const isInner = holdsParts(before) && holdsParts(after)
  if (isInner && inner !== 'none' && BIGGER.indexOf(inner) >= BIGGER.indexOf(level)) return type
  const [one, other] = [typeText(before), typeText(after)]
  const [from, to] = one === other ? [before.logicalType, after.logicalType] : [one, other]
  changes.report(after.origin, 'type', {
    level,
    kind: 'changed',
    before: from,
    after: to,
    message: changeSentence(`Field ${label}: type`, from, to, getTypeReason(type)),
  })
  return level === 'wording' ? undefined : type
}

function holdsParts({ fields, items, keys, values }: Field): boolean {
  return [fields, items, keys, values].some((part) => part !== undefined)
}

const PARTS = [
  ['items', '[]'],
  ['keys', '{keys}'],
  ['values', '{values}'],
] as const

function compareParts(
  changes: ModelChanges,
  before: Field,
  after: Field,
  label: string,
  options: FieldOptions,
): void {
  for (const [name, suffix] of PARTS) {
    const [one, other] = [before[name], after[name]]
    if (one === undefined && other === undefined) continue
    const inside = `${label}${suffix}`
    if (one !== undefined && other !== undefined) {
      compareField(changes, one, other, inside, options)
    } else if (before.logicalType === after.logicalType) {
      reportPart(changes, { ...options, label: inside, origin: after.origin }, one, other)
    }
  }
  const [one, other] = [before.fields, after.fields]
  if (one === undefined && other === undefined) return
  if (before.logicalType !== after.logicalType) return
  const owner = { label, noun: 'Field', origin: after.origin }
  compareFields(changes, one ?? [], other ?? [], owner, options)
}
