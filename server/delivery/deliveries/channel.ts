import type { HttpClient } from '../../platform/kit/http-client.ts'
import type { Log } from '../../platform/kit/log.ts'
import type { SecretBox } from '../../platform/kit/secret-box.ts'
import type { Database } from '../../platform/tables.ts'
import type { OutgoingDelivery } from './delivery.ts'

/** The services of a channel. */
export interface DeliveryContext {
  db: Database
  /** Connects only to addresses that the operator allows, and follows no redirects. */
  http: HttpClient
  secretBox: SecretBox
  log: Log
}

/** The result of an attempt. */
export type SendOutcome =
  | {
      result: 'delivered'
      /** The HTTP status, if the channel has one. */
      status?: number | undefined
      response?: string | undefined
    }
  | {
      result: 'failed'
      /** Why, as a sentence for the ledger, without secrets. */
      error: string
      status?: number | undefined
      response?: string | undefined
      /** The delay that the receiver asked for. */
      retryAfterMs?: number | undefined
      /** Whether another attempt is useless. */
      isFinal?: boolean
    }
  /** Nothing was sent, and nothing will be: the receiver was removed or disabled. */
  | { result: 'canceled'; reason: string }

/** A way of sending deliveries. */
export interface DeliveryChannel {
  /** Identifies the channel in the database; it must never change. */
  kind: string
  /** The maximum number of concurrent attempts at one receiver in a process. */
  concurrencyPerTarget: number
  /** The maximum number of concurrent attempts of a process; absent = no limit of the channel. */
  concurrency?: number
  /** The timeout of an attempt; absent = that of a request with its reserve. */
  attemptMs?: number
  /**
   * Makes one attempt. The signal aborts after the timeout of an attempt. A thrown error counts as a failed attempt; its
   * message is logged but not shown.
   */
  send(
    context: DeliveryContext,
    delivery: OutgoingDelivery,
    signal: AbortSignal,
  ): Promise<SendOutcome>
  /**
   * Handles the end of an attempt, also one that ended at its timeout or with an error, before the ledger has it. A thrown
   * error is logged.
   */
  afterAttempt?(
    context: DeliveryContext,
    delivery: OutgoingDelivery,
    outcome: SendOutcome,
  ): Promise<void>
}
