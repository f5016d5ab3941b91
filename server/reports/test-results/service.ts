import { randomUUIDv7 } from 'node:crypto'
import type { Caller } from '../../requests/access/caller.ts'
import { may, maySomewhere, type Permission } from '../../requests/access/permission.ts'
import { notFound } from '../../platform/errors.ts'
import type { DraftSyntax } from '../../requests/http/draft-form.ts'
import type { Services } from '../../requests/http/endpoint.ts'
import { missingEverywhere, missingPermission } from '../../requests/http/missing-permission.ts'
import { readTime } from '../../platform/kit/clock.ts'
import { retryLostRaces, type Contended } from '../../platform/kit/lost-races.ts'
import type { TextOutput } from '../../requests/http/offload.ts'
import type { Database } from '../../platform/tables.ts'
import { keyChecks } from './check-service.ts'
import { removeFreshness } from './check-store.ts'
import { prepareRemoval, removeOutcomes } from './outcome-service.ts'
import * as contracts from './contract-store.ts'
import * as latest from './latest-store.ts'
import * as store from './store.ts'
import { presentResult, readResult, writeObservability, type DataRule } from './task.ts'
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
  },
): Promise<{ summary: TestResultSummary; warnings: string[] }> {
  const { db, offload, serialize } = services
  requireWriter(caller, PUBLISH)
  const { organizationId, principal } = caller
  const texts = [{ document: text, mediaType: 'application/json' }]
  const input = { text, path: place.path, contractId: place.contractId }
  const { sent, format, warnings } = await offload.run(organizationId, readResult, input, texts)
  await requireContract(db, caller, sent.contractId)
  const checks = await keyChecks(services, organizationId, sent)
  const id = sent.id ?? randomUUIDv7()
  const summary = await retryLostRaces(toContended(serialize, organizationId, id), async () => {
    const before = await store.findResult(db, organizationId, id)
    const replaced = before?.contractId
    if (before !== undefined) await requireStored(db, caller, PUBLISH, before)
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
 * Requires the permission to publish results of a contract, which may have no results yet. Errors: permission_missing.
 */
export async function requirePublisher(
  db: Database,
  caller: Caller,
  contractId: string,
): Promise<void> {
  requireWriter(caller, PUBLISH)
  await requireContract(db, caller, contractId)
}

// Tests are often run by the team that provides the data, which need not own the contract.
async function requireContract(db: Database, caller: Caller, contractId: string): Promise<void> {
  const { contract, product } = PUBLISH
  if (may(caller, contract, undefined)) return
  const teams = await contracts.findContractTeams(db, caller.organizationId, contractId)
  if (teams === undefined) return requireWriter(caller, PUBLISH)
  const { owner, providers } = teams
  if (owner !== null && may(caller, contract, owner)) return
  if (providers.some((team) => may(caller, product, team))) return
  throw missingPermission(contract, owner)
}

type ReadingServices = Pick<Services, 'db' | 'clock' | 'offload'>

/** Returns a result as JSON: as it was sent, with the members that clients rely on. Errors: not_found. */
export async function getResult(
  services: ReadingServices,
  caller: Caller,
  id: string,
): Promise<string> {
  const { db, offload } = services
  const { organizationId } = caller
  const stored = await store.findResult(db, organizationId, id)
  if (stored === undefined) throw notFound()
  const { document, format } = stored
  const data = await chooseData(services, caller, stored)
  const input = { document, format, summary: toSummary(stored), data }
  const texts = [{ document, mediaType: 'application/json' }]
  return (await offload.run(organizationId, presentResult, input, texts)).text
}

// Samples are data: editors of the contract and of products that provide it read them, for 30 days; others its open columns.
async function chooseData(
  { db, clock }: ReadingServices,
  caller: Caller,
  { contractId, publishedAt }: store.TestResultRow,
): Promise<DataRule> {
  const ageMs = Date.parse(await readTime(db, clock)) - Date.parse(publishedAt)
  const isExpired = ageMs > store.SAMPLES_DAYS * 24 * 60 * 60 * 1000
  if (await isEditor(db, caller, contractId)) return { isExpired, open: undefined }
  const { organizationId } = caller
  const contract = await contracts.loadContract(db, organizationId, contractId)
  const lowestTiers = await contracts.listLowestTiers(db, organizationId)
  return { isExpired, open: { id: contractId, document: contract?.document, lowestTiers } }
}

async function isEditor(db: Database, caller: Caller, contractId: string): Promise<boolean> {
  if (may(caller, 'DATACONTRACT_EDIT', undefined)) return true
  const teams = await contracts.findContractTeams(db, caller.organizationId, contractId)
  const owner = teams?.owner ?? undefined
  if (owner !== undefined && may(caller, 'DATACONTRACT_EDIT', owner)) return true
  return teams?.providers.some((team) => may(caller, 'DATAPRODUCT_EDIT', team)) === true
}

/** Returns a result as observability results of Bitol. Errors: not_found, document_too_costly, overloaded. */
export async function getObservability(
  services: ReadingServices,
  caller: Caller,
  id: string,
  syntax: DraftSyntax,
): Promise<TextOutput> {
  const stored = await store.findResult(services.db, caller.organizationId, id)
  if (stored === undefined) throw notFound()
  return await writeStored(services, caller, stored, syntax)
}

/** Writes a page of results as a list of observability results, each when the client has taken the one before. */
export async function* writeObservabilities(
  services: ReadingServices,
  caller: Caller,
  ids: readonly string[],
  syntax: DraftSyntax,
): AsyncGenerator<string, void, void> {
  if (syntax === 'json') yield '['
  let isFirst = true
  for (const id of ids) {
    const stored = await store.findResult(services.db, caller.organizationId, id)
    // It was deleted since the page was read.
    if (stored === undefined) continue
    const { text } = await writeStored(services, caller, stored, syntax)
    if (syntax === 'yaml') yield `- ${text.trimEnd().replaceAll('\n', '\n  ')}\n`
    else yield `${isFirst ? '' : ','}${text}`
    isFirst = false
  }
  if (syntax === 'json') yield ']'
  else if (isFirst) yield '[]\n'
}

async function writeStored(
  services: ReadingServices,
  caller: Caller,
  stored: store.FullTestResult,
  syntax: DraftSyntax,
): Promise<TextOutput> {
  const { db, offload } = services
  const { organizationId } = caller
  const { document, format } = stored
  const data = await chooseData(services, caller, stored)
  const standard = await contracts.findStandard(db, organizationId, stored.contractId)
  const context = {
    id: stored.id,
    contractId: stored.contractId,
    contractVersion: stored.contractVersion ?? undefined,
    standard,
    server: stored.server ?? undefined,
    branch: stored.branch ?? undefined,
    outputPort: stored.outputPort ?? undefined,
    isDryRun: stored.dryRun,
    startedAt: stored.startedAt ?? undefined,
    testedAt: stored.testedAt,
  }
  const texts = [{ document, mediaType: 'application/json' }]
  const input = { document, format, context, syntax, data }
  return await offload.run(organizationId, writeObservability, input, texts)
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
