import { randomUUIDv7 } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import { clip } from '../../../formats/text/value.ts'
import type { MeasureAnswer } from '../../../formats/reality/measure/measure.ts'
import { isTestable, type TablePlan } from '../../../formats/reality/measure/plan.ts'
import { isProductionServer } from '../../../formats/reality/promise.ts'
import { CONTRACTS } from '../../catalog/data-contracts/service.ts'
import { CONNECTORS } from '../../connectors/connectors.ts'
import { getDocument } from '../../documents/read-service.ts'
import { ApiError } from '../../platform/errors.ts'
import { readTime } from '../../platform/kit/clock.ts'
import { getResult } from '../../reports/test-results/read-service.ts'
import { publishResult, requireTester, RUN } from '../../reports/test-results/service.ts'
import type { Caller } from '../../requests/access/caller.ts'
import type { Services } from '../../requests/http/endpoint.ts'
import type { Integration } from '../integrations/integration.ts'
import { requireOffer } from '../integrations/offer-service.ts'
import { findIntegration } from '../integrations/service.ts'
import { getDestination } from './account-service.ts'
import { claimAccount, findAccount, releaseAccount, type TestAccountRow } from './account-store.ts'
import { measureTables, type MeasureServices } from './measure-service.ts'
import { findOwner, listDocuments, listLinkedModels, type LinkedModel } from './table-store.ts'
import { planContractTests, readTestSubject, writeContractTest } from './test-task.ts'

type TestServices = MeasureServices &
  Pick<Services, 'db' | 'clock' | 'offload' | 'serialize' | 'settleReality' | 'testRules'>

/** The test of a contract that a caller requests. */
interface TestRequest {
  contractId: string
  /** Undefined = the only server, or the first one of production. */
  server: string | undefined
  requestId: string
}

/** The time of all statements of a test. */
const TEST_MS_MAX = 600_000
// Ending a statement at the source takes moments.
const CLAIM_SECONDS = TEST_MS_MAX / 1000 + 30
/** The most tables of a test: each takes a statement of its own. */
const TABLES_MAX = 100

/**
 * Tests the rules of a contract that counts can answer, in its tables on one server, and stores the result. Returns the stored result
 * as JSON, and its id. Errors: not_found, permission_missing, not_linked, invalid_state, test_running, document_too_costly, overloaded.
 */
export async function testContract(
  services: TestServices,
  caller: Caller,
  request: TestRequest,
  limitMs = TEST_MS_MAX,
): Promise<{ id: string; body: string }> {
  const { db, clock, offload } = services
  const { organizationId } = caller
  const { contractId, requestId } = request
  const subject = await readSubject(services, caller, request)
  const { plans, places } = await planTables(services, caller, subject)
  const integrations = await findSources(services, caller, subject, listSources(plans, places))
  const id = randomUUIDv7()
  const startedAt = await readTime(db, clock)
  const signal = AbortSignal.timeout(limitMs)
  const answers = new Map<string, MeasureAnswer>()
  for (const integration of integrations) {
    const own = plans.filter(
      (plan) => isTestable(plan) && places.get(plan.model)?.integration === integration.externalId,
    )
    const claim = { testId: id, contractId, server: subject.server, requestId }
    const found = await measureSource(
      services,
      caller,
      { integration, claim, plans: own, places },
      signal,
    )
    for (const [at, answer] of found.entries()) answers.set(own[at]?.model ?? '', answer)
  }
  const endedAt = await readTime(db, clock)
  const tables = plans.map((plan) => ({ plan, answer: answers.get(plan.model) }))
  const { server, version: contractVersion } = subject
  const head = { id, contractId, contractVersion, server, startedAt, endedAt }
  const text = await offload.run(organizationId, writeContractTest, { ...head, tables }, [])
  await publishResult(services, caller, text, { requestId, permissions: RUN })
  return { id, body: await getResult(services, caller, id) }
}

/** A contract on one of its servers, as it is tested. */
interface Subject {
  contract: { id: string; document: string; mediaType: string }
  version: string | undefined
  server: string
  models: readonly string[]
}

async function readSubject(
  { db, offload }: TestServices,
  caller: Caller,
  { contractId, server }: TestRequest,
): Promise<Subject> {
  const { organizationId } = caller
  const stored = await getDocument(db, CONTRACTS.kind, organizationId, contractId)
  await requireTester(db, caller, contractId)
  const contract =
    stored.documentJson === null
      ? { id: contractId, document: stored.document, mediaType: stored.mediaType }
      : { id: contractId, document: stored.documentJson, mediaType: 'application/json' }
  const { servers, models, version } = await offload.run(
    organizationId,
    readTestSubject,
    contract,
    [contract],
  )
  const names = servers.map(({ name }) => name)
  const chosen = server ?? (servers.find(isProductionServer)?.name || names[0])
  if (chosen === undefined) throw new ApiError('invalid_state', 'The contract has no servers.')
  if (!names.includes(chosen)) {
    const list = names.length === 0 ? 'It has none' : `Use one of ${names.map(quote).join(', ')}`
    throw new ApiError('invalid_state', `The contract has no server ${quote(chosen)}. ${list}.`)
  }
  return { contract, version, server: chosen, models }
}

function quote(text: string): string {
  return `"${clip(text)}"`
}

/** A table that a model is linked with, in an integration. */
interface TablePlace {
  integration: string
  path: string[]
  assetId: string
}

async function planTables(
  { db, offload }: TestServices,
  { organizationId }: Caller,
  { contract, server, models }: Subject,
): Promise<{ plans: TablePlan[]; places: Map<string, TablePlace> }> {
  const key = { organizationId, contractId: contract.id, server }
  const links = await listLinkedModels(db, key)
  const places = new Map(links.map(toPlace).filter((one) => one !== undefined))
  if (places.size === 0) throw toNotLinked(server, links)
  const tested = models.filter((model) => places.has(model)).slice(0, TABLES_MAX)
  const ids = tested.map((model) => places.get(model)?.assetId ?? '')
  const documents = await listDocuments(db, organizationId, ids)
  const byId = new Map(documents.map(({ id, document }) => [id, document]))
  const states = new Map(links.map(({ model, state }) => [model, state]))
  const tables = models.map((model) => {
    const document = tested.includes(model) ? byId.get(places.get(model)?.assetId ?? '') : undefined
    if (document !== undefined) return [model, { document }] as const
    const state = states.get(model) ?? 'no_source'
    const reason = places.has(model)
      ? `a test reads at most ${TABLES_MAX} tables`
      : state === 'linked'
        ? 'no integration maintains its table'
        : `the model is not linked with a table: ${state}`
    return [model, { reason }] as const
  })
  const texts = [
    contract,
    ...documents.map(({ document }) => ({ document, mediaType: 'application/json' })),
  ]
  const plans = await offload.run(organizationId, planContractTests, { contract, tables }, texts)
  if (!plans.some(isTestable)) throw toUntestable(plans)
  return { plans, places }
}

function toPlace({
  model,
  integration,
  path,
  assetId,
}: LinkedModel): [string, TablePlace] | undefined {
  if (integration === null || path === null || assetId === null) return undefined
  const parts: unknown = JSON.parse(path)
  return Array.isArray(parts)
    ? [model, { integration, path: parts.map(String), assetId }]
    : undefined
}

const LINKS_SHOWN = 100

function toNotLinked(server: string, links: readonly LinkedModel[]): ApiError {
  const [first] = links
  const linked = links.find(({ state }) => state === 'linked')
  const why =
    first === undefined
      ? 'Its links are not decided yet. Try again in a moment.'
      : linked === undefined
        ? `Model ${quote(first.model)}: ${first.state}.`
        : `No integration maintains the table of model ${quote(linked.model)}.`
  const shown = links.slice(0, LINKS_SHOWN).map(({ model, state }) => ({ model, state }))
  return new ApiError(
    'not_linked',
    `No model of the contract is linked with a table that an integration reads on the server ${quote(server)}. ${why}`,
    { jsonExtensions: { links: JSON.stringify(shown) } },
  )
}

function toUntestable(plans: readonly TablePlan[]): ApiError {
  const test = plans.flatMap(({ checks }) => checks).at(0)?.test
  const reason = test?.kind === 'none' ? ` The first one: ${test.reason}.` : ''
  return new ApiError(
    'invalid_state',
    `The contract has no rules that can be tested by counting.${reason} Run other rules next to the data, for example with "datacontract test".`,
  )
}

function listSources(
  plans: readonly TablePlan[],
  places: ReadonlyMap<string, TablePlace>,
): string[] {
  const names = plans
    .filter(isTestable)
    .flatMap(({ model }) => places.get(model)?.integration ?? [])
  return [...new Set(names)].toSorted()
}

async function findSources(
  { db }: TestServices,
  { organizationId }: Caller,
  { contract }: Subject,
  names: readonly string[],
): Promise<Integration[]> {
  const owner = await findOwner(db, organizationId, contract.id)
  const integrations: Integration[] = []
  for (const name of names) {
    const integration = await findIntegration(db, organizationId, name)
    const account = await findAccount(db, { organizationId, integrationId: integration.id })
    await requireOffer(db, organizationId, integration, 'measures')
    requireAccount(integration, account, owner)
    integrations.push(integration)
  }
  return integrations
}

// Counts answer questions about data, so that the team of the source decides whose rules ask them.
function requireAccount(
  integration: Integration,
  account: TestAccountRow | undefined,
  owner: string | null,
): void {
  const { externalId, ownerTeam } = integration
  const name = `The integration ${quote(externalId)}`
  const refuse = (detail: string): ApiError => new ApiError('invalid_state', `${name} ${detail}`)
  if (account?.enabled !== true) {
    throw refuse('has no account for tests. Its editors set one on its page, under Configuration.')
  }
  if (!account.isForAllTeams && (owner === null || owner !== ownerTeam)) {
    throw refuse('tests only contracts of the team that owns it. Its editors can allow all teams.')
  }
  requireDestination(integration, account)
}

// A password is never sent to another destination than the one that it was entered for.
function requireDestination(
  { externalId, source, configuration }: Integration,
  { destination }: TestAccountRow,
): void {
  const description = CONNECTORS.get(source)?.description
  if (
    description !== undefined &&
    isDeepStrictEqual(destination, getDestination(description, configuration))
  ) {
    return
  }
  const name = `The integration ${quote(externalId)}`
  const detail = `${name} has another connection than its account for tests. Enter the password again.`
  throw new ApiError('invalid_state', detail)
}

/** The tables of a test in one integration. */
interface SourceTest {
  integration: Integration
  claim: { testId: string; contractId: string; server: string; requestId: string }
  plans: readonly TablePlan[]
  places: ReadonlyMap<string, TablePlace>
}

async function measureSource(
  services: TestServices,
  { organizationId, principal }: Caller,
  { integration, claim, plans, places }: SourceTest,
  signal: AbortSignal,
): Promise<MeasureAnswer[]> {
  const { db, clock } = services
  const key = { organizationId, integrationId: integration.id, testId: claim.testId }
  const account = await claimAccount(db, clock, {
    ...key,
    ...claim,
    principal,
    seconds: CLAIM_SECONDS,
  })
  if (account === undefined) {
    const name = quote(integration.externalId)
    throw new ApiError(
      'test_running',
      `Another test of the source of ${name} is running. Test again later.`,
    )
  }
  try {
    requireDestination(integration, account)
    const tables = plans.map(({ model, measures }) => ({
      path: places.get(model)?.path ?? [],
      measures,
    }))
    const source = { organizationId, integration, account }
    return await measureTables(services, source, tables, signal)
  } finally {
    await releaseAccount(db, key)
  }
}
