import { ApiError } from '../../platform/errors.ts'
import { readTime } from '../../platform/kit/clock.ts'
import type { Database } from '../../platform/tables.ts'
import type { Caller } from '../../requests/access/caller.ts'
import { requirePermission } from '../../requests/http/missing-permission.ts'
import { readAcceptance, type AcceptanceRequest } from '../acceptance.ts'
import type { AccessFinding } from './access-finding.ts'
import * as store from './acceptance-store.ts'
import { changeFindings } from './compare-service.ts'
import { findAccessFinding, readAccessFinding, type ListServices } from './list-service.ts'
import type { AccessFindingRow } from './list-store.ts'

/** Finds a finding that the caller may accept. Errors: not_found, permission_missing. */
export async function requireAcceptable(
  services: ListServices,
  caller: Caller,
  id: string,
): Promise<AccessFindingRow> {
  const row = await findAccessFinding(services, caller, id)
  requirePermission(caller, 'ACCESS_APPROVE', row.ownerId)
  return row
}

/**
 * Accepts a finding until a time: until then it opens no incident. Errors: not_found, permission_missing,
 * validation_failed, invalid_state.
 */
export async function acceptAccessFinding(
  services: ListServices,
  caller: Caller,
  { id, requestId, ...form }: AcceptanceRequest,
): Promise<AccessFinding> {
  const { db, clock } = services
  const row = await requireAcceptable(services, caller, id)
  const accepted = readAcceptance(form, await readTime(db, clock))
  const metadata = toMetadata(caller, requestId)
  await changeFinding(services, metadata, row, async (transaction) => {
    if (await store.acceptAccessFinding(transaction, clock, metadata, id, accepted)) return
    throw new ApiError('invalid_state', 'This finding was resolved or has changed. Read it again.')
  })
  return await readAccessFinding(services, caller, id)
}

/** Ends the acceptance of a finding. Errors: not_found, permission_missing. */
export async function endAccessAcceptance(
  services: ListServices,
  caller: Caller,
  { id, requestId }: { id: string; requestId: string },
): Promise<AccessFinding> {
  const row = await requireAcceptable(services, caller, id)
  const metadata = toMetadata(caller, requestId)
  await changeFinding(services, metadata, row, async (transaction) => {
    await store.endAccessAcceptance(transaction, services.clock, metadata, id)
  })
  return await readAccessFinding(services, caller, id)
}

function toMetadata(
  { organizationId, principal }: Caller,
  requestId: string,
): { organizationId: string; principal: string; requestId: string } {
  return { organizationId, principal, requestId }
}

// Incidents follow in the same transaction.
async function changeFinding(
  { db, clock }: ListServices,
  metadata: ReturnType<typeof toMetadata>,
  { integrationId }: AccessFindingRow,
  change: (transaction: Database) => Promise<void>,
): Promise<void> {
  await db.transaction().execute(async (transaction) => {
    await changeFindings(transaction, clock, { ...metadata, integrationId }, change)
  })
}
