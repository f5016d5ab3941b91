import type { Affected } from '../ledger/ports/port.ts'
import type { Database } from '../platform/tables.ts'
import { listAccessConsumers, type AccessConsumer, type HeldBy } from './consumer-store.ts'

/**
 * Adds the consumers with access, active or upcoming, to the resources that a change affects: data products with the
 * teams that own them, teams, and people.
 */
export async function addAccessConsumers(
  db: Database,
  organizationId: string,
  held: HeldBy,
  affected: readonly Affected[],
): Promise<Affected[]> {
  const ids = 'contracts' in held ? held.contracts : held.ports
  const consumers = ids.length === 0 ? [] : await listAccessConsumers(db, organizationId, held)
  const byKey = new Map(affected.map((resource) => [toKey(resource), resource]))
  for (const consumer of consumers) {
    const access = { id: consumer.id, outputPortId: consumer.outputPortId }
    for (const resource of toResources(consumer)) {
      const known = byKey.get(toKey(resource)) ?? resource
      const isConsumer = resource.resourceType === RESOURCE_TYPES[consumer.type]
      byKey.set(
        toKey(resource),
        isConsumer ? { ...known, access: [...(known.access ?? []), access] } : known,
      )
    }
  }
  return [...byKey.values()]
}

const RESOURCE_TYPES = { dataproduct: 'DATA_PRODUCT', team: 'TEAM', user: 'USER' } as const

function toKey({ resourceType, id }: Pick<Affected, 'resourceType' | 'id'>): string {
  return JSON.stringify([resourceType, id])
}

// The consumer, and the team of a consuming data product.
function toResources(consumer: AccessConsumer): Affected[] {
  const { productId, productName, teamId, teamName, userId, userName } = consumer
  if (userId !== null) {
    return [
      { resourceType: 'USER', id: userId, name: userName ?? 'a former member', ownerId: null },
    ]
  }
  const team: Affected[] =
    teamId === null
      ? []
      : [{ resourceType: 'TEAM', id: teamId, name: teamName ?? teamId, ownerId: teamId }]
  if (productId === null) return team
  return [
    {
      resourceType: 'DATA_PRODUCT',
      id: productId,
      name: productName ?? productId,
      ownerId: teamId,
    },
    ...team,
  ]
}
