import { clip } from '../../formats/text/value.ts'
import type { Affected } from '../ledger/ports/port.ts'
import { ApiError } from '../platform/errors.ts'
import type { Database } from '../platform/tables.ts'
import { listHeldAgreements, type HeldAgreement, type HeldBy } from './occasion-store.ts'

export { moveAgreements } from './record.ts'

// Those that an error names, and those of an answer.
const USES = { isByPort: true, limit: 20 }
const CONSUMERS = { isByPort: false, limit: 1000 }

/** Describes the agreements that prevent the deletion of a data product: a clause after "while", and advice. */
export async function describeProductUse(
  db: Database,
  organizationId: string,
  productId: string,
): Promise<string | undefined> {
  const heldBy = { productId, asConsumer: true }
  const held = await listHeldAgreements(db, organizationId, heldBy, USES)
  return held.length === 0 ? undefined : describeHeld(held)
}

/**
 * Asserts that no consumer has access to output ports that a change of a data product removes. Errors: in_use.
 */
export async function requireNoAccess(
  db: Database,
  { organizationId, id, parts }: { organizationId: string; id: string; parts: readonly string[] },
): Promise<void> {
  const heldBy = { productId: id, ports: parts }
  const held = await listHeldAgreements(db, organizationId, heldBy, USES)
  const [first] = held
  if (first === undefined) return
  const port = clip(first.port)
  throw new ApiError(
    'in_use',
    `The output port "${port}" cannot be removed while ${describeHeld(held)}`,
    { violations: [{ field: 'outputPorts', message: `the port "${port}" is in use` }] },
  )
}

const NAMED_MAX = 5

function describeHeld(held: readonly HeldAgreement[]): string {
  const uses = held.slice(0, NAMED_MAX).map(describeUse)
  const more = held.length > NAMED_MAX ? ', and others' : ''
  const ids = held.slice(0, NAMED_MAX).map(({ id }) => clip(id))
  return `${uses.join(', ')}${more}. Cancel the access agreements first: ${ids.join(', ')}${more}.`
}

const CONSUMER_WORDS = { team: 'team', user: 'user', dataproduct: 'data product' }

function describeUse({
  isConsumer,
  consumerType,
  providerName,
  port,
  ...held
}: HeldAgreement): string {
  if (isConsumer) return `it has access to data product ${clip(providerName)}`
  const { productName, teamName, userName, productId, teamId, userId } = held
  const name = productName ?? teamName ?? userName ?? productId ?? teamId ?? userId ?? ''
  return `${CONSUMER_WORDS[consumerType]} ${clip(name)} has access to output port ${clip(port)}`
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
