import type { SentAgreement } from '../../formats/agreement/agreement.ts'
import { clip } from '../../formats/text/value.ts'
import { describeUnknownTeam, invalidDocument } from '../requests/http/document.ts'
import type { ReadingServices } from '../requests/http/endpoint.ts'
import { isUuid } from '../platform/kit/uuid.ts'
import { runOnProducts } from '../ledger/ports/task.ts'
import type { Database } from '../platform/tables.ts'
import type { Caller } from '../requests/access/caller.ts'
import { toEmailKey } from '../people/users/user.ts'
import type {
  Agreement,
  AgreementBasis,
  AgreementConsumer,
  AgreementProvider,
} from './agreement.ts'
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

/** The part of a named output port that does not exist. */
type UnknownPort =
  | { unknown: 'product' }
  | { unknown: 'port'; productName: string; ports: AccessPort[] }

/** Finds an output port by its id, by its name and version, or by its name. Errors: document_too_costly, overloaded. */
export async function findPort(
  { db, offload }: ReadingServices,
  organizationId: string,
  { productId, port: named }: { productId: string; port: string },
): Promise<PortOfProduct | UnknownPort> {
  const product = await store.findProvidingProduct(db, organizationId, productId)
  if (product === undefined) return { unknown: 'product' }
  const [ports = []] = await runOnProducts(offload, organizationId, listAccessPortsOfEach, [
    product,
  ])
  const port =
    ports.find(({ id }) => id === named) ??
    ports.find(({ key }) => key === named) ??
    ports.find(({ name }) => name === named)
  if (port === undefined) return { unknown: 'port', productName: product.name, ports }
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
  const result = await findPort(work, organizationId, named)
  if (!('unknown' in result)) return result
  if (result.unknown === 'product') throw unknownProduct('provider.dataProductId', named.productId)
  throw unknown(
    'provider.outputPortId',
    `Data product "${named.productId}" has no output port "${clip(named.port)}". ${listPorts(result.ports)}`,
  )
}

function listPorts(ports: readonly AccessPort[]): string {
  const names = ports.slice(0, PORTS_NAMED_MAX).map(({ id }) => clip(id))
  return names.length === 0 ? 'It has none.' : `It has: ${names.join(', ')}.`
}

/** Describes for people why a link does not lead to an output port. */
export function describeUnknown(
  { productId, port }: { productId: string; port: string },
  result: UnknownPort,
): string {
  if (result.unknown === 'product') {
    return `Unknown data product "${clip(productId)}". It may have been deleted, or it belongs to another organization.`
  }
  const { productName, ports } = result
  return `Data product "${clip(productName)}" has no output port "${clip(port)}". ${listPorts(ports)}`
}

/** Returns the consumer of a document, by the names that it has in the document. */
export function toConsumer(sent: SentAgreement['consumer']): AgreementConsumer {
  const { type: consumerType, teamId, userId, productId } = sent
  return {
    consumerType,
    consumerTeam: productId === null ? teamId : null,
    consumerUser: userId,
    consumerProduct: productId,
  }
}

/** Finds a member by the user id or the e-mail address. */
export async function findMember(
  db: Database,
  organizationId: string,
  named: string,
): Promise<{ id: string; email: string } | undefined> {
  const userId = isUuid(named) ? named : null
  return await store.findMember(db, organizationId, { userId, emailKey: toEmailKey(named) })
}

/**
 * Returns whether an output port grants the requests of a caller at once. The person who made it do so does not profit
 * without a second person.
 */
export async function isGrantedAtOnce(
  db: Database,
  { organizationId, responsibleId }: Pick<Caller, 'organizationId' | 'responsibleId'>,
  { productId, port }: { productId: string; port: AccessPort },
): Promise<boolean> {
  if (!port.isAutoApproved) return false
  const named = { productId, port: port.id }
  const author = await store.findApprovingPerson(db, organizationId, named)
  return author === undefined || author !== responsibleId
}

/** Finds the team of a consumer: a team itself, or the owner of a data product; null = none of them is named or exists. */
export async function findConsumerTeam(
  db: Database,
  organizationId: string,
  {
    consumerTeam,
    consumerProduct,
  }: { consumerTeam?: string | undefined; consumerProduct?: string | undefined },
): Promise<string | null> {
  if (consumerProduct === undefined) return consumerTeam ?? null
  const product = await store.findProvidingProduct(db, organizationId, consumerProduct)
  return product?.team ?? null
}

// Undefined = there is none. The team of a data product is its owner, and the user of a person the id.
async function findConsumer(
  db: Database,
  organizationId: string,
  consumer: AgreementConsumer,
): Promise<AgreementConsumer | undefined> {
  const { consumerTeam, consumerUser, consumerProduct } = consumer
  if (consumerProduct !== null) {
    const product = await store.findProvidingProduct(db, organizationId, consumerProduct)
    return product && { ...consumer, consumerTeam: product.team }
  }
  if (consumerUser !== null) {
    const member = await findMember(db, organizationId, consumerUser)
    return member && { ...consumer, consumerUser: member.id }
  }
  return (await store.hasTeam(db, organizationId, consumerTeam ?? '')) ? consumer : undefined
}

/** Finds the consumer that an agreement names. Errors: document_invalid. */
export async function requireConsumer(
  db: Database,
  organizationId: string,
  sent: SentAgreement['consumer'],
): Promise<AgreementConsumer> {
  const consumer = await findConsumer(db, organizationId, toConsumer(sent))
  if (consumer !== undefined) return consumer
  const { type, teamId, userId, productId } = sent
  if (type === 'dataproduct') throw unknownProduct('consumer.dataProductId', productId ?? '')
  if (type === 'team') throw unknown('consumer.teamId', describeUnknownTeam(clip(teamId ?? '')))
  throw unknown(
    'consumer.userId',
    `Unknown user "${clip(userId ?? '')}". Use the userId or the e-mail address of a member of the organization.`,
  )
}

const MISSING_CONSUMERS = {
  dataproduct: 'The consuming data product no longer exists.',
  team: 'The consuming team no longer exists.',
  user: NO_MEMBER,
}

/** Describes why the consumer of an agreement cannot get access, a sentence; undefined = the consumer exists. */
export async function findMissingConsumer(
  db: Database,
  agreement: Agreement,
): Promise<string | undefined> {
  const consumer = await findConsumer(db, agreement.organizationId, agreement)
  return consumer === undefined ? MISSING_CONSUMERS[agreement.consumerType] : undefined
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
