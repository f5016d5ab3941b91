// The shapes of the models of a DCS document, their fields, the definitions that fields refer to, and quality rules.

import {
  any,
  choice,
  flag,
  integer,
  list,
  map,
  number,
  object,
  oneOf,
  set,
} from '../../shape/shape.ts'
import { type MapShape, type ObjectShape, type Shape, text } from '../../shape/shape.ts'
import { fieldOf, textOf } from '../../text/value.ts'
import type { DcsVersion } from './server-shape.ts'

const TYPES = [
  'number',
  'decimal',
  'numeric',
  'int',
  'integer',
  'long',
  'bigint',
  'float',
  'double',
  'string',
  'text',
  'varchar',
  'boolean',
  'timestamp',
  'timestamp_tz',
  'timestamp_ntz',
  'date',
  'array',
  'map',
  'object',
  'record',
  'struct',
  'bytes',
  'null',
]

const LATER_TYPES = ['time', 'variant', 'json']

/** Returns the shape of links, from their names to addresses. */
export const dcsLinks = map(text({ format: 'uri' }), { names: 'identifier', filled: true })

const tags = set(text())

// The official schema requires text for examples and enumerations; numbers and booleans are common too.
const word: Shape = {
  kind: 'either',
  official: text(),
  seen: oneOf(number(), flag),
  hint: 'The standard requires text here; put it in quotes.',
}

function texts(names: string): { [name: string]: Shape } {
  return Object.fromEntries(names.split(' ').map((name) => [name, text()]))
}

const CONFIG_TYPES =
  'avroType avroLogicalType bigqueryType snowflakeType redshiftType sqlserverType databricksType glueType'

const transformation = object({
  fields: { ...texts('type subtype description'), masking: flag },
  required: ['type'],
})

const lineage = object({
  fields: {
    inputFields: list(
      object({
        fields: { ...texts('namespace name field'), transformations: list(transformation) },
        required: ['namespace', 'name', 'field'],
      }),
    ),
    ...texts('transformationDescription transformationType'),
  },
  required: ['inputFields'],
})

const pair = list(number(), { itemsMin: 2, itemsMax: 2 })
const range = list(number(), { itemsMin: 2, itemsMax: 2, unique: true })

// The specific fields of each type of check, with the required ones.
function checks(version: DcsVersion) {
  const isLater = version === '1.2.1'
  const numbers = { mustBeGreaterThan: number(), mustBeLessThan: number() }
  const orEqual = { mustBeGreaterOrEqualTo: number(), mustBeLessOrEqualTo: number() }
  const oldOrEqual = { mustBeGreaterThanOrEqualTo: number(), mustBeLessThanOrEqualTo: number() }
  const argument = oneOf(text(), number(), flag, list(any), object({ fields: {} }))
  const sql = {
    ...texts('query dialect'),
    mustBe: number(),
    mustNotBe: number(),
    ...numbers,
    ...oldOrEqual,
    ...(isLater ? orEqual : {}),
    mustBeBetween: pair,
    mustNotBeBetween: pair,
  }
  const library = {
    ...texts('rule'),
    ...(isLater ? { metric: text(), arguments: map(argument) } : {}),
    mustBe: any,
    mustNotBe: any,
    ...numbers,
    ...orEqual,
    mustBeBetween: range,
    mustNotBeBetween: range,
  }
  const implementation = oneOf(text(), list(any), object({ fields: {} }))
  const custom = { engine: text(), implementation }
  return { sql, library, custom, metric: isLater ? 'metric' : 'rule' }
}

function quality(version: DcsVersion): Shape {
  const { sql, library, custom, metric } = checks(version)
  const base = {
    type: text({ allowed: ['text', 'library', 'sql', 'custom'] }),
    description: text(),
  }
  const createShape = (fields: { [name: string]: Shape }, required: readonly string[]) =>
    object({ fields: { ...base, ...fields }, required })
  const shapes = new Map<string, ObjectShape>([
    ['text', createShape({}, ['description'])],
    ['sql', createShape(sql, ['query'])],
    ['library', createShape(library, [metric])],
    ['custom', createShape(custom, ['engine'])],
  ])
  // Under the official schema, a check without a type must match all types.
  const everything = {
    ...library,
    ...sql,
    ...custom,
    mustBeBetween: range,
    mustNotBeBetween: range,
  }
  const untyped = createShape(everything, ['description', 'query', metric, 'engine'])
  const unknown = createShape({}, [])
  return set(
    choice((value) => {
      const type = fieldOf(value, 'type')
      return type === undefined ? untyped : (shapes.get(textOf(type) ?? '') ?? unknown)
    }),
  )
}

// The fields that fields and definitions share.
function typeFields(version: DcsVersion, field: Shape, digits: Shape): { [name: string]: Shape } {
  const types = version === '1.2.1' ? [...TYPES, ...LATER_TYPES] : TYPES
  return {
    ...texts('title description format pattern classification'),
    type: text({ allowed: types }),
    fields: map(field),
    items: field,
    keys: field,
    values: field,
    minLength: integer(),
    maxLength: integer(),
    precision: digits,
    scale: digits,
    minimum: number(),
    exclusiveMinimum: number(),
    maximum: number(),
    exclusiveMaximum: number(),
    example: word,
    pii: flag,
    tags,
    links: dcsLinks,
    ...(version === '0.9.3' ? {} : { examples: list(any) }),
  }
}

/** Returns the shapes of models and definitions, which are maps by name. */
export function dcsModels(version: DcsVersion): { models: MapShape; definitions: MapShape } {
  const isLater = version !== '0.9.3'
  const field: Shape = choice(() => fieldShape)
  const added = isLater ? { primaryKey: flag, quality: quality(version), lineage } : {}
  const fieldShape = object({
    fields: {
      ...typeFields(version, field, number()),
      required: flag,
      primary: flag,
      ...texts('references $ref'),
      unique: flag,
      enum: list(word, { unique: true }),
      config: map(any, { known: texts(CONFIG_TYPES) }),
      ...added,
    },
    seen: isLater ? {} : { primaryKey: flag, examples: list(any) },
  })
  const model = object({
    fields: {
      ...texts('description title'),
      type: text({ allowed: ['table', 'view', 'object'] }),
      fields: map(field),
      config: map(any, { known: texts('avroNamespace') }),
      ...(isLater
        ? { primaryKey: list(text()), quality: quality(version), examples: list(any) }
        : {}),
      ...(version === '1.2.1' ? { additionalFields: flag } : {}),
    },
    seen: isLater ? {} : { primaryKey: list(text()) },
  })
  const definition = object({
    fields: { ...texts('domain name'), ...typeFields(version, field, integer()) },
    required: isLater ? ['type'] : ['name', 'type'],
  })
  return {
    models: map(model, { names: 'identifier', filled: true }),
    definitions: map(definition, { names: isLater ? 'identifier path' : 'identifier' }),
  }
}
