import type { DeliveryResult } from '../../platform/kit/work-observer.ts'
import type { DeliveryTarget } from './delivery.ts'

/** The deliveries about one subject to one receiver, which are sent one after the other. */
export interface Lane extends DeliveryTarget {
  subject: string
}

/** A lane that a worker has until it releases it or its lease ends. */
export interface ClaimedLane extends Lane {
  /** Identifies the claim. */
  claim: string
}

/** A request for lanes to work on. */
export interface ClaimRequest {
  /** Identifies the claim. */
  claim: string
  /** The channels of the worker, with the time of a lease and the maximum number of lanes of each receiver. */
  channels: readonly { kind: string; leaseMs: number; lanesMax: number }[]
  /** The receivers for which another number applies. */
  limits: readonly (DeliveryTarget & { lanesMax: number })[]
  /** The numbers of lanes that organizations have in the process. */
  held: readonly { organizationId: string; lanesCount: number }[]
  /** The receiver after which to look, in the order of their keys; undefined = from the first one. */
  after: DeliveryTarget | undefined
  targetsMax: number
  /** The number of lanes that the process can still hold. */
  lanesMax: number
}

/** The lanes that a worker has claimed. */
export interface Claimed {
  lanes: ClaimedLane[]
  /** The receiver after which to look the next time; undefined = from the first one. */
  last: DeliveryTarget | undefined
}

/** The result of an attempt, to record. */
export interface AttemptRecord {
  organizationId: string
  deliveryId: string
  /** `retry` becomes `failed` when the time for attempts is over. */
  result: DeliveryResult
  /** The delay before the next attempt. */
  delayMs: number
  /** The time since it began. */
  ageMs: number
  durationMs: number
  status: number | null
  error: string | null
  response: string | null
}
