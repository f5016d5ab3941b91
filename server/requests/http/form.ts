import type { z } from '@hono/zod-openapi'
import { toViolations } from '../../platform/errors.ts'
import type { Body } from './body.ts'
import { invalidRequest, readDocument } from './document.ts'
import type { BodyDescription } from './endpoint.ts'

/** The maximum size of a form in bytes. */
const FORM_BYTES_MAX = 16 * 1024

/**
 * Describes the body of an endpoint that accepts a command as a JSON form, by default a small one. Its schema must
 * refuse unknown members.
 */
export function formBody(
  schema: z.ZodType,
  description: string,
  bytesMax = FORM_BYTES_MAX,
): BodyDescription {
  return { mediaTypes: ['application/json'], bytesMax, schema, description, content: 'command' }
}

/**
 * Parses a form by its schema. Errors: validation_failed with a violation for each field, and those of an
 * unreadable body.
 */
export function readForm<Form>(body: Body, schema: z.ZodType<Form>): Form {
  const read = schema.safeParse(readDocument(body).value, {
    error: ({ code, input }) =>
      code === 'invalid_type' && input === undefined ? 'is missing' : undefined,
  })
  if (read.success) return read.data
  throw invalidRequest(toViolations(read.error.issues))
}
