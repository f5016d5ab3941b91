import type { PlainRecordKind } from './plain-record-kind.ts'
import { CONNECTOR } from './plain-kinds/connector.ts'
import { COST } from './plain-kinds/cost.ts'
import { EXAMPLE_DATA } from './plain-kinds/example-data.ts'
import { NOTIFICATION_CHANNEL } from './plain-kinds/notification-channel.ts'

/** **Every kind of plain record**, a line for each. */
export const PLAIN_RECORDS: readonly PlainRecordKind[] = [
  CONNECTOR,
  COST,
  EXAMPLE_DATA,
  NOTIFICATION_CHANNEL,
]
