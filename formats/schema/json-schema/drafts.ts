// The drafts of JSON Schema, and the keywords whose meaning depends on them: a validator ignores the keywords that its
// draft does not have. The changes are listed at the end of each draft, https://json-schema.org/specification-links.

import { getField, type ObjectValue, asText, type Value } from '../../text/value.ts'
import { isIneffective } from './keywords.ts'

const DRAFTS = ['draft-03', 'draft-04', 'draft-06', 'draft-07', '2019-09', '2020-12']
/** OpenAPI 3.0 has a dialect of its own, similar to draft-04. */
const OPENAPI = 'OpenAPI 3.0'
const KNOWN: ReadonlySet<string> = new Set([...DRAFTS, OPENAPI])

/**
 * The dialect of a schema: a draft, which `$schema` names in the schema itself or in one around it; OpenAPI 3.0; the
 * address of an unknown dialect; undefined if none is named.
 */
export type Dialect = string | undefined

/** The forms of keywords that no name shows. */
export const FORMS = {
  booleanSchema: 'a boolean as a schema',
  besideReference: 'keywords beside $ref',
  contained: 'contains beside unevaluatedItems',
  /** Up to draft-04, 1.0 is not an integer. */
  integer: 'type integer',
} as const

/** The dialects that have a keyword, by its name or the form of its value. Other keywords are in all of them. */
const FORCE: ReadonlyMap<string, ReadonlySet<string>> = new Map([
  ...range('draft-03', 'draft-03', ['extends', 'disallow', 'divisibleBy', 'required as a boolean']),
  ...range('draft-03', 'draft-04', ['exclusiveMinimum as a boolean', 'id']),
  ...range('draft-03', 'draft-04', ['exclusiveMaximum as a boolean']),
  ...range('draft-03', 'draft-07', ['dependencies']),
  ...range('draft-03', '2019-09', ['items as a list', 'additionalItems']),
  ...range('draft-04', '2020-12', ['allOf', 'anyOf', 'oneOf', 'not', 'required', 'multipleOf']),
  ...range('draft-04', '2020-12', ['minProperties', 'maxProperties']),
  ...range('draft-06', '2020-12', ['exclusiveMinimum', 'exclusiveMaximum', 'const', 'contains']),
  ...range('draft-06', '2020-12', ['propertyNames', FORMS.booleanSchema, FORMS.integer, '$id']),
  ...range('draft-07', '2020-12', ['if', 'then', 'else']),
  ...range('2019-09', '2019-09', ['$recursiveRef', '$recursiveAnchor']),
  ...range('2019-09', '2020-12', [FORMS.besideReference, 'dependentRequired', 'dependentSchemas']),
  ...range('2019-09', '2020-12', ['minContains', 'maxContains', '$anchor']),
  ...range('2019-09', '2020-12', ['unevaluatedItems', 'unevaluatedProperties']),
  ...range('2020-12', '2020-12', ['prefixItems', '$dynamicRef', '$dynamicAnchor', FORMS.contained]),
  ['nullable', new Set([OPENAPI])],
])

/** The names of keywords that some dialects do not have, in any form. */
export const DEPENDENT: ReadonlySet<string> = new Set(
  [...FORCE.keys()].map((form) => form.split(' ')[0] ?? ''),
)

function range(
  first: string,
  last: string,
  keywords: readonly string[],
): [keyword: string, dialects: ReadonlySet<string>][] {
  const drafts = DRAFTS.slice(DRAFTS.indexOf(first), DRAFTS.indexOf(last) + 1)
  const dialects = new Set(drafts.includes('draft-04') ? [...drafts, OPENAPI] : drafts)
  return keywords.map((keyword) => [keyword, dialects])
}

const ADDRESS = /^https?:\/\/json-schema\.org\/(?:draft\/)?(draft-0[1-7]|20\d\d-\d\d)\/schema#?$/
const SAME_DRAFTS: ReadonlyMap<string, string> = new Map([
  ['draft-01', 'draft-03'],
  ['draft-02', 'draft-03'],
  ['draft-05', 'draft-04'],
])
const OPENAPI_3_1 = 'https://spec.openapis.org/oas/3.1/dialect/'

/** Returns the dialect that a schema itself names; undefined if it names none. */
export function readDialect(schema: Value): Dialect {
  const address = asText(getField(schema, '$schema'))
  if (address === undefined) return undefined
  const [, name = ''] = ADDRESS.exec(address) ?? []
  const draft = SAME_DRAFTS.get(name) ?? name
  if (KNOWN.has(draft)) return draft
  return address.startsWith(OPENAPI_3_1) ? '2020-12' : `"${address.replace(/#$/, '')}"`
}

/** Returns the dialect of the schemas in an OpenAPI document; undefined for other documents. */
export function readOpenApiDialect(document: Value): Dialect {
  const version = asText(getField(document, 'openapi')) ?? ''
  if (/^3\.0(?:\.|$)/.test(version)) return OPENAPI
  const own = getField(document, 'jsonSchemaDialect')
  if (own !== undefined) return readDialect({ $schema: own })
  return version.startsWith('3.') ? '2020-12' : undefined
}

/** Returns whether the meaning of keywords in a dialect is known. */
export function isKnownDialect(dialect: Dialect): dialect is string {
  return dialect !== undefined && KNOWN.has(dialect)
}

/** Lists the names or forms of a keyword of a schema that some drafts have and others do not. */
export function listForms(schema: ObjectValue, name: string, value: Value): string[] {
  const forms: string[] = []
  const isBeside = name !== '$ref' && typeof getField(schema, '$ref') === 'string'
  if (isBeside && !isIneffective(name)) forms.push(FORMS.besideReference)
  if (name === 'contains' && getField(schema, 'unevaluatedItems') !== undefined) {
    forms.push(FORMS.contained)
  }
  if (name === 'type' && [value].flat().includes('integer')) forms.push(FORMS.integer)
  const form = Array.isArray(value) ? `${name} as a list` : `${name} as a boolean`
  const hasForm = (Array.isArray(value) || typeof value === 'boolean') && FORCE.has(form)
  if (hasForm || FORCE.has(name)) forms.push(hasForm ? form : name)
  return forms
}

/**
 * Returns whether a keyword may have another meaning in another dialect. Without a dialect, and in an unknown one, a
 * keyword that depends on the draft may or may not count.
 */
export function isAffected(keyword: string, before: Dialect, after: Dialect): boolean {
  if (before === after) return false
  const [one, other] = [hasForce(keyword, before), hasForce(keyword, after)]
  if (one !== undefined && other !== undefined) return one !== other
  // Without `$schema`, validators do not use the oldest drafts, which have other integers.
  return keyword !== FORMS.integer || one === false || other === false
}

/** Returns whether a dialect has a keyword; undefined if that is unknown. */
function hasForce(keyword: string, dialect: Dialect): boolean | undefined {
  return isKnownDialect(dialect) ? (FORCE.get(keyword)?.has(dialect) ?? true) : undefined
}

// Without these, references would have no targets.
const NAMES = ['$anchor', '$dynamicAnchor', '$dynamicRef', '$id', '$recursiveAnchor', 'id']
// These change the meaning of other values, but do not lose their own.
const KEPT: ReadonlySet<string> = new Set([...NAMES, FORMS.integer, FORMS.contained])

/** Returns whether validators of a known dialect ignore a keyword of a schema. */
export function isIgnored(
  schema: ObjectValue,
  name: string,
  value: Value,
  dialect: Dialect,
): boolean {
  if (!isKnownDialect(dialect)) return false
  return listForms(schema, name, value).some(
    (form) => !KEPT.has(form) && hasForce(form, dialect) === false,
  )
}
