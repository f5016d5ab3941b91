import { clip } from '../../formats/text/value.ts'
import { ApiError } from '../errors.ts'
import type { ReadingServices } from '../http/endpoint.ts'
import type { TaskText } from '../http/offload.ts'
import type { Database } from '../tables.ts'
import { listPortIds } from './task.ts'
import { listHeldAgreements, listHeldPorts, type HeldAgreement } from './use-store.ts'

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

/** A document that replaces that of a data product. */
export interface ReplacingDocument extends TaskText {
  organizationId: string
  productId: string
}

/**
 * Rejects a new document of a data product that lacks an output port with active access. Errors: in_use,
 * document_too_costly, overloaded.
 */
export async function requirePortsWithAccess(
  { db, offload }: ReadingServices,
  { organizationId, productId, ...text }: ReplacingDocument,
): Promise<void> {
  const ports = await listHeldPorts(db, organizationId, productId)
  if (ports.length === 0) return
  const input = { ...text, id: productId }
  const kept = new Set(await offload.run(organizationId, listPortIds, input, [text]))
  const removed = ports.filter((port) => !kept.has(port))
  const [port] = removed
  if (port === undefined) return
  const held = await listHeldAgreements(db, organizationId, productId, { asConsumer: false })
  const users = held.filter((one) => removed.includes(one.port))
  throw new ApiError(
    'in_use',
    `The output port "${clip(port)}" cannot be removed while ${describeHeld(users)}`,
    { violations: [{ field: 'outputPorts', message: `the port "${clip(port)}" is in use` }] },
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
