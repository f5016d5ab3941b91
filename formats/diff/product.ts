// Comparison rules for documents of data products: how ports are matched, and which rules apply.

import { customText } from '../data-contract/custom-properties.ts'
import { canonicalText } from '../shape/canonical.ts'
import { portKey } from '../data-product/fields.ts'
import type { Shape } from '../shape/shape.ts'
import { getField, asText, type Value } from '../text/value.ts'
import { DPS_RULES, ODPS_RULES } from './level.ts'
import { listSharedWays } from './list-ways.ts'
import { type KeySelector, omitFields } from './pair.ts'
import { nounFor } from './sentence.ts'
import { reportServer } from './server.ts'
import { type ComparisonRules, type Step, type Walk } from './walk.ts'

// Fields that identify a port; a port that differs only in these was renamed.
const PORT_NAME_FIELDS: readonly string[] = ['id', 'name', 'version']

// The server of a port in ODPS is a custom property.
function comparePortServer(step: Step, walk: Walk): boolean {
  const [list, , name, property = name] = step.place
  const isServer = list === 'outputPorts' && property === 'server'
  const isWhole = step.place.length === (name === 'customProperties' ? 4 : 3)
  return isServer && isWhole && reportServer(step, walk, { hasDefaults: false })
}

/** The comparison rules of ODPS documents. */
export const ODPS_DIALECT: ComparisonRules = {
  rules: ODPS_RULES,
  nounFor: (list, item) => nounFor(list, item, true),
  isDeprecated: (item) => isEnding(readPortStatus(item)),
  nameFields: PORT_NAME_FIELDS,
  compareSpecially: comparePortServer,
  waysFor: (list, shape) => {
    if (list === 'managementPorts') return [{ getKey: getName }]
    if (!isPorts(list)) return listSharedWays(list, shape)
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
  isDeprecated: (item) => isEnding(asText(getField(item, 'status'))),
  nameFields: PORT_NAME_FIELDS,
  compareSpecially: comparePortServer,
  waysFor: (list, shape) =>
    isPorts(list)
      ? [{ getKey: getId }, { getKey: createNamelessKey(shape), single: true, renamed: true }]
      : listSharedWays(list, shape),
}

// The status of a port in ODPS is a custom property.
function readPortStatus(port: Value): string | undefined {
  return customText(getField(port, 'customProperties'), 'status')
}

function isEnding(status: string | undefined): boolean {
  return status?.trim().toLowerCase() === 'deprecated'
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
