import { z } from '@hono/zod-openapi'
import type { StoredAsset } from './asset.ts'

/**
 * The description, owner and tags that people give an ingested asset. They are stored separately
 * from the source's document and override it, and runs do not change them.
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
  .openapi('AssetAnnotation', { description: 'The complete annotation: absent fields are removed' })

/** An annotation, parsed. */
export type Annotation = z.infer<typeof annotation>

/** Checks whether an asset has exactly this annotation. */
export function hasAnnotation({ ingestion }: StoredAsset, expected: Annotation): boolean {
  return (
    (ingestion?.description ?? null) === expected.description &&
    (ingestion?.owner ?? null) === (expected.owner ?? null) &&
    toCanonicalTags(ingestion?.tags) === toCanonicalTags(expected.tags)
  )
}

// The order of tags is irrelevant.
function toCanonicalTags(tags: readonly string[] | null | undefined): string {
  return tags === null || tags === undefined ? 'none' : JSON.stringify(tags.toSorted())
}
