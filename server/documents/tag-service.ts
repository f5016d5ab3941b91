import type { Caller } from '../access/caller.ts'
import type { Body } from '../http/body.ts'
import { invalidDocument, invalidRequest } from '../http/document.ts'
import { listKindsWith, type DocumentKind } from '../kinds.ts'
import type { Database } from '../tables.ts'
import type { WriteServices } from './resource.ts'
import { listUnmanagedTags } from './tag-store.ts'
import { listTags, rejectTags } from './tag-task.ts'

/** The organization of a caller, and whether it allows only managed tags. */
type TagPolicy = Pick<Caller, 'organizationId' | 'hasOnlyManagedTags'>

const TAGGED_KINDS = listKindsWith('hasManagedTags')

/**
 * Rejects a document with tags that the organization does not manage, if it allows only managed ones. Errors:
 * document_invalid.
 */
export async function requireManagedTags(
  { db, offload }: Pick<WriteServices, 'db' | 'offload'>,
  { organizationId, hasOnlyManagedTags }: TagPolicy,
  { kind, nodesMax }: { kind: DocumentKind; nodesMax: number },
  { text, mediaType }: Body,
): Promise<void> {
  if (!hasOnlyManagedTags || !TAGGED_KINDS.includes(kind)) return
  const input = { document: text, mediaType, nodesMax }
  const tags = await offload.run(organizationId, listTags, input, [input])
  const unmanaged = await listUnmanagedTags(db, organizationId, tags)
  if (unmanaged.length === 0) return
  const located = { ...input, unmanaged }
  throw invalidDocument(await offload.run(organizationId, rejectTags, located, [input]))
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
