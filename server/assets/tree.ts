import { z } from '@hono/zod-openapi'

/**
 * People find assets by going down: an integration, its databases, their schemas, the tables in them.
 * What clients PUT stands beside the integrations, in a tree of its own. An asset whose parent is not
 * in the catalog stands at the top, so that nothing is out of reach.
 */

/** Nodes of one answer at most, and unless told otherwise. */
export const NODES_MAX = 500
export const NODES_USUAL = 200

/** Ancestors of an asset that are told at most. */
export const PARENTS_MAX = 20

const count = z.int().min(0)
const named = z.object({ id: z.string(), name: z.string(), type: z.string() })

/** Where a tree of assets begins. */
export const assetRoot = z
  .object({
    integrationExternalId: z.string().nullable().openapi({ description: 'null = put by clients' }),
    name: z.string(),
    source: z.string().nullable(),
    assetCount: count.openapi({ description: 'Live assets' }),
    rootCount: count.openapi({ description: 'Nodes at the top, deleted ones too' }),
  })
  .openapi('AssetRoot')

/** One asset in the tree. */
export const assetNode = z
  .object({
    id: z.string(),
    name: z.string(),
    type: z.string(),
    description: z.string().nullable().openapi({ description: "People's, else the source's" }),
    ownerId: z.string().nullable(),
    childCount: count.openapi({ description: 'Nodes directly below, deleted ones too' }),
    status: z
      .enum(['live', 'deleted'])
      .openapi({ description: 'deleted = gone from its source, and kept for some days' }),
  })
  .openapi('AssetNode')

/** What is directly below an asset, by name. */
export const assetNodes = z
  .object({
    nodes: z.array(assetNode),
    next: z.string().nullable().openapi({ description: 'What to send as `after`; null = the end' }),
  })
  .openapi('AssetNodes')

/** An asset with all that a page shows around it. */
export const assetPage = z
  .object({
    id: z.string(),
    name: z.string(),
    type: z.string(),
    isIngested: z.boolean(),
    isDeleted: z.boolean(),
    version: z.int(),
    etag: z.string().openapi({ description: 'What PUT annotation takes as If-Match' }),
    asset: z.record(z.string(), z.unknown()).openapi({ description: 'As GET /api/assets/{id}' }),
    source: z
      .record(z.string(), z.unknown())
      .nullable()
      .openapi({ description: 'What the source says; null = it was PUT' }),
    annotation: z
      .object({
        description: z.string().nullable(),
        ownerId: z.string().nullable(),
        tags: z.array(z.string()).nullable(),
        updatedAt: z.string().openapi({ format: 'date-time' }),
        updatedBy: z.string().openapi({ description: 'A principal' }),
      })
      .nullable(),
    integration: z
      .object({ externalId: z.string(), name: z.string(), source: z.string() })
      .nullable(),
    parents: z.array(named).openapi({ description: 'The outermost first' }),
    childCount: count,
    statistic: z
      .object({
        rowCount: z.number().nullable(),
        sizeBytes: z.number().nullable(),
        changedAt: z.string().nullable().openapi({ format: 'date-time' }),
      })
      .nullable(),
    products: z
      .array(
        z.object({
          id: z.string(),
          name: z.string(),
          ownerId: z.string(),
          ownerName: z.string(),
        }),
      )
      .openapi({ description: 'Those that name it' }),
    ownerName: z.string().nullable(),
  })
  .openapi('AssetPage')

/** Where a tree of assets begins. */
export type AssetRoot = z.infer<typeof assetRoot>

/** One asset in the tree. */
export type AssetNode = z.infer<typeof assetNode>

/** An asset with all that a page shows around it. */
export type AssetPage = z.infer<typeof assetPage>
