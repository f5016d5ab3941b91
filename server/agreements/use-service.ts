import { clip } from '../../formats/text/value.ts'
import type { Affected } from '../ledger/ports/port.ts'
import {
  createUseError,
  USES_MAX,
  type ResourceUse,
  type ResourceUses,
} from '../documents/resource-use.ts'
import type { Database } from '../platform/tables.ts'
import { listHeldAgreements, type HeldAgreement, type HeldBy } from './occasion-store.ts'

export { moveAgreements } from './record.ts'

// Those of an error, and those of an answer.
const USES = { isByPort: true, limit: USES_MAX }
const CONSUMERS = { isByPort: false, limit: 1000 }

/** Finds the agreements that prevent the deletion of a data product. Undefined = none does. */
export async function findProductUse(
  db: Database,
  organizationId: string,
  productId: string,
): Promise<ResourceUses | undefined> {
  return await findAgreementUses(db, organizationId, { productId, asConsumer: true })
}

/**
 * Asserts that no consumer has access to output ports that a change of a data product removes. Errors: in_use.
 */
export async function requireNoAccess(
  db: Database,
  { organizationId, id, parts }: { organizationId: string; id: string; parts: readonly string[] },
): Promise<void> {
  const uses = await findAgreementUses(db, organizationId, { productId: id, ports: parts })
  if (uses === undefined) return
  const port = clip(uses.uses[0]?.port ?? '')
  throw createUseError('in_use', `The output port "${port}" cannot be removed`, uses, {
    field: 'outputPorts',
  })
}

async function findAgreementUses(
  db: Database,
  organizationId: string,
  heldBy: HeldBy,
): Promise<ResourceUses | undefined> {
  const held = await listHeldAgreements(db, organizationId, heldBy, USES)
  if (held.length === 0) return undefined
  const [provided, consumed] = [
    held.find(({ isConsumer }) => !isConsumer),
    held.find(({ isConsumer }) => isConsumer),
  ]
  return {
    uses: held.slice(0, USES_MAX).map(toUse),
    useCount: (provided?.total ?? 0) + (consumed?.total ?? 0),
    hiddenUseCount: 0,
    advice: 'End the access first.',
  }
}

const CONSUMER_WORDS = { team: 'team', user: 'user', dataproduct: 'data product' }

// Every caller may read agreements, with their parties.
function toUse({
  id,
  port,
  isConsumer,
  consumerType,
  providerName,
  ...held
}: HeldAgreement): ResourceUse {
  const use = { kind: 'access', id, port }
  if (isConsumer) {
    const relation = `gives it access to output port ${clip(port)}`
    return { ...use, called: 'data product', name: providerName, relation }
  }
  const { productName, teamName, userName, productId, teamId, userId } = held
  return {
    ...use,
    called: CONSUMER_WORDS[consumerType],
    name: productName ?? teamName ?? userName ?? productId ?? teamId ?? userId ?? id,
    relation: `has access to output port ${clip(port)}`,
  }
}

/**
 * Adds the consumers with access, active or upcoming, to the resources that a change affects: data products with the
 * teams that own them, teams, and people. At most 1,000 agreements are read.
 */
export async function addAccessConsumers(
  db: Database,
  organizationId: string,
  heldBy: HeldBy,
  affected: readonly Affected[],
): Promise<Affected[]> {
  const ids = 'contracts' in heldBy ? heldBy.contracts : heldBy.ports
  const held =
    ids?.length === 0 ? [] : await listHeldAgreements(db, organizationId, heldBy, CONSUMERS)
  const byKey = new Map(affected.map((resource) => [toKey(resource), resource]))
  for (const agreement of held) {
    const access = { id: agreement.id, outputPortId: agreement.port }
    for (const resource of toResources(agreement)) {
      const known = byKey.get(toKey(resource)) ?? resource
      const isConsumer = resource.resourceType === RESOURCE_TYPES[agreement.consumerType]
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
function toResources(held: HeldAgreement): Affected[] {
  const { productId, productName, teamId, teamName, userId, userName } = held
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
  const name = productName ?? productId
  return [{ resourceType: 'DATA_PRODUCT', id: productId, name, ownerId: teamId }, ...team]
}
