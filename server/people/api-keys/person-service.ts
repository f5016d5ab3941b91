import { clip, type Value } from '../../../formats/text/value.ts'
import type { Caller } from '../../requests/access/caller.ts'
import { notFound, ApiError, toViolations } from '../../platform/errors.ts'
import { invalidRequest } from '../../requests/http/document.ts'
import type { Services } from '../../requests/http/endpoint.ts'
import type { Clock } from '../../platform/kit/clock.ts'
import { violatedConstraint } from '../../platform/kit/store-errors.ts'
import { isUuid } from '../../platform/kit/uuid.ts'
import { namePrincipals } from '../../ledger/principals/service.ts'
import { parsePrincipal, type NamedPrincipal } from '../../ledger/principals/principal.ts'
import type { Database } from '../../platform/tables.ts'
import {
  API_KEYS_MAX,
  listKeyPermissions,
  uiApiKeyRequest,
  type ApiKey,
  type NewApiKey,
  type UiApiKey,
  type UiApiKeyRequest,
  type UiApiKeys,
} from './api-key.ts'
import { toKeyLimit } from './key-limit.ts'
import { createApiKey, deleteApiKey, listApiKeys } from './service.ts'
import { findKeyById } from './store.ts'
import { may, mayOwn } from '../../requests/access/permission.ts'
import { KEY_SCOPES, type KeyScope } from '../../../formats/team/key-scope.ts'

/** The scope of a key and its team or person. */
interface KeyPowers {
  scope: KeyScope
  /** The external ID of the team; null unless it is a team key. */
  team: string | null
  /** The ID of the person; null unless it is a personal key. */
  userId: string | null
}

/**
 * Returns whether a person may create a key: a personal key is created by its person, a team key by those who manage the
 * keys of the team, and an organization key by an owner of the organization. `toKeyLimit` limits it to the permissions of
 * its creator.
 */
function mayCreateKey(caller: Caller, { scope, team, userId }: KeyPowers): boolean {
  switch (KEY_SCOPES[scope].holder) {
    case 'user':
      return userId !== null && caller.principal === `user:${userId}`
    case 'team':
      return may(caller, 'TEAM_API_KEY_MANAGE', team ?? undefined)
    case 'organization':
      return mayOwn(caller)
  }
}

/** Returns whether a person may see and delete a key: those who could create it, and owners. */
function mayDeleteKey(caller: Caller, key: KeyPowers): boolean {
  return mayOwn(caller) || mayCreateKey(caller, key)
}

/** The labels of creators that no longer have a name. */
const NAMELESS: Record<NamedPrincipal['kind'], string> = {
  user: 'A former member',
  'api-key': 'A deleted key',
  integration: 'A deleted integration',
  directory: 'The directory',
  system: 'Portbook',
}

/** Lists the keys that a person may see, expired ones last. `count` includes all keys of the organization. */
export async function listKeysFor(db: Database, clock: Clock, caller: Caller): Promise<UiApiKeys> {
  const { organizationId } = caller
  const all = await listApiKeys(db, clock, organizationId)
  const visible = all.filter((key) => mayDeleteKey(caller, key))
  const creators = await namePrincipals(
    db,
    organizationId,
    visible.map(({ createdBy }) => createdBy),
  )
  const names = new Map(creators.map(({ principal, name }) => [principal, name]))
  const keys = visible.map((key) => toUiApiKey(caller, key, names.get(key.createdBy) ?? null))
  return { keys, count: all.length, max: API_KEYS_MAX }
}

function toUiApiKey(caller: Caller, key: ApiKey, creatorName: string | null): UiApiKey {
  const { id, displayName, secretPrefix, scope, permissions, team, teamName } = key
  const { userId, personName } = key
  return {
    organizationApiKeyId: id,
    displayName,
    secretPrefix,
    scope,
    permissions: listKeyPermissions(key),
    isLimited: permissions !== null,
    teamId: team,
    teamName,
    personName,
    createdAt: key.createdAt,
    createdBy: creatorName ?? NAMELESS[parsePrincipal(key.createdBy).kind],
    lastUsedAt: key.lastUsedAt,
    expiresAt: key.expiresOn,
    expired: key.expired,
    isMine: userId !== null && caller.principal === `user:${userId}`,
    mayDelete: mayDeleteKey(caller, key),
  }
}

/** A new key with its secret, which is never shown again. */
interface CreatedKey {
  id: string
  secret: string
  request: UiApiKeyRequest
  /** The permissions with which it may write. */
  permissions: string[]
}

/**
 * Creates a key of any scope for a person. It never has more permissions than the person. Errors:
 * validation_failed, permission_missing, limit_reached at the 101st.
 */
export async function createKeyFor(
  { db, clock }: Pick<Services, 'db' | 'clock'>,
  caller: Caller,
  { value, requestId }: { value: Value; requestId: string },
): Promise<CreatedKey> {
  const parsed = uiApiKeyRequest.safeParse(value)
  if (!parsed.success) throw invalidRequest(toViolations(parsed.error.issues))
  const request = parsed.data
  const userId = request.scope.startsWith('user') ? (caller.userId ?? null) : null
  const team = request.teamId ?? null
  if (!mayCreateKey(caller, { scope: request.scope, team, userId })) {
    throw notAllowed(request, 'create')
  }
  const permissions = toKeyLimit(caller, {
    scope: request.scope,
    team,
    permissions: request.permissions ?? undefined,
  })
  const key: NewApiKey = {
    scope: request.scope,
    team: team ?? undefined,
    // The permission was checked for the team with this external ID, so no other team may match.
    teamIsExternal: true,
    userId: userId ?? undefined,
    displayName: request.displayName,
    expiresOn: request.expiresAt ?? undefined,
    permissions,
  }
  try {
    const { organizationId, principal } = caller
    const requested = { ...key, requestId }
    const created = await createApiKey(db, clock, organizationId, requested, principal)
    return { ...created, request, permissions: listKeyPermissions(key) }
  } catch (error) {
    // The person was removed from the organization in between.
    if (violatedConstraint(error) === 'api_key_member') throw notAllowed(request, 'create')
    throw error
  }
}

/**
 * Deletes a key for a person who could create it, or an owner of the organization. Errors: not_found,
 * permission_missing.
 */
export async function deleteKeyFor(
  db: Database,
  caller: Caller,
  { id, requestId }: { id: string; requestId: string },
): Promise<void> {
  const { organizationId, principal } = caller
  const key = isUuid(id) ? await findKeyById(db, organizationId, id) : undefined
  if (key === undefined) throw notFound()
  if (!mayDeleteKey(caller, key)) throw notAllowed({ ...key, teamId: key.team }, 'delete')
  await deleteApiKey(db, organizationId, id, { principal, requestId })
}

function notAllowed(
  { scope, teamId }: { scope: KeyPowers['scope']; teamId?: string | null | undefined },
  verb: 'create' | 'delete',
): ApiError {
  return new ApiError('permission_missing', describeMissingRole(scope, teamId ?? '', verb))
}

function describeMissingRole(scope: KeyPowers['scope'], team: string, verb: string): string {
  if (scope.startsWith('organization')) {
    return `Only owners of the organization can ${verb} organization keys.`
  }
  if (scope.startsWith('team')) {
    return `Only people who manage the API keys of team ${clip(team)} and owners of the organization can ${verb} keys of this team.`
  }
  return `Only its person and owners of the organization can ${verb} a personal key.`
}
