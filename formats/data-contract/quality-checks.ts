// Quality rules of all formats. A rule that lists all allowed values is an enumeration.

import { filled } from '../data-product/fields.ts'
import type { QualityCheck } from '../schema/model.ts'
import { ExactNumber, fieldOf, isObject, put, textOf, type Value, valueAt } from '../text/value.ts'
import { customValue } from './custom-properties.ts'

/** The custom property of an ODCS check that holds a rule of another format. */
export const RULE_PROPERTY = 'dcs.rule'

/** Its value when the rule is what the check calls its implementation. */
export const RULE_IS_IMPLEMENTATION = 'implementation'

/**
 * Reads a list of checks; `origin` is the JSON pointer of the list, and `untyped` the type of checks without
 * one.
 */
export function readChecks(
  list: Value | undefined,
  origin: string,
  untyped: 'library' | 'custom',
): QualityCheck[] {
  if (!Array.isArray(list)) return []
  return list.flatMap((item, at) =>
    isObject(item) ? [readCheck(item, `${origin}/${at}`, untyped)] : [],
  )
}

function readCheck(item: Value, origin: string, untyped: string): QualityCheck {
  const carried = customValue(fieldOf(item, 'customProperties'), RULE_PROPERTY)
  const check: QualityCheck = {
    type: filled(fieldOf(item, 'type')) ?? filled(fieldOf(item, 'toolName')) ?? untyped,
    rule: item,
    origin,
  }
  if (carried !== undefined) {
    check.type = textOf(fieldOf(item, 'engine')) ?? check.type
    check.rule =
      carried === RULE_IS_IMPLEMENTATION
        ? (fieldOf(item, 'implementation') ?? null)
        : (fieldOf(carried, 'rule') ?? null)
  }
  put(check, 'name', filled(fieldOf(item, 'name')) ?? filled(fieldOf(item, 'templateName')))
  put(check, 'description', filled(fieldOf(item, 'description')))
  return check
}

// The values, and fields that explain and classify a rule.
const FIELDS_OF_ENUMERATION = new Set(
  'type metric rule arguments mustBe unit id name description dimension severity businessImpact method schedule scheduler tags customProperties authoritativeDefinitions'.split(
    ' ',
  ),
)

/** Gives the values that a check allows, when that is all that it demands; otherwise undefined. */
export function enumerationOf({ rule }: QualityCheck): Value[] | undefined {
  const metric = fieldOf(rule, 'metric') ?? fieldOf(rule, 'rule')
  if (metric !== 'invalidValues' || !isObject(rule)) return undefined
  if (!Object.keys(rule).every((name) => FIELDS_OF_ENUMERATION.has(name))) return undefined
  const allowed = valueAt(rule, ['arguments', 'validValues'])
  const most = fieldOf(rule, 'mustBe')
  const isNone = most === 0 || (most instanceof ExactNumber && Number(most.text) === 0)
  return isNone && Array.isArray(allowed) ? allowed : undefined
}
