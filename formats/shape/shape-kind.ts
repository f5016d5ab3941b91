// Names of kinds of values in messages.

import type { Shape } from './shape.ts'
import { ExactNumber, type Value } from '../text/value.ts'

/** The kind of a value, as written in messages. */
export type Kind = 'null' | 'text' | 'true or false' | 'a number' | 'a list' | 'an object'

/** Returns the kind of a value. */
export function getKind(value: Value): Kind {
  if (typeof value === 'string') return 'text'
  if (value === null) return 'null'
  if (typeof value === 'boolean') return 'true or false'
  if (typeof value === 'number' || value instanceof ExactNumber) return 'a number'
  return Array.isArray(value) ? 'a list' : 'an object'
}

const KIND_OF_SHAPE: ReadonlyMap<Shape['kind'], Kind> = new Map([
  ['text', 'text'],
  ['number', 'a number'],
  ['flag', 'true or false'],
  ['nothing', 'null'],
  ['list', 'a list'],
  ['map', 'an object'],
  ['object', 'an object'],
  ['choice', 'an object'],
])

/** Returns the kinds of values that a shape allows under the official schema; an empty list if it allows any. */
export function expectedKinds(shape: Shape): readonly Kind[] {
  if (shape.kind === 'either') return expectedKinds(shape.official)
  if (shape.kind === 'oneOf') return shape.shapes.flatMap(expectedKinds)
  const kind = KIND_OF_SHAPE.get(shape.kind)
  return kind === undefined ? [] : [kind]
}
