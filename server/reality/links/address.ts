import { listSourceAddresses } from '../../../formats/data-contract/server-address.ts'
import type { ObjectValue, Value } from '../../../formats/text/value.ts'
import type { Instant } from '../../platform/kit/clock.ts'

/** An address of the source of an integration, as contracts write it. */
export interface SourceAddress {
  address: string
  origin: 'configuration' | 'hand'
  addedAt: Instant
}

/** Lists the addresses that the configuration of an integration has; `name` is that of its connector. */
export function listConfiguredAddresses({
  name,
  configuration,
}: {
  name: string
  configuration: unknown
}): string[] {
  return listSourceAddresses(name, readFields(configuration))
}

/** Returns the fields of a stored configuration that an address can have: texts, numbers and lists of texts. */
export function readFields(configuration: unknown): ObjectValue {
  const isStored = typeof configuration === 'object' && configuration !== null
  const entries: [string, unknown][] = isStored ? Object.entries(configuration) : []
  return Object.fromEntries(
    entries.flatMap(([name, value]): [string, Value][] => {
      if (typeof value === 'string' || typeof value === 'number') return [[name, value]]
      if (!Array.isArray(value)) return []
      return [[name, value.filter((item) => typeof item === 'string')]]
    }),
  )
}
