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
  /** What to write instead of a value that is not allowed, as the end of a sentence; by the value in lower case. */
  instead?: ReadonlyMap<string, string>
  /** What to say when the value is no text. */
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

/** Whatever the author likes. */
export interface AnyShape {
  kind: 'any'
}

export interface ListShape {
  kind: 'list'
  items: Shape
  /** The order of the items means nothing. */
  set: boolean
  /** How many items there are at least and at most. */
  itemsMin?: number
  itemsMax?: number
  /** No item may stand in it twice. */
  unique?: boolean
  /** What to say when the value is no list. */
  hint?: string
}

/** An object whose field names are the author's own. */
export interface MapShape {
  kind: 'map'
  values: Shape
  /** What the names look like. */
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
  /** What the official schema asks of several fields together. */
  rules: readonly Rule[]
  /** What to do about fields of other standards, as the end of a sentence, by their names. */
  instead: ReadonlyMap<string, string>
  /** What to say when the value is no object. */
  hint?: string
}

/** Something that holds for several fields of an object together. */
export interface Rule {
  /** The field that a message points at. */
  field: string
  holds: (value: ObjectValue) => boolean
  /** What to say where it does not hold. */
  says: string
}

/** One shape by the official schema, another one that is seen in practice and read as well. */
export interface EitherShape {
  kind: 'either'
  official: Shape
  seen: Shape
  /** What to say about the one that is seen in practice. */
  hint: string
}

/** Several shapes of different kinds, all of them official. */
export interface OneOfShape {
  kind: 'oneOf'
  shapes: readonly Shape[]
}

/** An object whose shape is told by its own fields: what a server needs is told by its type. */
export interface ChoiceShape {
  kind: 'choice'
  choose: (value: ObjectValue) => ObjectShape
}

/** A text. */
export function text(options: Omit<TextShape, 'kind'> = {}): TextShape {
  return { kind: 'text', ...options }
}

/** A number of any size, unless told otherwise. */
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

/** Whatever the author likes. */
export const any: AnyShape = { kind: 'any' }

/** What a list may be asked for besides its items. */
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

/** An object with known fields; others may stand beside them unless it is `closed`. */
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

/** An object whose shape is told by its own fields. */
export function choice(choose: ChoiceShape['choose']): ChoiceShape {
  return { kind: 'choice', choose }
}

/** Tells whether a value is of the kind that a shape asks for; what is inside of it is another question. */
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

/** Tells whether null is a value like any other for a shape. */
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

/** Gives the shape of what stands at a path, undefined where a shape names nothing. */
export function shapeAt(shape: Shape, path: Path): Shape | undefined {
  let here: Shape | undefined = shape
  for (const step of path) {
    if (here === undefined) return undefined
    // Which shape was meant is told by the step: positions lead into lists, names into objects.
    const inside: PlainShape = chosen(here, typeof step === 'number' ? [] : NO_FIELDS)
    if (inside.kind === 'object') here = fieldShape(inside, String(step))
    else if (inside.kind === 'map') here = inside.known?.get(String(step)) ?? inside.values
    else if (inside.kind === 'list') here = inside.items
    else return undefined
  }
  return here
}
