import type { DataProduct } from '../../formats/data-product/data-product.ts'
import { readDataProduct, type Reading } from '../../formats/data-product/read.ts'
import { diffDataProducts } from '../../formats/diff/diff.ts'
import { highestLevel } from '../../formats/diff/level.ts'
import { type SourceText } from '../../formats/text.ts'
import { clip } from '../../formats/value.ts'
import type { Caller } from '../access/caller.ts'
import { may, maySomewhere, type Permission } from '../access/permission.ts'
import { notFound, Refusal } from '../errors.ts'
import type { Affected, Plan } from '../history/plan.ts'
import type { Body } from '../http/body.ts'
import { checkPreconditions, type Conditions } from '../http/conditional.ts'
import { invalidDocument, readDocument, readStored } from '../http/document.ts'
import type { Services } from '../http/endpoint.ts'
import { StoreUnavailable, violatedConstraint } from '../kit/connection.ts'
import type { Database } from '../tables.ts'
import {
  contractsOf,
  creationEvents,
  deletionEvents,
  digestOf,
  rowOf,
  touchedPorts,
  updateEvents,
  type ReadProduct,
} from './data-product.ts'
import * as store from './store.ts'
import { refuseEndedFormat } from './sunset.ts'

/** What a PUT of a product asks for. */
export interface ProductPut {
  id: string
  body: Body
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
  let read: ReadDocument | undefined
  const readOnce = (): ReadDocument => (read ??= readPut(put))
  return await settle(work, caller, put.id, () => attemptPut(work, caller, put, readOnce))
}

interface ReadDocument {
  source: SourceText
  reading: Reading
}

function readPut(put: ProductPut): ReadDocument {
  const source = readDocument(put.body)
  return { source, reading: readDataProduct(source, put) }
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
    const state = await store.findState(work.db, work.clock, organizationId, remove.id)
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
  readOnce: () => ReadDocument,
): Promise<ProductPutDone | undefined> {
  const { db, clock } = work
  const { organizationId } = caller
  const state = await store.findState(db, clock, organizationId, put.id)
  if (state.owner !== null && isSameText(state, put)) {
    checkPermission(caller, state, state.owner, state.ownerTeamId)
    checkPreconditions(put.conditions, state.digest ?? undefined)
    refuseEndedFormat(state.format ?? '', state.now, work)
    return { stored: storedOf(state, state.digest ?? ''), plan: emptyPlan('unchanged', []) }
  }
  const { source, reading } = readOnce()
  const owner = reading.ok ? reading.product.ownerTeamId : undefined
  const ownerTeamId =
    owner === undefined || owner === state.owner
      ? state.ownerTeamId
      : await store.findTeamId(db, organizationId, owner)
  checkPermission(caller, state, owner, ownerTeamId)
  checkPreconditions(put.conditions, state.digest ?? undefined)
  if (!reading.ok) throw invalidDocument(reading.problems)
  refuseEndedFormat(reading.product.format, state.now, work)
  if (ownerTeamId === null) throw unknownOwner(source, reading.product)
  const digest = digestOf(reading)
  if (state.digest === digest) {
    return { stored: storedOf(state, digest), plan: emptyPlan('unchanged', reading.warnings) }
  }
  const before = state.version === null ? undefined : readState(state, put.id)
  const plan = await planOf(db, caller, put, before, reading)
  const row = rowOf(source, reading, { digest, level: plan.level, ownerTeamId })
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

// What was accepted before, byte for byte, is not read again: most PUTs of a pipeline change nothing.
// A strict or a dry run wants to know more than whether something changes.
function isSameText(state: store.ProductState, { body, strict, dryRun }: ProductPut): boolean {
  return !strict && !dryRun && state.document === body.text && state.mediaType === body.mediaType
}

// Whoever may change nothing anywhere learns nothing of teams and documents from a refusal.
function checkPermission(
  caller: Caller,
  state: store.ProductState,
  newOwner: string | undefined,
  newOwnerId: string | null,
): void {
  const exists = state.owner !== null
  const needed: Permission = exists ? 'RESOURCES_EDIT' : 'RESOURCES_ADD'
  if (!maySomewhere(caller, needed)) throw missing(needed, newOwner ?? state.owner ?? undefined)
  if (state.owner !== null) requirePermission(caller, 'RESOURCES_EDIT', state.owner)
  if (newOwner !== undefined && newOwnerId !== null) requirePermission(caller, needed, newOwner)
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
