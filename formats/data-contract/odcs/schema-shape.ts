// The shapes of the models of an ODCS 3 document: schema objects, their properties, and relationships.

import {
  any,
  choice,
  flag,
  integer,
  list,
  number,
  object,
  oneOf,
  set,
  text,
} from '../../shape/shape.ts'
import type { ObjectShape, Rule, Shape } from '../../shape/shape.ts'
import { fieldOf, type ObjectValue, textOf } from '../../text/value.ts'
import { isSince, odcsContext, type OdcsParts, odcsSynonyms, scalar } from './parts-shape.ts'
import { odcsQuality } from './quality-shape.ts'

const COUNT = integer({ minimum: 0 })

const INTEGER_FORMATS = ['i8', 'i16', 'i32', 'i64', 'i128', 'u8', 'u16', 'u32', 'u64', 'u128']

// Official schemas with maps require one if the logical type is missing.
const TYPE_OR_MAP: Rule = {
  field: 'logicalType',
  holds: (value) => Object.hasOwn(value, 'map'),
  message: 'This field is missing; the standard requires it or “map”.',
}

const BOTH_ALIKE: Rule = {
  field: 'to',
  holds: (value) => {
    const [from, to] = [fieldOf(value, 'from'), fieldOf(value, 'to')]
    return from === undefined || to === undefined || Array.isArray(from) === Array.isArray(to)
  },
  message: 'Either both “from” and “to” must be lists, or neither.',
}

// Exclusive bounds: a boolean for the bound before v3.1.0, since then a separate bound.
function exclusive(isFirst: boolean, bound: Shape): { [name: string]: Shape } {
  const hint = isFirst
    ? 'Before v3.1.0 this is true or false; set apiVersion to v3.1.0 to use a bound.'
    : 'Since v3.1.0 this is the bound itself.'
  const shape: Shape = {
    kind: 'either',
    official: isFirst ? flag : bound,
    seen: isFirst ? bound : flag,
    hint,
  }
  return { exclusiveMinimum: shape, exclusiveMaximum: shape, minimum: bound, maximum: bound }
}

function optionsByType({ closed }: OdcsParts): ReadonlyMap<string, { [name: string]: Shape }> {
  const dates = { format: text(), ...exclusive(!closed, text()) }
  const numbers = { multipleOf: number({ above: 0 }), ...exclusive(!closed, number()) }
  const times = { ...dates, timezone: flag, defaultTimezone: text() }
  const required = list(text(), { itemsMin: 1, unique: true })
  return new Map<string, { [name: string]: Shape }>([
    ['string', { minLength: COUNT, maxLength: COUNT, pattern: text(), format: text() }],
    ['date', dates],
    ['integer', { ...numbers, format: text({ allowed: INTEGER_FORMATS }) }],
    ['number', { ...numbers, format: text({ allowed: ['f32', 'f64'] }) }],
    ['object', { minProperties: COUNT, maxProperties: COUNT, required }],
    ['array', { minItems: COUNT, maxItems: COUNT, uniqueItems: flag }],
    ...(closed
      ? ([
          ['timestamp', times],
          ['time', times],
        ] as const)
      : []),
  ])
}

function elementFields(parts: OdcsParts): { [name: string]: Shape } {
  return {
    ...parts.id,
    name: text(),
    physicalType: text(),
    description: text(),
    businessName: text(),
    ...parts.extras,
    ...(parts.version === 'v3.2.0' ? { synonyms: odcsSynonyms(parts) } : {}),
  }
}

function enumeration({ id, extras }: OdcsParts): Shape {
  const item = object({
    fields: { ...id, value: scalar, label: text(), description: text(), ...extras },
    required: ['value'],
    closed: true,
  })
  return set(item, { itemsMin: 1, unique: true })
}

// Native types that are often used as logical types.
const PLATFORM_TYPES: readonly (readonly [logicalType: string, words: string])[] = [
  ['string', 'varchar nvarchar char nchar character text clob varchar2 uuid json jsonb xml enum'],
  [
    'integer',
    'int int4 int8 int16 int32 int64 bigint smallint tinyint mediumint long short serial',
  ],
  ['number', 'decimal numeric float float4 float8 float32 float64 double real money bignumeric'],
  ['boolean', 'bool bit'],
  [
    'timestamp',
    'timestamp datetime datetime2 timestamptz timestamp_tz timestamp_ntz timestamp_ltz',
  ],
  ['object', 'struct record row variant'],
  ['array', 'list repeated'],
]

function listReplacements(types: readonly string[]): ReadonlyMap<string, string> {
  return new Map(
    PLATFORM_TYPES.flatMap(([logicalType, words]) => {
      // Before v3.1.0 an instant is a date.
      const known = types.includes(logicalType) ? logicalType : 'date'
      return words.split(' ').map((word): [string, string] => {
        return [word, `write logicalType: ${known}, and set physicalType to ${word}`]
      })
    }),
  )
}

function propertyFields(parts: OdcsParts, types: readonly string[]): { [name: string]: Shape } {
  const isNewest = parts.version === 'v3.2.0'
  const semanticType = text({ allowed: ['column', 'measure', 'dimension'] })
  return {
    ...elementFields(parts),
    primaryKey: flag,
    primaryKeyPosition: integer(),
    logicalType: text({ allowed: types, instead: listReplacements(types) }),
    logicalTypeOptions: object({ fields: {} }),
    ...(isSince(parts.version, 'v3.0.2') ? { physicalName: text() } : {}),
    required: flag,
    unique: flag,
    partitioned: flag,
    partitionKeyPosition: integer(),
    classification: text(),
    encryptedName: text(),
    transformSourceObjects: list(text()),
    transformLogic: text(),
    transformDescription: text(),
    examples: list(any),
    criticalDataElement: flag,
    quality: odcsQuality(parts),
    ...(parts.closed ? { relationships: set(relationship(parts, 'property')) } : {}),
    ...(isNewest ? { semanticType, enum: enumeration(parts) } : {}),
  }
}

function relationship(
  { version, customProperties }: OdcsParts,
  level: 'object' | 'property',
): ObjectShape {
  const reference = text({ format: version === 'v3.2.0' ? 'long reference' : 'reference' })
  const end = oneOf(reference, list(reference, { itemsMin: 1 }))
  const fields = { type: text({ allowed: ['foreignKey'] }), to: end, customProperties }
  if (level === 'property') return object({ fields, required: ['to'], closed: true })
  return object({
    fields: { ...fields, from: end },
    required: ['from', 'to'],
    rules: [BOTH_ALIKE],
    closed: true,
  })
}

/** Returns the shapes of a property, and of the items of a list. */
function odcsProperties(parts: OdcsParts): Shape {
  const isNewest = isSince(parts.version, 'v3.2.0')
  const byType = optionsByType(parts)
  const types = ['string', 'date', 'number', 'integer', 'object', 'array', 'boolean']
  if (parts.closed) types.push('timestamp', 'time')
  if (isNewest) types.push('map')
  const fields = propertyFields(parts, types)
  const property = choice((value) => properties.of(value))
  const item = choice((value) => items.of(value))
  const pair = object({
    fields: { key: item, value: item },
    required: ['key', 'value'],
    closed: true,
  })
  const nested = {
    properties: { properties: list(property) },
    items: { items: item },
    map: { map: pair },
  }

  // Before v3.1.0 items of any type could have properties.
  const anyway = parts.closed ? {} : nested.properties
  const shapesOf = (required: readonly string[], extra: { [name: string]: Shape }) => {
    const createShape = (more: { [name: string]: Shape }, options?: { [name: string]: Shape }) => {
      const typed =
        options === undefined
          ? {}
          : { logicalTypeOptions: object({ fields: options, closed: true }) }
      return object({ fields: { ...fields, ...extra, ...more, ...typed }, required, closed: true })
    }
    const untyped = createShape(
      { ...nested.properties, ...nested.items, ...(isNewest ? nested.map : {}) },
      {},
    )
    const mapped = createShape(nested.map)
    return new ByType(
      new Map(
        types.map((type) => {
          const more = type === 'object' ? nested.properties : type === 'array' ? nested.items : {}
          return [type, createShape(more, byType.get(type))]
        }),
      ).set('map', isNewest ? { ...mapped, required: [...required, 'map'] } : createShape({})),
      isNewest ? { ...untyped, rules: [TYPE_OR_MAP] } : untyped,
      createShape({}),
    )
  }
  const properties = shapesOf(['name'], {})
  const items = shapesOf([], anyway)
  return property
}

// The shapes of a property: one for each logical type, one without a type, and one for types that are not in the
// standard.
class ByType {
  readonly #byType: ReadonlyMap<string, ObjectShape>
  readonly #untyped: ObjectShape
  readonly #unknown: ObjectShape

  constructor(
    byType: ReadonlyMap<string, ObjectShape>,
    untyped: ObjectShape,
    unknown: ObjectShape,
  ) {
    this.#byType = byType
    this.#untyped = untyped
    this.#unknown = unknown
  }

  of(value: ObjectValue): ObjectShape {
    const type = fieldOf(value, 'logicalType')
    if (type === undefined) return this.#untyped
    return this.#byType.get(textOf(type) ?? '') ?? this.#unknown
  }
}

/** Returns the shape of a model. */
export function odcsSchemaObject(parts: OdcsParts): ObjectShape {
  return object({
    fields: {
      ...elementFields(parts),
      logicalType: text({ allowed: ['object'] }),
      physicalName: text(),
      dataGranularityDescription: text(),
      properties: list(odcsProperties(parts)),
      quality: odcsQuality(parts),
      ...(parts.closed ? { relationships: set(relationship(parts, 'object')) } : {}),
      ...(parts.version === 'v3.2.0' ? { context: odcsContext(parts) } : {}),
    },
    required: ['name'],
    closed: true,
  })
}
