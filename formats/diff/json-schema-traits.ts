// Rules for the properties that only JSON Schema has. A change is breaking unless it can be proven that every value
// that is valid now was valid before.

import { MARKS } from '../schema/json-schema-marks.ts'
import { JSON_SCHEMA } from '../schema/json-schema-marks.ts'
import { isObject, type ObjectValue, type Value } from '../text/value.ts'
import type { Reasons } from './aspects.ts'
import type { Effort } from './effort.ts'
import { implies, impliesOpenContent } from './json-schema-implies.ts'
import { allowsNull, isAnything, isMarked, isObjects, toJsonSchema } from './json-schema-subject.ts'
import type { Verdict } from './model-changes.ts'
import type { TraitRule, TraitRules, TraitSubjects } from './trait-rule.ts'

const KEYWORDS = [
  '$ref',
  'allOf',
  'anyOf',
  'contentEncoding',
  'contentMediaType',
  'contentSchema',
  'dependentRequired',
  'dependentSchemas',
  'enum',
  'exclusiveMaximum',
  'exclusiveMinimum',
  'format',
  'maxItems',
  'maxLength',
  'maxProperties',
  'maximum',
  'minItems',
  'minLength',
  'minProperties',
  'minimum',
  'multipleOf',
  'not',
  'oneOf',
  'pattern',
  'properties',
  'propertyNames',
  'required',
  'uniqueItems',
]
const TYPE = `${JSON_SCHEMA}type`
const OPEN_CONTENT = ['patternProperties', 'additionalProperties']
const ITEMS = ['prefixItems', 'items']
const GROUPS = ['if', 'contains']
const UNEVALUATED = ['unevaluatedProperties', 'unevaluatedItems']

const REASONS: Reasons = {
  same: 'it allows the same values as before',
  narrower: 'every value that it allows now was allowed before',
  wider: 'it allows values that it did not allow before',
  different: 'it may allow values that it did not allow before',
}

// A property that is added to an object is compared as a field.
const compareOpenContent: TraitRule['compare'] = (_before, _after, { before, after, effort }) => {
  const [one, other] = [toJsonSchema(before), toJsonSchema(after)]
  const options = { areNewPropertiesAllowed: true }
  return toVerdict(
    impliesOpenContent(other, one, options, effort),
    impliesOpenContent(one, other, options, effort),
  )
}

// `unevaluated…` depends on other keywords, so only simple changes can be judged.
const compareUnevaluated: TraitRule['compare'] = (before, after, { effort }) => {
  if (before === undefined) return 'narrower'
  if (after === undefined) return 'wider'
  return isWithin(before) || isWithin(after)
    ? 'different'
    : toVerdict(implies(after, before, effort), implies(before, after, effort))
}

const OBJECTS = { type: 'object' }

// The records of a model without types are objects.
const compareType: TraitRule['compare'] = (before, after, subjects) => {
  const [older, newer] = [toJsonSchema(subjects.before), toJsonSchema(subjects.after)]
  const { effort } = subjects
  return toVerdict(
    provesType(newer, before, subjects.before, effort),
    provesType(older, after, subjects.after, effort),
  )
}

function provesType(
  premise: ObjectValue,
  type: Value | undefined,
  subject: TraitSubjects['before'],
  effort: Effort,
): boolean {
  if (type !== undefined) return implies(premise, { type }, effort)
  return !isObjects(subject) || implies(premise, OBJECTS, effort)
}

const compareAnyRoot: TraitRule['compare'] = (before, after, subjects) => {
  // The types are reported.
  if (subjects.before.traits?.[TYPE] !== subjects.after.traits?.[TYPE]) return undefined
  const [older, newer] = [toJsonSchema(subjects.before), toJsonSchema(subjects.after)]
  return toVerdict(
    before === true || implies(newer, OBJECTS, subjects.effort),
    after === true || implies(older, OBJECTS, subjects.effort),
  )
}

export const JSON_SCHEMA_TRAITS: TraitRules = Object.fromEntries([
  plainRule('type', compareType),
  ...KEYWORDS.map((keyword) => ruleFor(keyword, (value) => ({ [keyword]: value }))),
  ...GROUPS.map((keyword) => ruleFor(keyword, (value) => (isObject(value) ? value : {}))),
  ...ITEMS.map((keyword) => ruleFor(keyword, (_, whole) => pick(whole, ['prefixItems', 'items']))),
  ...OPEN_CONTENT.map((keyword) => plainRule(keyword, compareOpenContent)),
  ...UNEVALUATED.map((keyword) => plainRule(keyword, compareUnevaluated)),
  [MARKS.null, nullRule()],
  [MARKS.present, presenceRule()],
  [MARKS.untyped, untypedRule()],
  [MARKS.otherKeys, otherKeysRule()],
  [MARKS.anyRoot, anyRootRule()],
  [MARKS.singleRoot, singleRootRule()],
])

/** Returns the schema that a trait represents; `whole` is the schema of its model or field. */
type ToSchema = (value: Value, whole: ObjectValue) => ObjectValue

function ruleFor(keyword: string, toSchema: ToSchema): [string, TraitRule] {
  const compare: TraitRule['compare'] = (
    before,
    after,
    { before: older, after: newer, effort },
  ) => {
    const [one, other] = [toJsonSchema(older), toJsonSchema(newer)]
    return toVerdict(
      before === undefined || implies(other, toSchema(before, one), effort),
      after === undefined || implies(one, toSchema(after, other), effort),
    )
  }
  return plainRule(keyword, compare)
}

function plainRule(keyword: string, compare: TraitRule['compare']): [string, TraitRule] {
  return [`${JSON_SCHEMA}${keyword}`, { label: keyword, compare, reasons: REASONS }]
}

function isWithin(value: Value): boolean {
  return isObject(value) && value['within'] !== undefined
}

function nullRule(): TraitRule {
  return {
    label: 'null values',
    compare: (before, after, subjects) =>
      markVerdict(before ?? allowsNull(subjects.before), after ?? allowsNull(subjects.after)),
    reasons: {
      ...REASONS,
      narrower: 'null is no longer allowed',
      wider: 'null was not allowed before',
    },
  }
}

function presenceRule(): TraitRule {
  return {
    label: 'presence',
    compare: (before, after, subjects) =>
      markVerdict(!isPresent(before, subjects.before), !isPresent(after, subjects.after)),
    reasons: {
      ...REASONS,
      same: 'it is always present, as before',
      narrower: 'it is always present now, although it may be null',
      wider: 'it may be missing now and was always present before',
    },
  }
}

function untypedRule(): TraitRule {
  return {
    label: 'untyped values',
    compare: (_before, _after, subjects) =>
      markVerdict(isUntyped(subjects.before), isUntyped(subjects.after)),
    reasons: {
      ...REASONS,
      narrower: 'the schema lists its type now',
      wider: 'the schema no longer lists its type',
    },
  }
}

function otherKeysRule(): TraitRule {
  return {
    label: 'other keys',
    compare: (before, after) => markVerdict(before ?? false, after ?? false),
    reasons: {
      ...REASONS,
      narrower: 'every key matches the pattern now',
      wider: 'keys that do not match the pattern are allowed now',
    },
  }
}

function anyRootRule(): TraitRule {
  return {
    label: 'non-object values',
    compare: compareAnyRoot,
    reasons: {
      ...REASONS,
      narrower: 'every value is an object now',
      wider: 'they are allowed now',
      different: 'they are allowed now',
    },
  }
}

function singleRootRule(): TraitRule {
  return {
    label: 'single values',
    compare: () => 'different',
    reasons: { ...REASONS, different: 'consumers read other values than before' },
  }
}

function isPresent(mark: Value | undefined, subject: TraitSubjects['after']): boolean {
  return mark === true || ('required' in subject && subject.required)
}

function isUntyped(subject: TraitSubjects['after']): boolean {
  return isMarked(subject, MARKS.untyped) || isAnything(subject)
}

// Compares marks that widen the allowed values.
function markVerdict(before: Value, after: Value): Verdict {
  if (before === after) return 'same'
  return after === true ? 'wider' : 'narrower'
}

function toVerdict(isWithinOld: boolean, isWithinNew: boolean): Verdict {
  if (isWithinOld) return isWithinNew ? 'same' : 'narrower'
  return isWithinNew ? 'wider' : 'different'
}

function pick(schema: ObjectValue, names: readonly string[]): ObjectValue {
  return Object.fromEntries(Object.entries(schema).filter(([name]) => names.includes(name)))
}
