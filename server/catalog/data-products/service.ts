import { DPS } from '../../../formats/data-product/dps-shape.ts'
import { ODPS_NEWEST } from '../../../formats/data-product/odps-shape.ts'
import type { OdpsVersion } from '../../../formats/data-product/versions.ts'
import {
  addAccessConsumers,
  findProductUse,
  moveAgreements,
  requireNoAccess,
} from '../../agreements/use-service.ts'
import type { RegisteredDocument } from '../../documents/document.ts'
import type { ResourceKey } from '../../documents/resource.ts'
import type {
  DecisionRule,
  DocumentChange,
  DocumentType,
  PlanningServices,
} from '../../documents/document-type.ts'
import type { RealitySubject } from '../../platform/reality-change.ts'
import type { Database } from '../../platform/tables.ts'
import { listNamingContracts } from './named-store.ts'
import { getDocument } from '../../documents/read-service.ts'
import { toStandardSchema } from '../../requests/http/document-schema.ts'
import type { Affected, PortContract } from '../../ledger/ports/port.ts'
import type { ReadingServices, Services } from '../../requests/http/endpoint.ts'
import {
  listAffected,
  contractsOfPorts,
  danglingWarnings,
  splitContractUsers,
  listContractUsers,
} from '../../ledger/ports/service.ts'
import { listLinkedPortsOfEach, runOnProducts } from '../../ledger/ports/task.ts'
import { warnOfReplacements } from '../deprecations/warning-service.ts'
import { parseOutputAsset } from '../../../formats/asset/named-assets.ts'
import { PRODUCT_READER, type ProductPlanData, PRODUCT_TASKS, writeOdps } from './data-product.ts'
import { clip } from '../../../formats/text/value.ts'
import { DECIDING_MEMBERS } from '../../documents/deciding-members.ts'
import { requirePermission } from '../../requests/http/missing-permission.ts'

/**
 * The rule for the decisions of a data product: its ports may approve requests of access, and its owner decides on the
 * others. Only those who may decide themselves change either.
 */
const PRODUCT_DECISIONS: DecisionRule = {
  require(caller, { newDecidingParts, isHandedOver, ownerId, formerOwnerId, isOwnerKnown }) {
    if (isHandedOver) {
      const [permission] = DECIDING_MEMBERS.owner.needs
      requirePermission(caller, permission, formerOwnerId)
    }
    const [port] = newDecidingParts
    // An unknown team is reported later, as a problem of the document.
    if (port === undefined || !isOwnerKnown) return
    const { needs, decides } = DECIDING_MEMBERS.autoApprove
    const [permission] = needs
    const detail = `The output port "${clip(port)}" with autoApprove ${decides}, which needs ${permission} on team ${clip(ownerId ?? '')}. Leave autoApprove out, or ask a person who has it.`
    requirePermission(caller, permission, ownerId, detail)
  },
  // The person who introduced a port that approves does not profit from it.
  buildFacts: ({ responsibleId }, parts) => ({
    decisions: { parts, userId: responsibleId ?? null },
  }),
}

/** Data products as a type of document. */
export const PRODUCTS: DocumentType<ProductPlanData> = {
  kind: PRODUCT_READER.kind,
  bytesMax: 1024 * 1024,
  nodesMax: PRODUCT_READER.nodesMax,
  schema: toStandardSchema([ODPS_NEWEST, DPS]).openapi('DataProduct', {
    description: 'A data product in ODPS or DPS, as it was sent',
  }),
  hasParts: true,
  tasks: PRODUCT_TASKS,
  getRealitySubject,
  getConsequences,
  assertUnused: requireNoAccess,
  decisions: PRODUCT_DECISIONS,
  followOwner: moveAgreements,
  findUse: ({ db }, { organizationId }, id) => findProductUse(db, organizationId, id),
  listReaders,
}

// Links depend on the assets that output ports name, for the contracts of these ports.
async function getRealitySubject(
  db: Database,
  { organizationId, id, isNew, row }: Parameters<NonNullable<typeof PRODUCTS.getRealitySubject>>[1],
): Promise<RealitySubject> {
  const former = isNew ? [] : await listNamingContracts(db, organizationId, id)
  const pairs = row?.own['output_assets'] ?? []
  const named = Array.isArray(pairs) ? pairs.map((pair) => parseOutputAsset(pair).contractId) : []
  return { kind: 'products', ids: [id], namingContracts: [...new Set([...former, ...named])] }
}

// A change affects the readers of each contract that a changed or removed output port provides, and those who have access
// to the port.
async function getConsequences(
  work: PlanningServices,
  { organizationId, id, planData }: DocumentChange<ProductPlanData>,
) {
  const contracts = await contractsOfPorts(work.db, organizationId, planData.ports)
  const readers = await listConsumers(work, organizationId, id, planData.touchedContracts)
  const held = { productId: id, ports: planData.touchedPortIds }
  const of = { kind: 'data-product', id } as const
  const replacements = await warnOfReplacements(
    work,
    organizationId,
    of,
    planData.replacements,
    planData.portNames,
  )
  return {
    affected: await addAccessConsumers(work.db, organizationId, held, readers),
    contracts,
    warnings: [...danglingWarnings(planData.places, contracts), ...replacements],
  }
}

async function listReaders(
  work: ReadingServices,
  { organizationId, id }: ResourceKey,
  document: string,
): Promise<Affected[]> {
  const product = { id, document }
  const listed = await runOnProducts(work.offload, organizationId, listLinkedPortsOfEach, [product])
  const provided = listed
    .flat()
    .filter(({ direction }) => direction === 'output')
    .map(({ contractId }) => contractId)
  return await listConsumers(work, organizationId, id, provided)
}

/** Lists the other products that consume data under some contracts, and their teams. */
async function listConsumers(
  work: ReadingServices,
  organizationId: string,
  id: string,
  contracts: readonly string[],
): Promise<Affected[]> {
  const { consumers } = splitContractUsers(await listContractUsers(work, organizationId, contracts))
  return listAffected(consumers.filter((consumer) => consumer.id !== id))
}

/** Lists the ports of a stored product that name a contract, each with the contract. Errors: not_found. */
export async function listContractPorts(
  { db, offload }: ReadingServices,
  organizationId: string,
  id: string,
): Promise<PortContract[]> {
  const stored = await getDocument(db, PRODUCTS.kind, organizationId, id)
  const product = { id, document: stored.documentJson ?? stored.document }
  const [ports] = await runOnProducts(offload, organizationId, listLinkedPortsOfEach, [product])
  return await contractsOfPorts(db, organizationId, ports ?? [])
}

/** Returns a stored product as ODPS: unchanged, converted from DPS, or in the requested version. */
export async function getOdpsForm(
  offload: Services['offload'],
  organizationId: string,
  stored: RegisteredDocument,
  id: string,
  version?: OdpsVersion,
): Promise<RegisteredDocument> {
  const isOdps = stored.format === 'odps'
  if (isOdps && version === undefined) return stored
  const { document, mediaType } = stored
  const format = isOdps ? ('odps' as const) : ('dps' as const)
  const input = { document, mediaType, id, format, version }
  const options = JSON.stringify([id, version])
  const converted = await offload.runOnce(organizationId, writeOdps, input, stored, options)
  if (converted.text === document) return stored
  return {
    document: converted.text,
    documentJson: null,
    mediaType: 'application/json',
    format: 'odps',
    digest: `${stored.digest}.odps${version ?? ''}`,
    ownerId: stored.ownerId,
  }
}
