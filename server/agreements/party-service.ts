import type { SentAgreement } from '../../formats/agreement/agreement.ts'
import { clip } from '../../formats/text/value.ts'
import { describeUnknownTeam, invalidDocument } from '../requests/http/document.ts'
import type { ReadingServices } from '../requests/http/endpoint.ts'
import { isUuid } from '../platform/kit/uuid.ts'
import { runOnProducts } from '../ledger/ports/task.ts'
import type { Database } from '../platform/tables.ts'
import { toEmailKey } from '../people/users/user.ts'
import type { Agreement, AgreementBasis, AgreementConsumer } from './agreement.ts'
import type { AgreementProvider } from './agreement.ts'
import * as store from './party-store.ts'
import { listAccessPortsOfEach, type AccessPort } from './task.ts'

/** An output port of a data product, and the contract that an agreement on it keeps. */
export interface PortOfProduct {
  productName: string
  provider: AgreementProvider
  port: AccessPort
  /** The versions of the documents that were read. */
  basis: AgreementBasis
}

/** The basis of a change that was made without reading the data product or the contract. */
export const NO_BASIS: AgreementBasis = { product: null, contract: null }

/** The reason for which the access of a former member ends. */
export const NO_MEMBER = 'The person is no longer a member of the organization.'

/** Finds an output port by its id or its name. Errors: document_too_costly, overloaded. */
export async function findPort(
  { db, offload }: ReadingServices,
  organizationId: string,
  { productId, port: named }: { productId: string; port: string },
): Promise<PortOfProduct | { unknown: 'product' } | { unknown: 'port'; ports: AccessPort[] }> {
  const product = await store.findProvidingProduct(db, organizationId, productId)
  if (product === undefined) return { unknown: 'product' }
  const [ports = []] = await runOnProducts(offload, organizationId, listAccessPortsOfEach, [
    product,
  ])
  const port = ports.find(({ id }) => id === named) ?? ports.find(({ name }) => name === named)
  if (port === undefined) return { unknown: 'port', ports }
  const { contractId } = port
  const contract =
    contractId === null
      ? undefined
      : await store.findContractVersion(db, organizationId, contractId)
  return {
    productName: product.name,
    port,
    provider: {
      productId,
      port: port.id,
      providerTeam: product.team,
      contractId,
      contractVersion: contract?.contractVersion ?? null,
    },
    basis: { product: product.version, contract: contract?.version ?? null },
  }
}

const PORTS_NAMED_MAX = 10

/** Finds the output port that an agreement names. Errors: document_invalid. */
export async function requirePort(
  work: ReadingServices,
  organizationId: string,
  named: { productId: string; port: string },
): Promise<PortOfProduct> {
  const found = await findPort(work, organizationId, named)
  if (!('unknown' in found)) return found
  if (found.unknown === 'product') throw unknownProduct('provider.dataProductId', named.productId)
  const names = found.ports.slice(0, PORTS_NAMED_MAX).map(({ id }) => clip(id))
  const advice = names.length === 0 ? 'It has none.' : `It has: ${names.join(', ')}.`
  throw unknown(
    'provider.outputPortId',
    `Data product "${named.productId}" has no output port "${clip(named.port)}". ${advice}`,
  )
}

/** Finds the consumer that an agreement names. Errors: document_invalid. */
export async function requireConsumer(
  db: Database,
  organizationId: string,
  { type, teamId, userId, productId }: SentAgreement['consumer'],
): Promise<AgreementConsumer> {
  if (productId !== null) {
    const product = await store.findProvidingProduct(db, organizationId, productId)
    if (product === undefined) throw unknownProduct('consumer.dataProductId', productId)
    return {
      consumerType: type,
      consumerTeam: product.team,
      consumerUser: null,
      consumerProduct: productId,
    }
  }
  if (teamId !== null) {
    if (!(await store.hasTeam(db, organizationId, teamId))) {
      throw unknown('consumer.teamId', describeUnknownTeam(clip(teamId)))
    }
    return { consumerType: type, consumerTeam: teamId, consumerUser: null, consumerProduct: null }
  }
  const named = userId ?? ''
  const memberId = await store.findMemberId(db, organizationId, {
    userId: isUuid(named) ? named : null,
    emailKey: toEmailKey(named),
  })
  if (memberId === undefined) {
    throw unknown(
      'consumer.userId',
      `Unknown user "${clip(named)}". Use the userId or the e-mail address of a member of the organization.`,
    )
  }
  return { consumerType: type, consumerTeam: null, consumerUser: memberId, consumerProduct: null }
}

/** Describes why the consumer of an agreement cannot get access, a sentence; undefined = the consumer exists. */
export async function findMissingConsumer(
  db: Database,
  { organizationId, consumerProduct, consumerTeam, consumerUser }: Agreement,
): Promise<string | undefined> {
  if (consumerProduct !== null) {
    const product = await store.findProvidingProduct(db, organizationId, consumerProduct)
    return product === undefined ? 'The consuming data product no longer exists.' : undefined
  }
  if (consumerUser !== null) {
    const named = { userId: consumerUser, emailKey: '' }
    const memberId = await store.findMemberId(db, organizationId, named)
    return memberId === undefined ? NO_MEMBER : undefined
  }
  const hasTeam = await store.hasTeam(db, organizationId, consumerTeam ?? '')
  return hasTeam ? undefined : 'The consuming team no longer exists.'
}

/**
 * Runs a write of an agreement in a transaction in which its parties, and the documents that it is based on, can be
 * neither changed nor deleted. Returns undefined, and writes nothing, if one of them is gone or was changed since it was
 * read.
 */
export async function withParties<Done>(
  db: Database,
  agreement: Agreement,
  basis: AgreementBasis,
  write: (transaction: Database) => Promise<Done | undefined>,
): Promise<Done | undefined> {
  return await db.transaction().execute(async (transaction) => {
    if (!(await store.holdParties(transaction, agreement, basis))) return undefined
    return await write(transaction)
  })
}

function unknownProduct(field: string, productId: string) {
  return unknown(
    field,
    `Unknown data product "${clip(productId)}". Create it with PUT /api/dataproducts/{id} first.`,
  )
}

function unknown(field: string, message: string) {
  return invalidDocument([{ field, message }])
}
