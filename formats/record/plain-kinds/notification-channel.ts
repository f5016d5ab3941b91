import { flag, object, text } from '../../shape/shape.ts'
import { asText } from '../../text/value.ts'
import type { PlainRecordKind } from '../plain-record-kind.ts'

/** The chat systems of notification channels. */
export const CHANNEL_TYPES = ['slack', 'teams', 'googlechat'] as const

/** A notification channel is the webhook of a chat system to which the notifications of a team are posted. */
export const NOTIFICATION_CHANNEL = {
  kind: 'notification-channel',
  collection: 'notification-channels',
  called: 'notification channel',
  calledMany: 'notification channels',
  schemaName: 'NotificationChannel',
  listName: 'NotificationChannels',
  holder: { by: 'team', permission: 'TEAM_EDIT' },
  id: 'of the client',
  bytesMax: 16 * 1024,
  countMax: 50,
  filters: [],
  secretAddress: 'endpoint',
  shape: object({
    fields: {
      id: text(),
      name: text(),
      type: text({ allowed: CHANNEL_TYPES }),
      endpoint: text({ format: 'uri' }),
      enabled: flag,
    },
    required: ['name', 'type', 'endpoint', 'enabled'],
    rules: [
      {
        field: 'endpoint',
        holds: ({ endpoint = null }) => asText(endpoint)?.startsWith('https://') ?? true,
        message: 'This must be an address that begins with "https://".',
      },
    ],
  }),
} as const satisfies PlainRecordKind
