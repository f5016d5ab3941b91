// The shape of a document: which fields a standard names, and what each holds. The tables of each standard are written
// in this small language; one reading of them finds what is wrong (`inspect.ts`), another what a document means
// (`canonical.ts`).

import type { TextFormat, TextPattern } from './text-format.ts'
import { ExactNumber, isObject, type ObjectValue, type Path, type Value } from '../text/value.ts'

export type Shape = PlainShape | EitherShape | OneOfShape | ChoiceShape

/** A shape that leaves nothing to be chosen. */
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
  /** Values in common use; others are as good. */
  customary?: readonly string[]
  /** The replacement of a value that is not allowed, as the end of a sentence, by the value in lower case. */
  instead?: ReadonlyMap<string, string>
  /** The message if the value is not a text. */
  hint?: string
}

export interface NumberShape {
  kind: 'number'
  isInteger: boolean
  /** The smallest number allowed. */
  minimum?: number
  /** All numbers must be greater than this one. */
  above?: number
}

/** True or false. */
export interface FlagShape {
  kind: 'flag'
}

/** Null, where a standard counts it as a value. */
export interface NothingShape {
  kind: 'nothing'
}

/** Any value. */
export interface AnyShape {
  kind: 'any'
}

export interface ListShape {
  kind: 'list'
  items: Shape
  /** The order of the items means nothing. */
  set: boolean
  /** The minimum and maximum number of items. */
  itemsMin?: number
  itemsMax?: number
  /** Whether items must be distinct. */
  unique?: boolean
  /** The message if the value is not a list. */
  hint?: string
}

/** An object whose field names are the author's own. */
export interface MapShape {
  kind: 'map'
  values: Shape
  /** The pattern of the names. */
  names?: TextPattern
  /** There is at least one field. */
  filled?: boolean
  /** Names that the standard keeps for itself. */
  known?: ReadonlyMap<string, Shape>
}

export interface ObjectShape {
  kind: 'object'
  fields: ReadonlyMap<string, Shape>
  /** Fields that the official schema does not name, but real documents have and the catalog reads. */
  seen: ReadonlyMap<string, Shape>
  /** Fields that the official schema requires. */
  required: readonly string[]
  recommended: readonly string[]
  /** The official schema allows no other fields. */
  closed: boolean
  /** The rules of the official schema for several fields together. */
  rules: readonly Rule[]
  /** The advice about fields of other standards, as the end of a sentence, by field name. */
  instead: ReadonlyMap<string, string>
  /** The message if the value is not an object. */
  hint?: string
}

/** Something that holds for several fields of an object together. */
export interface Rule {
  /** The field that a message points at. */
  field: string
  holds: (value: ObjectValue) => boolean
  /** The message if it is violated. */
  message: string
}

/** One shape by the official schema, another one that is seen in practice and read as well. */
export interface EitherShape {
  kind: 'either'
  official: Shape
  seen: Shape
  /** The message for the value that is common in practice. */
  hint: string
}

/** Several shapes of different kinds, all of them official. */
export interface OneOfShape {
  kind: 'oneOf'
  shapes: readonly Shape[]
}

/** An object whose shape depends on its own fields: the required fields of a server depend on its type. */
export interface ChoiceShape {
  kind: 'choice'
  choose: (value: ObjectValue) => ObjectShape
}

/** A text. */
export function text(options: Omit<TextShape, 'kind'> = {}): TextShape {
  return { kind: 'text', ...options }
}

/** A number, in any range by default. */
export function number(options: { minimum?: number; above?: number } = {}): NumberShape {
  return { kind: 'number', isInteger: false, ...options }
}

/** A number without a fraction. */
export function integer(options: { minimum?: number } = {}): NumberShape {
  return { kind: 'number', isInteger: true, ...options }
}

/** True or false. */
export const flag: FlagShape = { kind: 'flag' }

/** Null, where a standard counts it as a value. */
export const nothing: NothingShape = { kind: 'nothing' }

/** Any value. */
export const any: AnyShape = { kind: 'any' }

/** The options of a list other than its items. */
export type ListOptions = Omit<ListShape, 'kind' | 'items' | 'set'>

/** A list whose order means something. */
export function list(items: Shape, options: ListOptions = {}): ListShape {
  return { kind: 'list', items, set: false, ...options }
}

/** A list whose order means nothing. */
export function set(items: Shape, options: ListOptions = {}): ListShape {
  return { kind: 'list', items, set: true, ...options }
}

/** An object whose field names are the author's own. */
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

/** An object with known fields, and others unless it is `closed`. */
export function object(options: {
  fields: { readonly [name: string]: Shape }
  seen?: { readonly [name: string]: Shape }
  required?: readonly string[]
  recommended?: readonly string[]
  closed?: boolean
  rules?: readonly Rule[]
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

/** Several shapes of different kinds, all of them official. */
export function oneOf(...shapes: Shape[]): OneOfShape {
  return { kind: 'oneOf', shapes }
}

/** An object whose shape depends on its own fields. */
export function choice(choose: ChoiceShape['choose']): ChoiceShape {
  return { kind: 'choice', choose }
}

/** Returns whether a value has the type of a shape, regardless of its content. */
export function fits(value: Value, shape: Shape): boolean {
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
      return fits(value, shape.official) || fits(value, shape.seen)
    case 'oneOf':
      return shape.shapes.some((one) => fits(value, one))
    case 'any':
      return true
  }
}

/** Returns whether a shape allows null. */
export function allowsNull(shape: Shape): boolean {
  return shape.kind === 'any' || (shape.kind === 'oneOf' && fits(null, shape))
}

const NO_FIELDS: ObjectValue = {}

/** Gives the shape that a value is read by where there are several. */
export function chosen(shape: Shape, value: Value): PlainShape {
  if (shape.kind === 'choice') return shape.choose(isObject(value) ? value : NO_FIELDS)
  if (shape.kind === 'either') {
    const isSeen = !fits(value, shape.official) && fits(value, shape.seen)
    return chosen(isSeen ? shape.seen : shape.official, value)
  }
  if (shape.kind !== 'oneOf') return shape
  return chosen(shape.shapes.find((one) => fits(value, one)) ?? any, value)
}

/** Gives the shape of a field, whether the official schema names it or real documents do. */
export function fieldShape(shape: ObjectShape, name: string): Shape | undefined {
  return shape.fields.get(name) ?? shape.seen.get(name)
}

/** Returns the shape at a path; undefined if the shape has none. */
export function shapeAt(shape: Shape, path: Path): Shape | undefined {
  let here: Shape | undefined = shape
  for (const step of path) {
    if (here === undefined) return undefined
    // The step selects the shape: positions select lists, names objects.
    const inside: PlainShape = chosen(here, typeof step === 'number' ? [] : NO_FIELDS)
    if (inside.kind === 'object') here = fieldShape(inside, String(step))
    else if (inside.kind === 'map') here = inside.known?.get(String(step)) ?? inside.values
    else if (inside.kind === 'list') here = inside.items
    else return undefined
  }
  return here
}
