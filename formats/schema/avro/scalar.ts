// The Avro types that hold one value, and what `logicalType` makes of them.

import { getField, type ObjectValue, asText, type Value } from '../../text/value.ts'
import type { Field } from '../model.ts'

type Scalar = Pick<Field, 'logicalType'> & Partial<Field>

const PRIMITIVES: ReadonlyMap<string, Scalar> = new Map<string, Scalar>([
  ['null', { logicalType: 'unknown' }],
  ['boolean', { logicalType: 'boolean' }],
  ['int', { logicalType: 'integer', format: 'int32' }],
  ['long', { logicalType: 'integer' }],
  ['float', { logicalType: 'number', format: 'float' }],
  ['double', { logicalType: 'number', format: 'double' }],
  ['bytes', { logicalType: 'binary' }],
  ['string', { logicalType: 'string' }],
])

// Each logical type has certain base types; Avro ignores it on others.
const LOGICAL: ReadonlyMap<string, { on: readonly string[]; read: Scalar }> = new Map([
  ['date', { on: ['int'], read: { logicalType: 'date' } }],
  ['time-millis', { on: ['int'], read: { logicalType: 'time', withTimeZone: false } }],
  ['time-micros', { on: ['long'], read: { logicalType: 'time', withTimeZone: false } }],
  ...timestamps('timestamp', true),
  ...timestamps('local-timestamp', false),
  ['uuid', { on: ['string', 'fixed'], read: { logicalType: 'string', format: 'uuid' } }],
  ['duration', { on: ['fixed'], read: { logicalType: 'string', format: 'duration' } }],
])

function timestamps(
  name: string,
  withTimeZone: boolean,
): [string, { on: readonly string[]; read: Scalar }][] {
  return ['millis', 'micros', 'nanos'].map((unit) => [
    `${name}-${unit}`,
    { on: ['long'], read: { logicalType: 'timestamp', withTimeZone } },
  ])
}

/** Returns whether the specification of Avro has a logical type. */
export function isLogicalType(name: string): boolean {
  return name === 'decimal' || LOGICAL.has(name)
}

/** Returns whether a type has a logical type that Avro does not ignore. */
export function isUsedLogicalType(schema: ObjectValue): boolean {
  const [type, logical] = [getField(schema, 'type'), getField(schema, 'logicalType')].map(asText)
  if (type === undefined || logical === undefined) return false
  if (logical === 'decimal') return getDecimal(schema, type) !== undefined
  return LOGICAL.get(logical)?.on.includes(type) === true
}

/** Returns the type of Avro that holds a type without a name: `long` of `timestamp-millis`. */
export function storedType(physicalType: string): string {
  if (physicalType.startsWith('decimal(')) return 'bytes'
  return LOGICAL.get(physicalType)?.on[0] ?? physicalType
}

/** Reads a type that holds one value: `{type: "long", logicalType: "date"}`; undefined for one that Avro does not know. */
export function readScalar(
  schema: ObjectValue,
  warn: (message: string) => void,
): Scalar | undefined {
  const type = asText(getField(schema, 'type'))
  if (type === undefined) return undefined
  const logical = asText(getField(schema, 'logicalType'))
  if (logical === 'decimal') {
    const decimal = getDecimal(schema, type)
    if (decimal !== undefined) return decimal
    warn(
      'A decimal needs bytes or fixed and a precision; this one is read without the logical type.',
    )
  } else if (logical !== undefined) {
    const known = LOGICAL.get(logical)
    if (known?.on.includes(type)) return { ...known.read, physicalType: logical }
    if (known !== undefined) {
      warn(`The logical type "${logical}" does not apply to "${type}" and is ignored.`)
    }
  }
  return plainScalar(schema, type)
}

function plainScalar(schema: ObjectValue, type: string): Scalar | undefined {
  if (type === 'enum') {
    const symbols = getField(schema, 'symbols')
    const isKnown = Array.isArray(symbols)
    return { logicalType: 'string', physicalType: type, ...(isKnown ? { enum: symbols } : {}) }
  }
  if (type === 'fixed') {
    const size = getCount(getField(schema, 'size'))
    const isKnown = size !== undefined
    return {
      logicalType: 'binary',
      physicalType: isKnown ? `fixed(${size})` : type,
      ...(isKnown ? { minLength: size, maxLength: size } : {}),
    }
  }
  const scalar = PRIMITIVES.get(type)
  return scalar === undefined ? undefined : { ...scalar, physicalType: type }
}

function getDecimal(schema: ObjectValue, type: string): Scalar | undefined {
  const precision = getCount(getField(schema, 'precision'))
  const scale = getCount(getField(schema, 'scale') ?? 0)
  if (precision === undefined || precision === 0 || scale === undefined) return undefined
  if (type !== 'bytes' && type !== 'fixed') return undefined
  return {
    logicalType: 'number',
    physicalType: `decimal(${precision},${scale})`,
    precision,
    scale,
  }
}

function getCount(value: Value | undefined): number | undefined {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 ? value : undefined
}
