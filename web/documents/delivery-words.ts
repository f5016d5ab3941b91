import type { Schemas } from '../api/client.ts'
import type { Tone } from '../parts/status.tsx'

/** The state of a message to a receiver outside of Portbook. */
export type DeliveryState = Schemas['Delivery']['state']

/** The states of deliveries with their titles. */
export const DELIVERY_STATES: readonly (readonly [DeliveryState, string])[] = [
  ['pending', 'Pending'],
  ['delivered', 'Delivered'],
  ['failed', 'Failed'],
  ['canceled', 'Not sent'],
]

const TONES: Readonly<Record<DeliveryState, Tone>> = {
  pending: 'info',
  delivered: 'positive',
  failed: 'critical',
  canceled: 'off',
}

/** Returns the word and the tone of the state of a delivery. */
export function describeDelivery(
  state: DeliveryState,
  isRetried: boolean,
): { tone: Tone; word: string } {
  if (state === 'pending' && isRetried) return { tone: 'caution', word: 'Retrying' }
  const word = DELIVERY_STATES.find(([one]) => one === state)?.[1] ?? state
  return { tone: TONES[state], word }
}
