import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Clock } from '../../platform/kit/clock.ts'
import { planForLookups } from '../../platform/kit/planning.ts'
import { untilAborted } from '../../platform/kit/signals.ts'
import { getSpan, traceRoot, type Tracer } from '../../platform/kit/tracing.ts'
import type { WorkObserver } from '../../platform/kit/work-observer.ts'
import type { Database } from '../../platform/tables.ts'
import type { DeliveryChannel, DeliveryContext, SendOutcome } from './channel.ts'
import { claimLanes, listNextDeliveries } from './claim-store.ts'
import {
  ATTEMPT_MS_MAX,
  cutResponse,
  getRetryDelayMs,
  type DeliveryTarget,
  type OutgoingDelivery,
} from './delivery.ts'
import type { Claimed, ClaimRequest } from './lane.ts'
import { Receivers, type StartedLane } from './receivers.ts'
import { newResultWriter, type ResultWriter } from './result-service.ts'
import { SendSlots } from './send-slots.ts'
import { getFirstConcurrency, type HeldLane, type TargetQueue } from './target-queue.ts'

/** The services of the delivery worker. */
export interface DeliveryServices extends DeliveryContext {
  clock: Clock
  channels: readonly DeliveryChannel[]
  observer?: WorkObserver | undefined
  /** Whether the store accepts no writes, or has the schema of another version, whose processes are then responsible. */
  isPaused: () => boolean
  /** Undefined = no traces are recorded. */
  tracer?: Tracer | undefined
}

/** The times of the worker; tests use shorter ones. */
export interface DeliveryTiming {
  pollMs: number
  leaseMs: number
  attemptMs: number
  retryDelayMs: typeof getRetryDelayMs
}

/** The delivery worker of a process. */
export interface Deliveries {
  /** Claims no more, waits for attempts up to the grace period, and returns the rest to the queue. */
  stop(graceMs: number): Promise<void>
}

const TIMING: DeliveryTiming = {
  pollMs: 250,
  leaseMs: 30_000,
  attemptMs: ATTEMPT_MS_MAX,
  retryDelayMs: getRetryDelayMs,
}

/** The maximum number of concurrent attempts of a process. */
export const SENDS_MAX = 128
/** The last attempts are for organizations with few under way. */
const RESERVED_SENDS = 8
/** The maximum number of concurrent attempts of an organization in a process. */
const ORGANIZATION_SENDS_MAX = SENDS_MAX / 2
const LANES_MAX = 1000
const TARGETS_MAX = 500
/** The maximum numbers of deliveries and bytes of a lane that are read at once. */
const LANE_LIMIT = { deliveriesMax: 20, bytesMax: 256 * 1024 }
/** The minimum number of attempts that fit into the lease of a lane. */
const LEASE_ATTEMPTS = 2.5
/** The time that a channel has for the result of an attempt, within the lease of its lane. */
const REPORT_MS_MAX = 2000

/**
 * Starts the worker that sends deliveries. Every working process has one; the lanes of a process that dies are claimed by
 * others when their leases end, so that each delivery arrives at least once.
 */
export function startDeliveries(
  services: DeliveryServices,
  timing: Partial<DeliveryTiming> = {},
): Deliveries {
  const worker = new Worker(services, { ...TIMING, ...timing })
  return { stop: async (graceMs) => await worker.stop(graceMs) }
}

class Worker {
  readonly #services: DeliveryServices
  readonly #timing: DeliveryTiming
  readonly #channels: ReadonlyMap<string, DeliveryChannel>
  readonly #receivers: Receivers
  readonly #results: ResultWriter
  readonly #stopping = new AbortController()
  readonly #cancelling = new AbortController()
  readonly #timer: NodeJS.Timeout
  readonly #active = new Set<Promise<void>>()
  readonly #slots: SendSlots
  #claiming: Promise<void> | undefined
  #after: DeliveryTarget | undefined

  constructor(services: DeliveryServices, timing: DeliveryTiming) {
    this.#services = services
    this.#timing = timing
    this.#channels = new Map(services.channels.map((channel) => [channel.kind, channel]))
    this.#receivers = new Receivers((kind) => this.#channels.get(kind)?.concurrencyPerTarget ?? 1)
    this.#slots = new SendSlots({
      process: SENDS_MAX,
      organization: ORGANIZATION_SENDS_MAX,
      reserved: RESERVED_SENDS,
      findChannelLimit: (kind) => this.#channels.get(kind)?.concurrency,
    })
    this.#results = newResultWriter(services, () => this.#wake())
    this.#timer = setInterval(() => this.#wake(), timing.pollMs)
  }

  async stop(graceMs: number): Promise<void> {
    this.#stopping.abort()
    clearInterval(this.#timer)
    await this.#claiming
    for (const queue of this.#receivers.list()) this.#release(queue.removeWaiting())
    const ended = new AbortController()
    await Promise.race([
      Promise.all(this.#active),
      sleep(graceMs, undefined, { signal: ended.signal }).catch(() => undefined),
    ])
    ended.abort()
    this.#cancelling.abort()
    await Promise.all(this.#active)
    await this.#results.stop()
  }

  // One claim at a time: it depends on the lanes that the process already has.
  #wake(): void {
    const { channels, isPaused } = this.#services
    if (channels.length === 0 || this.#stopping.signal.aborted || isPaused()) return
    this.#claiming ??= this.#claimMore()
      .catch((error: unknown) => {
        this.#services.log.warn({ err: error }, 'no deliveries could be claimed')
      })
      .finally(() => {
        this.#claiming = undefined
      })
  }

  async #claimMore(): Promise<void> {
    const { db, clock } = this.#services
    const held = this.#receivers.countHeld()
    const lanesMax = held.values().reduce((left, count) => left - count, LANES_MAX)
    if (lanesMax <= 0) return
    this.#receivers.forgetUnused()
    const startedMs = performance.now()
    const request = {
      claim: randomUUID(),
      channels: this.#services.channels.map(({ kind, concurrencyPerTarget }) => ({
        kind,
        leaseMs: this.#getLeaseMs(kind),
        lanesMax: getFirstConcurrency(concurrencyPerTarget),
      })),
      limits: this.#receivers.list().map((queue) => ({
        ...queue.target,
        lanesMax: queue.freeCount,
      })),
      held: [...held].map(([organizationId, lanesCount]) => ({ organizationId, lanesCount })),
      after: this.#after,
      targetsMax: TARGETS_MAX,
      lanesMax,
    }
    const { lanes, last, deliveries } = await claimDeliveries(db, clock, request)
    this.#after = last
    if (lanes.length === 0) return
    const byLane = Map.groupBy(deliveries, ({ organizationId, channel, target, subject }) =>
      toKey(organizationId, channel, target, subject),
    )
    for (const lane of lanes) {
      const { organizationId, channel, target, subject } = lane
      const own = byLane.get(toKey(organizationId, channel, target, subject)) ?? []
      const leaseEndsMs = startedMs + this.#getLeaseMs(channel)
      this.#receivers.get(lane).add({ lane, deliveries: own, leaseEndsMs })
    }
    this.#pump()
  }

  /** Starts as many attempts as receivers and the process allow. */
  #pump(): void {
    while (!this.#slots.isFull && !this.#stopping.signal.aborted) {
      const next = this.#receivers.take((target) => this.#slots.isFree(target))
      if (next === undefined) return
      this.#start(next)
    }
  }

  #start({ queue, held }: StartedLane): void {
    this.#slots.begin(queue.target)
    const work = this.#sendNext(queue, held).then((deliveries) => {
      this.#active.delete(work)
      this.#slots.end(queue.target)
      this.#receivers.end(queue)
      if (deliveries.length > 0) queue.putBack({ ...held, deliveries })
      else this.#release([held])
      this.#release(queue.removeExcess())
      this.#pump()
    })
    this.#active.add(work)
  }

  /**
   * Sends the next delivery of a lane. Returns those that can be sent afterwards: none after a failure, because later
   * deliveries about the subject wait for the next attempt.
   */
  async #sendNext(
    queue: TargetQueue,
    { lane, deliveries, leaseEndsMs }: HeldLane,
  ): Promise<OutgoingDelivery[]> {
    const [delivery, ...later] = deliveries
    const startedMs = performance.now()
    // The result must be recorded before the lease ends.
    const lastStartMs = leaseEndsMs - 1.5 * this.#getAttemptMs(lane.channel)
    if (delivery === undefined || startedMs > lastStartMs) return []
    const outcome = await this.#sendTraced(delivery)
    if (outcome === undefined) return []
    const durationMs = performance.now() - startedMs
    if (outcome.result !== 'canceled') queue.measure(durationMs, outcome.result === 'failed')
    await this.#reportToChannel(delivery, outcome)
    const isRetried = outcome.result === 'failed' && outcome.isFinal !== true
    const result = isRetried ? 'retry' : outcome.result
    this.#services.observer?.deliveryAttempted(lane.channel, result)
    this.#results.add({
      startedMs,
      keptUntilMs: startedMs + this.#getLeaseMs(lane.channel),
      organizationId: lane.organizationId,
      deliveryId: delivery.id,
      result,
      delayMs: isRetried
        ? this.#timing.retryDelayMs(delivery.attemptCount + 1, outcome.retryAfterMs)
        : 0,
      durationMs: Math.round(durationMs),
      ...toLedger(outcome),
    })
    return isRetried || this.#stopping.signal.aborted ? [] : later
  }

  #sendTraced(delivery: OutgoingDelivery): Promise<SendOutcome | undefined> {
    const { channel, attemptCount } = delivery
    const attributes = {
      'portbook.delivery.channel': channel,
      'portbook.delivery.attempt': attemptCount + 1,
    }
    const start = { kind: 'client', attributes } as const
    return traceRoot(this.#services.tracer, `deliver ${channel}`, start, async () => {
      const outcome = await this.#send(delivery)
      noteOutcome(outcome)
      return outcome
    })
  }

  /** Makes an attempt. Returns undefined if the process ended it. */
  async #send(delivery: OutgoingDelivery): Promise<SendOutcome | undefined> {
    const channel = this.#channels.get(delivery.channel)
    if (channel === undefined) return undefined
    const attemptMs = this.#getAttemptMs(delivery.channel)
    const deadline = AbortSignal.timeout(attemptMs)
    const signal = AbortSignal.any([deadline, this.#cancelling.signal])
    try {
      return await untilAborted(channel.send(this.#services, delivery, signal), signal)
    } catch (error) {
      if (this.#cancelling.signal.aborted) return undefined
      if (deadline.aborted) {
        return {
          result: 'failed',
          error: `No complete answer within ${Math.round(attemptMs / 1000)} s`,
        }
      }
      const { id, channel: kind } = delivery
      this.#services.log.error({ err: error, deliveryId: id, channel: kind }, 'a delivery failed')
      return { result: 'failed', error: 'An internal error occurred' }
    }
  }

  async #reportToChannel(delivery: OutgoingDelivery, outcome: SendOutcome): Promise<void> {
    const reporting = this.#channels
      .get(delivery.channel)
      ?.afterAttempt?.(this.#services, delivery, outcome)
    if (reporting === undefined) return
    try {
      await untilAborted(reporting, AbortSignal.timeout(REPORT_MS_MAX))
    } catch (error) {
      const { id, channel } = delivery
      this.#services.log.warn({ err: error, deliveryId: id, channel }, 'a channel missed a result')
    }
  }

  #release(held: readonly HeldLane[]): void {
    for (const { lane } of held) this.#results.release(lane)
  }

  #getAttemptMs(channel: string): number {
    return this.#channels.get(channel)?.attemptMs ?? this.#timing.attemptMs
  }

  // An attempt begins in the first part of a lease, so that its result is recorded before the end.
  #getLeaseMs(channel: string): number {
    const attemptMs = this.#channels.get(channel)?.attemptMs ?? 0
    return Math.max(this.#timing.leaseMs, LEASE_ATTEMPTS * attemptMs)
  }
}

/** Records the result of an attempt in its span; the reason of a failure is in the ledger only. */
function noteOutcome(outcome: SendOutcome | undefined): void {
  const span = getSpan()
  if (span === undefined || outcome === undefined) return
  const { result } = outcome
  const status = result === 'canceled' ? undefined : outcome.status
  span.setAttributes({
    'portbook.delivery.result': result,
    ...(status === undefined ? {} : { 'http.response.status_code': status }),
  })
  if (result === 'failed') span.fail(String(status ?? 'no_answer'))
}

/** Claims lanes, and reads the next deliveries of each. */
async function claimDeliveries(
  db: Database,
  clock: Clock,
  request: ClaimRequest,
): Promise<Claimed & { deliveries: OutgoingDelivery[] }> {
  return await db.transaction().execute(async (transaction) => {
    await planForLookups(transaction)
    const claimed = await claimLanes(transaction, clock, request)
    const { lanes } = claimed
    const deliveries =
      lanes.length === 0 ? [] : await listNextDeliveries(transaction, lanes, LANE_LIMIT)
    return { ...claimed, deliveries }
  })
}

function toLedger(outcome: SendOutcome): {
  status: number | null
  error: string | null
  response: string | null
} {
  if (outcome.result === 'canceled') return { status: null, error: outcome.reason, response: null }
  const { status = null, response = '' } = outcome
  const error = outcome.result === 'failed' ? outcome.error : null
  return { status, error, response: cutResponse(response) }
}

function toKey(...parts: string[]): string {
  return JSON.stringify(parts)
}
