import { odpsFromDps } from '../../formats/data-product/convert.ts'
import type { DataProduct } from '../../formats/data-product/data-product.ts'
import { readDataProduct, type Reading } from '../../formats/data-product/read.ts'
import { diffDataProducts } from '../../formats/diff/diff.ts'
import { highestLevel } from '../../formats/diff/level.ts'
import { jsonText, type SourceText } from '../../formats/text.ts'
import { clip } from '../../formats/value.ts'
import type { Caller } from '../access/caller.ts'
import { may, maySomewhere, type Permission } from '../access/permission.ts'
import { notFound, Refusal } from '../errors.ts'
import type { Affected, Plan } from '../history/plan.ts'
import { listAnswerAsOf, revisionAsOf } from '../history/service.ts'
import { checkPreconditions, type Conditions } from '../http/conditional.ts'
import { documentListAnswer } from '../http/document-list.ts'
import { invalidDocument, readStored } from '../http/document.ts'
import type { Answer, Services } from '../http/endpoint.ts'
import type { Instant } from '../kit/clock.ts'
import { StoreUnavailable, violatedConstraint } from '../kit/database.ts'
import type { Database } from '../tables.ts'
import {
  contractsOf,
  creationEvents,
  deletionEvents,
  digestOf,
  rowOf,
  touchedPorts,
  updateEvents,
  wordsOf,
  type ReadProduct,
} from './data-product.ts'
import * as lists from './list-store.ts'
import * as store from './store.ts'
import { refuseEndedFormat } from './sunset.ts'

/** What a PUT of a product asks for. */
export interface ProductPut {
  id: string
  source: SourceText
  conditions: Conditions
  strict: boolean
  dryRun: boolean
  requestId: string
}

/** A product as it is stored after a PUT, and what the PUT did or would do. */
export interface ProductPutDone {
  stored: store.ProductDocument
  plan: Plan
}

type Work = Pick<Services, 'db' | 'clock' | 'inTurn' | 'dpsUntil' | 'baseUrl'>

// Each lost race means that another process wrote: so many in a row do not happen to a healthy one.
const ATTEMPTS_MAX = 50

/**
 * Registers or replaces a product, or with `dryRun` only says what that would do. Errors:
 * permission_missing, precondition_failed, document_invalid, format_ended.
 */
export async function putProduct(
  work: Work,
  caller: Caller,
  put: ProductPut,
): Promise<ProductPutDone> {
  const reading = readDataProduct(put.source, put)
  return await settle(work, caller, put.id, () => attemptPut(work, caller, put, reading))
}

/**
 * Deletes a product. Errors: not_found, permission_missing, precondition_failed.
 */
export async function removeProduct(
  work: Work,
  caller: Caller,
  remove: { id: string; conditions: Conditions; requestId: string },
): Promise<void> {
  await settle(work, caller, remove.id, async () => {
    const { organizationId } = caller
    const state = await store.findState(work.db, work.clock, organizationId, remove.id, undefined)
    if (state.version === null || state.owner === null) throw notFound()
    requirePermission(caller, 'RESOURCES_DELETE', state.owner)
    checkPreconditions(remove.conditions, state.digest ?? undefined)
    const { product } = readState(state, remove.id)
    const origin = originOf(caller, remove.requestId)
    const events = deletionEvents(product)
    return (await store.deleteProduct(
      work.db,
      work.clock,
      origin,
      remove.id,
      state.version,
      events,
    ))
      ? true
      : undefined
  })
}

// Writers of one product take turns in this process; against other processes the version decides,
// and who loses looks again.
async function settle<T>(
  work: Work,
  caller: Caller,
  id: string,
  attempt: () => Promise<T | undefined>,
): Promise<T> {
  return await work.inTurn(`${caller.organizationId}/${id}`, async () => {
    for (let attempts = 0; attempts < ATTEMPTS_MAX; attempts += 1) {
      const done = await attempt().catch(undefinedIfOutrun)
      if (done !== undefined) return done
    }
    throw new StoreUnavailable('too many writers change one data product')
  })
}

// What was looked up can be gone when it is written: the owning team, or the number of the next
// version. The store refuses that by a constraint, and the next look tells what became of it.
function undefinedIfOutrun(error: unknown): undefined {
  if (violatedConstraint(error) === undefined) throw error
}

async function attemptPut(
  work: Work,
  caller: Caller,
  put: ProductPut,
  reading: Reading,
): Promise<ProductPutDone | undefined> {
  const { db, clock } = work
  const owner = reading.ok ? reading.product.ownerTeamId : undefined
  const state = await store.findState(db, clock, caller.organizationId, put.id, owner)
  checkPermission(caller, state, owner)
  checkPreconditions(put.conditions, state.digest ?? undefined)
  if (!reading.ok) throw invalidDocument(reading.problems)
  refuseEndedFormat(reading.product.format, state.now, work)
  if (state.newOwnerId === null) throw unknownOwner(put.source, reading.product)
  const digest = digestOf(reading)
  if (state.digest === digest) {
    return { stored: storedOf(state, digest), plan: emptyPlan('unchanged', reading.warnings) }
  }
  const before = state.version === null ? undefined : readState(state, put.id)
  const plan = await planOf(db, caller, put, before, reading)
  const row = rowOf(put.source, reading, {
    digest,
    level: plan.level,
    ownerTeamId: state.newOwnerId,
  })
  if (put.dryRun) return { stored: row, plan }
  const origin = originOf(caller, put.requestId)
  const written =
    before === undefined || state.version === null
      ? await store.insertProduct(db, clock, origin, row, creationEvents(reading.product))
      : await store.updateProduct(
          db,
          clock,
          origin,
          row,
          updateEvents(before.product, reading.product),
          state.version,
        )
  return written ? { stored: row, plan } : undefined
}

// Whoever may change nothing anywhere learns nothing of teams and documents from a refusal.
function checkPermission(
  caller: Caller,
  state: store.ProductState,
  newOwner: string | undefined,
): void {
  const exists = state.owner !== null
  const needed: Permission = exists ? 'RESOURCES_EDIT' : 'RESOURCES_ADD'
  if (!maySomewhere(caller, needed)) throw missing(needed, newOwner ?? state.owner ?? undefined)
  if (state.owner !== null) requirePermission(caller, 'RESOURCES_EDIT', state.owner)
  if (newOwner !== undefined && state.newOwnerId !== null)
    requirePermission(caller, needed, newOwner)
}

function requirePermission(caller: Caller, permission: Permission, team: string): void {
  if (!may(caller, permission, team)) throw missing(permission, team)
}

function missing(permission: Permission, team: string | undefined): Refusal {
  const on = team === undefined ? 'the owning team' : `team ${clip(team)}`
  return new Refusal('permission_missing', `${permission} on ${on} is missing.`)
}

async function planOf(
  db: Database,
  caller: Caller,
  put: ProductPut,
  before: ReadProduct | undefined,
  after: ReadProduct & { warnings: Plan['warnings'] },
): Promise<Plan> {
  if (before === undefined) return emptyPlan('created', after.warnings)
  const changes = diffDataProducts(before, after)
  const level = highestLevel(changes)
  const affected = put.dryRun ? await affectedBy(db, caller, before, after) : []
  return { outcome: 'updated', level, changes, warnings: after.warnings, affected }
}

function emptyPlan(outcome: Plan['outcome'], warnings: Plan['warnings']): Plan {
  return { outcome, level: 'none', changes: [], warnings, affected: [] }
}

// Whoever reads a contract that a changed or removed output port provides.
async function affectedBy(
  db: Database,
  caller: Caller,
  before: ReadProduct,
  after: ReadProduct,
): Promise<Affected[]> {
  const contracts = contractsOf(touchedPorts(before.product, after.product))
  if (contracts.length === 0) return []
  const { organizationId } = caller
  const consumers = await store.listConsumers(db, organizationId, after.product.id, contracts)
  return consumers.map((consumer) => ({ resourceType: 'DATA_PRODUCT', ...consumer }))
}

function readState(state: store.ProductState, id: string): ReadProduct {
  const { document, mediaType } = state
  if (document === null || mediaType === null) throw new Error('a product without a document')
  const reading = readDataProduct(readStored({ document, mediaType }), { id, strict: false })
  if (!reading.ok) throw new Error(`the stored product ${id} is not readable any more`)
  return reading
}

function storedOf(state: store.ProductState, digest: string): store.ProductDocument {
  const { document, documentJson, mediaType, format } = state
  if (document === null || mediaType === null || format === null) {
    throw new Error('a product without a document')
  }
  return { document, documentJson, mediaType, format, digest }
}

function originOf(caller: Caller, requestId: string): store.ChangeOrigin {
  return { organizationId: caller.organizationId, principal: caller.principal, requestId }
}

function unknownOwner(source: SourceText, product: DataProduct): Refusal {
  const path = product.format === 'odps' ? ['team', 'name'] : ['info', 'owner']
  const message = `There is no team “${clip(product.ownerTeamId)}”; register it first with PUT /api/teams/{id}.`
  return invalidDocument([{ field: path.join('.'), message, ...source.locate(path) }])
}

/** A product's document, now or as of an instant. Errors: not_found. */
export async function getProduct(
  db: Database,
  organizationId: string,
  id: string,
  asOf: Instant | undefined,
): Promise<store.ProductDocument> {
  if (asOf !== undefined) {
    const name = { organizationId, kind: 'data-product', externalId: id } as const
    return { ...(await revisionAsOf(db, name, asOf)), documentJson: null }
  }
  const found = await store.findProduct(db, organizationId, id)
  if (found === undefined) throw notFound()
  return found
}

/** The ODPS form of a stored product: itself, or a DPS document converted. */
export function odpsFormOf(stored: store.ProductDocument, id: string): store.ProductDocument {
  if (stored.format === 'odps') return stored
  const converted = odpsFromDps(readStored(stored).spelled(), id)
  return {
    document: jsonText(converted),
    documentJson: null,
    mediaType: 'application/json',
    format: 'odps',
    digest: `${stored.digest}.odps`,
  }
}

/** Which products a list shows, in which order, of which moment. */
export interface ProductList {
  q?: string | undefined
  teamId?: string[] | undefined
  domainId?: string[] | undefined
  archetype?: string | undefined
  status?: string | undefined
  tag?: string | undefined
  sort: lists.Sort
  p: number
  asOf?: Instant | undefined
}

/** One page of products as JSON, and whether one of them is in a deprecated format. */
export async function listProducts(
  db: Database,
  organizationId: string,
  list: ProductList,
  request: { path: string; search: URLSearchParams },
  headersFor: (format: string) => Record<string, string>,
): Promise<Answer> {
  const { p: page, asOf: instant, sort } = list
  const filter: lists.ProductFilter = {
    ...list,
    words: list.q === undefined || list.q.trim() === '' ? undefined : wordsOf(list.q),
    teamIds: list.teamId,
    domainIds: list.domainId,
  }
  if (instant !== undefined) {
    const filters = lists.formerConditions(filter)
    const order = lists.formerOrder(sort)
    const kind = 'data-product' as const
    return await listAnswerAsOf(
      db,
      { organizationId, kind, instant, filters, order, page },
      request,
      headersFor,
    )
  }
  const references = await lists.listReferences(db, organizationId, filter, sort, page)
  const load = (ids: readonly string[]): Promise<string[]> =>
    lists.loadDocuments(db, organizationId, ids)
  const deprecated = references.find((reference) => reference.format === 'dps')
  const headers = headersFor(deprecated?.format ?? 'odps')
  return await documentListAnswer(references, load, { ...request, page }, headers)
}
