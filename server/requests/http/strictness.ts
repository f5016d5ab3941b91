import { z } from '@hono/zod-openapi'

/** The kinds of schemas without other schemas inside. */
const LEAVES: ReadonlySet<string> = new Set([
  'any',
  'bigint',
  'boolean',
  'custom',
  'date',
  'enum',
  'literal',
  'never',
  'null',
  'number',
  'string',
  'template_literal',
  'transform',
  'undefined',
  'unknown',
])

/**
 * Finds an object in a schema that drops unknown members silently; returns its path (`$.ports[].terms`), undefined
 * if there is none. Objects that are strict or open are fine. Errors: for a kind of schema that it cannot look into.
 */
export function findStrippingPath(schema: z.core.$ZodType): string | undefined {
  return findIn(schema, '$', new Set())
}

function findIn(
  schema: z.core.$ZodType,
  path: string,
  outer: ReadonlySet<z.core.$ZodType>,
): string | undefined {
  // A schema may contain itself.
  if (outer.has(schema)) return undefined
  if (schema instanceof z.ZodObject && schema.def.catchall === undefined) return path
  const inside = new Set([...outer, schema])
  for (const [step, part] of listParts(schema)) {
    const found = findIn(part, `${path}${step}`, inside)
    if (found !== undefined) return found
  }
  return undefined
}

/** Lists the schemas directly inside another, each with its step in a path. */
function listParts(schema: z.core.$ZodType): (readonly [string, z.core.$ZodType])[] {
  if (schema instanceof z.ZodObject) {
    const { catchall } = schema.def
    return [
      ...Object.entries<z.core.$ZodType>(schema.shape).map(
        ([name, part]) => [`.${name}`, part] as const,
      ),
      ...(catchall === undefined ? [] : [['{}', catchall] as const]),
    ]
  }
  if (schema instanceof z.ZodArray) return [['[]', schema.def.element]]
  if (schema instanceof z.ZodTuple) {
    const { items, rest } = schema.def
    return [...items, ...(rest === null ? [] : [rest])].map((item) => ['[]', item])
  }
  if (schema instanceof z.ZodRecord) return [['{}', schema.def.valueType]]
  if (schema instanceof z.ZodUnion) return schema.def.options.map((option) => ['', option])
  if (schema instanceof z.ZodIntersection) {
    return [schema.def.left, schema.def.right].map((side) => ['', side])
  }
  // The result of the first schema is the input of the second one, which drops members, too.
  if (schema instanceof z.ZodPipe) return [schema.def.in, schema.def.out].map((end) => ['', end])
  if (schema instanceof z.ZodLazy) return [['', schema.def.getter()]]
  if (isWrapper(schema)) return [['', schema.def.innerType]]
  const type = schema instanceof z.ZodType ? schema.def.type : 'other'
  if (LEAVES.has(type)) return []
  throw new Error(`a schema of the kind "${type}" cannot be checked for dropped members`)
}

function isWrapper(
  schema: z.core.$ZodType,
): schema is
  | z.ZodOptional
  | z.ZodNullable
  | z.ZodDefault
  | z.ZodPrefault
  | z.ZodCatch
  | z.ZodReadonly
  | z.ZodNonOptional {
  return (
    schema instanceof z.ZodOptional ||
    schema instanceof z.ZodNullable ||
    schema instanceof z.ZodDefault ||
    schema instanceof z.ZodPrefault ||
    schema instanceof z.ZodCatch ||
    schema instanceof z.ZodReadonly ||
    schema instanceof z.ZodNonOptional
  )
}
