import type { Caller } from '../requests/access/caller.ts'
import type { Body } from '../requests/http/body.ts'
import { invalidDocument, invalidRequest } from '../requests/http/document.ts'
import { listKindsWith, type DocumentKind } from '../platform/kinds.ts'
import type { Database } from '../platform/tables.ts'
import type { WriteServices } from './resource.ts'
import { listUnmanagedTags } from './store.ts'
import { rejectTags } from './tag-task.ts'

/** The organization of a caller, and whether it allows only managed tags. */
type TagPolicy = Pick<Caller, 'organizationId' | 'hasOnlyManagedTags'>

const TAGGED_KINDS = listKindsWith('hasManagedTags')

/** Returns whether documents of a kind may only have tags that the organization manages. */
export function hasTagPolicy({ hasOnlyManagedTags }: TagPolicy, kind: DocumentKind): boolean {
  return hasOnlyManagedTags && TAGGED_KINDS.includes(kind)
}

/** Rejects a document with tags that the organization does not manage. Errors: document_invalid. */
export async function requireManagedTags(
  { db, offload }: Pick<WriteServices, 'db' | 'offload'>,
  { organizationId }: TagPolicy,
  { nodesMax }: { nodesMax: number },
  { body: { text, mediaType }, tags }: { body: Body; tags: readonly string[] },
): Promise<void> {
  if (tags.length === 0) return
  const unmanaged = await listUnmanagedTags(db, organizationId, tags)
  if (unmanaged.length === 0) return
  const input = { document: text, mediaType, nodesMax, unmanaged }
  throw invalidDocument(await offload.run(organizationId, rejectTags, input, [input]))
}

/**
 * Rejects tags of an annotation that the organization does not manage, if it allows only managed ones. Errors:
 * validation_failed.
 */
export async function requireManagedList(
  db: Database,
  { organizationId, hasOnlyManagedTags }: TagPolicy,
  tags: readonly string[],
): Promise<void> {
  if (!hasOnlyManagedTags) return
  const unmanaged = new Set(await listUnmanagedTags(db, organizationId, tags))
  const violations = tags.flatMap((tag, at) => {
    const message = `"${tag}" is not a managed tag. Use a managed tag, or create it first.`
    return unmanaged.has(tag) ? [{ field: `tags[${at}]`, message }] : []
  })
  if (violations.length > 0) throw invalidRequest(violations)
}
