// Comparison rules for documents of data contracts: how members of lists are matched, and which values need a special
// comparison.

import { any, type Shape } from '../shape/shape.ts'
import { getField, isObject, type ObjectValue, asText, type Value } from '../text/value.ts'
import { ModelTextComparison } from './contract-models.ts'
import { DCS_RULES, ODCS_RULES } from './contract-rules.ts'
import { findLanguage, hasUnreadParts, haveSameMeaning } from '../schema/languages.ts'
import { isMultiple } from './exact.ts'
import { compareDrafts } from './json-schema-drafts.ts'
import type { Change } from './level.ts'
import { listSharedWays } from './list-ways.ts'
import type { ModelChanges } from './model-changes.ts'
import type { ModelLayout } from './model-layout.ts'
import { compareDeclarations } from './protobuf-declarations.ts'
import { joinTexts, type KeySelector, type Recognition, toTextWithout } from './pair.ts'
import { isSame } from './same.ts'
import { changeSentence, nounFor } from './sentence.ts'
import { reportServer } from './server.ts'
import { reportDcsServiceLevel, reportServiceLevel } from './service-level.ts'
import { UNANALYZED } from './traits.ts'
import type { ComparisonRules, Step, Walk } from './walk.ts'

// Fields that identify a server or role; one that differs only in these was renamed.
const NAME_FIELDS: readonly string[] = ['id', 'server', 'role']

/** Creates the comparison rules for two contracts whose models were already compared. */
export function contractDialect(
  isDcs: boolean,
  changes: ModelChanges,
  layout: ModelLayout,
): ComparisonRules {
  return {
    rules: isDcs ? DCS_RULES : ODCS_RULES,
    nounFor: (list, item) => nounFor(list, item, true),
    nameFields: NAME_FIELDS,
    specialPlaces: MODEL_PLACES,
    waysFor: (list, shape) => waysFor(list, shape, isDcs),
    compareSpecially: (step, walk) => {
      const [top = '', member] = step.place
      if (isDcs && top === 'servicelevels' && member !== undefined) {
        return reportDcsServiceLevel(step, walk)
      }
      if (top === 'slaProperties' && step.place.length === 2) return reportServiceLevel(step, walk)
      if (top === 'servers' && step.place.length === 2) {
        return reportServer(step, walk, { hasDefaults: !isDcs })
      }
      if (step.place.at(-1) === 'context') return reportContext(step, walk)
      if (step.place.at(-1) === 'multipleOf') return reportMultiple(step, walk)
      if (step.place.length !== 1 || !MODEL_PLACES.has(top)) return false
      if (isDcs && top === 'schema') return reportSpecification(step, walk, changes)
      new ModelTextComparison(walk, changes, layout).models(step)
      return true
    },
  }
}

// A context that is a text has only instructions.
function reportContext(step: Step, walk: Walk): boolean {
  const [before, after] = [step.before, step.after].map((value) => {
    return typeof value === 'string' ? { instructions: value } : (value ?? null)
  })
  if (before === step.before && after === step.after) return false
  if (!isSame(before ?? null, after ?? null, step.shape)) walk.add(step)
  return true
}

// A multiple of 10 is also a multiple of 5. The rules decide all other changes.
function reportMultiple(step: Step, walk: Walk): boolean {
  const { before, after, place } = step
  if (place.at(-2) !== 'logicalTypeOptions' || before === undefined || after === undefined) {
    return false
  }
  if (!isMultiple(after, before)) return false
  const subject = [step.owner, step.field].filter(Boolean).join(': ')
  walk.report(step, {
    kind: 'changed',
    level: 'additive',
    before,
    after,
    message: changeSentence(
      subject,
      before,
      after,
      'its multiples are also multiples of the old value',
    ),
  })
  return true
}

const MODEL_PLACES = new Set(['schema', 'dataset', 'models'])

function waysFor(list: string, shape: Shape, isDcs: boolean): Recognition[] {
  if (list === 'slaProperties') {
    return [{ getKey: serviceLevelKey }, { getKey: getProperty, single: true }]
  }
  if (list !== 'servers' && list !== 'roles') {
    return listSharedWays(list, shape)
  }
  const name = list === 'servers' ? 'server' : isDcs ? 'name' : 'role'
  const nameless: KeySelector = (item) => toTextWithout(item, ['id', name], shape)
  return [
    { getKey: (item) => joinTexts(item, [name]) },
    { getKey: nameless, single: true, renamed: true },
  ]
}

function getProperty(item: Value): string | undefined {
  return asText(getField(item, 'property'))
}

// A promise may apply to several parts of the data and have several reasons.
function serviceLevelKey(item: Value): string | undefined {
  const names = ['property', 'element', 'column', 'driver']
  if (getProperty(item) === undefined) return undefined
  return JSON.stringify(names.map((name) => asText(getField(item, name)) ?? ''))
}

// A schema in a schema language is compared by its models. If no models could be read from it, only equality can be
// checked, and the effect of a change is unknown.
function reportSpecification(step: Step, walk: Walk, changes: ModelChanges): boolean {
  const { before, after } = step
  if (!isObject(before) || !isObject(after)) return changes.list.length > 0
  const language = asText(getField(after, 'type')) ?? ''
  for (const name of new Set([...Object.keys(before), ...Object.keys(after)])) {
    const inside: Step = {
      ...step,
      before: getField(before, name),
      after: getField(after, name),
      beforePath: [...step.beforePath, name],
      afterPath: [...step.afterPath, name],
      place: ['schema', name],
      field: `schema.${name}`,
    }
    if (isSame(inside.before ?? null, inside.after ?? null, any)) continue
    if (name !== 'specification') walk.values(inside)
    else if (changes.hasFirstModels && isUnreadBefore(before)) reportUnread(inside, walk)
    else if (!addOtherChanges(inside, walk, language) && changes.list.length === 0) {
      reportText(inside, walk, changes, language)
    }
  }
  return true
}

// The first models may not keep what the older version promised, if that could not be read.
function isUnreadBefore(schema: ObjectValue): boolean {
  const specification = getField(schema, 'specification') ?? null
  const language = asText(getField(schema, 'type')) ?? ''
  return specification !== null && hasUnreadParts(language, specification)
}

function reportUnread(step: Step, walk: Walk): void {
  const { before = null, after = null } = step
  const message =
    'schema.specification has its first models; the older version could not be read, so the effect of the change is unknown.'
  walk.report(step, { kind: 'changed', level: 'breaking', before, after, message })
}

// Adds what changed outside the models, and returns whether there is any such change.
function addOtherChanges(step: Step, walk: Walk, language: string): boolean {
  const { before = null, after = null } = step
  const compare = OUTSIDE_MODELS.get(findLanguage(language)?.name ?? '')
  const changes = compare?.(before, after) ?? []
  for (const change of changes) walk.report(step, change)
  return changes.length > 0
}

const OUTSIDE_MODELS: ReadonlyMap<string, (before: Value, after: Value) => Omit<Change, 'path'>[]> =
  new Map([
    ['protobuf', compareDeclarations],
    ['json-schema', compareDrafts],
  ])

function reportText(step: Step, walk: Walk, changes: ModelChanges, language: string): void {
  const isUnread = changes.isUnread
  const { before = null, after = null } = step
  const isSameMeaning = !isUnread && haveSameMeaning(language, before, after) !== false
  walk.report(step, {
    kind: 'changed',
    level: isSameMeaning ? 'wording' : 'breaking',
    before,
    after,
    message: isUnread
      ? 'schema.specification changed; no models can be read from it, so the effect of the change is unknown.'
      : isSameMeaning
        ? 'schema.specification changed; its models are the same as before.'
        : `schema.specification ${UNANALYZED}.`,
  })
}
