import { z } from '@hono/zod-openapi'
import type { ObjectShape, Shape, TextShape } from '../../../formats/shape/shape.ts'
import { TEXT_FORMATS } from '../../../formats/shape/text-format.ts'

/** Converts the shape of a document to its schema in the OpenAPI document. Other fields are allowed. */
export function toDocumentSchema(shape: ObjectShape): z.ZodType {
  return z.looseObject(toFieldSchemas(shape))
}

/** Converts the fields of a shape to their schemas, by name. */
export function toFieldSchemas({ fields, required }: ObjectShape): Record<string, z.ZodType> {
  const schemas = [...fields].map(([name, shape]) => {
    const schema = toSchema(shape)
    return [name, required.includes(name) ? schema : schema.nullish()]
  })
  return Object.fromEntries(schemas)
}

function toSchema(shape: Shape): z.ZodType {
  switch (shape.kind) {
    case 'text':
      return shape.allowed === undefined ? toTextSchema(shape) : z.enum(shape.allowed)
    case 'number':
      return shape.isInteger ? z.int() : z.number()
    case 'flag':
      return z.boolean()
    case 'list':
      return z.array(toSchema(shape.items))
    case 'map':
      return z.record(z.string(), toSchema(shape.values).nullish())
    case 'object':
      return toDocumentSchema(shape)
    case 'any':
    case 'choice':
    case 'either':
    case 'nothing':
    case 'oneOf':
      return z.unknown()
  }
}

// Patterns of single standards have no name in OpenAPI.
function toTextSchema({ format }: TextShape): z.ZodType {
  const named = TEXT_FORMATS.find((one) => one === format)
  return named === undefined ? z.string() : z.string().openapi({ format: named })
}

// A standard describes a member with this name by mistake. Generators would give it the name of all further members.
const KEYWORD = 'additionalProperties'

// A field of a contract can contain fields, to any depth.
const STANDARD_DEPTH_MAX = 3

/**
 * Converts the shapes of the formats of a kind of document to one schema with the fields of all of them. No field is
 * required and no value restricted: documents may deviate from their standard. A field with another type in
 * another format has any type.
 */
export function toStandardSchema(shapes: readonly ObjectShape[], depth = 0): z.ZodType {
  const byName = new Map<string, Shape[]>()
  for (const { fields, seen } of shapes) {
    for (const [name, shape] of [...fields, ...seen]) {
      if (name === KEYWORD) continue
      byName.set(name, [...(byName.get(name) ?? []), shape])
    }
  }
  const schemas = [...byName].map(([name, candidates]) => [
    name,
    toLenientSchema(candidates, depth + 1).nullish(),
  ])
  return z.looseObject(Object.fromEntries(schemas))
}

function toLenientSchema(candidates: readonly Shape[], depth: number): z.ZodType {
  const shapes = candidates.map((shape) => (shape.kind === 'either' ? shape.official : shape))
  const kinds = new Set(shapes.map(({ kind }) => kind))
  if (kinds.size > 1 || depth > STANDARD_DEPTH_MAX) return z.unknown()
  const objects = shapes.filter((shape) => shape.kind === 'object')
  if (objects.length > 0) return toStandardSchema(objects, depth)
  const lists = shapes.filter((shape) => shape.kind === 'list')
  if (lists.length > 0) {
    return z.array(
      toLenientSchema(
        lists.map(({ items }) => items),
        depth,
      ),
    )
  }
  const maps = shapes.filter((shape) => shape.kind === 'map')
  if (maps.length > 0) {
    const values = maps.map((map) => map.values)
    return z.record(z.string(), toLenientSchema(values, depth).nullish())
  }
  // The values of other kinds vary with the format: a version may be a number in YAML.
  const [first] = shapes
  if (first?.kind === 'text') return z.string()
  return first?.kind === 'flag' ? z.boolean() : z.unknown()
}

/** A JSON Schema, as the OpenAPI document describes it. */
export const jsonSchemaDocument = z
  .looseObject({
    $schema: z.string().optional(),
    $id: z.string().optional(),
    title: z.string().optional(),
    description: z.string().optional(),
    type: z.union([z.string(), z.array(z.string())]).optional(),
    properties: z.record(z.string(), z.unknown()).optional(),
    required: z.array(z.string()).optional(),
    $defs: z.record(z.string(), z.unknown()).optional(),
  })
  .openapi('JsonSchema')
