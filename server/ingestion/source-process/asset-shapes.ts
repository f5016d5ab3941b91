import { z } from '@hono/zod-openapi'
import {
  ASSET_KINDS,
  type Scope,
  type SourceAsset,
  type SourceColumn,
} from '../connectors/connector.ts'
import { sourceFailure } from './failure-data.ts'

/**
 * The shapes of what a source holds, as the process that reads it reports them. A source may have
 * taken that process over, so that everything is bounded here: counts by these shapes, texts by the
 * length of a frame, and the depth of nested columns by `hasDepthWithin`.
 */

/** One reply holds at most so many scopes or assets. */
export const ITEMS_MAX = 10_000

const COLUMNS_MAX = 100_000
const DEPTH_MAX = 100
const SENTENCE_CHARACTERS_MAX = 5000

const sentence = z.string().max(SENTENCE_CHARACTERS_MAX)
const texts = z.array(z.string()).max(COLUMNS_MAX)

/** A native path: `['sales', 'public', 'orders']`. */
export const path = z.array(z.string()).min(1).max(10)

const sourceColumn: z.ZodType<SourceColumn> = z.strictObject({
  name: z.string(),
  type: z.string(),
  description: z.string().exactOptional(),
  required: z.boolean().exactOptional(),
  unique: z.boolean().exactOptional(),
  default: z.string().exactOptional(),
  generated: z.string().exactOptional(),
  get properties() {
    return z.array(sourceColumn).max(COLUMNS_MAX).exactOptional()
  },
  get items() {
    return sourceColumn.exactOptional()
  },
  tags: texts.exactOptional(),
})

const foreignKey = z.strictObject({ columns: texts, references: path, referencedColumns: texts })

const statistic = z.strictObject({
  rowCount: z.number().exactOptional(),
  sizeBytes: z.number().exactOptional(),
  changedAt: z.string().max(100).exactOptional(),
})

const sourceAsset: z.ZodType<SourceAsset> = z.strictObject({
  kind: z.enum(ASSET_KINDS),
  path,
  scope: path,
  sourceId: z.string().exactOptional(),
  description: z.string().exactOptional(),
  ownerName: z.string().exactOptional(),
  columns: z.array(sourceColumn).max(COLUMNS_MAX).exactOptional(),
  primaryKey: texts.exactOptional(),
  foreignKeys: z.array(foreignKey).max(COLUMNS_MAX).exactOptional(),
  viewDefinition: z.string().exactOptional(),
  partitionColumns: texts.exactOptional(),
  tags: texts.exactOptional(),
  custom: z.record(z.string(), z.union([z.string(), z.number(), z.boolean()])).exactOptional(),
  statistic: statistic.exactOptional(),
})

/** A batch of assets, whose failures are data. */
export const batch = z
  .strictObject({
    assets: z.array(sourceAsset).max(ITEMS_MAX),
    outcomes: z
      .array(z.strictObject({ path, failure: sourceFailure.exactOptional() }))
      .max(ITEMS_MAX)
      .exactOptional(),
    unreadable: z
      .array(z.strictObject({ path, scope: path, kind: z.enum(ASSET_KINDS), message: sentence }))
      .max(ITEMS_MAX)
      .exactOptional(),
  })
  .refine(({ assets }) => assets.every(hasDepthWithin), 'columns are nested too deeply')

/** A scope of a listing. */
export const scope: z.ZodType<Scope> = z.strictObject({
  path,
  kind: z.enum(['catalog', 'database', 'schema', 'namespace', 'table']),
  reading: z.string(),
  decision: z.enum(['included', 'excluded', 'denied']),
  message: sentence.exactOptional(),
})

/** The findings of a check. */
export const findings = z
  .array(z.strictObject({ ok: z.boolean(), what: sentence, hint: sentence.exactOptional() }))
  .max(1000)

function hasDepthWithin({ columns = [] }: SourceAsset): boolean {
  let level: readonly SourceColumn[] = columns
  for (let depth = 0; level.length > 0; depth += 1) {
    if (depth > DEPTH_MAX) return false
    level = level.flatMap(({ properties = [], items }) =>
      items === undefined ? properties : [...properties, items],
    )
  }
  return true
}
