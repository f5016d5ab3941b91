import type { AgreementTerms } from '../../formats/agreement/agreement.ts'
import type { Caller } from '../requests/access/caller.ts'
import { ApiError } from '../platform/errors.ts'
import { invalidRequest } from '../requests/http/document.ts'
import type { Agreement } from './agreement.ts'
import { toWrite, updateAgreement, type AgreementServices } from './change-service.ts'
import { amend, isInForce, isOpen } from './lifecycle.ts'
import { isSameAccess, requireApprover, requireProvider } from './rule.ts'

/** Terms to change; those that are absent stay. */
export type TermsPatch = Partial<AgreementTerms>

/**
 * Changes the terms of an agreement that has not ended, as those who manage the access to the data product may. Terms
 * that are in effect already write nothing. Errors: not_found, permission_missing, invalid_state, validation_failed.
 */
export async function changeTerms(
  services: AgreementServices,
  caller: Caller,
  { id, patch, requestId }: { id: string; patch: TermsPatch; requestId: string },
): Promise<Agreement> {
  const { organizationId, principal } = caller
  return await updateAgreement(services, {
    organizationId,
    id,
    principal,
    requestId,
    change(agreement, now) {
      requireProvider(caller, 'ACCESS_EDIT', agreement)
      const terms = applyPatch(agreement, patch)
      const isSame = isSameAccess(terms, agreement)
      if (isSame && terms.reassessOn === agreement.reassessOn) return undefined
      if (!isOpen(agreement)) {
        throw new ApiError('invalid_state', 'The agreement has ended. Request access again.')
      }
      if (isInForce(agreement) && !isSame) requireApprover(caller, agreement)
      return toWrite(agreement, amend(agreement, now, terms), principal)
    },
  })
}

/** Applies changes to the terms of an agreement. Errors: validation_failed if it would end before it begins. */
export function applyPatch(agreement: Agreement, patch: TermsPatch): AgreementTerms {
  const { startOn, endOn, reassessOn, roles } = { ...agreement, ...patch }
  if (startOn !== null && endOn !== null && endOn < startOn) {
    const message = `must not be before ${startOn}, the day on which the agreement begins`
    throw invalidRequest([{ field: 'endOn', message }])
  }
  return { startOn, endOn, reassessOn, roles }
}
