// Shapes describe documents: the fields of a standard, and their values. The tables of each standard are written in
// this small language; `inspect.ts` uses them to validate documents, `canonical.ts` to determine their meaning.

import type { TextFormat, TextPattern } from './text-format.ts'
import { ExactNumber, isObject, type ObjectValue, type Path, type Value } from '../text/value.ts'

export type Shape = PlainShape | EitherShape | OneOfShape | ChoiceShape

/** A shape without alternatives. */
export type PlainShape =
  | TextShape
  | NumberShape
  | FlagShape
  | NothingShape
  | AnyShape
  | ListShape
  | MapShape
  | ObjectShape

export interface TextShape {
  kind: 'text'
  format?: TextFormat | TextPattern
  /** The only values that the official schema allows. */
  allowed?: readonly string[]
  /** Common values; other values are equally valid. */
  customary?: readonly string[]
  /** Advice for values that are not allowed, by the value in lower case; completes a sentence. */
  instead?: ReadonlyMap<string, string>
  /** Advice if the value is not text. */
  hint?: string
}

export interface NumberShape {
  kind: 'number'
  isInteger: boolean
  /** The minimum. */
  minimum?: number
  /** The exclusive minimum. */
  above?: number
}

/** True or false. */
interface FlagShape {
  kind: 'flag'
}

/** Null, if a standard treats it as a value. */
interface NothingShape {
  kind: 'nothing'
}

/** Any value. */
interface AnyShape {
  kind: 'any'
}

export interface ListShape {
  kind: 'list'
  items: Shape
  /** Whether the order of the items has no meaning. */
  set: boolean
  /** The minimum and maximum number of items. */
  itemsMin?: number
  itemsMax?: number
  /** Whether items must not repeat. */
  unique?: boolean
  /** The field in which the items of a record's list must differ. */
  key?: string
}

/** An object with arbitrary field names. */
export interface MapShape {
  kind: 'map'
  values: Shape
  /** The format of the names. */
  names?: TextPattern
  /** Whether at least one field is required. */
  filled?: boolean
  /** Names with a meaning in the standard. */
  known?: ReadonlyMap<string, Shape>
}

export interface ObjectShape {
  kind: 'object'
  fields: ReadonlyMap<string, Shape>
  /** Fields that the official schema does not name, but that are common in documents and that the catalog reads. */
  seen: ReadonlyMap<string, Shape>
  /** Fields that the official schema requires. */
  required: readonly string[]
  recommended: readonly string[]
  /** Whether the official schema allows no other fields. */
  closed: boolean
  /** Requirements of the official schema on several fields. */
  rules: readonly FieldRule[]
  /** Advice for fields of other standards, by their names; completes a sentence. */
  instead: ReadonlyMap<string, string>
  /** Advice if the value is not an object. */
  hint?: string
}

/** A requirement on several fields of an object. */
export interface FieldRule {
  /** The field to which the message refers. */
  field: string
  holds: (value: ObjectValue) => boolean
  /** The message if the requirement is not met. */
  message: string
}

/** The shape in the official schema, or another one that is common in practice and also read. */
export interface EitherShape {
  kind: 'either'
  official: Shape
  seen: Shape
  /** The message about the shape that is common in practice. */
  hint: string
}

/** Several shapes of different kinds, all of them official. */
interface OneOfShape {
  kind: 'oneOf'
  shapes: readonly Shape[]
}

/** An object whose fields determine its shape: the type of a server determines its required fields. */
interface ChoiceShape {
  kind: 'choice'
  choose: (value: ObjectValue) => ObjectShape
}

/** Creates the shape of text. */
export function text(options: Omit<TextShape, 'kind'> = {}): TextShape {
  return { kind: 'text', ...options }
}

/** Creates the shape of a number, of any size by default. */
export function number(options: { minimum?: number; above?: number } = {}): NumberShape {
  return { kind: 'number', isInteger: false, ...options }
}

/** Creates the shape of a number without a fraction. */
export function integer(options: { minimum?: number } = {}): NumberShape {
  return { kind: 'number', isInteger: true, ...options }
}

/** True or false. */
export const flag: FlagShape = { kind: 'flag' }

/** Null, if a standard treats it as a value. */
export const nothing: NothingShape = { kind: 'nothing' }

/** Any value. */
export const any: AnyShape = { kind: 'any' }

/** Restrictions of a list, except its items. */
type ListOptions = Omit<ListShape, 'kind' | 'items' | 'set'>

/** Creates the shape of a list whose order has a meaning. */
export function list(items: Shape, options: ListOptions = {}): ListShape {
  return { kind: 'list', items, set: false, ...options }
}

/** Creates the shape of a list whose order has no meaning. */
export function set(items: Shape, options: ListOptions = {}): ListShape {
  return { kind: 'list', items, set: true, ...options }
}

/** Creates the shape of an object with arbitrary field names. */
export function map(
  values: Shape,
  options: {
    names?: TextPattern
    filled?: boolean
    known?: { readonly [name: string]: Shape }
  } = {},
): MapShape {
  const { known, ...rest } = options
  return known === undefined
    ? { kind: 'map', values, ...rest }
    : { kind: 'map', values, ...rest, known: new Map(Object.entries(known)) }
}

/** Creates the shape of an object with known fields; other fields are allowed unless it is `closed`. */
export function object(options: {
  fields: { readonly [name: string]: Shape }
  seen?: { readonly [name: string]: Shape }
  required?: readonly string[]
  recommended?: readonly string[]
  closed?: boolean
  rules?: readonly FieldRule[]
  instead?: { readonly [name: string]: string }
  hint?: string
}): ObjectShape {
  const { fields, seen = {}, required = [], recommended = [], closed = false } = options
  const { rules = [], instead = {}, hint } = options
  return {
    kind: 'object',
    fields: new Map(Object.entries(fields)),
    seen: new Map(Object.entries(seen)),
    required,
    recommended,
    closed,
    rules,
    instead: new Map(Object.entries(instead)),
    ...(hint === undefined ? {} : { hint }),
  }
}

/** Creates the shape of a value with several shapes of different kinds, all of them official. */
export function oneOf(...shapes: Shape[]): OneOfShape {
  return { kind: 'oneOf', shapes }
}

/** Creates the shape of an object whose fields determine its shape. */
export function choice(choose: ChoiceShape['choose']): ChoiceShape {
  return { kind: 'choice', choose }
}

/** Returns whether a value has the kind that a shape requires; its contents are not checked. */
export function matchesKind(value: Value, shape: Shape): boolean {
  switch (shape.kind) {
    case 'text':
      return typeof value === 'string'
    case 'number':
      return typeof value === 'number' || value instanceof ExactNumber
    case 'flag':
      return typeof value === 'boolean'
    case 'nothing':
      return value === null
    case 'list':
      return Array.isArray(value)
    case 'map':
    case 'object':
    case 'choice':
      return isObject(value)
    case 'either':
      return matchesKind(value, shape.official) || matchesKind(value, shape.seen)
    case 'oneOf':
      return shape.shapes.some((one) => matchesKind(value, one))
    case 'any':
      return true
  }
}

/** Returns whether null is a regular value of a shape. */
export function allowsNull(shape: Shape): boolean {
  return shape.kind === 'any' || (shape.kind === 'oneOf' && matchesKind(null, shape))
}

const NO_FIELDS: ObjectValue = {}

/** Returns the shape that applies to a value if there are several. */
export function resolveShape(shape: Shape, value: Value): PlainShape {
  if (shape.kind === 'choice') return shape.choose(isObject(value) ? value : NO_FIELDS)
  if (shape.kind === 'either') {
    const isSeen = !matchesKind(value, shape.official) && matchesKind(value, shape.seen)
    return resolveShape(isSeen ? shape.seen : shape.official, value)
  }
  if (shape.kind !== 'oneOf') return shape
  return resolveShape(shape.shapes.find((one) => matchesKind(value, one)) ?? any, value)
}

/** Returns the shape of a field, whether it is official or only common in documents; undefined if it is unknown. */
export function fieldShape(shape: PlainShape, name: string): Shape | undefined {
  if (shape.kind === 'map') return shape.known?.get(name) ?? shape.values
  return shape.kind === 'object' ? (shape.fields.get(name) ?? shape.seen.get(name)) : undefined
}

/** Returns the shape at a path; undefined if there is none. */
export function shapeAt(shape: Shape, path: Path): Shape | undefined {
  let here: Shape | undefined = shape
  for (const step of path) {
    if (here === undefined) return undefined
    // The step determines the alternative: positions lead into lists, names into objects.
    const inside: PlainShape = resolveShape(here, typeof step === 'number' ? [] : NO_FIELDS)
    here = inside.kind === 'list' ? inside.items : fieldShape(inside, String(step))
  }
  return here
}
