import { z } from '@hono/zod-openapi'
import { affectedResource, portContract } from '../ports/port.ts'
import { driftPlan } from '../drift/drift-plan.ts'
import { LEVELS } from './revision.ts'

/** The response of a dry run of a PUT or DELETE. */

/** When a deprecation was announced: the first version of the unbroken run of versions with it. */
export const announcement = z
  .object({
    version: z.int(),
    on: z.string().openapi({ format: 'date', description: 'The day of the version (UTC)' }),
    orBefore: z.boolean().openapi({
      description: 'Earlier versions were written before Portbook recorded deprecations',
    }),
  })
  .openapi('Announcement')

/** When a deprecation was announced, parsed. */
export type Announcement = z.infer<typeof announcement>

/** Describes when a deprecation was announced: `in version 3 on 2026-11-27`. */
export function describeAnnouncement({ version, on, orBefore }: Announcement): string {
  return `in version ${version} on ${on}${orBefore ? ' or before' : ''}`
}

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
    announced: announcement.optional().openapi({
      description: 'Of the removal of a deprecated part: when its deprecation was announced',
    }),
  })
  .openapi('Change')

/** A warning about a document, with its position. */
export const warning = z.object({
  field: z.string(),
  message: z.string(),
  line: z.int(),
  column: z.int(),
})

/** Information that another format cannot express. */
export const loss = z
  .object({ path: z.string().openapi({ description: 'Model and field' }), message: z.string() })
  .openapi('Loss')

const recordUses = z.object({
  total: z.int(),
  documents: z
    .array(
      z.object({
        resourceType: z.string(),
        id: z.string(),
        name: z.string(),
        ownerId: z.string().nullable(),
      }),
    )
    .openapi({ description: 'The first 50' }),
})

/** The documents that use a record. */
export type RecordUses = z.infer<typeof recordUses>

/** The plan of a change: its outcome, its level, and the affected resources. */
export const plan = z
  .object({
    outcome: z.enum(['created', 'updated', 'unchanged', 'deleted']),
    level: z.enum(LEVELS),
    changes: z.array(change),
    warnings: z.array(warning),
    affected: z.array(affectedResource),
    announced: announcement.optional().openapi({
      description: 'Of the deletion of a deprecated document: when its deprecation was announced',
    }),
    contracts: z.array(portContract).optional().openapi({
      description: 'Of a data product: the contracts that its ports name',
    }),
    drift: driftPlan.optional().openapi({
      description:
        'Of data contracts, data products and assets: the differences between contracts and assets that the change opens and resolves',
    }),
    usedBy: recordUses.optional().openapi({
      description:
        'Of a definition: the contracts that name it. Of a source system: the products that read from it. Of a certification: the products with its tag. Of a classification scheme: the documents with fields of its classifications',
    }),
    exports: z
      .array(z.object({ format: z.string(), lossCount: z.int(), losses: z.array(loss) }))
      .optional()
      .openapi({
        description:
          'Of a data contract: the first 100 things that an export format cannot express',
      }),
  })
  .openapi('Plan')

/** The effects of a PUT or DELETE. */
export type Plan = z.infer<typeof plan>
