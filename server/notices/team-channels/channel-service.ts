import { NOTIFICATION_CHANNEL } from '../../../formats/record/plain-kinds/notification-channel.ts'
import { findWholeDocument } from '../../documents/plain-records/secret-service.ts'
import type { PlainRecordServices } from '../../documents/plain-records/service.ts'
import type { Caller } from '../../requests/access/caller.ts'
import { ApiError, notFound } from '../../platform/errors.ts'
import type { Services } from '../../requests/http/endpoint.ts'
import { requirePermission } from '../../requests/http/missing-permission.ts'
import type { HttpClient } from '../../platform/kit/http-client.ts'
import { SecretUnreadable } from '../../platform/sealed-secrets.ts'
import { storedChannel } from './channel.ts'
import { postToChat } from './send-service.ts'
import type { Database } from '../../platform/tables.ts'
import { listLastDeliveries, type LastDelivery } from './last-delivery-store.ts'

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

const TIMEOUT_MS = 15_000

/**
 * Posts a test message to a channel of a team. Returns why the chat system did not accept it; undefined = it did.
 * Errors: permission_missing, not_found, invalid_state for a disabled channel and for an address that cannot be decrypted.
 */
export async function testChannel(
  {
    db,
    secretBox,
    baseUrl,
    http,
  }: Pick<Services, 'db' | 'secretBox' | 'baseUrl'> & {
    http: HttpClient
  },
  caller: Caller,
  key: { team: string; channelId: string },
): Promise<string | undefined> {
  const document = await findReadableDocument({ db, secretBox }, caller, key)
  if (document === undefined) throw notFound()
  requirePermission(caller, 'TEAM_EDIT', key.team)
  const { name, type, endpoint, enabled } = storedChannel.parse(JSON.parse(document))
  if (!enabled) {
    throw new ApiError('invalid_state', 'The channel is disabled. Enable it first.')
  }
  const message = {
    title: 'Test message of Portbook',
    detail: `Portbook can post notifications to the channel ${name}.`,
    link: { label: 'Open in Portbook', url: `${baseUrl}/teams/${encodeURIComponent(key.team)}` },
    footer: 'A person who can edit the team sent this message.',
  }
  const signal = AbortSignal.timeout(TIMEOUT_MS)
  const result = await postToChat(http, { system: type, endpoint }, message, signal)
  return result.ok ? undefined : result.error
}

async function findReadableDocument(
  services: Pick<Services, 'db' | 'secretBox'>,
  { organizationId }: Caller,
  key: { team: string; channelId: string },
): Promise<string | undefined> {
  try {
    return await findChannelDocument(services, organizationId, key)
  } catch (error) {
    if (!(error instanceof SecretUnreadable)) throw error
    const message = 'The address of the channel cannot be decrypted. Enter it again.'
    throw new ApiError('invalid_state', message, { cause: error })
  }
}

/** Lists the last message to each channel of a team that got one. Errors: permission_missing. */
export async function getLastDeliveries(
  db: Database,
  caller: Caller,
  team: string,
): Promise<LastDelivery[]> {
  requirePermission(caller, 'TEAM_EDIT', team)
  return await listLastDeliveries(db, caller.organizationId, team)
}
