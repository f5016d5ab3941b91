import { clip } from '../../formats/text/value.ts'
import { ApiError } from '../platform/errors.ts'
import type { Database } from '../platform/tables.ts'
import { listHeldAgreements, type HeldAgreement } from './use-store.ts'

export { moveAgreements } from './record.ts'

/** Describes the agreements that prevent the deletion of a data product: a clause after "while", and advice. */
export async function describeProductUse(
  db: Database,
  organizationId: string,
  productId: string,
): Promise<string | undefined> {
  const held = await listHeldAgreements(db, organizationId, productId, { asConsumer: true })
  return held.length === 0 ? undefined : describeHeld(held)
}

/**
 * Asserts that no consumer has access to output ports that a change of a data product removes. Errors: in_use.
 */
export async function requireNoAccess(
  db: Database,
  { organizationId, id, parts }: { organizationId: string; id: string; parts: readonly string[] },
): Promise<void> {
  const held = await listHeldAgreements(db, organizationId, id, { asConsumer: false, ports: parts })
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

function describeUse({ isConsumer, ...held }: HeldAgreement): string {
  const { consumerType, consumerName, providerName, port } = held
  if (isConsumer) return `it has access to data product ${clip(providerName)}`
  return `${CONSUMER_WORDS[consumerType]} ${clip(consumerName)} has access to output port ${clip(port)}`
}
