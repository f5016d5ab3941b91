import { clip, type Value } from '../../formats/text/value.ts'
import { userIdOf, type Caller } from '../access/caller.ts'
import { notFound, Refusal, type Violation } from '../errors.ts'
import { invalidRequest } from '../http/document.ts'
import type { Services } from '../http/endpoint.ts'
import type { Clock } from '../kit/clock.ts'
import { violatedConstraint } from '../kit/connection.ts'
import { namePrincipals } from '../principals/service.ts'
import { partsOf, type NamedPrincipal } from '../principals/principal.ts'
import type { Database } from '../tables.ts'
import { API_KEYS_MAX, uiApiKeyRequest } from './api-key.ts'
import type { ApiKey, NewApiKey, UiApiKey, UiApiKeyRequest } from './api-key.ts'
import { mayDeleteKey, mayMakeKey, type KeyPowers } from './rule.ts'
import { createApiKey, deleteApiKey, listApiKeys } from './service.ts'
import { findKeyById } from './store.ts'

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

/** The display names of creators that no longer have a name. */
const NAMELESS: Record<NamedPrincipal['kind'], string> = {
  user: 'A former member',
  'api-key': 'A deleted key',
  integration: 'A deleted integration',
  system: 'Portbook',
}

/** Lists the keys that a person may see, expired ones last; `count` is that of the organization. */
export async function listKeysFor(
  db: Database,
  clock: Clock,
  caller: Caller,
): Promise<{ keys: UiApiKey[]; count: number; max: number }> {
  const { organizationId } = caller
  const all = await listApiKeys(db, clock, organizationId)
  const seen = all.filter((key) => mayDeleteKey(caller, key))
  const makers = await namePrincipals(
    db,
    organizationId,
    seen.map(({ createdBy }) => createdBy),
  )
  const names = new Map(makers.map(({ principal, name }) => [principal, name]))
  const keys = seen.map((key) => shownKey(caller, key, names.get(key.createdBy) ?? null))
  return { keys, count: all.length, max: API_KEYS_MAX }
}

function shownKey(caller: Caller, key: ApiKey, makerName: string | null): UiApiKey {
  const { id, displayName, secretPrefix, scope, team, teamName, userId, personName } = key
  return {
    organizationApiKeyId: id,
    displayName,
    secretPrefix,
    scope,
    teamId: team,
    teamName,
    personName,
    createdAt: key.createdAt,
    createdBy: makerName ?? NAMELESS[partsOf(key.createdBy).kind],
    lastUsedAt: key.lastUsedAt,
    expiresAt: key.expiresOn,
    expired: key.expired,
    isMine: userId !== null && caller.principal === `user:${userId}`,
    mayDelete: mayDeleteKey(caller, key),
  }
}

/** A key that was just made; the secret is shown this once. */
export interface MadeKey {
  id: string
  secret: string
  request: UiApiKeyRequest
}

/**
 * Creates a key of any scope for a person, never with more permissions than theirs. Errors:
 * validation_failed, permission_missing, limit_reached at the 101st.
 */
export async function makeKey(
  { db, clock }: Pick<Services, 'db' | 'clock'>,
  caller: Caller,
  value: Value,
): Promise<MadeKey> {
  const parsed = uiApiKeyRequest.safeParse(value)
  if (!parsed.success) throw invalidRequest(violationsOf(parsed.error.issues))
  const request = parsed.data
  const userId = request.scope.startsWith('user') ? (userIdOf(caller) ?? null) : null
  const team = request.teamId ?? null
  if (!mayMakeKey(caller, { scope: request.scope, team, userId })) throw mayNot(request, 'create')
  const key: NewApiKey = {
    scope: request.scope,
    team: team ?? undefined,
    // The permission was checked for the team with this external id, so no other team may match.
    teamIsExternal: true,
    userId: userId ?? undefined,
    displayName: request.displayName,
    expiresOn: request.expiresAt ?? undefined,
  }
  try {
    const made = await createApiKey(db, clock, caller.organizationId, key, caller.principal)
    return { ...made, request }
  } catch (error) {
    // The person was removed from the organization in the meantime.
    if (violatedConstraint(error) === 'api_key_member') throw mayNot(request, 'create')
    throw error
  }
}

/**
 * Deletes a key for a person who could create it, or for an owner of the organization. Errors: not_found,
 * permission_missing.
 */
export async function deleteKeyFor(db: Database, caller: Caller, id: string): Promise<void> {
  const { organizationId } = caller
  const key = UUID.test(id) ? await findKeyById(db, organizationId, id) : undefined
  if (key === undefined) throw notFound()
  if (!mayDeleteKey(caller, key)) throw mayNot({ ...key, teamId: key.team }, 'delete')
  await deleteApiKey(db, organizationId, id)
}

function mayNot(
  { scope, teamId }: { scope: KeyPowers['scope']; teamId?: string | null | undefined },
  verb: 'create' | 'delete',
): Refusal {
  return new Refusal('permission_missing', sentenceOf(scope, teamId ?? '', verb))
}

function sentenceOf(scope: KeyPowers['scope'], team: string, verb: string): string {
  if (scope.startsWith('organization')) {
    return `Only an owner of the organization may ${verb} a key of the organization.`
  }
  if (scope.startsWith('team')) {
    return `Only an Owner of team ${clip(team)}, or of the organization, may ${verb} a key of that team.`
  }
  return `Only its own person, or an owner of the organization, may ${verb} a personal key.`
}

function violationsOf(issues: readonly { path: PropertyKey[]; message: string }[]): Violation[] {
  return issues
    .map(({ path, message }) => ({ field: path.map(String).join('.'), message }))
    .toSorted((a, b) => (a.field < b.field ? -1 : 1))
}
