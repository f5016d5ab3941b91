import { z } from '@hono/zod-openapi'
import { CHECK_OUTCOMES, type CheckOutcome } from '../../../formats/reality/check-outcome.ts'
import { listDefinitions, type KeyedCheck } from '../../../formats/reality/checks.ts'
import type { ContractRule, RuleMembers } from '../../../formats/reality/rules.ts'
import { findStaleness } from '../../../formats/reality/stale.ts'
import { notFound } from '../../platform/errors.ts'
import { deleteInBatches } from '../../platform/kit/batches.ts'
import { ByteCache } from '../../platform/kit/byte-cache.ts'
import { readTime } from '../../platform/kit/clock.ts'
import type { Services } from '../../requests/http/endpoint.ts'
import type { ContractCheck } from './check.ts'
import * as contracts from './contract-store.ts'
import * as store from './check-store.ts'
import { keyResultChecks, readDefinitions, readRules } from './check-task.ts'
import type { SentResult } from './test-result.ts'

/** The services that attribute checks to the rules of contracts. */
export type RuleServices = Pick<Services, 'db' | 'offload' | 'testRules'>

const RULES_BYTES_MAX = 32 * 1024 * 1024
const DEFINITIONS_BYTES_MAX = 8 * 1024 * 1024

/**
 * Creates the memory of a process for the rules of contracts, by their digests, and for the definitions of rules in results:
 * programs send the same ones every night, and reading YAML takes longer than everything else.
 */
export function newTestRules(): Services['testRules'] {
  return {
    rules: new ByteCache(RULES_BYTES_MAX),
    definitions: new ByteCache(DEFINITIONS_BYTES_MAX),
  }
}

/**
 * Gives the checks of a result keys that are equal in all results. Results of branches and dry runs have none: they do not test
 * the data. Errors: document_too_costly, overloaded.
 */
export async function keyChecks(
  services: RuleServices,
  organizationId: string,
  { contractId, contractVersion, branch, dryRun, checks }: SentResult,
): Promise<KeyedCheck[]> {
  if (dryRun || branch !== null || checks.length === 0) return []
  const contract = await contracts.findTestedContract(services.db, organizationId, contractId)
  const rules =
    contract === undefined ? [] : await listRules(services, organizationId, contractId, contract)
  const texts = listDefinitions(checks, rules)
  const definitions = await readAll(services, organizationId, texts)
  const isCurrent = contractVersion !== null && contractVersion === contract?.version
  const input = { checks, rules, definitions, isCurrent }
  // Without a text it would run in this thread, however many checks there are.
  const weight =
    checks.length > SMALL_CHECKS_MAX ? ' '.repeat(checks.length * CHECK_CHARACTERS) : ''
  const measured = [{ document: weight, mediaType: 'application/json' }]
  return await services.offload.run(organizationId, keyResultChecks, input, measured)
}

// Attributing this many checks takes a millisecond.
const SMALL_CHECKS_MAX = 200
const CHECK_CHARACTERS = 200

async function listRules(
  { db, offload, testRules }: RuleServices,
  organizationId: string,
  id: string,
  { digest }: { digest: string },
): Promise<readonly ContractRule[]> {
  const before = testRules.rules.get(JSON.stringify([organizationId, id, digest]))
  if (before !== undefined) return before
  const contract = await contracts.loadContract(db, organizationId, id)
  if (contract === undefined) return []
  const { document } = contract
  const texts = [{ document, mediaType: 'application/json' }]
  const rules = await offload.run(organizationId, readRules, { id, document }, texts)
  const key = JSON.stringify([organizationId, id, contract.digest])
  testRules.rules.set(key, rules, 2 * (key.length + JSON.stringify(rules).length))
  return rules
}

async function readAll(
  { offload, testRules: { definitions } }: RuleServices,
  organizationId: string,
  texts: readonly string[],
): Promise<[string, RuleMembers][]> {
  const unread = texts.filter((text) => definitions.get(text) === undefined)
  const read = new Map<string, RuleMembers>()
  if (unread.length > 0) {
    const sources = unread.map((document) => ({ document, mediaType: 'application/yaml' }))
    const members = await offload.run(organizationId, readDefinitions, unread, sources)
    for (const [at, text] of unread.entries()) {
      read.set(text, members[at] ?? {})
      definitions.set(text, members[at] ?? {}, 6 * text.length)
    }
  }
  return texts.map((text) => [text, read.get(text) ?? definitions.get(text) ?? {}])
}

/** A page of the checks of a contract. */
interface CheckPage {
  checks: ContractCheck[]
  hasNext: boolean
}

/** Lists a page of the checks of a contract with their newest outcomes, the failing ones first. Errors: not_found. */
export async function listChecks(
  services: RuleServices & Pick<Services, 'clock'>,
  organizationId: string,
  { contractId, server }: { contractId: string; server: string | undefined },
  page: { page: number; size: number },
): Promise<CheckPage> {
  const { db, clock } = services
  const contract = await contracts.findTestedContract(db, organizationId, contractId)
  if (contract === undefined) throw notFound()
  const rules = await listRules(services, organizationId, contractId, contract)
  const pointers = new Map(rules.map(({ key, pointer }) => [key, pointer]))
  const rows = await store.listChecks(db, organizationId, { contractId, server }, page)
  const shown = rows.slice(0, page.size)
  const times = [...new Set(shown.flatMap((row) => row.times))]
  const results = await store.listResultsAt(db, organizationId, contractId, times)
  const ids = new Map(results.map((one) => [toResultKey(one, one.testedAt), one.id]))
  const nowMs = Date.parse(await readTime(db, clock))
  const checks = shown.map((row): ContractCheck => {
    const { ruleKey, port, outcomes, times: testedTimes, values, ...check } = row
    const [dataProductId, outputPortId] = readPort(port)
    const staleness = findStaleness({
      testedAtMs: Date.parse(check.testedAt),
      testedVersion: check.testedVersion,
      nowMs,
      version: contract.version,
      validSeconds: contract.validSeconds,
    })
    return {
      ...check,
      dataProductId,
      outputPortId,
      // A result that came before the contract may have the id of its rule.
      rulePointer: pointers.get(ruleKey ?? row.key) ?? null,
      isStale: staleness !== undefined,
      history: testedTimes.map((testedAt, at) => ({
        outcome: readLetter(outcomes.charAt(at)),
        testedAt,
        value: values[at] ?? null,
        resultId: ids.get(toResultKey(row, testedAt)) ?? null,
      })),
    }
  })
  return { checks, hasNext: rows.length > page.size }
}

function toResultKey({ server, port }: { server: string; port: string }, testedAt: string): string {
  return JSON.stringify([server, port, testedAt])
}

function readPort(port: string): readonly [string | null, string | null] {
  return port === '' ? [null, null] : portKey.parse(JSON.parse(port))
}

const portKey = z.tuple([z.string().nullable(), z.string().nullable()])

function readLetter(letter: string): CheckOutcome {
  return CHECK_OUTCOMES.find((outcome) => outcome.startsWith(letter)) ?? 'unknown'
}

/** Deletes the checks of all organizations that no result has had for a year. Returns their number. */
export async function deleteExpiredChecks({
  bulkDb,
  clock,
}: Pick<Services, 'bulkDb' | 'clock'>): Promise<number> {
  return await deleteInBatches(store.DELETE_CHECKS_MAX, () =>
    store.deleteExpiredChecks(bulkDb, clock),
  )
}
