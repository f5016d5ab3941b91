import { NOTIFICATION_CHANNEL } from '../../../formats/record/plain-kinds/notification-channel.ts'
import { findWholeDocument } from '../../documents/plain-records/secret-service.ts'
import type { PlainRecordServices } from '../../documents/plain-records/service.ts'

/**
 * Finds the document of a notification channel with its address, as JSON text. `team` is the external id. Errors:
 * SecretUnreadable.
 */
export async function findChannelDocument(
  services: Pick<PlainRecordServices, 'db' | 'secretBox'>,
  organizationId: string,
  { team, channelId }: { team: string; channelId: string },
): Promise<string | undefined> {
  const { kind } = NOTIFICATION_CHANNEL
  return await findWholeDocument(services, { organizationId, kind, scope: team, id: channelId })
}
