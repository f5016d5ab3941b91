import { describeIncident } from '../../ledger/incidents/describe.ts'
import { ApiError, notFound } from '../../platform/errors.ts'
import { deleteInBatches } from '../../platform/kit/batches.ts'
import { isUuid } from '../../platform/kit/uuid.ts'
import type { Database } from '../../platform/tables.ts'
import type { Caller } from '../../requests/access/caller.ts'
import { may } from '../../requests/access/permission.ts'
import type { Services } from '../../requests/http/endpoint.ts'
import { missingPermission } from '../../requests/http/missing-permission.ts'
import { toPage, type Page } from '../../requests/http/paging.ts'
import * as store from './read-store.ts'
import { incident, type Incident } from './read.ts'

/** Lists a page of incidents: open ones first, then the newest. */
export async function listIncidents(
  db: Database,
  organizationId: string,
  filter: store.IncidentFilter,
  page: { page: number; size: number },
): Promise<Page<Incident>> {
  const rows = await store.listIncidents(db, organizationId, filter, page)
  const { elements, hasMore } = toPage(rows, page.size)
  return { elements: elements.map(toIncident), hasMore }
}

/** Returns an incident. Errors: not_found. */
export async function getIncident(
  db: Database,
  organizationId: string,
  id: string,
): Promise<Incident> {
  return toIncident(await findRow(db, organizationId, id))
}

/** Rejects callers who may not acknowledge an incident. Errors: not_found, permission_missing. */
export async function requireIncidentEdit(
  { db }: Pick<Services, 'db'>,
  caller: Caller,
  id: string,
): Promise<void> {
  const { ownerId, providerIds } = await findRow(db, caller.organizationId, id)
  if (may(caller, 'DATACONTRACT_EDIT', ownerId ?? undefined)) return
  if (providerIds.some((team) => may(caller, 'DATAPRODUCT_EDIT', team))) return
  throw missingPermission('DATACONTRACT_EDIT', ownerId)
}

/**
 * Acknowledges an open incident, or changes its note. The owners of the contract may, and the providers of its data.
 * Errors: not_found, invalid_state.
 */
export async function acknowledgeIncident(
  { db, clock, settleReality }: Pick<Services, 'db' | 'clock' | 'settleReality'>,
  caller: Caller,
  { id, note, requestId }: { id: string; note: string | null; requestId: string },
): Promise<Incident> {
  const { organizationId, principal } = caller
  const { dataContractId } = await findRow(db, organizationId, id)
  const origin = { organizationId, principal, requestId }
  await db.transaction().execute(async (transaction) => {
    if (!(await store.acknowledgeIncident(transaction, clock, origin, { id, note }))) {
      throw new ApiError('invalid_state', 'The incident is resolved.')
    }
    const change = { ...origin, kind: 'tests', contracts: [dataContractId] } as const
    await settleReality(transaction, clock, change)
  })
  return await getIncident(db, organizationId, id)
}

async function findRow(
  db: Database,
  organizationId: string,
  id: string,
): Promise<store.StoredIncident> {
  const row = isUuid(id) ? await store.findIncident(db, organizationId, id) : undefined
  if (row === undefined) throw notFound()
  return row
}

function toIncident(row: store.StoredIncident): Incident {
  return incident.parse({
    ...row,
    title: describeIncident({ ...row, name: row.dataContractName }),
  })
}

/** Deletes the incidents of all organizations that were resolved two years ago. Returns their number. */
export async function deleteExpiredIncidents({
  bulkDb,
  clock,
}: Pick<Services, 'bulkDb' | 'clock'>): Promise<number> {
  return await deleteInBatches(store.DELETE_INCIDENTS_MAX, () =>
    store.deleteExpiredIncidents(bulkDb, clock),
  )
}
