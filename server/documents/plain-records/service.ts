import { hash } from 'node:crypto'
import type { PlainRecordKind } from '../../../formats/record/plain-record-kind.ts'
import { PRODUCT_FIELD } from '../../../formats/record/plain-record-kind.ts'
import { EXAMPLE_DATA } from '../../../formats/record/plain-kinds/example-data.ts'
import { clip } from '../../../formats/text/value.ts'
import type { Caller } from '../../requests/access/caller.ts'
import { may } from '../../requests/access/permission.ts'
import { findProductOwner } from '../../ledger/ports/service.ts'
import { ApiError, notFound } from '../../platform/errors.ts'
import { checkPreconditions, type Conditions } from '../../requests/http/conditional.ts'
import { invalidDocument } from '../../requests/http/document.ts'
import { documentListAnswer } from '../../requests/http/document-list.ts'
import type { Database } from '../../platform/tables.ts'
import type { Answer, Services } from '../../requests/http/endpoint.ts'
import { requirePermission, requireSomewhere } from '../../requests/http/missing-permission.ts'
import type { Body } from '../../requests/http/body.ts'
import { retryLostRaces, type Contended } from '../../platform/kit/lost-races.ts'
import {
  newPlainRecordTask,
  type PlainRecordAddress,
  type PlainRecordDraft,
  type PlainRecordKey,
  type PlainRecordOwner,
  type SeenPlainRecord,
  type StoredPlainRecord,
  type WrittenPlainRecord,
} from './plain-record.ts'
import { showDocument, protect, maskSecret } from './secret-service.ts'
import { findOwner } from '../write-service.ts'
import * as store from './store.ts'

/** The services that read and write plain records. */
export type PlainRecordServices = Pick<
  Services,
  'db' | 'clock' | 'serialize' | 'offload' | 'secretBox'
>

/**
 * Requires that a caller may write the records of a team; the owner of other records is known later. Errors: not_found,
 * permission_missing.
 */
export async function requireScope(
  { db }: Pick<PlainRecordServices, 'db'>,
  caller: Caller,
  kind: PlainRecordKind,
  scope: string,
): Promise<void> {
  if (kind.holder.by !== 'team' || may(caller, kind.holder.permission, scope)) return
  requireSomewhere(caller, kind.holder.permission)
  requireWriter(caller, kind, await findTeam(db, caller.organizationId, scope))
}

/** A PUT or POST of a plain record. */
interface PlainRecordPut extends PlainRecordRemoval {
  body: Body
}

/** A request to delete a plain record. */
interface PlainRecordRemoval extends PlainRecordAddress {
  conditions: Conditions
  requestId: string
}

/**
 * Creates or replaces a plain record; the same text again writes nothing. Errors: not_found, permission_missing,
 * precondition_failed, document_invalid, limit_reached, and those of `readDocument`.
 */
export async function putPlainRecord(
  services: PlainRecordServices,
  caller: Caller,
  kind: PlainRecordKind,
  put: PlainRecordPut,
): Promise<WrittenPlainRecord> {
  requireSomewhere(caller, kind.holder.permission)
  const { db, clock, offload, secretBox } = services
  const { organizationId, principal } = caller
  const { id, body, conditions, requestId } = put
  const texts = [{ document: body.text, mediaType: body.mediaType }]
  const draft = await offload.run(organizationId, newPlainRecordTask(kind), { ...body, id }, texts)
  const key = toKey(caller, kind, put)
  return await retryLostRaces(toContended(services, key, kind), async () => {
    const stored = await store.findPlainRecord(db, key)
    const owner = await findNewOwner(services, caller, kind, { put, draft, stored })
    if (stored !== undefined) requireWriter(caller, kind, stored)
    if (owner !== undefined) requireWriter(caller, kind, owner)
    checkPreconditions(conditions, stored?.digest)
    if (!draft.ok) throw invalidDocument(draft.problems)
    const { row } = draft
    if (owner === undefined) throw unknownProduct(row.productId)
    const { teamId, team } = owner
    const done = { ...row, team }
    const before = stored?.digest
    if (before === row.digest) return done
    const written = { ...protect(secretBox, key, kind, row), teamId, team, before }
    const change = { ...written, countMax: kind.countMax, principal, requestId }
    const result = await store.writePlainRecord(db, clock, key, change)
    if (result === 'limit reached') throw limitReached(kind)
    return result === 'written' ? done : undefined
  })
}

/** Deletes a plain record. Errors: not_found, permission_missing, precondition_failed. */
export async function deletePlainRecord(
  services: PlainRecordServices,
  caller: Caller,
  kind: PlainRecordKind,
  removal: PlainRecordRemoval,
): Promise<void> {
  const { db, clock } = services
  const { principal } = caller
  const key = toKey(caller, kind, removal)
  await retryLostRaces(toContended(services, key, kind), async () => {
    const stored = await store.findPlainRecord(db, key)
    if (stored === undefined) throw notFound()
    requireWriter(caller, kind, stored)
    checkPreconditions(removal.conditions, stored.digest)
    const { digest, team } = stored
    const deletion = { digest, team, principal, requestId: removal.requestId }
    return (await store.deletePlainRecord(db, clock, key, deletion)) || undefined
  })
}

/** Returns a plain record as the caller may see it. Errors: not_found. */
export async function getPlainRecord(
  { db, secretBox }: PlainRecordServices,
  caller: Caller,
  kind: PlainRecordKind,
  address: PlainRecordAddress,
): Promise<SeenPlainRecord> {
  const key = toKey(caller, kind, address)
  const stored = await store.findPlainRecord(db, key)
  if (stored === undefined) throw notFound()
  const isWriter = may(caller, kind.holder.permission, stored.team ?? undefined)
  if (isWriter || kind.secretAddress === undefined) {
    return { ...stored, document: showDocument(secretBox, key, stored) }
  }
  const document = maskSecret(kind, stored.document)
  return { ...stored, document, digest: hash('sha256', document) }
}

/** Returns all plain records of a filter as a JSON array. Errors: not_found for an unknown team. */
export async function listPlainRecords(
  { db, secretBox }: PlainRecordServices,
  caller: Caller,
  kind: PlainRecordKind,
  filter: store.PlainRecordFilter & { isPastEnd: boolean },
): Promise<Answer> {
  const { organizationId } = caller
  const { scope } = filter
  const isOfTeam = kind.holder.by === 'team'
  if (isOfTeam) await findTeam(db, organizationId, scope)
  const isWriter = isOfTeam && may(caller, kind.holder.permission, scope)
  const references = filter.isPastEnd
    ? []
    : await store.listPlainRecords(db, organizationId, kind.kind, filter)
  const load = async (ids: readonly string[]): Promise<string[]> => {
    const key = toKey(caller, kind, { scope, id: '' })
    const rows = await store.loadPlainRecords(db, key, ids)
    return rows.map(({ id, document, sealed }) =>
      isWriter
        ? showDocument(secretBox, { ...key, id }, { document, sealed })
        : maskSecret(kind, document),
    )
  }
  return await documentListAnswer(references, load, undefined)
}

/** Example data of an output port, without the data. */
interface PortExample {
  id: string
  outputPortId: string | null
  dataContractId: string | null
  bytes: number
}

/** Lists the example data of a data product, without the data. */
export async function listPortExamples(
  { db }: Pick<PlainRecordServices, 'db'>,
  { organizationId }: Caller,
  productId: string,
): Promise<PortExample[]> {
  const filter = { scope: '', productId, values: {} }
  const { kind } = EXAMPLE_DATA
  const references = await store.listPlainRecords(db, organizationId, kind, filter)
  return references.map(({ key, bytes, filterValues }) => ({
    id: key,
    outputPortId: filterValues['outputPortId'] ?? null,
    dataContractId: filterValues['dataContractId'] ?? null,
    bytes,
  }))
}

function toKey(
  { organizationId }: Caller,
  { kind }: PlainRecordKind,
  { scope, id }: PlainRecordAddress,
): PlainRecordKey {
  return { organizationId, kind, scope, id }
}

/** A record that was read, and the one that is stored under its id. */
interface OwnerInput {
  put: PlainRecordPut
  draft: PlainRecordDraft
  stored: StoredPlainRecord | undefined
}

// Undefined if the record names no data product, or an unknown one.
async function findNewOwner(
  { db }: PlainRecordServices,
  caller: Caller,
  { holder }: PlainRecordKind,
  { put, draft, stored }: OwnerInput,
): Promise<PlainRecordOwner | undefined> {
  const { organizationId } = caller
  if (holder.by === 'product') {
    const productId = draft.ok ? draft.row.productId : null
    if (productId === null) return undefined
    const team = await findProductOwner(db, organizationId, productId)
    return team === undefined ? undefined : { teamId: null, team }
  }
  if (stored !== undefined) return stored
  const team = holder.by === 'team' ? put.scope : caller.team
  return team === undefined ? NO_OWNER : await findTeam(db, organizationId, team)
}

async function findTeam(
  db: Database,
  organizationId: string,
  team: string,
): Promise<PlainRecordOwner> {
  const teamId = await findOwner(db, organizationId, team)
  if (teamId === null) throw notFound()
  return { teamId, team }
}

const NO_OWNER: PlainRecordOwner = { teamId: null, team: null }

function requireWriter(
  caller: Caller,
  { holder, called }: PlainRecordKind,
  { team }: PlainRecordOwner,
): void {
  const detail =
    team === null
      ? `Only organization owners and organization keys can write a ${called} that belongs to no team. Use a key of a team to create one that belongs to the team.`
      : undefined
  requirePermission(caller, holder.permission, team, detail)
}

function unknownProduct(productId: string | null): ApiError {
  const message = `Unknown data product "${clip(productId ?? '')}". Create it with PUT /api/dataproducts/{id} first.`
  return invalidDocument([{ field: PRODUCT_FIELD, message }])
}

function limitReached({ holder, calledMany, countMax }: PlainRecordKind): ApiError {
  const place = { key: 'organization', product: 'data product', team: 'team' }[holder.by]
  return new ApiError(
    'limit_reached',
    `The ${place} has ${countMax} ${calledMany}, which is the maximum. Delete those that are no longer needed.`,
  )
}

function toContended(
  { serialize }: PlainRecordServices,
  { organizationId, kind, scope, id }: PlainRecordKey,
  { called }: PlainRecordKind,
): Contended {
  return { serialize, key: JSON.stringify([organizationId, kind, scope, id]), called }
}
