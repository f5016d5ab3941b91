import { randomUUIDv7 } from 'node:crypto'
import type { Caller } from '../../requests/access/caller.ts'
import { may, maySomewhere, type Permission } from '../../requests/access/permission.ts'
import { notFound } from '../../platform/errors.ts'
import type { Services } from '../../requests/http/endpoint.ts'
import { missingEverywhere, missingPermission } from '../../requests/http/missing-permission.ts'
import { deleteInBatches } from '../../platform/kit/batches.ts'
import { retryLostRaces, type Contended } from '../../platform/kit/lost-races.ts'
import type { Database } from '../../platform/tables.ts'
import * as latest from './latest-store.ts'
import * as store from './store.ts'
import { presentResult, readResult } from './task.ts'
import type { BranchPath, TestResultSummary } from './test-result.ts'

type WritingServices = Pick<Services, 'db' | 'clock' | 'offload' | 'serialize'>

/**
 * Stores a result, or replaces the one with its id, which the owner of its contract and its publisher may. The contract
 * need not exist; if it exists, the caller must be permitted to edit it or a data product that provides it. Errors: permission_missing, validation_failed, those of
 * `readDocument`, document_too_costly, overloaded.
 */
export async function publishResult(
  { db, clock, offload, serialize }: WritingServices,
  caller: Caller,
  text: string,
  path: BranchPath | undefined,
): Promise<TestResultSummary> {
  requireWriter(caller, PUBLISH)
  const { organizationId, principal } = caller
  const texts = [{ document: text, mediaType: 'application/json' }]
  const sent = await offload.run(organizationId, readResult, { text, path }, texts)
  await requireContract(db, caller, sent.contractId)
  const id = sent.id ?? randomUUIDv7()
  return await retryLostRaces(toContended(serialize, organizationId, id), async () => {
    const before = await store.findResult(db, organizationId, id)
    const replaced = before?.contractId
    if (before !== undefined) await requireStored(db, caller, PUBLISH, before)
    // A client that repeats its request changes nothing.
    const isSame =
      before?.document === text && before.branch === sent.branch && replaced === sent.contractId
    if (before !== undefined && isSame) return toSummary(before)
    const write = { organizationId, principal, id, document: text, sent, replaced }
    const stored = await store.upsertResult(db, clock, write)
    return stored && toSummary(stored)
  })
}

/** Deletes a result. Errors: not_found, permission_missing. */
export async function deleteResult(
  { db, clock, serialize }: Pick<Services, 'db' | 'clock' | 'serialize'>,
  caller: Caller,
  { id, requestId }: { id: string; requestId: string },
): Promise<void> {
  const { organizationId, principal } = caller
  await retryLostRaces(toContended(serialize, organizationId, id), async () => {
    const stored = await store.findResult(db, organizationId, id)
    if (stored === undefined) throw notFound()
    const { contractId } = stored
    await requireStored(db, caller, DELETE, stored)
    const deletion = { organizationId, principal, requestId, id, contractId }
    return (await store.deleteResult(db, clock, deletion)) ? true : undefined
  })
}

function toContended(
  serialize: Services['serialize'],
  organizationId: string,
  id: string,
): Contended {
  return { serialize, key: `${organizationId}/test-result/${id}`, called: 'test result' }
}

/** The permissions for an action, by the resource on whose team they count. */
interface ResultPermissions {
  contract: Permission
  product: Permission
}

const PUBLISH: ResultPermissions = {
  contract: 'DATACONTRACT_TEST_RESULTS_EDIT',
  product: 'DATAPRODUCT_TEST_RESULTS_EDIT',
}

const DELETE: ResultPermissions = { contract: 'DATACONTRACT_DELETE', product: 'DATAPRODUCT_DELETE' }

function isWriter(caller: Caller, { contract, product }: ResultPermissions): boolean {
  return maySomewhere(caller, contract) || maySomewhere(caller, product)
}

function requireWriter(caller: Caller, permissions: ResultPermissions): void {
  if (!isWriter(caller, permissions)) throw missingEverywhere(permissions.contract)
}

// A team becomes a provider by naming the contract in an output port, without the consent of its owner. It may publish
// results, but only replace and delete its own ones.
async function requireStored(
  db: Database,
  caller: Caller,
  permissions: ResultPermissions,
  { contractId, publishedBy }: store.TestResultRow,
): Promise<void> {
  if (publishedBy === caller.principal && isWriter(caller, permissions)) return
  const { contract } = permissions
  if (may(caller, contract, undefined)) return
  const teams = await store.findContractTeams(db, caller.organizationId, contractId)
  if (teams === undefined && isWriter(caller, permissions)) return
  const owner = teams?.owner ?? null
  if (!may(caller, contract, owner ?? undefined)) throw missingPermission(contract, owner)
}

// Tests are often run by the team that provides the data, which need not own the contract.
async function requireContract(db: Database, caller: Caller, contractId: string): Promise<void> {
  const { contract, product } = PUBLISH
  if (may(caller, contract, undefined)) return
  const teams = await store.findContractTeams(db, caller.organizationId, contractId)
  if (teams === undefined) return requireWriter(caller, PUBLISH)
  const { owner, providers } = teams
  if (owner !== null && may(caller, contract, owner)) return
  if (providers.some((team) => may(caller, product, team))) return
  throw missingPermission(contract, owner)
}

/** Returns a result as JSON: as it was sent, with the members that clients rely on. Errors: not_found. */
export async function getResult(
  { db, offload }: Pick<Services, 'db' | 'offload'>,
  organizationId: string,
  id: string,
): Promise<string> {
  const stored = await store.findResult(db, organizationId, id)
  if (stored === undefined) throw notFound()
  const { document } = stored
  const input = { document, summary: toSummary(stored) }
  const texts = [{ document, mediaType: 'application/json' }]
  return (await offload.run(organizationId, presentResult, input, texts)).text
}

/** A page of results. */
interface TestResultPage {
  results: TestResultSummary[]
  hasNext: boolean
}

/** Lists a page of results, newest first. */
export async function listResults(
  db: Database,
  organizationId: string,
  filter: store.TestResultFilter,
  page: { page: number; size: number },
): Promise<TestResultPage> {
  const rows = await store.listResults(db, organizationId, filter, page)
  const results = rows.slice(0, page.size).map(toSummary)
  return { results, hasNext: rows.length > page.size }
}

/** Lists the newest result for each server of a contract, newest first. */
export async function listLatestOfContract(
  db: Database,
  organizationId: string,
  contractId: string,
): Promise<TestResultSummary[]> {
  return (await latest.listLatestOfContract(db, organizationId, contractId)).map(toSummary)
}

/** Lists the newest results for the contracts and output ports of a data product, newest first. */
export async function listLatestOfProduct(
  db: Database,
  organizationId: string,
  productId: string,
): Promise<TestResultSummary[]> {
  return (await latest.listLatestOfProduct(db, organizationId, productId)).map(toSummary)
}

/** Deletes expired results of all organizations. Returns their number. */
export async function deleteExpiredResults({
  bulkDb,
  clock,
}: Pick<Services, 'bulkDb' | 'clock'>): Promise<number> {
  return await deleteInBatches(store.DELETE_RESULTS_MAX, () =>
    store.deleteExpiredResults(bulkDb, clock),
  )
}

// Typed clients require these members: one result without them would make a whole list unreadable.
function toSummary(row: store.TestResultRow): TestResultSummary {
  return {
    id: row.id,
    dataContractId: row.contractId,
    dataContractVersion: row.contractVersion ?? '',
    dataProductId: row.productId ?? undefined,
    outputPortId: row.outputPort ?? undefined,
    server: row.server ?? '',
    branch: row.branch ?? undefined,
    result: row.result,
    dryRun: row.dryRun,
    timestampStart: row.startedAt ?? row.testedAt,
    timestampEnd: row.endedAt ?? row.testedAt,
    testedAt: row.testedAt,
    checkCount: row.checkCount ?? undefined,
    passedCount: row.passedCount ?? undefined,
    publishedAt: row.publishedAt,
    publishedBy: row.publishedBy,
  }
}
