import { hash } from 'node:crypto'
import type { Caller } from '../access/caller.ts'
import type { Body } from '../http/body.ts'
import { checkPreconditions, type Conditions } from '../http/conditional.ts'
import type { StoredDocument } from '../http/document.ts'
import type { Services } from '../http/endpoint.ts'
import { requireOwner } from '../organizations/member-service.ts'
import type { Database } from '../tables.ts'
import type { OrganizationDocumentKind, OrganizationDocumentText } from './organization-document.ts'
import { findDocuments, lockDocuments, upsertDocument } from './store.ts'
import { readOrganizationDocument } from './task.ts'
import { assertRolesReplaceable } from './team-roles-service.ts'

/** Returns the document of an organization, or the initial one. */
export async function getOrganizationDocument(
  db: Database,
  organizationId: string,
  declared: OrganizationDocumentKind,
): Promise<StoredDocument> {
  const { kind, initial, derived } = declared
  const kinds = derived === undefined ? [kind] : [kind, derived.from]
  const stored = await findDocuments(db, organizationId, kinds)
  const text = stored.get(kind) ?? toText(initial)
  if (derived === undefined) return withDigest(text)
  const other = parseObject(stored.get(derived.from)?.document ?? '{}')
  const content = { ...parseObject(text.document), [derived.name]: derived.compute(other) }
  return withDigest(toText(content))
}

/**
 * Replaces a document of the caller's organization. Errors: permission_missing, those of an unreadable body,
 * validation_failed, settings_malformed, precondition_failed, roles_missing, role_in_use.
 */
export async function putOrganizationDocument(
  services: Pick<Services, 'db' | 'clock' | 'offload' | 'authenticator'>,
  caller: Caller,
  declared: OrganizationDocumentKind,
  { body, conditions }: { body: Body; conditions: Conditions },
): Promise<StoredDocument> {
  requireOwner(caller)
  const { kind } = declared
  const { organizationId, principal } = caller
  const { text, mediaType } = body
  const sent = await services.offload.run(
    organizationId,
    readOrganizationDocument,
    { kind, text, mediaType },
    [{ document: text, mediaType }],
  )
  const stored = await services.db.transaction().execute(async (db) => {
    await lockDocuments(db, organizationId)
    const before = await getOrganizationDocument(db, organizationId, declared)
    checkPreconditions(conditions, before.digest)
    if (kind === 'team-roles') {
      await assertRolesReplaceable(db, organizationId, before.document, sent.document)
    }
    await upsertDocument(db, services.clock, organizationId, { kind, ...sent, principal })
    return await getOrganizationDocument(db, organizationId, declared)
  })
  // Cached callers include the team roles and the tag policy.
  services.authenticator.forget()
  return stored
}

function toText(content: object): OrganizationDocumentText {
  return { document: JSON.stringify(content), mediaType: 'application/json' }
}

function withDigest(text: OrganizationDocumentText): StoredDocument {
  return { ...text, digest: hash('sha256', `${text.mediaType} ${text.document}`) }
}

function parseObject(document: string): object {
  const value: unknown = JSON.parse(document)
  return typeof value === 'object' && value !== null ? value : {}
}
