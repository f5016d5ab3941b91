import type { Caller } from '../requests/access/caller.ts'
import { notFound } from '../platform/errors.ts'
import type { Instant } from '../platform/kit/clock.ts'
import { retryLostRaces } from '../platform/kit/lost-races.ts'
import type { Agreement } from './agreement.ts'
import { toContended, type AgreementServices } from './change-service.ts'
import {
  accessProvisioning,
  applyReport,
  PROVISIONING_EVENTS,
  type AccessProvisioning,
  type ProvisioningReport,
  type ReportName,
} from './provisioning.ts'
import { saveProvisioning } from './provisioning-store.ts'
import { requireProvider } from './rule.ts'
import { findAgreement } from './store.ts'

/** The agreement whose provisioning changes, and the request that changes it. */
export interface ProvisioningTarget {
  id: string
  requestId: string
}

/** Stores the report of a step of provisioning. Errors: not_found, permission_missing. */
export async function reportProvisioning(
  services: AgreementServices,
  caller: Caller,
  target: ProvisioningTarget,
  { name, report }: { name: ReportName; report: ProvisioningReport },
): Promise<AccessProvisioning> {
  return await changeProvisioning(services, caller, target, (before, now) =>
    applyReport(before, name, report, now),
  )
}

/** Replaces the provisioning of an agreement. Errors: not_found, permission_missing. */
export async function putProvisioning(
  services: AgreementServices,
  caller: Caller,
  target: ProvisioningTarget,
  provisioning: AccessProvisioning,
): Promise<AccessProvisioning> {
  return await changeProvisioning(services, caller, target, () => provisioning)
}

/** Returns the provisioning of an agreement. Errors: not_found, also before the first report. */
export async function getProvisioning(
  { db, clock }: Pick<AgreementServices, 'db' | 'clock'>,
  organizationId: string,
  id: string,
): Promise<AccessProvisioning> {
  const stored = await findAgreement(db, clock, { organizationId, id })
  const provisioning = stored && parseProvisioning(stored.agreement)
  if (provisioning === undefined) throw notFound()
  return provisioning
}

/** Parses the stored provisioning of an agreement; undefined if none was reported. */
export function parseProvisioning({
  provisioning,
}: Pick<Agreement, 'provisioning'>): AccessProvisioning | undefined {
  return provisioning === null ? undefined : accessProvisioning.parse(JSON.parse(provisioning))
}

/**
 * Requires that a caller may report the provisioning of an agreement, so that no body of others is read. Errors:
 * not_found, permission_missing.
 */
export async function requireReporter(
  { db, clock }: Pick<AgreementServices, 'db' | 'clock'>,
  caller: Caller,
  id: string,
): Promise<void> {
  const stored = await findAgreement(db, clock, { organizationId: caller.organizationId, id })
  if (stored === undefined) throw notFound()
  requireProvider(caller, 'ACCESS_EDIT', stored.agreement)
}

// A report that repeats the state has no event.
async function changeProvisioning(
  { db, clock, serialize }: AgreementServices,
  caller: Caller,
  { id, requestId }: ProvisioningTarget,
  change: (before: AccessProvisioning | undefined, now: Instant) => AccessProvisioning,
): Promise<AccessProvisioning> {
  const { organizationId, principal } = caller
  const key = { organizationId, id }
  return await retryLostRaces(toContended(serialize, key), async () => {
    const stored = await findAgreement(db, clock, key)
    if (stored === undefined) throw notFound()
    const { agreement, now } = stored
    requireProvider(caller, 'ACCESS_EDIT', agreement)
    const before = parseProvisioning(agreement)
    const after = change(before, now)
    const isSame = before?.status === after.status
    const isSaved = await saveProvisioning(db, clock, agreement, {
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
