import { z } from '@hono/zod-openapi'

/**
 * People browse assets from the top: an integration, its databases, their schemas, the tables in
 * them. Assets that clients PUT are in a separate tree next to the integrations. An asset whose
 * parent is not in the catalog is at the top, so that every asset is reachable.
 */

/** The maximum and the default number of nodes in an answer. */
export const NODES_MAX = 500
export const NODES_USUAL = 200

/** The maximum number of returned ancestors of an asset. */
export const PARENTS_MAX = 20

const count = z.int().min(0)
const named = z.object({ id: z.string(), name: z.string(), type: z.string() })

/** The root of a tree of assets. */
export const assetRoot = z
  .object({
    integrationExternalId: z
      .string()
      .nullable()
      .openapi({ description: 'null = assets that clients PUT' }),
    name: z.string(),
    source: z.string().nullable(),
    assetCount: count.openapi({ description: 'Live assets' }),
    rootCount: count.openapi({ description: 'Nodes at the top, deleted ones too' }),
  })
  .openapi('AssetRoot')

/** An asset in the tree. */
const assetNode = z
  .object({
    id: z.string(),
    name: z.string(),
    type: z.string(),
    description: z
      .string()
      .nullable()
      .openapi({ description: 'From the annotation, otherwise from the source' }),
    ownerId: z.string().nullable(),
    childCount: count.openapi({ description: 'Nodes directly below, deleted ones too' }),
    status: z
      .enum(['live', 'deleted'])
      .openapi({ description: 'deleted = gone from its source, and kept for some days' }),
  })
  .openapi('AssetNode')

/** A page of the assets directly below another, by name. */
export const assetNodes = z
  .object({
    nodes: z.array(assetNode),
    next: z
      .string()
      .nullable()
      .openapi({ description: 'The value of `after` for the next page; null = the end' }),
  })
  .openapi('AssetNodes')

/** An asset with the data of its page. */
export const assetPage = z
  .object({
    id: z.string(),
    name: z.string(),
    type: z.string(),
    isIngested: z.boolean(),
    isDeleted: z.boolean(),
    version: z.int(),
    etag: z.string().openapi({ description: 'The value of If-Match for PUT annotation' }),
    asset: z.record(z.string(), z.unknown()).openapi({ description: 'As GET /api/assets/{id}' }),
    source: z
      .record(z.string(), z.unknown())
      .nullable()
      .openapi({ description: 'The document of the source; null = it was PUT' }),
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
      .object({
        externalId: z.string(),
        name: z.string(),
        source: z.string(),
        isVisible: z.boolean().openapi({ description: 'Whether the caller may see its page' }),
      })
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
      .openapi({ description: 'Data products that name it' }),
    ownerName: z.string().nullable(),
  })
  .openapi('AssetPage')

/** The root of a tree of assets. */
export type AssetRoot = z.infer<typeof assetRoot>

/** An asset in the tree. */
export type AssetNode = z.infer<typeof assetNode>

/** An asset with the data of its page. */
export type AssetPage = z.infer<typeof assetPage>
