// The keywords of JSON Schema, draft-04 to 2020-12: annotations, keywords with other schemas, and the
// types of values to which each applies.

/** Keywords that neither restrict instances nor change how other keywords do so. */
const ANNOTATIONS: ReadonlySet<string> = new Set([
  '$comment',
  '$id',
  '$schema',
  '$vocabulary',
  'default',
  'deprecated',
  'description',
  'enumDescriptions',
  'enumNames',
  'example',
  'examples',
  'externalDocs',
  'id',
  'markdownDescription',
  'readOnly',
  'title',
  'writeOnly',
])

// Names and locations of schemas. A definition only has an effect when it is referenced.
const STRUCTURE: ReadonlySet<string> = new Set([
  '$anchor',
  '$defs',
  '$dynamicAnchor',
  '$recursiveAnchor',
  'definitions',
])

/** Returns whether a keyword has no effect on which instances are valid. Extensions (`x-…`) are annotations. */
export function isAnnotation(keyword: string): boolean {
  return ANNOTATIONS.has(keyword) || keyword.startsWith('x-')
}

/** Returns whether a keyword does not restrict the instances of its own schema. */
export function isIneffective(keyword: string): boolean {
  return isAnnotation(keyword) || STRUCTURE.has(keyword)
}

/** Keywords that refer to another schema. */
export const REFERENCES: readonly string[] = ['$ref', '$dynamicRef', '$recursiveRef']

/** The content of a keyword: one schema, a list of them, or schemas by name. */
type Holds = 'schema' | 'list' | 'map'

/**
 * The keywords that contain other schemas. `items` and `dependencies` have two forms and are handled
 * separately.
 */
export const HOLDERS: ReadonlyMap<string, Holds> = new Map<string, Holds>([
  ['additionalItems', 'schema'],
  ['additionalProperties', 'schema'],
  ['allOf', 'list'],
  ['anyOf', 'list'],
  ['contains', 'schema'],
  ['contentSchema', 'schema'],
  ['dependentSchemas', 'map'],
  ['else', 'schema'],
  ['if', 'schema'],
  ['items', 'schema'],
  ['not', 'schema'],
  ['oneOf', 'list'],
  ['patternProperties', 'map'],
  ['prefixItems', 'list'],
  ['properties', 'map'],
  ['propertyNames', 'schema'],
  ['then', 'schema'],
  ['unevaluatedItems', 'schema'],
  ['unevaluatedProperties', 'schema'],
])

export const JSON_TYPES = ['array', 'boolean', 'integer', 'null', 'number', 'object', 'string']

// A keyword restricts values of these types and allows all others.
const DOMAINS: ReadonlyMap<string, readonly string[]> = new Map(
  Object.entries({
    array: [
      'additionalItems',
      'contains',
      'items',
      'maxContains',
      'maxItems',
      'minContains',
      'minItems',
      'prefixItems',
      'unevaluatedItems',
      'uniqueItems',
    ],
    number: ['exclusiveMaximum', 'exclusiveMinimum', 'maximum', 'minimum', 'multipleOf'],
    object: [
      'additionalProperties',
      'dependencies',
      'dependentRequired',
      'dependentSchemas',
      'maxProperties',
      'minProperties',
      'patternProperties',
      'properties',
      'propertyNames',
      'required',
      'unevaluatedProperties',
    ],
    string: [
      'contentEncoding',
      'contentMediaType',
      'contentSchema',
      'maxLength',
      'minLength',
      'pattern',
    ],
  }).flatMap(([type, keywords]) =>
    keywords.map((keyword) => [keyword, type === 'number' ? ['number', 'integer'] : [type]]),
  ),
)

/** Returns whether a keyword can restrict values of any of some types; undefined = of all types. */
export function appliesTo(keyword: string, types: readonly string[] | undefined): boolean {
  const domain = DOMAINS.get(keyword)
  return domain === undefined || types === undefined || domain.some((type) => types.includes(type))
}

/** Returns whether the meaning of a keyword is known; an unknown one may mean anything. */
export function isKnown(keyword: string): boolean {
  return (
    HOLDERS.has(keyword) ||
    DOMAINS.has(keyword) ||
    REFERENCES.includes(keyword) ||
    isIneffective(keyword) ||
    ['const', 'enum', 'format', 'nullable', 'type'].includes(keyword)
  )
}
