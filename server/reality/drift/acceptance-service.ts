import { SYSTEM } from '../../ledger/activity/entry.ts'
import { lockReality } from '../../ledger/promises/lock.ts'
import { ApiError, notFound } from '../../platform/errors.ts'
import { readTime } from '../../platform/kit/clock.ts'
import { isUuid } from '../../platform/kit/uuid.ts'
import type { Caller } from '../../requests/access/caller.ts'
import type { Services } from '../../requests/http/endpoint.ts'
import { requirePermission } from '../../requests/http/missing-permission.ts'
import { readAcceptance, type AcceptanceRequest } from '../acceptance.ts'
import * as store from './acceptance-store.ts'
import type { DriftFinding } from './drift.ts'
import { readFinding } from './list-service.ts'
import { findFinding, type FindingRow } from './list-store.ts'

/** The services that change findings. */
type DriftServices = Pick<Services, 'db' | 'clock' | 'settleReality'>

/**
 * Finds a finding and requires that the caller may change its contract. Errors: not_found, permission_missing.
 */
export async function requireFindingEdit(
  { db }: Pick<Services, 'db'>,
  caller: Caller,
  id: string,
): Promise<FindingRow> {
  const row = isUuid(id) ? await findFinding(db, caller.organizationId, id) : undefined
  if (row === undefined) throw notFound()
  requirePermission(caller, 'DATACONTRACT_EDIT', row.ownerId)
  return row
}

/**
 * Accepts a finding until a time: until then it counts neither as drift nor as an incident. Errors: not_found,
 * permission_missing, validation_failed, invalid_state.
 */
export async function acceptFinding(
  services: DriftServices,
  caller: Caller,
  { id, requestId, ...form }: AcceptanceRequest,
): Promise<DriftFinding> {
  const { db, clock } = services
  const row = await requireFindingEdit(services, caller, id)
  const accepted = readAcceptance(form, await readTime(db, clock))
  return await changeFinding(services, caller, row, requestId, async (db, metadata) => {
    if (await store.acceptFinding(db, clock, metadata, id, accepted)) return
    throw new ApiError(
      'invalid_state',
      'This difference was resolved or has changed. Read it again.',
    )
  })
}

/** Ends the acceptance of a finding. Errors: not_found, permission_missing. */
export async function endAcceptance(
  services: DriftServices,
  caller: Caller,
  { id, requestId }: { id: string; requestId: string },
): Promise<DriftFinding> {
  const row = await requireFindingEdit(services, caller, id)
  return await changeFinding(services, caller, row, requestId, async (db, metadata) => {
    await store.endAcceptances(db, services.clock, metadata, [id], { isExpired: false })
  })
}

// Incidents and trust follow in the same transaction.
async function changeFinding(
  { db, clock, settleReality }: DriftServices,
  { organizationId, principal }: Caller,
  { id, dataContractId: contractId, server, model }: FindingRow,
  requestId: string,
  change: (
    db: Services['db'],
    metadata: { organizationId: string; principal: string; requestId: string },
  ) => Promise<void>,
): Promise<DriftFinding> {
  const metadata = { organizationId, principal, requestId }
  return await db.transaction().execute(async (db) => {
    await lockReality(db, organizationId)
    await change(db, metadata)
    await settleReality(db, clock, { ...metadata, kind: 'choice', contractId, server, model })
    return await readFinding(db, organizationId, id)
  })
}

const EXPIRED_AT_ONCE_MAX = 500

/**
 * Ends the acceptances whose time is over, so that incidents, trust and search follow. Returns their number.
 */
export async function endExpiredAcceptances({
  db,
  clock,
  settleReality,
}: DriftServices): Promise<number> {
  let count = 0
  for (;;) {
    const expired = await store.listExpired(db, clock, EXPIRED_AT_ONCE_MAX)
    for (const findings of Map.groupBy(expired, toPromiseText).values()) {
      const [first] = findings
      if (first === undefined) continue
      const { organizationId, contractId, server, model } = first
      await db.transaction().execute(async (db) => {
        await lockReality(db, organizationId)
        const origin = { organizationId, ...SYSTEM }
        const ids = findings.map(({ id }) => id)
        await store.endAcceptances(db, clock, origin, ids, { isExpired: true })
        await settleReality(db, clock, { ...origin, kind: 'choice', contractId, server, model })
      })
    }
    count += expired.length
    if (expired.length < EXPIRED_AT_ONCE_MAX) return count
  }
}

function toPromiseText({
  organizationId,
  contractId,
  server,
  model,
}: store.ExpiredAcceptance): string {
  return JSON.stringify([organizationId, contractId, server, model])
}
