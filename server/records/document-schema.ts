import { z } from '@hono/zod-openapi'
import type { ObjectShape, Shape } from '../../formats/shape/shape.ts'

/** Converts the shape of a document to its schema in the OpenAPI document. Other fields are allowed. */
export function toDocumentSchema({ fields, required }: ObjectShape): z.ZodType {
  const schemas = [...fields].map(([name, shape]) => {
    const schema = toSchema(shape)
    return [name, required.includes(name) ? schema : schema.nullish()]
  })
  return z.looseObject(Object.fromEntries(schemas))
}

function toSchema(shape: Shape): z.ZodType {
  switch (shape.kind) {
    case 'text':
      return shape.allowed === undefined ? z.string() : z.enum(shape.allowed)
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
