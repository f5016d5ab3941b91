import { z } from '@hono/zod-openapi'
import type { DocumentKind } from '../../platform/kinds.ts'
import { parseInstant, type Instant } from '../../platform/kit/clock.ts'

export type { DocumentKind } from '../../platform/kinds.ts'

/** The kinds with versions: documents, and access agreements. */
export type VersionedKind = DocumentKind | 'access'

/**
 * History keeps every version of every document: its author, its period, and the level of its change. The
 * statement that changes a document records the version, so none is missing.
 */

/** The author and request of a change, for history and events. */
export interface ChangeMetadata {
  organizationId: string
  /** `api-key:<uuid>`, `user:<uuid>` or `system`. */
  principal: string
  requestId: string
}

/** The levels of the change that created a version. */
export const LEVELS = ['breaking', 'additive', 'wording', 'none'] as const

/** A version in the list of versions. */
export const versionSummary = z
  .object({
    version: z.int().min(1).openapi({ description: 'Counts from 1 without gaps' }),
    validFrom: z.string().openapi({ format: 'date-time' }),
    validTo: z.string().nullable().openapi({
      format: 'date-time',
      description: 'When the next version or the deletion ended it; null = it is current',
    }),
    principal: z.string().openapi({ description: 'Who wrote it: `api-key:<uuid>`' }),
    level: z.enum(LEVELS).openapi({ description: 'How big the change was; none for the first' }),
    digest: z.string(),
  })
  .openapi('Version')

/** A version in the list of versions, parsed. */
export type VersionSummary = z.infer<typeof versionSummary>

/** One version whole. */
export interface Revision {
  version: number
  document: string
  mediaType: string
  format: string
  digest: string
  validFrom: Instant
  /** External id of the team that owned the document; null if none did, or if the document is a team. */
  ownerId: string | null
}

/** The query parameter `asOf`: an instant, strict; `2026-02-30T00:00:00Z` is an error. */
export const asOfParameter = z
  .string()
  .transform((text, context): Instant => {
    const instant = parseInstant(text)
    if (instant !== undefined) return instant
    context.addIssue('must be an instant such as 2026-12-31T23:59:59Z')
    return z.NEVER
  })
  .optional()
  .openapi({ type: 'string', format: 'date-time', description: 'The state at this instant' })
