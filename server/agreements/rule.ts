import type { AgreementTerms } from '../../formats/agreement/agreement.ts'
import type { Caller } from '../access/caller.ts'
import { may, type Permission } from '../access/permission.ts'
import { ApiError } from '../errors.ts'
import { missingPermission } from '../http/missing-permission.ts'
import type { Agreement, AgreementConsumer } from './agreement.ts'

/**
 * The permissions on agreements. The team that owns the data product is the provider's side; the consuming person, the
 * consuming team, and the team that owns the consuming data product are the consumer's side.
 */

/** A caller, and the person behind it. */
export interface Actor {
  caller: Caller
  /** The id of the person; undefined for keys of teams and organizations. */
  userId: string | undefined
}

/** Returns the caller and the person behind it. */
export function toActor(caller: Caller): Actor {
  return { caller, userId: caller.userId }
}

/** Returns whether an actor may request access for a consumer. */
export function isOnConsumerSide(
  { caller, userId }: Actor,
  { consumerType, consumerTeam, consumerUser }: AgreementConsumer,
): boolean {
  if (caller.readOnly) return false
  if (consumerType === 'user') return userId !== undefined && userId === consumerUser
  return may(caller, 'ACCESS_REQUEST', consumerTeam ?? undefined)
}

/** Requires that an actor may create an agreement. Errors: permission_missing. */
export function requireRequester(
  actor: Actor,
  agreement: AgreementConsumer & Pick<Agreement, 'providerTeam'>,
): void {
  const { providerTeam, consumerType, consumerTeam } = agreement
  if (may(actor.caller, 'ACCESS_ADD', providerTeam) || isOnConsumerSide(actor, agreement)) return
  if (consumerType !== 'user') throw missingPermission('ACCESS_REQUEST', consumerTeam)
  throw missingPermission(
    'ACCESS_ADD',
    providerTeam,
    `Only the person, or ACCESS_ADD on team ${providerTeam}, can request access for a person.`,
  )
}

/**
 * Requires a permission on the provider's team, or the consumer's side if that may do it, too. Errors:
 * permission_missing.
 */
export function requireProvider(
  actor: Actor,
  permission: Permission,
  agreement: Agreement,
  { orConsumer = false }: { orConsumer?: boolean } = {},
): void {
  if (may(actor.caller, permission, agreement.providerTeam)) return
  if (orConsumer && isOnConsumerSide(actor, agreement)) return
  throw missingPermission(permission, agreement.providerTeam)
}

/**
 * Requires that an actor may approve an agreement. A person does not approve an own request, unless the person also
 * decides for the consumer. Errors: permission_missing.
 */
export function requireApprover(actor: Actor, agreement: Agreement): void {
  requireProvider(actor, 'ACCESS_APPROVE', agreement)
  if (!isOwnRequest(actor, agreement)) return
  throw new ApiError(
    'permission_missing',
    'This is your own request. Ask another approver of the team to decide.',
    { extensions: { permission: 'ACCESS_APPROVE' } },
  )
}

/** Returns whether an agreement is a person's own request, and the person does not decide for the consumer, too. */
export function isOwnRequest(
  { caller, userId }: Actor,
  { requestedByUser, consumerUser, consumerTeam }: Agreement,
): boolean {
  if (userId === undefined) return false
  if (requestedByUser !== userId && consumerUser !== userId) return false
  return !may(caller, 'ACCESS_APPROVE', consumerTeam ?? undefined)
}

/** Returns whether terms grant the same access: the reassessment does not change it. */
export function isSameAccess(a: AgreementTerms, b: AgreementTerms): boolean {
  const isSameRoles = JSON.stringify(a.roles) === JSON.stringify(b.roles)
  return a.startOn === b.startOn && a.endOn === b.endOn && isSameRoles
}
