// What values are, and what shapes ask for, in the words of messages.

import type { Shape } from './shape.ts'
import { ExactNumber, type Value } from '../text/value.ts'

/** The type of a value in messages. */
export type Kind =
  | 'nothing (null)'
  | 'a text'
  | 'true or false'
  | 'a number'
  | 'a list'
  | 'an object'

/** Returns the type of a value. */
export function kindOf(value: Value): Kind {
  if (typeof value === 'string') return 'a text'
  if (value === null) return 'nothing (null)'
  if (typeof value === 'boolean') return 'true or false'
  if (typeof value === 'number' || value instanceof ExactNumber) return 'a number'
  return Array.isArray(value) ? 'a list' : 'an object'
}

const KIND_OF_SHAPE: ReadonlyMap<Shape['kind'], Kind> = new Map([
  ['text', 'a text'],
  ['number', 'a number'],
  ['flag', 'true or false'],
  ['nothing', 'nothing (null)'],
  ['list', 'a list'],
  ['map', 'an object'],
  ['object', 'an object'],
  ['choice', 'an object'],
])

/** Returns the types that the official schema allows; empty for any. */
export function expectedKinds(shape: Shape): readonly Kind[] {
  if (shape.kind === 'either') return expectedKinds(shape.official)
  if (shape.kind === 'oneOf') return shape.shapes.flatMap(expectedKinds)
  const kind = KIND_OF_SHAPE.get(shape.kind)
  return kind === undefined ? [] : [kind]
}
