// Reads the types of vectors: their length and elements.

import type { Vector } from '../model.ts'
import type { NativeType } from './native-type.ts'
import type { TypeSyntax } from './type-syntax.ts'
import { parametersText } from './type-text.ts'

type Element = NonNullable<Vector['elementType']>

// Other words, such as the INT of Snowflake, are no elements of the standard.
const ELEMENTS: ReadonlyMap<string, Element> = new Map<string, Element>([
  ['float', 'float32'],
  ['float4', 'float32'],
  ['real', 'float32'],
  ['float32', 'float32'],
  ['double', 'float64'],
  ['double precision', 'float64'],
  ['float8', 'float64'],
  ['float64', 'float64'],
  ['float16', 'float16'],
  ['bfloat16', 'bfloat16'],
  ['int8', 'int8'],
  ['uint8', 'uint8'],
  ['binary', 'binary'],
])

/**
 * Adds the parameters of a vector, `VECTOR(FLOAT, 3)` in Snowflake, `vector(3)` in PostgreSQL, `VECTOR(3, FLOAT32)` in
 * Db2; undefined for other parameters. `element` is the type of its elements if no parameter has one.
 */
export function withDimensions(
  native: NativeType,
  element: Element,
  parameters: readonly string[] = [],
): NativeType | undefined {
  if (parameters.length > 2 || !parameters.every((one) => /^\w[\w ]*$/.test(one))) return undefined
  const count = parameters.find((one) => /^\d{1,9}$/.test(one))
  const word = parameters.find((one) => one !== count)
  const elementType = word === undefined ? element : ELEMENTS.get(word.toLowerCase())
  const vector: NonNullable<NativeType['vector']> = {}
  if (count !== undefined) vector.dimensions = Number(count)
  if (elementType !== undefined) vector.elementType = elementType
  return { ...native, text: `${native.text}${parametersText(parameters)}`, vector }
}

/** Reads the vector of DuckDB and Ingres, `FLOAT[3]`; undefined for arrays. PostgreSQL ignores the size of an array. */
export function sizedVector({ size, inner = [] }: TypeSyntax): NativeType | undefined {
  const [first] = inner
  const words = first?.type.inner === undefined ? (first?.type.words ?? '') : ''
  const elementType = ELEMENTS.get(words)
  if (size === undefined || elementType === undefined) return undefined
  const vector = { dimensions: size, elementType }
  return { text: `${words}[${size}]`, logicalType: 'vector', vector }
}
