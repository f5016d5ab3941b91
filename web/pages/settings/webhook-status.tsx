import type { Schemas } from '../../api/client.ts'
import { Status, type Tone } from '../../parts/status.tsx'

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

type DeliveryState = Schemas['Delivery']['state']

/** The states of deliveries with their titles. */
export const DELIVERY_STATES: readonly (readonly [DeliveryState, string])[] = [
  ['pending', 'Pending'],
  ['delivered', 'Delivered'],
  ['failed', 'Failed'],
  ['canceled', 'Canceled'],
]

const TONES: Record<DeliveryState, Tone> = {
  pending: 'info',
  delivered: 'positive',
  failed: 'critical',
  canceled: 'off',
}

/** The state of a delivery. */
export function DeliveryStatus({ delivery }: { delivery: Schemas['Delivery'] }) {
  const { state, nextAttemptAt } = delivery
  const title = DELIVERY_STATES.find(([one]) => one === state)?.[1] ?? state
  return state === 'pending' && nextAttemptAt !== null ? (
    <Status tone="caution">Retrying</Status>
  ) : (
    <Status tone={TONES[state]}>{title}</Status>
  )
}
