import { z } from '@hono/zod-openapi'
import { LEVELS } from './revision.ts'

/** What a PUT would do, told by a dry run of it. */

const change = z.object({
  path: z.string().openapi({ description: 'JSON pointer' }),
  kind: z.enum(['added', 'removed', 'changed', 'renamed']),
  level: z.enum(['breaking', 'additive', 'wording']),
  before: z.unknown(),
  after: z.unknown(),
  message: z.string(),
})

/** The plan of a change: its outcome, its size, and whom it concerns. */
export const plan = z
  .object({
    outcome: z.enum(['created', 'updated', 'unchanged']),
    level: z.enum(LEVELS),
    changes: z.array(change),
    warnings: z.array(
      z.object({
        field: z.string(),
        message: z.string(),
        line: z.int(),
        column: z.int(),
      }),
    ),
    affected: z.array(
      z.object({
        resourceType: z.enum(['DATA_PRODUCT', 'TEAM']),
        id: z.string(),
        name: z.string(),
        ownerId: z.string(),
      }),
    ),
  })
  .openapi('Plan')

/** What a PUT would do. */
export type Plan = z.infer<typeof plan>

/** Someone whom a change concerns. */
export type Affected = Plan['affected'][number]
