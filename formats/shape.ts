// The shape of a document: which fields a standard names, and what each holds. The tables of each standard are written
// in this small language; one reading of them finds what is wrong (`inspect.ts`), another what a document means
// (`canonical.ts`).

import type { TextFormat } from './text-format.ts'
import { ExactNumber, type Path, type Value } from './value.ts'

export type Shape =
  | TextShape
  | FlagShape
  | AnyShape
  | ListShape
  | MapShape
  | ObjectShape
  | EitherShape

export interface TextShape {
  kind: 'text'
  format?: TextFormat
  /** The only values that the official schema allows. */
  allowed?: readonly string[]
  /** Values in common use; others are as good. */
  customary?: readonly string[]
  /** What to say when the value is no text. */
  hint?: string
}

/** True or false. */
export interface FlagShape {
  kind: 'flag'
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
  /** What to say when the value is no list. */
  hint?: string
}

/** An object whose field names are the author's own. */
export interface MapShape {
  kind: 'map'
  values: Shape
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
  /** What to say when the value is no object. */
  hint?: string
}

/** One shape by the official schema, another one that is seen in practice and read as well. */
export interface EitherShape {
  kind: 'either'
  official: ListShape | ObjectShape
  seen: ListShape | ObjectShape
  /** What to say about the one that is seen in practice. */
  hint: string
}

/** What a value is, in the words of messages. */
export type Kind =
  | 'nothing (null)'
  | 'a text'
  | 'true or false'
  | 'a number'
  | 'a list'
  | 'an object'

/** A text. */
export function text(options: Omit<TextShape, 'kind'> = {}): TextShape {
  return { kind: 'text', ...options }
}

/** True or false. */
export const flag: FlagShape = { kind: 'flag' }

/** Whatever the author likes. */
export const any: AnyShape = { kind: 'any' }

/** A list whose order means something. */
export function list(items: Shape, options: { hint?: string } = {}): ListShape {
  return { kind: 'list', items, set: false, ...options }
}

/** A list whose order means nothing. */
export function set(items: Shape, options: { hint?: string } = {}): ListShape {
  return { kind: 'list', items, set: true, ...options }
}

/** An object whose field names are the author's own. */
export function map(values: Shape): MapShape {
  return { kind: 'map', values }
}

/** An object with known fields; others may stand beside them unless it is `closed`. */
export function object(options: {
  fields: { readonly [name: string]: Shape }
  seen?: { readonly [name: string]: Shape }
  required?: readonly string[]
  recommended?: readonly string[]
  closed?: boolean
  hint?: string
}): ObjectShape {
  const { fields, seen = {}, required = [], recommended = [], closed = false, ...hint } = options
  return {
    kind: 'object',
    fields: new Map(Object.entries(fields)),
    seen: new Map(Object.entries(seen)),
    required,
    recommended,
    closed,
    ...hint,
  }
}

/** Says what a value is. */
export function kindOf(value: Value): Kind {
  if (value === null) return 'nothing (null)'
  if (typeof value === 'string') return 'a text'
  if (typeof value === 'boolean') return 'true or false'
  if (typeof value === 'number' || value instanceof ExactNumber) return 'a number'
  return Array.isArray(value) ? 'a list' : 'an object'
}

const KIND_OF_SHAPE: ReadonlyMap<Shape['kind'], Kind> = new Map([
  ['text', 'a text'],
  ['flag', 'true or false'],
  ['list', 'a list'],
  ['map', 'an object'],
  ['object', 'an object'],
])

/** Says what a value of a shape is; undefined when it may be anything. */
export function expectedKind(shape: Exclude<Shape, EitherShape>): Kind | undefined {
  return KIND_OF_SHAPE.get(shape.kind)
}

/** Gives the shape that a value is read by where a standard has two. */
export function chosen(shape: Shape, value: Value): Exclude<Shape, EitherShape> {
  if (shape.kind !== 'either') return shape
  return kindOf(value) === expectedKind(shape.seen) ? shape.seen : shape.official
}

/** Gives the shape of a field, whether the official schema names it or real documents do. */
export function fieldShape(shape: ObjectShape, name: string): Shape | undefined {
  return shape.fields.get(name) ?? shape.seen.get(name)
}

/** Gives the shape of what stands at a path, undefined where a shape names nothing. */
export function shapeAt(shape: Shape, path: Path): Shape | undefined {
  let here: Shape | undefined = shape
  for (const step of path) {
    if (here?.kind === 'either') {
      const isOfficial = (typeof step === 'number') === (here.official.kind === 'list')
      here = isOfficial ? here.official : here.seen
    }
    if (here?.kind === 'object') here = fieldShape(here, String(step))
    else if (here?.kind === 'map') here = here.values
    else if (here?.kind === 'list') here = here.items
    else return undefined
  }
  return here
}
