import { getDocument } from '../documents/read-service.ts'
import { ApiError, notFound } from '../platform/errors.ts'
import type { Caller } from '../requests/access/caller.ts'
import type { StoredText } from '../requests/http/document.ts'
import type { Agreement } from './agreement.ts'
import { describeAccess, type PortConnection } from './connection.ts'
import { describeConnections, type ConnectionSource } from './connection-task.ts'
import { settleAgreement } from './lifecycle.ts'
import { findPort } from './party-service.ts'
import { findContractVersion, findProvidingProduct, findTeam } from './party-store.ts'
import { getAgreement, type AgreementReadServices } from './read-service.ts'
import { findCoveringAgreement } from './read-store.ts'

/** An output port, and the agreement on it. */
interface ConnectionTarget {
  productId: string
  /** The id of the port, or its name and version. */
  port: string
  contractId: string | null
  agreement: Agreement | undefined
  /** Undefined = the first. */
  model: string | undefined
}

/**
 * Returns how to read the data that an agreement is about. Errors: not_found, query_invalid, document_too_costly,
 * overloaded.
 */
export async function getAgreementConnection(
  services: AgreementReadServices,
  { organizationId }: Caller,
  { id, model }: { id: string; model: string | undefined },
): Promise<PortConnection> {
  const agreement = await getAgreement(services, organizationId, id)
  const { productId, port } = agreement
  const now = await findPort(services, organizationId, { productId, port })
  const named = 'unknown' in now ? null : now.provider.contractId
  const contractId = agreement.contractId ?? named
  const target = { productId, port, contractId, agreement, model }
  return await describeTarget(services, organizationId, target)
}

/**
 * Returns how to read the data of an output port, with the agreement of the caller. Errors: not_found, query_invalid,
 * document_too_costly, overloaded.
 */
export async function getPortConnection(
  services: AgreementReadServices,
  { organizationId, userId, roles }: Caller,
  { model, ...named }: { productId: string; port: string; model: string | undefined },
): Promise<PortConnection> {
  const result = await findPort(services, organizationId, named)
  if ('unknown' in result) throw notFound()
  const { productId, port, contractId } = result.provider
  const { db, clock } = services
  const key = { organizationId, productId, port }
  const row = await findCoveringAgreement(db, clock, key, { userId, teams: [...roles.keys()] })
  const agreement = row && settleAgreement(row).agreement
  const target = { productId, port: result.port.key, contractId, agreement, model }
  return await describeTarget(services, organizationId, target)
}

async function describeTarget(
  services: AgreementReadServices,
  organizationId: string,
  { productId, port, contractId, agreement, model }: ConnectionTarget,
): Promise<PortConnection> {
  const { db, offload } = services
  const [product, contract] = await Promise.all([
    findProvidingProduct(db, organizationId, productId),
    contractId === null
      ? undefined
      : findAgreedContract(services, organizationId, contractId, agreement),
  ])
  const team = product && (await findTeam(db, organizationId, product.team))
  const source: ConnectionSource = {
    contract: contract?.stored ?? null,
    product: product === undefined ? null : toStored(product.id, product.document),
    team: team === undefined ? null : { document: team.document, mediaType: 'application/json' },
    port,
    roles: agreement?.roles ?? [],
    modelName: model ?? null,
  }
  const texts = [source.contract, source.product, source.team].filter((text) => text !== null)
  const parts = await offload.run(organizationId, describeConnections, source, texts)
  return {
    ...parts,
    access: describeAccess(agreement, team?.name ?? 'the owner'),
    team:
      product === undefined || team === undefined ? null : { id: product.team, name: team.name },
    contract: contract?.described ?? null,
  }
}

interface AgreedContract {
  stored: StoredText & { id: string }
  described: NonNullable<PortConnection['contract']>
}

// An agreement is about the version of the contract that it records. The present document of this version is read: a
// corrected address needs no other version. Without a record, the present document is read.
async function findAgreedContract(
  { db }: AgreementReadServices,
  organizationId: string,
  id: string,
  agreement: Agreement | undefined,
): Promise<AgreedContract | undefined> {
  const current = await findContractVersion(db, organizationId, id)
  if (current === undefined) return undefined
  const { contractVersion: currentVersion } = current
  const agreed = agreement?.contractId === id ? agreement.contractVersion : null
  const isCurrent = agreed === null || agreed === currentVersion
  const at = agreement?.decidedAt ?? agreement?.requestedAt
  const former =
    isCurrent || at === undefined ? undefined : await findFormer(db, organizationId, id, at)
  const read = former ?? (await getDocument(db, 'data-contract', organizationId, id))
  const { documentJson, document, mediaType } = read
  const version = former === undefined ? currentVersion : agreed
  return {
    stored: documentJson === null ? { id, document, mediaType } : toStored(id, documentJson),
    described: { id, version, currentVersion, isCurrent: former === undefined },
  }
}

// Undefined = the contract was registered later.
async function findFormer(
  db: AgreementReadServices['db'],
  organizationId: string,
  id: string,
  at: string,
) {
  try {
    return await getDocument(db, 'data-contract', organizationId, id, at)
  } catch (error) {
    if (error instanceof ApiError && error.code === 'not_found') return undefined
    throw error
  }
}

function toStored(id: string, document: string): StoredText & { id: string } {
  return { id, document, mediaType: 'application/json' }
}
