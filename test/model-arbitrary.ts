// Generates models for tests of readers and writers. Each one is realistic: lengths belong to texts, digits
// to numbers, and no two fields have the same name.

import * as fc from 'fast-check'
import { type Field, type Model, MODEL_KINDS } from '../formats/schema/model.ts'
import { put } from '../formats/text/value.ts'

/** The parts of models; parts that are not named are enabled. */
export interface ModelParts {
  /** Names with blanks, quotes, keywords, letters of other scripts. */
  oddNames?: boolean
  descriptions?: boolean
  kinds?: boolean
  namespaces?: boolean
  physicalNames?: boolean
  /** Primary keys and unique fields. */
  keys?: boolean
  /** Lists of values, for texts. */
  enums?: boolean
  patterns?: boolean
  uuids?: boolean
  emails?: boolean
  /** `int32` of integers, `float` and `double` of numbers. */
  sizes?: boolean
  /** Numbers without size or digits. */
  plainNumbers?: boolean
  /** Lengths of texts. */
  lengths?: boolean
  /** Lengths of binaries. */
  binaryLengths?: boolean
  /** The smallest and largest number. */
  ranges?: boolean
  exclusiveRanges?: boolean
  /** The number of items in an array. */
  itemCounts?: boolean
  /** Precision and scale of numbers. */
  decimals?: boolean
  objects?: boolean
  arrays?: boolean
  maps?: boolean
  /** Arrays and maps of arrays and maps. */
  collectionsInCollections?: boolean
  /** Items of arrays and maps may be missing. */
  optionalItems?: boolean
  binaries?: boolean
  times?: boolean
  /** Timestamps with and without a time zone. */
  timeZones?: boolean
  unknowns?: boolean
  classifications?: boolean
  tags?: boolean
  references?: boolean
  quality?: boolean
}

const PLAIN_NAME = fc.stringMatching(/^[a-z][a-z0-9_]{0,8}$/)
const ODD_NAME = fc.oneof(
  fc.constantFrom('__proto__', 'constructor', 'select', 'Order', 'a b', '1st', 'naïve', '数', ''),
  fc.constantFrom(
    'a.b',
    'a"b',
    "a'b",
    'a`b',
    'a;--b',
    'a/b',
    'a~b',
    '$ref',
    '*/',
    '}',
    'A',
    'a\\b',
  ),
  // JavaScript puts integer-like names first, in any order.
  fc.string({ minLength: 1, maxLength: 8 }).filter((name) => !/^\d+$/.test(name)),
)
const WORDS = fc.lorem({ maxCount: 5 })

/** Generates models with the parts that are not disabled: `modelArbitrary({ maps: false })`. */
export function modelArbitrary(parts: ModelParts = {}): fc.Arbitrary<Model> {
  const has = (part: keyof ModelParts): boolean => parts[part] !== false
  const kinds = has('kinds') ? MODEL_KINDS : (['object'] as const)
  return fc
    .record({
      name: nameArbitrary(has),
      kind: fc.constantFrom(...kinds),
      fields: fieldsArbitrary(has, 2),
      keyLength: has('keys') ? fc.nat(2) : fc.constant(0),
      namespace: maybe(has('namespaces'), fc.constantFrom('sales', 'com.example.sales')),
      documentation: documentationArbitrary(has),
    })
    .map(({ keyLength, namespace, documentation, ...rest }) => {
      const model: Model = { ...rest, ...documentation, primaryKey: [], origin: '' }
      put(model, 'namespace', namespace)
      return withKey(model, keyLength)
    })
}

/** Generates the parts that models and fields share. */
function documentationArbitrary(
  has: Has,
): fc.Arbitrary<Pick<Model, 'tags' | 'quality'> & Documentation> {
  return fc
    .record({
      tags: has('tags') ? fc.uniqueArray(WORDS, { maxLength: 2 }) : fc.constant<never[]>([]),
      quality: has('quality') ? qualityArbitrary() : fc.constant<never[]>([]),
      description: maybe(has('descriptions'), WORDS),
      physicalName: maybe(has('physicalNames'), PLAIN_NAME),
    })
    .map(({ tags, quality, description, physicalName }) => {
      const documentation: Pick<Model, 'tags' | 'quality'> & Documentation = { tags, quality }
      put(documentation, 'description', description)
      put(documentation, 'physicalName', physicalName)
      return documentation
    })
}

interface Documentation {
  description?: string
  physicalName?: string
}

function maybe<T>(isThere: boolean, arbitrary: fc.Arbitrary<T>): fc.Arbitrary<T | undefined> {
  return isThere ? fc.option(arbitrary, { nil: undefined }) : fc.constant(undefined)
}

/** Generates up to three models with different names. */
export function modelsArbitrary(parts: ModelParts = {}): fc.Arbitrary<Model[]> {
  return fc.uniqueArray(modelArbitrary(parts), {
    minLength: 1,
    maxLength: 3,
    selector: ({ name }) => name.toLowerCase(),
  })
}

type Has = (part: keyof ModelParts) => boolean

const SCALARS = new Set(['string', 'integer', 'date', 'timestamp'])

function withKey(model: Model, keyLength: number): Model {
  const key = model.fields.filter(({ logicalType }) => SCALARS.has(logicalType)).slice(0, keyLength)
  const fields = model.fields.map((field) => {
    const at = key.indexOf(field)
    return at === -1 ? field : { ...field, required: true, primaryKeyPosition: at + 1 }
  })
  return { ...model, fields, primaryKey: key.map(({ name }) => name) }
}

function nameArbitrary(has: Has): fc.Arbitrary<string> {
  return has('oddNames')
    ? fc.oneof(
        PLAIN_NAME,
        ODD_NAME.filter((name) => name !== ''),
      )
    : PLAIN_NAME
}

function qualityArbitrary(): fc.Arbitrary<Field['quality']> {
  const check = fc.record({
    type: fc.constantFrom('sql', 'text'),
    rule: WORDS,
    origin: fc.constant(''),
  })
  return fc.array(check, { maxLength: 1 })
}

function fieldsArbitrary(has: Has, depth: number): fc.Arbitrary<Field[]> {
  return fc.uniqueArray(fieldArbitrary(has, depth), {
    minLength: 1,
    maxLength: 4,
    selector: ({ name }) => name.toLowerCase(),
  })
}

function fieldArbitrary(has: Has, depth: number): fc.Arbitrary<Field> {
  const references = fc.uniqueArray(fc.constantFrom('customers.id', 'items.sku'), { maxLength: 1 })
  return fc
    .record({
      type: typeArbitrary(has, depth),
      name: nameArbitrary(has),
      required: fc.boolean(),
      isUnique: has('keys') ? fc.boolean() : fc.constant(false),
      references: has('references') ? references : fc.constant<never[]>([]),
      classification: maybe(has('classifications'), fc.constantFrom('pii', 'public')),
      documentation: documentationArbitrary(has),
    })
    .map(({ type, isUnique, classification, documentation, ...rest }) => {
      const unique = isUnique && SCALARS.has(type.logicalType)
      const field: Field = { ...rest, ...documentation, ...type, unique, origin: '' }
      put(field, 'classification', classification)
      return field
    })
}

type Typed = Pick<Field, 'logicalType'> & Partial<Field>

function typeArbitrary(has: Has, depth: number): fc.Arbitrary<Typed> {
  return fc.oneof(...scalarTypes(has), ...nestedTypes(has, depth))
}

function scalarTypes(has: Has): fc.Arbitrary<Typed>[] {
  const bare = (['boolean', 'date', 'timestamp'] as const).map((logicalType) =>
    fc.constant({ logicalType }),
  )
  const zoned = fc
    .boolean()
    .map((withTimeZone) => ({ logicalType: 'timestamp', withTimeZone }) as const)
  return [
    ...bare,
    ...(has('timeZones') ? [zoned] : []),
    textType(has),
    integerType(has),
    ...numberType(has),
    ...(has('times') ? [fc.constant({ logicalType: 'time' } as const)] : []),
    ...(has('binaries') ? [binaryType(has)] : []),
    ...(has('unknowns') ? [fc.constant({ logicalType: 'unknown' } as const)] : []),
  ]
}

function textType(has: Has): fc.Arbitrary<Typed> {
  const symbols = fc.uniqueArray(fc.constantFrom('NEW', 'PAID', 'SENT', 'it_is'), { minLength: 1 })
  const types: [keyof ModelParts, fc.Arbitrary<Partial<Field>>][] = [
    ['enums', symbols.map((words) => ({ enum: words }))],
    ['uuids', fc.constant({ format: 'uuid' })],
    ['emails', fc.constant({ format: 'email' })],
    ['patterns', fc.constant({ pattern: "^[A-Z]{2}'\\d+$" })],
    ['lengths', fc.integer({ min: 1, max: 4000 }).map((maxLength) => ({ maxLength }))],
    ['lengths', fc.constant({ minLength: 2, maxLength: 5 })],
  ]
  const documentation = types.filter(([part]) => has(part)).map(([, type]) => type)
  return fc
    .oneof(fc.constant({}), ...documentation)
    .map((type) => ({ logicalType: 'string', ...type }))
}

function integerType(has: Has): fc.Arbitrary<Typed> {
  const range = fc
    .tuple(fc.integer({ min: -100, max: 0 }), fc.integer({ min: 1, max: 1000 }))
    .map(([minimum, maximum]) => ({ minimum, maximum }))
  const types: fc.Arbitrary<Partial<Field>>[] = [
    fc.constant({}),
    ...(has('sizes') ? [fc.constant({ format: 'int32' })] : []),
    ...(has('ranges') ? [range] : []),
  ]
  return fc.oneof(...types).map((type) => ({ logicalType: 'integer', ...type }))
}

function numberType(has: Has): fc.Arbitrary<Typed>[] {
  const digits = fc
    .tuple(fc.integer({ min: 1, max: 30 }), fc.nat(8))
    .map(([whole, scale]) => ({ precision: whole + scale, scale }))
  const types: [keyof ModelParts, fc.Arbitrary<Partial<Field>>][] = [
    ['plainNumbers', fc.constant({})],
    ['sizes', fc.constantFrom({ format: 'float' }, { format: 'double' })],
    ['exclusiveRanges', fc.constant({ exclusiveMinimum: 0, exclusiveMaximum: 1.5 })],
    ['decimals', digits],
  ]
  return types
    .filter(([part]) => has(part))
    .map(([, type]) => type.map((documentation) => ({ logicalType: 'number', ...documentation })))
}

function binaryType(has: Has): fc.Arbitrary<Typed> {
  return fc.oneof(
    fc.constant({ logicalType: 'binary' } as const),
    ...(has('binaryLengths')
      ? [fc.constant({ logicalType: 'binary', maxLength: 16 } as const)]
      : []),
  )
}

function nestedTypes(has: Has, depth: number): fc.Arbitrary<Typed>[] {
  if (depth === 0) return []
  const held = heldArbitrary(has, depth - 1)
  const counts = has('itemCounts')
    ? fc.constantFrom({}, { minItems: 1, maxItems: 9 })
    : fc.constant({})
  const array = fc
    .tuple(held, counts)
    .map(([items, count]) => ({ logicalType: 'array', items, ...count }) as const)
  const map = held.map((values) => ({ logicalType: 'map', keys: heldText(), values }) as const)
  return [
    ...(has('objects') ? [objectType(has, depth - 1)] : []),
    ...(has('arrays') ? [array] : []),
    ...(has('maps') ? [map] : []),
  ]
}

function objectType(has: Has, depth: number): fc.Arbitrary<Typed> {
  return fieldsArbitrary(has, depth).map((fields) => ({ logicalType: 'object', fields }) as const)
}

// An object in an array may contain arrays again, even if arrays of arrays are disabled.
function heldArbitrary(has: Has, depth: number): fc.Arbitrary<Field> {
  const required = has('optionalItems') ? fc.boolean() : fc.constant(true)
  const flat = [
    ...scalarTypes(has),
    ...(depth > 0 && has('objects') ? [objectType(has, depth - 1)] : []),
  ]
  const type = has('collectionsInCollections') ? typeArbitrary(has, depth) : fc.oneof(...flat)
  return fc
    .tuple(type, required)
    .map(([typed, isRequired]) => ({ ...heldText(), ...typed, required: isRequired }))
}

function heldText(): Field {
  return {
    name: '',
    logicalType: 'string',
    required: true,
    unique: false,
    tags: [],
    references: [],
    quality: [],
    origin: '',
  }
}
