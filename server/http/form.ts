import type { z } from '@hono/zod-openapi'
import { toViolations } from '../errors.ts'
import type { Body } from './body.ts'
import { invalidRequest, readDocument } from './document.ts'

/** The maximum size of a form in bytes. */
export const FORM_BYTES_MAX = 16 * 1024

/** Describes the body of an endpoint that accepts a small JSON form. */
export function formBody(schema: z.ZodType, description: string) {
  return {
    mediaTypes: ['application/json'] as const,
    bytesMax: FORM_BYTES_MAX,
    schema,
    description,
  }
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
