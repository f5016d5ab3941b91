import { namePrincipals } from '../../ledger/principals/service.ts'
import { notFound } from '../../platform/errors.ts'
import type { Clock } from '../../platform/kit/clock.ts'
import { isUuid } from '../../platform/kit/uuid.ts'
import type { Database } from '../../platform/tables.ts'
import { toPage, type Page } from '../../requests/http/paging.ts'
import { toAcceptance } from '../acceptance.ts'
import type { DriftFinding } from './drift.ts'
import * as store from './list-store.ts'

/** Returns a page of findings, newest first. */
export async function listFindings(
  db: Database,
  clock: Clock,
  organizationId: string,
  filter: store.FindingFilter,
  page: number,
): Promise<Page<DriftFinding>> {
  const rows = await store.listFindings(db, clock, organizationId, filter, page)
  const { elements, hasMore } = toPage(rows)
  return { elements: await nameFindings(db, organizationId, elements), hasMore }
}

/** Adds the names of the people who accepted findings. */
export async function nameFindings(
  db: Database,
  organizationId: string,
  rows: readonly store.FindingRow[],
): Promise<DriftFinding[]> {
  const principals = rows.flatMap(({ acceptedBy }) => acceptedBy ?? [])
  const named = await namePrincipals(db, organizationId, principals)
  const names = new Map(named.map(({ principal, name }) => [principal, name]))
  return rows.map(({ acceptedUntil, acceptedReason, acceptedBy, acceptedAt, ...finding }) => ({
    ...finding,
    acceptance: toAcceptance({ acceptedUntil, acceptedReason, acceptedBy, acceptedAt }, names),
  }))
}

/** Returns a finding. Errors: not_found. */
export async function readFinding(
  db: Database,
  organizationId: string,
  id: string,
): Promise<DriftFinding> {
  const row = isUuid(id) ? await store.findFinding(db, organizationId, id) : undefined
  const [finding] = await nameFindings(db, organizationId, row === undefined ? [] : [row])
  if (finding === undefined) throw notFound()
  return finding
}
