import { randomUUIDv7 } from 'node:crypto'
import type { Caller } from '../../requests/access/caller.ts'
import { may, maySomewhere, type Permission } from '../../requests/access/permission.ts'
import { notFound } from '../../platform/errors.ts'
import type { Services } from '../../requests/http/endpoint.ts'
import { missingEverywhere, missingPermission } from '../../requests/http/missing-permission.ts'
import { retryLostRaces, type Contended } from '../../platform/kit/lost-races.ts'
import type { Database } from '../../platform/tables.ts'
import { keyChecks } from './check-service.ts'
import { removeFreshness } from './check-store.ts'
import { prepareRemoval, removeOutcomes } from './outcome-service.ts'
import * as contracts from './contract-store.ts'
import { toSummary } from './read-service.ts'
import * as store from './store.ts'
import { readResult } from './task.ts'
import type { BranchPath, TestResultSummary } from './test-result.ts'

type WritingServices = Pick<
  Services,
  'db' | 'clock' | 'offload' | 'serialize' | 'settleReality' | 'testRules'
>

/**
 * Stores a result, or replaces the one with its id, which the owner of its contract and its publisher may. The contract
 * need not exist; if it exists, the caller must be permitted to edit it or a data product that provides it. Errors: permission_missing, validation_failed, those of
 * `readDocument`, document_too_costly, overloaded.
 */
export async function publishResult(
  services: WritingServices,
  caller: Caller,
  text: string,
  place: {
    path?: BranchPath | undefined
    contractId?: string | undefined
    requestId: string
    /** The permissions that it requires; absent = those of publishing. */
    permissions?: ResultPermissions
  },
): Promise<{ summary: TestResultSummary; warnings: string[] }> {
  const { db, offload, serialize } = services
  const { permissions = PUBLISH } = place
  requireWriter(caller, permissions)
  const { organizationId, principal } = caller
  const texts = [{ document: text, mediaType: 'application/json' }]
  const input = { text, path: place.path, contractId: place.contractId }
  const { sent, format, warnings } = await offload.run(organizationId, readResult, input, texts)
  await requireContract(db, caller, sent.contractId, permissions)
  const checks = await keyChecks(services, organizationId, sent)
  const id = sent.id ?? randomUUIDv7()
  const summary = await retryLostRaces(toContended(serialize, organizationId, id), async () => {
    const before = await store.findResult(db, organizationId, id)
    const replaced = before?.contractId
    if (before !== undefined) await requireStored(db, caller, permissions, before)
    // A client that repeats its request changes nothing.
    const isSame =
      before?.document === text && before.branch === sent.branch && replaced === sent.contractId
    if (before !== undefined && isSame) return toSummary(before)
    const write = { organizationId, principal, id, format, document: text, sent, checks, replaced }
    const stored = await writeResult(services, write, { before, requestId: place.requestId })
    return stored && toSummary(stored)
  })
  return { summary, warnings }
}

// The history of checks and the incidents change with the result.
async function writeResult(
  services: WritingServices,
  write: store.TestResultWrite,
  { before, requestId }: { before: store.TestResultRow | undefined; requestId: string },
): Promise<store.TestResultRow | undefined> {
  const { db, clock, settleReality } = services
  const { organizationId, principal, sent } = write
  const remaining = before && (await prepareRemoval(services, organizationId, before))
  return await db.transaction().execute(async (transaction) => {
    if (before !== undefined) {
      const key = { organizationId, id: write.id, contractId: before.contractId }
      const replaced = await store.lockResult(transaction, key)
      if (replaced === undefined) return undefined
      await removeOutcomes(transaction, organizationId, replaced, remaining)
      await removeFreshness(transaction, organizationId, write.id)
    }
    const stored = await store.upsertResult(transaction, clock, write)
    if (stored === undefined) return undefined
    const contractIds = [...new Set([sent.contractId, before?.contractId ?? sent.contractId])]
    const change = { organizationId, principal, requestId, kind: 'tests' } as const
    await settleReality(transaction, clock, { ...change, contracts: contractIds })
    return stored
  })
}

/** Deletes a result. Errors: not_found, permission_missing. */
export async function deleteResult(
  services: WritingServices,
  caller: Caller,
  { id, requestId }: { id: string; requestId: string },
): Promise<void> {
  const { db, clock, serialize, settleReality } = services
  const { organizationId, principal } = caller
  await retryLostRaces(toContended(serialize, organizationId, id), async () => {
    const stored = await store.findResult(db, organizationId, id)
    if (stored === undefined) throw notFound()
    const { contractId } = stored
    await requireStored(db, caller, DELETE, stored)
    const deletion = { organizationId, principal, requestId, id, contractId }
    const remaining = await prepareRemoval(services, organizationId, stored)
    return await db.transaction().execute(async (transaction) => {
      const deleted = await store.lockResult(transaction, { organizationId, id, contractId })
      if (deleted === undefined) return undefined
      await removeOutcomes(transaction, organizationId, deleted, remaining)
      if (!(await store.deleteResult(transaction, clock, deletion))) return undefined
      const change = { organizationId, principal, requestId, kind: 'tests' } as const
      await settleReality(transaction, clock, { ...change, contracts: [contractId] })
      return true
    })
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

/** Running a test, whose result is stored. */
export const RUN: ResultPermissions = {
  contract: 'DATACONTRACT_TEST_RUN',
  product: 'DATACONTRACT_TEST_RUN',
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
  const teams = await contracts.findContractTeams(db, caller.organizationId, contractId)
  if (teams === undefined && isWriter(caller, permissions)) return
  const owner = teams?.owner ?? null
  if (!may(caller, contract, owner ?? undefined)) throw missingPermission(contract, owner)
}

/**
 * Requires the permission to run a test of a contract, which need not exist. Errors: permission_missing.
 */
export async function requireTester(
  db: Database,
  caller: Caller,
  contractId: string,
): Promise<void> {
  requireWriter(caller, RUN)
  await requireContract(db, caller, contractId, RUN)
}

// Tests are often run by the team that provides the data, which need not own the contract.
async function requireContract(
  db: Database,
  caller: Caller,
  contractId: string,
  permissions: ResultPermissions,
): Promise<void> {
  const { contract, product } = permissions
  if (may(caller, contract, undefined)) return
  const teams = await contracts.findContractTeams(db, caller.organizationId, contractId)
  if (teams === undefined) return requireWriter(caller, permissions)
  const { owner, providers } = teams
  if (owner !== null && may(caller, contract, owner)) return
  if (providers.some((team) => may(caller, product, team))) return
  throw missingPermission(contract, owner)
}
