// How documents of data products are compared: what their ports are recognized by, and which rules decide.

import { canonicalText } from '../shape/canonical.ts'
import { portKey } from '../data-product/fields.ts'
import type { Shape } from '../shape/shape.ts'
import { fieldOf, textOf, type Value } from '../text/value.ts'
import { DPS_RULES, ODPS_RULES } from './level.ts'
import { type KeyOf, type Recognition, without } from './pair.ts'
import { nounFor } from './sentence.ts'
import { type Dialect, SHARED_KEYS } from './walk.ts'

// Fields that a port is called by; a port that differs in no other field was renamed.
const PORT_NAME_FIELDS: readonly string[] = ['id', 'name', 'version']

/** The comparison of ODPS documents. */
export const ODPS_DIALECT: Dialect = {
  rules: ODPS_RULES,
  nounFor: (list, item) => nounFor(list, item, true),
  nameFields: PORT_NAME_FIELDS,
  waysFor: (list, shape) => {
    if (list === 'managementPorts') return [{ keyOf: nameOf }]
    if (!isPorts(list)) return waysOfOthers(list, shape)
    return [
      { keyOf: odpsKey },
      { keyOf: nameOf, single: true, accept: (a, b) => isVersionless(a) !== isVersionless(b) },
      { keyOf: idOf, single: true, renamed: true },
      { keyOf: nameless(shape), single: true, renamed: true },
    ]
  },
}

/** The comparison of DPS documents. */
export const DPS_DIALECT: Dialect = {
  rules: DPS_RULES,
  nounFor: (list, item) => nounFor(list, item, false),
  nameFields: PORT_NAME_FIELDS,
  waysFor: (list, shape) =>
    isPorts(list)
      ? [{ keyOf: idOf }, { keyOf: nameless(shape), single: true, renamed: true }]
      : waysOfOthers(list, shape),
}

function waysOfOthers(list: string, shape: Shape): Recognition[] {
  return [{ keyOf: SHARED_KEYS.get(list) ?? ((item) => canonicalText(item, shape)) }]
}

function isPorts(list: string): boolean {
  return list === 'inputPorts' || list === 'outputPorts'
}

function nameless(shape: Shape): KeyOf {
  return (item) => canonicalText(without(item, PORT_NAME_FIELDS), shape)
}

function idOf(item: Value): string | undefined {
  return textOf(fieldOf(item, 'id'))
}

function nameOf(item: Value): string | undefined {
  return textOf(fieldOf(item, 'name'))
}

function odpsKey(item: Value): string | undefined {
  const name = nameOf(item)
  return name === undefined ? undefined : portKey(name, textOf(fieldOf(item, 'version')))
}

function isVersionless(item: Value): boolean {
  return (textOf(fieldOf(item, 'version')) ?? '') === ''
}
