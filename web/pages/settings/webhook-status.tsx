import type { Schemas } from '../../api/client.ts'
import { describeDelivery } from '../../documents/delivery-words.ts'
import { Status } from '../../parts/status.tsx'

/** Whether events are sent to an endpoint, and whether it accepts them. */
export function WebhookStatus({ webhook }: { webhook: Schemas['Webhook'] }) {
  const { enabled, disabledAt, failingSince } = webhook
  if (!enabled) {
    return <Status tone={disabledAt === null ? 'off' : 'critical'}>Disabled</Status>
  }
  return failingSince === null ? (
    <Status tone="positive">Enabled</Status>
  ) : (
    <Status tone="caution">Failing</Status>
  )
}

/** The state of a delivery. */
export function DeliveryStatus({ delivery }: { delivery: Schemas['Delivery'] }) {
  const { tone, word } = describeDelivery(delivery.state, delivery.nextAttemptAt !== null)
  return <Status tone={tone}>{word}</Status>
}
