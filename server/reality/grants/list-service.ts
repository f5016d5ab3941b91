import { namePrincipals } from '../../ledger/principals/service.ts'
import { notFound } from '../../platform/errors.ts'
import type { Clock } from '../../platform/kit/clock.ts'
import { isUuid } from '../../platform/kit/uuid.ts'
import type { Database } from '../../platform/tables.ts'
import type { Caller } from '../../requests/access/caller.ts'
import { may } from '../../requests/access/permission.ts'
import { toPage, type Page } from '../../requests/http/paging.ts'
import { toAcceptance } from '../acceptance.ts'
import type { AccessFinding } from './access-finding.ts'
import * as store from './list-store.ts'
import { isSelf, seesNames } from './visibility.ts'

/** The services that read findings. */
export interface ListServices {
  db: Database
  clock: Clock
}

/** Returns a page of findings as the caller may see them, newest first. */
export async function listAccessFindings(
  { db, clock }: ListServices,
  caller: Caller,
  filter: store.AccessFindingFilter,
  page: number,
): Promise<Page<AccessFinding>> {
  const rows = await store.listAccessFindings(db, clock, caller.organizationId, filter, page)
  const { elements, hasMore } = toPage(rows)
  return { elements: await present(db, caller, elements), hasMore }
}

/** Finds a finding with all its names, for checks of permissions. Errors: not_found. */
export async function findAccessFinding(
  { db, clock }: ListServices,
  { organizationId }: Pick<Caller, 'organizationId'>,
  id: string,
): Promise<store.AccessFindingRow> {
  const row = isUuid(id) ? await store.findAccessFinding(db, clock, organizationId, id) : undefined
  if (row === undefined) throw notFound()
  return row
}

/** Returns a finding as the caller may see it. Errors: not_found. */
export async function readAccessFinding(
  services: ListServices,
  caller: Caller,
  id: string,
): Promise<AccessFinding> {
  const row = await findAccessFinding(services, caller, id)
  const [finding] = await present(services.db, caller, [row])
  if (finding === undefined) throw notFound()
  return finding
}

async function present(
  db: Database,
  caller: Caller,
  rows: readonly store.AccessFindingRow[],
): Promise<AccessFinding[]> {
  const principals = rows.flatMap(({ acceptedBy }) => acceptedBy ?? [])
  const named = await namePrincipals(db, caller.organizationId, principals)
  const names = new Map(named.map(({ principal, name }) => [principal, name]))
  return rows.map((row) => presentOne(caller, row, names))
}

function presentOne(
  caller: Caller,
  row: store.AccessFindingRow,
  names: ReadonlyMap<string, string | null>,
): AccessFinding {
  const { integrationId: _, granteeKind, granteeName, consumerKind, consumerId, consumerName } = row
  const { facts, ...common } = row
  const consumer =
    consumerKind === null || consumerId === null
      ? null
      : { kind: consumerKind, id: consumerId, name: consumerName }
  const isVisible =
    seesNames(caller, row.ownerId) ||
    isSelf(caller, { kind: consumerKind, id: consumerId }) ||
    isSelf(caller, { kind: 'user', id: row.granteeUserId })
  const hasGrantee = granteeKind !== ''
  return {
    id: common.id,
    kind: common.kind,
    status: common.status,
    isRead: common.isRead,
    dataProductId: common.dataProductId,
    dataProductName: common.dataProductName,
    ownerId: common.ownerId,
    outputPortId: common.outputPortId,
    integration: common.integration,
    isHidden: !isVisible && (hasGrantee ? granteeKind !== 'public' : consumerKind === 'user'),
    grantee:
      hasGrantee && (isVisible || granteeKind === 'public')
        ? { kind: granteeKind, name: granteeName }
        : null,
    consumer: isVisible || consumerKind !== 'user' ? consumer : null,
    accessId: common.accessId,
    tableCount: facts.tableCount,
    via: isVisible ? (facts.via ?? null) : null,
    writes: facts.writes ?? [],
    hasGrantOption: facts.hasGrantOption === true,
    isContainerWide: facts.isContainerWide === true,
    isColumnsOnly: facts.isColumnsOnly === true,
    since: common.since,
    firstRunId: common.firstRunId,
    changedAt: common.changedAt,
    notReadSince: common.notReadSince,
    resolvedAt: common.resolvedAt,
    resolvedBecause: common.resolvedBecause,
    acceptance: toAcceptance(row, names),
    mayAccept: may(caller, 'ACCESS_APPROVE', row.ownerId ?? undefined),
  }
}
