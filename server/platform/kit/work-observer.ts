/** Receives what background work does, for the metrics of the process. */
export interface WorkObserver {
  /** The followers of the feed, or the channels of deliveries, of this process begin. */
  started(work: { followers?: readonly string[]; channels?: readonly string[] }): void
  followerFailed(follower: string): void
  /** An attempt at a delivery ended. */
  deliveryAttempted(channel: string, result: DeliveryResult): void
  /** A worker, or upkeep in its place, ended an ingestion run. */
  runEnded(status: RunEndStatus): void
}

/** The results of attempts; `retry` = it failed and is repeated. */
export const DELIVERY_RESULTS = ['delivered', 'retry', 'failed', 'canceled'] as const

/** The result of an attempt. */
export type DeliveryResult = (typeof DELIVERY_RESULTS)[number]

/** The states in which runs end. */
export const RUN_END_STATUSES = ['SUCCESS', 'FAILED', 'CANCELLED'] as const

/** The state in which a run ended. */
export type RunEndStatus = (typeof RUN_END_STATUSES)[number]
