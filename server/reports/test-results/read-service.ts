import { notFound } from '../../platform/errors.ts'
import { readTime } from '../../platform/kit/clock.ts'
import type { Database } from '../../platform/tables.ts'
import type { Caller } from '../../requests/access/caller.ts'
import { may } from '../../requests/access/permission.ts'
import type { DraftSyntax } from '../../requests/http/draft-form.ts'
import type { Services } from '../../requests/http/endpoint.ts'
import type { TextOutput } from '../../requests/http/offload.ts'
import * as contracts from './contract-store.ts'
import * as latest from './latest-store.ts'
import * as store from './store.ts'
import {
  listDetails,
  presentResult,
  writeObservability,
  type DataRule,
  type DetailPage,
} from './task.ts'
import type { TestResultSummary } from './test-result.ts'

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

/** Lists a page of the checks of a result, those that did not pass first. Errors: not_found, document_too_costly, overloaded. */
export async function listResultChecks(
  services: ReadingServices,
  caller: Caller,
  id: string,
  page: { page: number; size: number },
): Promise<DetailPage> {
  const { db, offload } = services
  const { organizationId } = caller
  const stored = await store.findResult(db, organizationId, id)
  if (stored === undefined) throw notFound()
  const { document, format } = stored
  const data = await chooseData(services, caller, stored)
  const texts = [{ document, mediaType: 'application/json' }]
  return await offload.run(organizationId, listDetails, { document, format, data, ...page }, texts)
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

/** Returns the members of a result that typed clients require: one result without them would make a whole list unreadable. */
export function toSummary(row: store.TestResultRow): TestResultSummary {
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
