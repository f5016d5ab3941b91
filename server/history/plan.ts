import { z } from '@hono/zod-openapi'
import { affected, portContract } from '../ports/port.ts'
import { LEVELS } from './revision.ts'

/** The plan that a dry run of a PUT or DELETE returns. */

/** One change by meaning. */
export const change = z
  .object({
    path: z.string().openapi({
      description: 'JSON pointer into the newer document; into the older one for what was removed',
    }),
    kind: z.enum(['added', 'removed', 'changed', 'renamed']),
    level: z.enum(['breaking', 'additive', 'wording']),
    before: z.unknown(),
    after: z.unknown(),
    message: z.string(),
  })
  .openapi('Change')

/** One thing that is odd about a document, and where it stands in the text. */
export const warning = z.object({
  field: z.string(),
  message: z.string(),
  line: z.int(),
  column: z.int(),
})

/** One thing that another format cannot say. */
export const loss = z
  .object({ path: z.string().openapi({ description: 'Model and field' }), message: z.string() })
  .openapi('Loss')

/** The plan of a change: its outcome, its size, and whom it concerns. */
export const plan = z
  .object({
    outcome: z.enum(['created', 'updated', 'unchanged', 'deleted']),
    level: z.enum(LEVELS),
    changes: z.array(change),
    warnings: z.array(warning),
    affected: z.array(affected),
    contracts: z.array(portContract).optional().openapi({
      description: 'Of a data product: the contracts that its ports name',
    }),
    exports: z
      .array(z.object({ format: z.string(), lossCount: z.int(), losses: z.array(loss) }))
      .optional()
      .openapi({
        description: 'Of a data contract: what a format of exports cannot say of it, the first 100',
      }),
  })
  .openapi('Plan')

/** What a PUT or DELETE would do. */
export type Plan = z.infer<typeof plan>
