import { RANKED_KINDS } from '../../platform/kinds.ts'

/**
 * An entry of the activity records the actor, the resource, the action and the time of a change. It is written by the
 * statement that makes the change (`record.ts`) and is never changed.
 */

/**
 * The readers of the entries of a kind: every member of the organization; the members of the team that owned the
 * resource, or everyone if no team did; or only the owners of the organization and the person concerned.
 */
export type Audience = 'everyone' | 'team' | 'person'

/** The kinds of entries that are not documents, with their audiences. */
const OTHER_KINDS = {
  /** A run that changed assets, an undo, or a decision about held deletes. */
  'ingestion-run': 'team',
  /** The start of a run, or an end without changes. */
  'ingestion-attempt': 'team',
  /** One asset that a run changed. Lists show it only if it is asked for. */
  'ingested-asset': 'everyone',
  integration: 'team',
  cost: 'everyone',
  'example-data': 'everyone',
  'notification-channel': 'everyone',
  'test-result': 'everyone',
  /** An incident that opened, was acknowledged or was resolved. */
  incident: 'everyone',
  'lineage-event': 'everyone',
  usage: 'everyone',
  /** An agreement on access to data. */
  access: 'everyone',
  webhook: 'person',
  member: 'everyone',
  invitation: 'person',
  'api-key': 'person',
  /** Signing in and out, passwords and sessions. */
  account: 'person',
  /** An OpenID provider of the organization, and the people who are linked to it. */
  'identity-provider': 'person',
  /** The rule of signing in, mail domains, and the use of break-glass access. */
  'sign-in-rule': 'person',
  /** The people and groups that a directory provisions, and its keys. */
  directory: 'person',
  organization: 'everyone',
  'organization-settings': 'everyone',
  'search-synonyms': 'everyone',
} as const satisfies Readonly<Record<string, Audience>>

/** A kind of entry: a kind of document, or one of the others. */
export type EntryKind = (typeof RANKED_KINDS)[number] | keyof typeof OTHER_KINDS

/** All kinds of entries. */
export const ENTRY_KINDS: readonly EntryKind[] = [
  ...RANKED_KINDS,
  ...Object.keys(OTHER_KINDS).filter(isOtherKind),
]

/** The kind of the assets that a run changed; the entries of runs represent them in lists. */
export const DETAILED_KIND = 'ingested-asset'

/** The actor of a change, and the request or the run that made it. */
export interface ActivityActor {
  /** `user:<uuid>`, `api-key:<uuid>`, `directory:<uuid>` (a key of a directory), `integration:<id>` or `system`. */
  principal: string
  /** Empty = none. */
  requestId: string
}

/** The actor of what the catalog does itself. */
export const SYSTEM: ActivityActor = { principal: 'system', requestId: '' }

/** Returns the kind of entries with a name; undefined = changes of such a resource leave no entry. */
export function findEntryKind(name: string): EntryKind | undefined {
  return ENTRY_KINDS.find((kind) => kind === name)
}

/** Returns who sees the entries of a kind. */
export function getAudience(kind: EntryKind): Audience {
  return isOtherKind(kind) ? OTHER_KINDS[kind] : 'everyone'
}

function isOtherKind(kind: string): kind is keyof typeof OTHER_KINDS {
  return Object.hasOwn(OTHER_KINDS, kind)
}
