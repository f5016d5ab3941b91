// Comparison rules for documents of data products: how ports are matched, and which rules apply.

import { canonicalText } from '../shape/canonical.ts'
import { portKey } from '../data-product/fields.ts'
import type { Shape } from '../shape/shape.ts'
import { getField, asText, type Value } from '../text/value.ts'
import { DPS_RULES, ODPS_RULES } from './level.ts'
import { type KeySelector, type Recognition, omitFields } from './pair.ts'
import { nounFor } from './sentence.ts'
import { type ComparisonRules, SHARED_KEYS } from './walk.ts'

// Fields that identify a port; a port that differs only in these was renamed.
const PORT_NAME_FIELDS: readonly string[] = ['id', 'name', 'version']

/** The comparison rules of ODPS documents. */
export const ODPS_DIALECT: ComparisonRules = {
  rules: ODPS_RULES,
  nounFor: (list, item) => nounFor(list, item, true),
  nameFields: PORT_NAME_FIELDS,
  waysFor: (list, shape) => {
    if (list === 'managementPorts') return [{ getKey: getName }]
    if (!isPorts(list)) return listOtherWays(list, shape)
    return [
      { getKey: getOdpsKey },
      { getKey: getName, single: true, accept: (a, b) => isVersionless(a) !== isVersionless(b) },
      { getKey: getId, single: true, renamed: true },
      { getKey: createNamelessKey(shape), single: true, renamed: true },
    ]
  },
}

/** The comparison rules of DPS documents. */
export const DPS_DIALECT: ComparisonRules = {
  rules: DPS_RULES,
  nounFor: (list, item) => nounFor(list, item, false),
  nameFields: PORT_NAME_FIELDS,
  waysFor: (list, shape) =>
    isPorts(list)
      ? [{ getKey: getId }, { getKey: createNamelessKey(shape), single: true, renamed: true }]
      : listOtherWays(list, shape),
}

function listOtherWays(list: string, shape: Shape): Recognition[] {
  return [{ getKey: SHARED_KEYS.get(list) ?? ((item) => canonicalText(item, shape)) }]
}

function isPorts(list: string): boolean {
  return list === 'inputPorts' || list === 'outputPorts'
}

function createNamelessKey(shape: Shape): KeySelector {
  return (item) => canonicalText(omitFields(item, PORT_NAME_FIELDS), shape)
}

function getId(item: Value): string | undefined {
  return asText(getField(item, 'id'))
}

function getName(item: Value): string | undefined {
  return asText(getField(item, 'name'))
}

function getOdpsKey(item: Value): string | undefined {
  const name = getName(item)
  return name === undefined ? undefined : portKey(name, asText(getField(item, 'version')))
}

function isVersionless(item: Value): boolean {
  return (asText(getField(item, 'version')) ?? '') === ''
}
