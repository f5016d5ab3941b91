import { listSourceAddresses } from '../../../formats/data-contract/server-address.ts'
import type { ObjectValue, Value } from '../../../formats/text/value.ts'
import { lockReality } from '../../ledger/promises/lock.ts'
import type { Clock } from '../../platform/kit/clock.ts'
import type { SettleReality } from '../../platform/reality-change.ts'
import type { Database } from '../../platform/tables.ts'
import { replaceConfiguredAddresses } from '../../reality/links/address-service.ts'
import { configurationParts } from './integration.ts'

/** The integration whose addresses change, and the author. */
interface AddressChange {
  organizationId: string
  integrationId: string
  principal: string
  requestId: string
}

/**
 * Stores the addresses that a configuration has and brings links up to date, in the transaction of the change. Without a source
 * the integration is deleted.
 */
export async function settleAddresses(
  { clock, settleReality }: { clock: Clock; settleReality: SettleReality },
  db: Database,
  change: AddressChange,
  source?: { name: string; configuration: unknown },
): Promise<void> {
  const { organizationId, integrationId, principal, requestId } = change
  await lockReality(db, organizationId)
  if (source !== undefined) {
    const addresses = listSourceAddresses(source.name, toValues(source.configuration))
    await replaceConfiguredAddresses(db, { organizationId, integrationId, principal }, addresses)
  }
  const origin = { organizationId, principal, requestId }
  await settleReality(db, clock, { ...origin, kind: 'address', integrationId })
}

/** Returns the fields of a stored configuration that an address can have: texts, numbers and lists of texts. */
export function toValues(stored: unknown): ObjectValue {
  const { configuration } = configurationParts(stored)
  return Object.fromEntries(
    Object.entries(configuration).flatMap(([name, value]): [string, Value][] => {
      if (typeof value === 'string' || typeof value === 'number') return [[name, value]]
      if (!Array.isArray(value)) return []
      return [[name, value.filter((item) => typeof item === 'string')]]
    }),
  )
}
