import { z } from '@hono/zod-openapi'

/**
 * Finds an object in a schema that drops unknown members silently; returns its path (`$.ports[].terms`), undefined
 * if there is none. Objects that are strict or open are fine.
 */
export function findStrippingPath(schema: z.core.$ZodType, path = '$'): string | undefined {
  if (schema instanceof z.ZodObject && schema.def.catchall === undefined) return path
  for (const [step, part] of listParts(schema)) {
    const found = findStrippingPath(part, `${path}${step}`)
    if (found !== undefined) return found
  }
  return undefined
}

/** Lists the schemas directly inside another, each with its step in a path. */
function listParts(schema: z.core.$ZodType): (readonly [string, z.core.$ZodType])[] {
  if (schema instanceof z.ZodObject) {
    return Object.entries<z.core.$ZodType>(schema.shape).map(([name, part]) => [`.${name}`, part])
  }
  if (schema instanceof z.ZodArray) return [['[]', schema.def.element]]
  if (schema instanceof z.ZodRecord) return [['{}', schema.def.valueType]]
  if (schema instanceof z.ZodUnion) return schema.def.options.map((option) => ['', option])
  if (schema instanceof z.ZodPipe) return [['', schema.def.in]]
  if (isWrapper(schema)) return [['', schema.def.innerType]]
  return []
}

function isWrapper(
  schema: z.core.$ZodType,
): schema is z.ZodOptional | z.ZodNullable | z.ZodDefault | z.ZodCatch {
  return (
    schema instanceof z.ZodOptional ||
    schema instanceof z.ZodNullable ||
    schema instanceof z.ZodDefault ||
    schema instanceof z.ZodCatch
  )
}
