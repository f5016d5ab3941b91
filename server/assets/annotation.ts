import { z } from '@hono/zod-openapi'
import type { KnownAsset } from './asset.ts'

/**
 * What people add to an ingested asset. It lies beside what the source says and wins over it, and no
 * run touches it.
 */
export const annotation = z
  .strictObject({
    description: z
      .string()
      .max(20_000)
      .nullish()
      .transform((text) => (text?.trim() ? text : null))
      .openapi({ type: ['string', 'null'], description: "null or absent = the source's own" }),
    owner: z.string().min(1).max(256).nullish().openapi({
      description: "External id of the owning team; null or absent = the integration's owner",
    }),
    tags: z.array(z.string().min(1).max(200)).max(200).nullish().openapi({
      description: "null or absent = the source's own; an empty list = none",
    }),
  })
  .openapi('AssetAnnotation', { description: 'All that people add: what is left out is removed' })

/** What people add, parsed. */
export type Annotation = z.infer<typeof annotation>

/** Says whether an asset has just this annotation. */
export function isAnnotatedSo({ ingestion }: KnownAsset, wanted: Annotation): boolean {
  return (
    (ingestion?.description ?? null) === wanted.description &&
    (ingestion?.owner ?? null) === (wanted.owner ?? null) &&
    meaningOf(ingestion?.tags) === meaningOf(wanted.tags)
  )
}

// The order of tags says nothing.
function meaningOf(tags: readonly string[] | null | undefined): string {
  return tags === null || tags === undefined ? 'none' : JSON.stringify(tags.toSorted())
}
