/** Generates JSON values from the JSON Schema of a request body. */

import * as fc from 'fast-check'

/** The part of JSON Schema that the endpoints' schemas use. */
export interface Shape {
  $ref?: string
  type?: string | string[]
  enum?: fc.JsonValue[]
  const?: fc.JsonValue
  anyOf?: Shape[]
  oneOf?: Shape[]
  properties?: Record<string, Shape>
  required?: string[]
  additionalProperties?: Shape | boolean
  items?: Shape
  minLength?: number
}

/** Values for properties by name: existing ids, an address, the right password. */
export type NamedValues = Readonly<Record<string, readonly fc.JsonValue[]>>

const DEPTH_MAX = 4

/**
 * Generates values that a schema mostly allows; only `named` values satisfy patterns and formats.
 * `components` contains the schemas that `$ref` names.
 */
export function shapeArbitrary(
  shape: Shape,
  components: Readonly<Record<string, Shape>>,
  named: NamedValues,
  depth = 0,
): fc.Arbitrary<fc.JsonValue> {
  const inner = (one: Shape): fc.Arbitrary<fc.JsonValue> =>
    shapeArbitrary(one, components, named, depth + 1)
  if (depth > DEPTH_MAX) return fc.constant(null)
  if (shape.$ref !== undefined) return inner(components[shape.$ref.split('/').at(-1) ?? ''] ?? {})
  if (shape.const !== undefined) return fc.constant(shape.const)
  if (shape.enum !== undefined) return fc.constantFrom(...shape.enum)
  const choices = shape.anyOf ?? shape.oneOf
  if (choices !== undefined) return fc.oneof(...choices.map(inner))
  const types = [shape.type ?? 'object'].flat()
  return fc.oneof(...types.map((type) => valuesOfType(type, shape, named, inner)))
}

function valuesOfType(
  type: string,
  shape: Shape,
  named: NamedValues,
  inner: (one: Shape) => fc.Arbitrary<fc.JsonValue>,
): fc.Arbitrary<fc.JsonValue> {
  switch (type) {
    case 'string':
      return fc.string({ minLength: shape.minLength ?? 0, maxLength: (shape.minLength ?? 0) + 8 })
    case 'integer':
      return fc.integer({ min: -1, max: 5 })
    case 'number':
      return fc.double({ noNaN: true, noDefaultInfinity: true })
    case 'boolean':
      return fc.boolean()
    case 'null':
      return fc.constant(null)
    case 'array':
      return fc.array(inner(shape.items ?? {}), { maxLength: 3 })
    default:
      return objects(shape, named, inner)
  }
}

function objects(
  { properties = {}, required = [], additionalProperties }: Shape,
  named: NamedValues,
  inner: (one: Shape) => fc.Arbitrary<fc.JsonValue>,
): fc.Arbitrary<fc.JsonValue> {
  const members = Object.entries(properties).map(
    ([name, shape]): [string, fc.Arbitrary<fc.JsonValue>] => {
      const values = named[name] ?? []
      if (values.length === 0) return [name, inner(shape)]
      return [name, fc.oneof({ weight: 9, arbitrary: fc.constantFrom(...values) }, inner(shape))]
    },
  )
  // Two optional members rarely fit together, so most objects have none.
  const needed = members.filter(([name]) => required.includes(name))
  const known = fc.oneof(
    { weight: 3, arbitrary: fc.record(Object.fromEntries(needed)) },
    { weight: 2, arbitrary: fc.record(Object.fromEntries(members), { requiredKeys: required }) },
  )
  if (additionalProperties === undefined || typeof additionalProperties === 'boolean') return known
  const more = fc.dictionary(fc.string({ maxLength: 4 }), inner(additionalProperties), {
    maxKeys: 2,
  })
  return fc.tuple(more, known).map(([others, own]) => ({ ...others, ...own }))
}
