import type { AgreementTerms } from '../../formats/agreement/agreement.ts'
import type { Caller } from '../requests/access/caller.ts'
import { may, mayUse, type Permission } from '../requests/access/permission.ts'
import { ApiError } from '../platform/errors.ts'
import { missingPermission } from '../requests/http/missing-permission.ts'
import type { Agreement, AgreementConsumer } from './agreement.ts'

/**
 * The permissions on agreements. The team that owns the data product is the provider's side; the consuming person, the
 * consuming team, and the team that owns the consuming data product are the consumer's side.
 */

/** Returns whether a caller may request access for a consumer. */
function isOnConsumerSide(
  caller: Caller,
  { consumerType, consumerTeam, consumerUser }: AgreementConsumer,
): boolean {
  const { userId } = caller
  if (!mayUse(caller, 'ACCESS_REQUEST')) return false
  if (consumerType === 'user') return userId !== undefined && userId === consumerUser
  return may(caller, 'ACCESS_REQUEST', consumerTeam ?? undefined)
}

/** Requires that a caller may create an agreement. Errors: permission_missing. */
export function requireRequester(
  caller: Caller,
  agreement: AgreementConsumer & Pick<Agreement, 'providerTeam'>,
): void {
  const { providerTeam, consumerType, consumerTeam } = agreement
  if (may(caller, 'ACCESS_ADD', providerTeam) || isOnConsumerSide(caller, agreement)) return
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
  caller: Caller,
  permission: Permission,
  agreement: Agreement,
  { orConsumer = false }: { orConsumer?: boolean } = {},
): void {
  if (may(caller, permission, agreement.providerTeam)) return
  if (orConsumer && isOnConsumerSide(caller, agreement)) return
  throw missingPermission(permission, agreement.providerTeam)
}

/**
 * Requires that a caller may approve an agreement. A person does not approve an own request, unless the person also
 * decides for the consumer. Errors: permission_missing.
 */
export function requireApprover(caller: Caller, agreement: Agreement): void {
  requireProvider(caller, 'ACCESS_APPROVE', agreement)
  if (!isOwnRequest(caller, agreement)) return
  throw new ApiError(
    'permission_missing',
    'This is your own request. Ask another approver of the team to decide.',
    { extensions: { permission: 'ACCESS_APPROVE' } },
  )
}

/** Returns whether a caller may approve an agreement. */
export function mayApprove(
  caller: Caller,
  agreement: Applicants & Pick<Agreement, 'providerTeam'>,
): boolean {
  return may(caller, 'ACCESS_APPROVE', agreement.providerTeam) && !isOwnRequest(caller, agreement)
}

/** The people behind a request. */
type Applicants = Pick<Agreement, 'requestedByUser' | 'consumerUser' | 'consumerTeam'>

/**
 * Returns whether an agreement is a person's own request, and the person does not decide for the consumer, too. A key of a
 * team decides no more than the person who created it.
 */
export function isOwnRequest(
  caller: Caller,
  { requestedByUser, consumerUser, consumerTeam }: Applicants,
): boolean {
  const { responsibleId } = caller
  if (responsibleId === undefined) return false
  if (requestedByUser !== responsibleId && consumerUser !== responsibleId) return false
  return !may(caller, 'ACCESS_APPROVE', consumerTeam ?? undefined)
}

/** Returns whether terms grant the same access: the reassessment does not change it. */
export function isSameAccess(a: AgreementTerms, b: AgreementTerms): boolean {
  const isSameRoles = JSON.stringify(a.roles) === JSON.stringify(b.roles)
  return a.startOn === b.startOn && a.endOn === b.endOn && isSameRoles
}
