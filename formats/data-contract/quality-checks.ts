// Reads quality rules in all formats. A rule that lists all allowed values is an enumeration.

import { nonBlankText } from '../data-product/fields.ts'
import type { Field, QualityCheck } from '../schema/model.ts'
import { ExactNumber, getField, isObject, put, asText, type Value, valueAt } from '../text/value.ts'
import { customValue } from './custom-properties.ts'

/** The custom property of an ODCS check that contains a rule of another format. */
export const RULE_PROPERTY = 'dcs.rule'

/** The value of the property if the rule is the `implementation` of the check. */
export const RULE_IS_IMPLEMENTATION = 'implementation'

/** Reads a list of checks; `origin` is the JSON pointer of the list. `untyped` is the type of checks without a type. */
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
  const carried = customValue(getField(item, 'customProperties'), RULE_PROPERTY)
  const check: QualityCheck = {
    type:
      nonBlankText(getField(item, 'type')) ?? nonBlankText(getField(item, 'toolName')) ?? untyped,
    rule: item,
    origin,
  }
  if (carried !== undefined) {
    check.type = asText(getField(item, 'engine')) ?? check.type
    check.rule =
      carried === RULE_IS_IMPLEMENTATION
        ? (getField(item, 'implementation') ?? null)
        : (getField(carried, 'rule') ?? null)
  }
  put(
    check,
    'name',
    nonBlankText(getField(item, 'name')) ?? nonBlankText(getField(item, 'templateName')),
  )
  put(check, 'description', nonBlankText(getField(item, 'description')))
  return check
}

// The fields of an enumeration: its values, and fields that describe, classify or schedule the rule.
const FIELDS_OF_ENUMERATION = new Set(
  'type metric rule arguments mustBe unit id name description dimension severity businessImpact method schedule scheduler tags customProperties authoritativeDefinitions'.split(
    ' ',
  ),
)

/** Returns the values that a check allows if it has no other requirement; otherwise undefined. */
export function getEnumeration({ rule }: QualityCheck): Value[] | undefined {
  const metric = getField(rule, 'metric') ?? getField(rule, 'rule')
  if (metric !== 'invalidValues' || !isObject(rule)) return undefined
  if (!Object.keys(rule).every((name) => FIELDS_OF_ENUMERATION.has(name))) return undefined
  const allowed = valueAt(rule, ['arguments', 'validValues'])
  const most = getField(rule, 'mustBe')
  const isNone = most === 0 || (most instanceof ExactNumber && Number(most.text) === 0)
  return isNone && Array.isArray(allowed) ? allowed : undefined
}

/** Makes the first check of a field its enumeration if it has no other requirement and the field has no enumeration. */
export function moveEnumeration(field: Field): void {
  const [first] = field.quality
  if (first === undefined || field.enum !== undefined) return
  const values = getEnumeration(first)
  if (values === undefined) return
  field.enum = values
  field.quality.shift()
}
