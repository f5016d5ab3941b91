import { computeDigest } from '../documents/document.ts'
import { namePrincipals } from '../ledger/principals/service.ts'
import { ApiError, notFound } from '../platform/errors.ts'
import type { Database } from '../platform/tables.ts'
import type { Caller } from '../requests/access/caller.ts'
import { may } from '../requests/access/permission.ts'
import { documentListAnswer } from '../requests/http/document-list.ts'
import type { StoredDocument } from '../requests/http/document.ts'
import type { DraftSyntax } from '../requests/http/draft-form.ts'
import type { Answer, ReadingServices, Services } from '../requests/http/endpoint.ts'
import { toEntityDigest, type Agreement } from './agreement.ts'
import { findDeciders } from './decider-service.ts'
import { settleAgreement } from './lifecycle.ts'
import * as lists from './list-store.ts'
import { describeUnknown, findConsumerTeam, findPort, isGrantedAtOnce } from './party-service.ts'
import { findContractRevision } from './party-store.ts'
import { isOwnRequest } from './permission.ts'
import { accessProvisioning } from './provisioning.ts'
import * as store from './read-store.ts'
import { presentOaasInBatches, type OaasText } from './oaas-task.ts'
import { presentInBatches, toPresentable } from './task.ts'
import {
  LISTED_MAX,
  VIEW_NAMES,
  type AccessSummary,
  type AgreementCursor,
  type AgreementDetails,
  type AgreementPage,
  type AgreementView,
  type LISTS,
  type ListedAgreement,
  type RequestablePort,
} from './ui-schema.ts'

// The digits of a digest that distinguish the owners of data products.
const TEAMS_DIGITS = 16

/** The services that read agreements. */
export type AgreementReadServices = Pick<Services, 'db' | 'clock' | 'offload'>

/** Returns an agreement as it is now. Errors: not_found. */
export async function getAgreement(
  { db, clock }: Pick<Services, 'db' | 'clock'>,
  organizationId: string,
  id: string,
): Promise<Agreement> {
  const row = await store.findAgreement(db, clock, { organizationId, id })
  if (row === undefined) throw notFound()
  return settleAgreement(row).agreement
}

/** Returns an agreement as clients see it. Errors: document_too_costly, overloaded. */
export async function presentDocument(
  { offload }: AgreementReadServices,
  agreement: Agreement,
): Promise<StoredDocument> {
  const { organizationId } = agreement
  const [presented] = await presentInBatches(offload, organizationId, [
    toPresentable(agreement, agreement.provisioning),
  ])
  return {
    document: presented?.text ?? '{}',
    mediaType: 'application/json',
    digest: toAnswerDigest(agreement),
  }
}

/** Returns the digest of the answer: reports of connectors and new owners change it, but not the agreement that a condition names. */
export function toAnswerDigest(agreement: Agreement): string {
  const { provisioningVersion, providerTeam, consumerTeam } = agreement
  const teams = computeDigest(JSON.stringify([providerTeam, consumerTeam])).slice(0, TEAMS_DIGITS)
  return `${toEntityDigest(agreement)}.${provisioningVersion}-${teams}`
}

/** Returns an agreement as an access agreement of Bitol. Errors: document_too_costly, overloaded. */
export async function presentOaas(
  { offload }: AgreementReadServices,
  agreement: Agreement,
  syntax: DraftSyntax,
): Promise<OaasText> {
  const form = { syntax, isList: false }
  const { organizationId } = agreement
  const [presented] = await presentOaasInBatches(offload, organizationId, [agreement], form)
  return presented ?? { text: '{}', losses: [] }
}

/** A request for a page of agreements. */
interface AgreementListRequest {
  filter: store.AgreementFilter
  /** The notation of access agreements of Bitol; undefined = agreements as clients see them. */
  syntax: DraftSyntax | undefined
  page: number
  elementsMax: number
  path: string
  search: URLSearchParams
}

const YAML_LIST = { start: '', separator: '', end: '', empty: '[]\n' }

/** Returns a page of agreements by creation as a JSON array, or access agreements of Bitol as a list. */
export async function listAgreements(
  { db, clock, offload }: AgreementReadServices,
  organizationId: string,
  { filter, syntax, ...request }: AgreementListRequest,
): Promise<Answer> {
  const references = await store.listAgreementReferences(db, organizationId, filter, request)
  const load = async (ids: readonly string[]): Promise<string[]> => {
    const rows = await store.loadAgreements(db, clock, organizationId, ids)
    const agreements = rows.map((row) => settleAgreement(row).agreement)
    if (syntax !== undefined) {
      const form = { syntax, isList: true }
      const texts = await presentOaasInBatches(offload, organizationId, agreements, form)
      return texts.map(({ text }) => text)
    }
    const presentable = agreements.map((agreement) =>
      toPresentable(agreement, agreement.provisioning),
    )
    return (await presentInBatches(offload, organizationId, presentable)).map(({ text }) => text)
  }
  const frame = syntax === 'yaml' ? YAML_LIST : undefined
  return await documentListAnswer(references, load, request, {}, frame)
}

/** A request for a page of a list. */
interface AgreementPageRequest {
  list: (typeof LISTS)[number]
  view: AgreementView
  /** The team of an inbox, or the consuming team. */
  team?: string | undefined
  product?: string | undefined
  after?: AgreementCursor | undefined
}

/** Lists agreements for a page; the first page has the numbers of all views. */
export async function listAgreementPage(
  { db, clock }: Pick<Services, 'db' | 'clock'>,
  caller: Caller,
  { view, after, ...request }: AgreementPageRequest,
): Promise<AgreementPage> {
  const scope = toScope(caller, request)
  const [rows, counts] = await Promise.all([
    lists.listPage(db, clock, scope, { view, after, limit: LISTED_MAX + 1 }),
    after === undefined ? lists.countViews(db, clock, scope, VIEW_NAMES) : null,
  ])
  const agreements = await toListed(db, caller, rows.slice(0, LISTED_MAX))
  const last = rows.length > LISTED_MAX ? rows[LISTED_MAX - 1] : undefined
  return { agreements, counts, next: last === undefined ? null : toCursor(view, last) }
}

/** Counts the requests that a caller may approve: without own ones that only others decide on. */
export async function countOpenRequests(
  { db, clock }: Pick<Services, 'db' | 'clock'>,
  caller: Caller,
): Promise<number> {
  const { userId } = caller
  const teams = listDecidedTeams(caller)
  // Owners of the organization decide on their own requests, too.
  const approver = teams === 'all' || userId === undefined ? undefined : { userId, teams }
  const scope = { ...toScope(caller, { list: 'inbox' }), approver }
  return (await lists.countViews(db, clock, scope, ['requested'])).requested
}

function toCursor(view: AgreementView, { requestedAt, endOn, id }: lists.NamedAgreement): string {
  return `${view === 'expiring' ? endOn : requestedAt} ${id}`
}

function toScope(
  caller: Caller,
  { list, team, product }: Pick<AgreementPageRequest, 'list' | 'team' | 'product'>,
): lists.AgreementScope {
  const { organizationId } = caller
  switch (list) {
    case 'product':
      return { organizationId, productId: product ?? '' }
    case 'consumer':
      return { organizationId, consumerTeams: [team ?? ''] }
    case 'mine':
      return { organizationId, ...toConsumer(caller) }
    case 'inbox': {
      const teams = listDecidedTeams(caller)
      const chosen = teams === 'all' ? [team ?? ''] : teams.filter((one) => one === team)
      return {
        organizationId,
        providerTeams: team === undefined ? teams : chosen,
        productId: product,
      }
    }
  }
}

function toConsumer(caller: Caller): { consumerTeams: string[]; consumerUser: string | undefined } {
  return { consumerTeams: [...caller.roles.keys()], consumerUser: caller.userId }
}

function listDecidedTeams(caller: Caller): string[] | 'all' {
  if (may(caller, 'ACCESS_APPROVE', undefined)) return 'all'
  return [...caller.roles.keys()].filter((team) => may(caller, 'ACCESS_APPROVE', team))
}

async function toListed(
  db: Database,
  caller: Caller,
  rows: readonly lists.NamedAgreement[],
): Promise<ListedAgreement[]> {
  const getName = await nameAll(
    db,
    caller,
    rows.flatMap(({ requestedBy, decidedBy }) => [requestedBy, decidedBy]),
  )
  return rows.map((row) => {
    const { agreement } = settleAgreement(row)
    const { requestedBy, decidedBy, roles } = agreement
    const { productName, consumerName, provisioningStatus } = row
    return {
      ...agreement,
      roles: [...roles],
      productName,
      consumerName,
      provisioningStatus,
      requestedByName: getName(requestedBy),
      decidedByName: getName(decidedBy),
      isOwnRequest: isOwnRequest(caller, agreement),
    }
  })
}

async function nameAll(
  db: Database,
  { organizationId }: Caller,
  principals: readonly (string | null)[],
): Promise<(principal: string | null) => string | null> {
  const all = principals.filter((one) => one !== null)
  const named = await namePrincipals(db, organizationId, all)
  const names = new Map(named.map(({ principal, name }) => [principal, name]))
  return (principal) => (principal === null ? null : (names.get(principal) ?? null))
}

// Older versions are in the API.
const VERSIONS_MAX = 50

/** Returns an agreement with what its page shows. Errors: not_found, document_too_costly, overloaded. */
export async function getAgreementDetails(
  services: AgreementReadServices,
  caller: Caller,
  id: string,
): Promise<AgreementDetails> {
  const { db, clock } = services
  const { organizationId } = caller
  const key = { organizationId, id }
  const row = await lists.findNamed(db, clock, key)
  if (row === undefined) throw notFound()
  const { contractId, decidedAt, status } = row
  const isOpenRequest = settleAgreement(row).agreement.state === 'requested'
  const [[agreement], port, versions, reported, contractRevision, decision] = await Promise.all([
    toListed(db, caller, [row]),
    findPort(services, organizationId, row),
    store.listAgreementVersions(db, key, VERSIONS_MAX),
    store.listProvisioningReports(db, key),
    contractId === null || decidedAt === null || status !== 'approved'
      ? null
      : findContractRevision(db, organizationId, { contractId, at: decidedAt }),
    isOpenRequest ? findDeciders(db, caller, row) : NO_DECISION,
  ])
  if (agreement === undefined) throw notFound()
  const getName = await nameAll(db, caller, [
    ...versions.map(({ principal }) => principal),
    ...reported.map(({ reportedBy }) => reportedBy),
  ])
  const history = versions.map(({ principal, ...version }) => ({
    ...version,
    byName: getName(principal),
  }))
  const reports = reported.map(({ provisioning, reportedAt, reportedBy }) => ({
    provisioning: accessProvisioning.parse(JSON.parse(provisioning)),
    reportedAt,
    byName: getName(reportedBy),
  }))
  const { isDecider, deciders } = decision
  const portName = 'unknown' in port ? null : port.port.name
  return { ...agreement, portName, isDecider, deciders, contractRevision, reports, history }
}

// There is nothing to decide.
const NO_DECISION = { isDecider: false, deciders: [] }

/** Summarizes the access to data products, in the given order. */
export async function summarizeAccess(
  db: Database,
  caller: Caller,
  productIds: readonly string[],
): Promise<AccessSummary[]> {
  const scope = { organizationId: caller.organizationId, ...toConsumer(caller) }
  return await lists.summarizeAccess(db, scope, productIds)
}

/** An output port, and the consumer of a request: the caller, a team or a data product. */
interface PortRequest {
  productId: string
  port: string
  consumerTeam?: string | undefined
  consumerProduct?: string | undefined
}

/**
 * Returns an output port for which access can be requested, and who decides if the caller requests it. Errors: not_found,
 * document_too_costly, overloaded.
 */
export async function getRequestablePort(
  services: ReadingServices,
  caller: Caller,
  { consumerTeam, consumerProduct, ...named }: PortRequest,
): Promise<RequestablePort> {
  const { db } = services
  const result = await findPort(services, caller.organizationId, named)
  if ('unknown' in result) throw new ApiError('not_found', describeUnknown(named, result))
  const { productName, port, provider } = result
  const { productId, providerTeam } = provider
  const consumer = { consumerTeam, consumerProduct }
  const [isAutoApproved, { teamName, ...decision }] = await Promise.all([
    isGrantedAtOnce(db, caller, { productId, port }),
    findDeciders(db, caller, {
      providerTeam,
      requestedByUser: caller.userId ?? null,
      consumerUser: null,
      consumerTeam: await findConsumerTeam(db, caller.organizationId, consumer),
    }),
  ])
  return {
    productId,
    productName,
    port: { ...port, isAutoApproved },
    team: { id: providerTeam, name: teamName },
    ...decision,
  }
}
