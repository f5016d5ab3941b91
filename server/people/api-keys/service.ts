import { SYSTEM, type ActivityActor } from '../../ledger/activity/entry.ts'
import { randomUUIDv7 } from 'node:crypto'
import { KEY_PREFIX, type KeyUse } from '../../requests/access/authenticate.ts'
import type { Caller } from '../../requests/access/caller.ts'
import { requirePermission } from '../../requests/http/missing-permission.ts'
import { notFound, ApiError } from '../../platform/errors.ts'
import { unknownTeam } from '../../requests/http/document.ts'
import type { Clock } from '../../platform/kit/clock.ts'
import { violatedConstraint } from '../../platform/kit/store-errors.ts'
import { hashToken, newToken } from '../../platform/kit/token.ts'
import { isUuid } from '../../platform/kit/uuid.ts'
import type { Database } from '../../platform/tables.ts'
import { API_KEYS_MAX, SECRET_PREFIX_CHARACTERS, type ApiKey, type NewApiKey } from './api-key.ts'
import {
  deleteKey,
  deleteOwnerKeys,
  deletePersonalKeys,
  findKeyById,
  insertKey,
  listKeys,
  touchDirectoryKeys,
  touchKeys,
} from './store.ts'

/**
 * Creates a key of any scope and returns its secret, which is not stored. The caller must check the permission
 * (`limit.ts`).
 * Errors: limit_reached at the 101st, validation_failed for an unknown team or a day in the past.
 */
export async function createApiKey(
  db: Database,
  clock: Clock,
  organizationId: string,
  key: NewApiKey & { requestId?: string },
  createdBy: string,
): Promise<{ id: string; secret: string; team: string | null }> {
  const secret = newToken(KEY_PREFIX)
  const row = {
    ...key,
    id: randomUUIDv7(),
    secretHash: hashToken(secret),
    secretPrefix: secret.slice(0, SECRET_PREFIX_CHARACTERS),
    createdBy,
    requestId: key.requestId ?? '',
  }
  const added = await insertKey(db, clock, organizationId, row).catch((error: unknown) => {
    // The team was deleted in between; a foreign key rejects the insert.
    if (violatedConstraint(error) === 'api_key_team')
      throw unknownTeam(key.team ?? '', { field: 'teamId' }, 'validation_failed')
    throw error
  })
  if (added.id !== null) return { id: added.id, secret, team: added.team }
  if (!added.dayIsOpen) {
    throw invalid('expiresAt', `${key.expiresOn} is in the past (UTC); choose today or a later day`)
  }
  if (key.team !== undefined && added.team === null)
    throw unknownTeam(key.team ?? '', { field: 'teamId' }, 'validation_failed')
  throw new ApiError(
    'limit_reached',
    `An organization can have at most ${API_KEYS_MAX} API keys, including expired ones. Delete one first.`,
  )
}

/** Lists an organization's keys, with expired ones marked and last. */
export async function listApiKeys(
  db: Database,
  clock: Clock,
  organizationId: string,
): Promise<ApiKey[]> {
  return await listKeys(db, clock, organizationId)
}

/** Deletes a key of any scope, which stops working within a second. Errors: not_found. */
export async function deleteApiKey(
  db: Database,
  organizationId: string,
  id: string,
  actor: ActivityActor = SYSTEM,
): Promise<void> {
  if (!isUuid(id) || !(await deleteKey(db, organizationId, id, actor))) throw notFound()
}

/**
 * Deletes a team key for a caller who may manage the keys of the team. Errors: not_found,
 * permission_missing.
 */
export async function deleteTeamKey(
  db: Database,
  caller: Caller,
  { id, requestId }: { id: string; requestId: string },
): Promise<void> {
  const key = isUuid(id) ? await findKeyById(db, caller.organizationId, id) : undefined
  if (key === undefined) throw notFound()
  if (key.team === null) {
    throw new ApiError('permission_missing', 'Only team keys can be deleted here.')
  }
  requirePermission(caller, 'TEAM_API_KEY_MANAGE', key.team)
  const { organizationId, principal } = caller
  await deleteApiKey(db, organizationId, id, { principal, requestId })
}

/** Deletes all personal keys of a person, in all organizations. Returns their number. */
export async function deleteKeysOfPerson(
  db: Database,
  userId: string,
  actor: ActivityActor,
): Promise<number> {
  return await deletePersonalKeys(db, userId, actor)
}

/** Deletes all keys of a team or person that is about to be removed, by the internal ID. */
export async function deleteKeysOfOwner(
  db: Database,
  organizationId: string,
  owner: { teamId: string } | { userId: string },
  actor: ActivityActor,
): Promise<void> {
  await deleteOwnerKeys(db, organizationId, owner, actor)
}

function invalid(field: string, message: string): ApiError {
  return new ApiError('validation_failed', `${field}: ${message}.`, {
    violations: [{ field, message }],
  })
}

/** Records the last uses of API keys and keys of directories, at most once a minute each. */
export async function recordKeyUse(db: Database, uses: readonly KeyUse[]): Promise<void> {
  if (uses.length === 0) return
  await touchKeys(db, uses)
  await touchDirectoryKeys(db, uses)
}
