import type { FeedFollower, FollowedEvent } from '../ledger/events/follower.ts'
import {
  markChangedContracts,
  markReplacedContracts,
  type NewVersion,
} from './contract-change-store.ts'
import { moveMisplacedAgreements } from './owner-change-service.ts'

/**
 * Marks agreements whose contract was changed in a breaking way, or replaced by another one, since their approval. The
 * agreement itself stays as it was approved. An agreement that was requested while its data product got another owner is
 * moved to this owner.
 */
export const CONTRACT_CHANGES: FeedFollower = {
  name: 'agreement-contracts',
  async handle(transaction, organizationId, events) {
    const contracts = listVersions(events, 'DataContractUpdatedEvent')
    if (contracts.length > 0) await markChangedContracts(transaction, organizationId, contracts)
    const products = listVersions(events, 'DataProductUpdatedEvent')
    if (products.length === 0) return
    await markReplacedContracts(transaction, organizationId, products)
    const productIds = [...new Set(products.map(({ id }) => id))]
    await moveMisplacedAgreements(transaction, { organizationId, productIds })
  },
}

function listVersions(events: readonly FollowedEvent[], type: string): NewVersion[] {
  return events
    .filter((event) => event.type === type)
    .map(({ subject, version, time }) => ({ id: subject, version, time }))
}
