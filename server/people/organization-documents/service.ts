import { clip } from '../../../formats/text/value.ts'
import { hash } from 'node:crypto'
import type { Caller } from '../../requests/access/caller.ts'
import type { Body } from '../../requests/http/body.ts'
import { checkPreconditions, type Conditions } from '../../requests/http/conditional.ts'
import type { StoredDocument } from '../../requests/http/document.ts'
import type { Services } from '../../requests/http/endpoint.ts'
import { requireOwner } from '../../requests/http/missing-permission.ts'
import type { Database } from '../../platform/tables.ts'
import type { OrganizationDocumentKind, OrganizationDocumentText } from './organization-document.ts'
import { findDocuments, listRoleHolders, lockDocuments, upsertDocument } from './store.ts'
import { replaceMappings } from './mapping-store.ts'
import { createUseError, USES_MAX } from '../../documents/resource-use.ts'
import { readOrganizationDocument } from './task.ts'
import { ApiError } from '../../platform/errors.ts'

/**
 * Asserts that team roles can be replaced: at least one role remains, and no member has a role that is removed. Errors: roles_missing, role_in_use.
 */
async function assertRolesReplaceable(
  db: Database,
  organizationId: string,
  before: readonly string[],
  after: readonly string[],
): Promise<void> {
  const roles = new Set(after)
  if (roles.size === 0) {
    throw new ApiError(
      'roles_missing',
      'The list of roles is empty. Send at least one role, or the mode "default".',
    )
  }
  const gone = before.filter((role) => !roles.has(role))
  const holders = await listRoleHolders(db, organizationId, gone, USES_MAX)
  if (holders.length === 0) return
  throw createUseError('role_in_use', 'The roles cannot be replaced', {
    uses: holders.map(({ teamId, teamName, role, members }) => ({
      kind: 'team',
      called: 'team',
      id: teamId,
      name: teamName,
      relation: `has ${members} ${members === 1 ? 'member' : 'members'} with the role "${clip(role)}"`,
    })),
    useCount: holders[0]?.total ?? 0,
    hiddenUseCount: 0,
    advice: 'Add these roles, or give these members other roles first.',
  })
}

// The limits of the description of a change.
const FIELDS_MAX = 50
const FIELD_CHARACTERS_MAX = 100

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
  { body, conditions, requestId }: { body: Body; conditions: Conditions; requestId: string },
): Promise<StoredDocument> {
  requireOwner(caller)
  const { kind, called, listRoles } = declared
  const { organizationId, principal } = caller
  const { text, mediaType } = body
  const { mappings, ...sent } = await services.offload.run(
    organizationId,
    readOrganizationDocument,
    { kind, text, mediaType },
    [{ document: text, mediaType }],
  )
  const stored = await services.db.transaction().execute(async (db) => {
    await lockDocuments(db, organizationId)
    const before = await getOrganizationDocument(db, organizationId, declared)
    checkPreconditions(conditions, before.digest)
    if (listRoles !== undefined) {
      const roles = [listRoles(before.document), listRoles(sent.document)] as const
      await assertRolesReplaceable(db, organizationId, ...roles)
    }
    const details = describeChange(declared, before.document, sent.document)
    const change = { ...sent, kind, called, details, principal, requestId }
    await upsertDocument(db, services.clock, organizationId, change)
    if (mappings !== undefined) await replaceMappings(db, organizationId, mappings)
    return await getOrganizationDocument(db, organizationId, declared)
  })
  // Cached callers include the team roles, the roles of groups and the tag policy.
  services.authenticator.forget()
  return stored
}

// The names of the top-level fields that a change sets or removes, and short values before and after. Not every
// key may read some documents, so the values of these are left out. Texts that are not JSON have no fields.
function describeChange(
  { readers }: OrganizationDocumentKind,
  before: string,
  after: string,
): object {
  const [former, present] = [parseFields(before), parseFields(after)]
  const names = [...new Set([...former.keys(), ...present.keys()])]
    .filter((name) => former.get(name) !== present.get(name))
    .slice(0, FIELDS_MAX)
    .map((name) => name.slice(0, FIELD_CHARACTERS_MAX))
  if (readers !== 'any key') return { fields: names }
  const select = (fields: ReadonlyMap<string, string>): object =>
    Object.fromEntries(
      names.flatMap((name) => {
        const text = fields.get(name)
        return text === undefined ? [] : [[name, clip(text)]]
      }),
    )
  return { fields: names, before: select(former), after: select(present) }
}

// The values are JSON texts.
function parseFields(document: string): Map<string, string> {
  try {
    return new Map(
      Object.entries(parseObject(document)).map(([name, value]) => [name, JSON.stringify(value)]),
    )
  } catch {
    return new Map()
  }
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
