// Converts the parts of a DCS model or field that models do not represent: titles, examples, links, configuration.
// Parts with an equivalent in ODCS are mapped, all others become custom properties `dcs.<name>`.

import { canonicalText } from '../../shape/canonical.ts'
import { listObjects } from '../../data-product/fields.ts'
import { conforms } from '../../shape/inspect.ts'
import type { Field, Model } from '../../schema/model.ts'
import { any } from '../../shape/shape.ts'
import { getField, isObject, type ObjectValue, asText, type Value } from '../../text/value.ts'
import type { Draft } from '../odcs/draft.ts'
import { CHECK } from '../odcs/write.ts'
import { getEnumeration, readChecks } from '../quality-checks.ts'

/** Custom properties with a meaning; DCS fields with the same name are renamed. */
const RESERVED = new Set([
  'precision',
  'scale',
  'pii',
  'namespace',
  'owner',
  'mapKey',
  'mapValue',
  'mapKeyType',
  'mapValueType',
])

// Names that the ODCS reader interprets, but that have a different meaning in DCS, or only for some values.
const MISLEADING = new Set(['logicalType', 'minItems', 'maxItems', 'references'])

/** Adds the remaining parts of a field. */
export function extendField(field: Field, raw: ObjectValue, draft: Draft): void {
  explainEnumeration(field, raw, draft)
  for (const name of Object.keys(raw)) {
    const value = raw[name] ?? null
    if (isWritten(field, name, value)) continue
    if (!placeShared(name, value, draft) && !placeOfField(name, value, raw, draft)) {
      draft.add(MISLEADING.has(name) ? `dcs.field.${name}` : `dcs.${name}`, value)
    }
  }
}

// An enumeration that is defined by a rule may have a description and other properties that a list of values cannot
// have.
function explainEnumeration(field: Field, raw: ObjectValue, draft: Draft): void {
  const [first] = readChecks(getField(raw, 'quality'), '', 'custom')
  const checks = draft.get('quality')
  if (first === undefined || !Array.isArray(checks) || field.enum === undefined) return
  if (getEnumeration(first) !== field.enum) return
  if (conforms(first.rule, CHECK)) draft.set('quality', [first.rule, ...checks.slice(1)])
  else draft.add('dcs.enumeration', first.rule)
}

/** Adds the remaining parts of a model. */
export function extendModel(model: Model, raw: ObjectValue, draft: Draft): void {
  for (const name of Object.keys(raw)) {
    const value = raw[name] ?? null
    if (isToldOfModel(model, name, value) || placeShared(name, value, draft)) continue
    draft.add(`dcs.${name}`, value)
  }
}

// Returns whether the model writer has already written a property.
function isWritten(field: Field, name: string, value: Value): boolean {
  switch (name) {
    case 'type':
      return field.physicalType === value
    case 'description':
    case 'classification':
    case 'pattern':
    case 'format':
      return field[name] === value
    case 'minLength':
    case 'maxLength':
    case 'precision':
    case 'scale':
    case 'minimum':
    case 'maximum':
    case 'exclusiveMinimum':
    case 'exclusiveMaximum':
      return field[name] !== undefined && isEqual(field[name], value)
    case 'required':
    case 'unique':
      return value === true
    case 'primary':
    case 'primaryKey':
      return value === true && field.primaryKeyPosition !== undefined
    case 'enum':
      return field.enum === value
    case 'references':
      return field.references[0] === value
    case 'tags':
      return isEqual(field.tags, value)
    case 'quality':
      return Array.isArray(value) && value.every((item) => isObject(item))
    case 'fields':
      return isSameFields(field.fields, value)
    case 'items':
    case 'keys':
    case 'values':
      return isObject(value) && field[name] !== undefined
    default:
      return false
  }
}

function isToldOfModel(model: Model, name: string, value: Value): boolean {
  if (name === 'type') return model.kind === value
  if (name === 'description') return model.description === value
  if (name === 'fields') return isSameFields(model.fields, value)
  if (name === 'primaryKey') return isEqual(model.primaryKey, value)
  return name === 'quality' && Array.isArray(value) && value.every((item) => isObject(item))
}

function isSameFields(fields: readonly Field[] | undefined, value: Value): boolean {
  if (!isObject(value)) return false
  const given = Object.values(value)
  return given.length === (fields?.length ?? 0) && given.every((one) => isObject(one))
}

function isEqual(a: Value, b: Value): boolean {
  return canonicalText(a, any) === canonicalText(b, any)
}

// Maps a property that models and fields share; returns whether it was mapped completely.
function placeShared(name: string, value: Value, draft: Draft): boolean {
  if (name === 'title' && typeof value === 'string') {
    draft.set('businessName', value)
    return true
  }
  if (name === 'config' && isObject(value)) {
    for (const [property, member] of Object.entries(value)) {
      const isFree = !RESERVED.has(property) && !property.startsWith('dcs.')
      draft.add(isFree ? property : `dcs.config.${property}`, member)
    }
    return true
  }
  if (name === 'links' && isObject(value)) {
    placeLinks(value, draft)
    return true
  }
  return false
}

/** Converts links to authoritative definitions. */
export function placeLinks(links: ObjectValue, draft: Draft): void {
  for (const [type, url] of Object.entries(links)) {
    if (typeof url === 'string') draft.define(type, url)
    else draft.add(`dcs.links.${type}`, url)
  }
}

function placeOfField(name: string, value: Value, raw: ObjectValue, draft: Draft): boolean {
  if (name === 'examples' && Array.isArray(value)) draft.set('examples', value)
  else if (name === 'example' && !Array.isArray(getField(raw, 'examples'))) {
    draft.set('examples', [value])
  } else if (name === 'pii') draft.add('pii', value)
  else if ((name === 'required' || name === 'unique') && value === false) draft.set(name, false)
  else if (name === 'primaryKey' && value === false && !draft.has('primaryKey')) {
    draft.set('primaryKey', false)
  } else if (name === 'lineage') {
    draft.set('transformSourceObjects', listSources(value))
    draft.add('dcs.lineage', value)
  } else return false
  return true
}

function listSources(lineage: Value): string[] {
  return listObjects(getField(lineage, 'inputFields')).map(({ item }) =>
    ['namespace', 'name', 'field'].flatMap((name) => asText(getField(item, name)) ?? []).join('.'),
  )
}
