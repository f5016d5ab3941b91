import type { Caller } from '../requests/access/caller.ts'
import { notFound } from '../platform/errors.ts'
import type { Instant } from '../platform/kit/clock.ts'
import type { Agreement } from './agreement.ts'
import { requireProvider } from './permission.ts'
import { accessProvisioning, PROVISIONING_EVENTS, type AccessProvisioning } from './provisioning.ts'
import { getAgreement, type AgreementReadServices } from './read-service.ts'
import { withCurrent, type AgreementServices } from './write-service.ts'
import { saveProvisioning } from './write-store.ts'

/** The agreement whose provisioning changes, and the request that changes it. */
interface ProvisioningTarget {
  id: string
  requestId: string
}

/** Returns the provisioning of an agreement. Errors: not_found, also before the first report. */
export async function getProvisioning(
  services: AgreementReadServices,
  organizationId: string,
  id: string,
): Promise<AccessProvisioning> {
  const provisioning = parseProvisioning(await getAgreement(services, organizationId, id))
  if (provisioning === undefined) throw notFound()
  return provisioning
}

// Undefined = none was reported.
function parseProvisioning({ provisioning }: Agreement): AccessProvisioning | undefined {
  return provisioning === null ? undefined : accessProvisioning.parse(JSON.parse(provisioning))
}

/**
 * Requires that a caller may report the provisioning of an agreement, so that no body of others is read. Errors:
 * not_found, permission_missing.
 */
export async function requireReporter(
  services: AgreementReadServices,
  caller: Caller,
  id: string,
): Promise<void> {
  const agreement = await getAgreement(services, caller.organizationId, id)
  requireProvider(caller, 'ACCESS_EDIT', agreement)
}

/**
 * Changes the provisioning of an agreement; undefined = none was reported before. A change that repeats the state has no
 * event. Errors: not_found, permission_missing.
 */
export async function changeProvisioning(
  services: AgreementServices,
  caller: Caller,
  { id, requestId }: ProvisioningTarget,
  change: (before: AccessProvisioning | undefined, now: Instant) => AccessProvisioning,
): Promise<AccessProvisioning> {
  const { organizationId, principal } = caller
  return await withCurrent(services, { organizationId, id }, async (current) => {
    if (current === undefined) throw notFound()
    const { agreement, now } = current
    requireProvider(caller, 'ACCESS_EDIT', agreement)
    const before = parseProvisioning(agreement)
    const after = change(before, now)
    const isSame = before?.status === after.status
    const isSaved = await saveProvisioning(services.db, services.clock, agreement, {
      principal,
      requestId,
      status: after.status,
      provisioning: JSON.stringify(after),
      platform: after.platform,
      event: isSame ? undefined : PROVISIONING_EVENTS[after.status],
    })
    return isSaved ? after : undefined
  })
}
