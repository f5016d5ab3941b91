import type { Problem } from '../../../formats/text/problem.ts'
import { clip } from '../../../formats/text/value.ts'
import type { Affected } from './port.ts'
import type { ContractPlace, ContractUse, ContractUser, LinkedPort, PortContract } from './port.ts'
import type { ReadingServices } from '../../requests/http/endpoint.ts'
import type { Database } from '../../platform/tables.ts'
import * as store from './store.ts'
import { listLinkedPortsOfEach, runOnProducts } from './task.ts'

// With more users than this, a list of products is more useful than a plan.
const USERS_MAX = 1000

/** Returns the ports that name a contract, each with the current contract. */
export async function contractsOfPorts(
  db: Database,
  organizationId: string,
  ports: readonly LinkedPort[],
): Promise<PortContract[]> {
  if (ports.length === 0) return []
  const ids = [...new Set(ports.map(({ contractId }) => contractId))]
  const contracts = await store.listContracts(db, organizationId, ids)
  const byId = new Map(contracts.map((contract) => [contract.id, contract]))
  return ports.map((port) => ({ ...port, contract: byId.get(port.contractId) ?? null }))
}

/** Returns a warning for each contract that does not exist yet. */
export function danglingWarnings(
  places: readonly ContractPlace[],
  contracts: readonly PortContract[],
): Problem[] {
  const missing = new Set(
    contracts.filter(({ contract }) => contract === null).map(({ contractId }) => contractId),
  )
  return places
    .filter(({ contractId }) => missing.has(contractId))
    .map(({ contractId, ...place }) => {
      const message = `There is no data contract "${clip(contractId)}" yet; the port is linked to it as soon as it is registered.`
      return { ...place, message }
    })
}

/**
 * Lists the products with a port that names one of the contracts, and those ports, by product id. Errors:
 * document_too_costly, overloaded.
 */
export async function listContractUsers(
  { db, offload }: ReadingServices,
  organizationId: string,
  contracts: readonly string[],
): Promise<ContractUser[]> {
  const users: ContractUser[] = []
  if (contracts.length === 0) return users
  const named = new Set(contracts)
  let lastId = ''
  for (;;) {
    const products = await store.listProductsNaming(db, organizationId, contracts, lastId)
    const ports = await runOnProducts(offload, organizationId, listLinkedPortsOfEach, products)
    for (const [at, { id, name, ownerId, ownerName }] of products.entries()) {
      const all = ports[at] ?? []
      const user = { id, name, ownerId, ownerName }
      users.push({ ...user, ports: all.filter(({ contractId }) => named.has(contractId)) })
      lastId = id
    }
    if (products.length < store.LINKED_PRODUCTS_MAX || users.length >= USERS_MAX) return users
  }
}

/** Separates the users of a contract into providers and consumers. */
export function splitContractUsers(users: readonly ContractUser[]): ContractUse {
  const withPorts = (direction: 'input' | 'output'): ContractUser[] =>
    users
      .map((user) => ({ ...user, ports: user.ports.filter((one) => one.direction === direction) }))
      .filter(({ ports }) => ports.length > 0)
  return { providers: withPorts('output'), consumers: withPorts('input') }
}

/** Returns the resources that a change affects: the products, and the teams that own them. */
export function listAffected(
  users: readonly (Omit<ContractUser, 'ports'> & Partial<Pick<ContractUser, 'ports'>>)[],
): Affected[] {
  const teams = new Map(users.map(({ ownerId, ownerName }) => [ownerId, ownerName]))
  return [
    ...users.map(({ id, name, ownerId, ...more }): Affected => {
      const ports = more.ports && { ports: more.ports }
      return { resourceType: 'DATA_PRODUCT', id, name, ownerId, ...ports }
    }),
    ...Array.from(teams, ([id, name]): Affected => ({
      resourceType: 'TEAM',
      id,
      name,
      ownerId: id,
    })),
  ]
}

/** Finds the external id of the team that owns a data product; undefined if the product does not exist. */
export async function findProductOwner(
  db: Database,
  organizationId: string,
  productId: string,
): Promise<string | undefined> {
  return await store.findProductOwner(db, organizationId, productId)
}

/** Finds the external ids of the teams that own data products, by product. Products that do not exist are skipped. */
export async function findProductOwners(
  db: Database,
  organizationId: string,
  productIds: readonly string[],
): Promise<Map<string, string>> {
  return await store.findProductOwners(db, organizationId, productIds)
}
