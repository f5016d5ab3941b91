import { setTimeout as sleep } from 'node:timers/promises'
import { ApiError } from '../../platform/errors.ts'
import { newFairQueue, QueueFull, type QueueObserver } from '../../platform/kit/fair-queue.ts'
import { holdSlot } from '../../platform/kit/held-slot.ts'
import { isConnectionLost, toUnsent } from '../../platform/kit/store-errors.ts'
import { getSpan, withSpan } from '../../platform/kit/tracing.ts'
import { newStoreProblem } from './store-problem.ts'

/**
 * The kinds of requests by their cost: `point` reads or writes one resource, `scan` reads many, `bulk` takes or writes
 * megabytes. See docs/decisions/0078-requests-take-turns.md.
 */
export type RequestLane = 'point' | 'scan' | 'bulk'

/** The lane of an endpoint, which its query may decide. */
export type LaneRule = RequestLane | ((search: URLSearchParams) => RequestLane)

/**
 * Returns the lane of an endpoint that declares none: lists are scans; writes, and reads of the resource of an id, are
 * points. Undefined = it must declare one.
 */
export function getDefaultLane(
  method: string,
  path: string,
  { isList }: { isList: boolean },
): RequestLane | undefined {
  if (isList) return 'scan'
  return method !== 'GET' || path.includes('{') ? 'point' : undefined
}

/** The turn of a request. */
export interface LaneTurn {
  lane: RequestLane
  /** The organization, then the key or the person. */
  flow: readonly [organization: string, name: string]
  /** The method and the pattern of the route, for its recent cost. */
  route: string
  isWrite: boolean
  /** Whether it usually only sends short reads. */
  isShort: boolean
}

/** Lets organizations take turns at the store and the event loop of a process. */
export interface Lanes {
  /**
   * Runs the work of a request, from its complete body to its finished answer, in its turn. Work that waits for another
   * system gives its slot back with `withoutSlot`. Errors: overloaded, store_unavailable, and those of the work.
   */
  run<T>(turn: LaneTurn, work: () => Promise<T>): Promise<T>
  /** Counts the requests that wait for their turn. */
  countWaiting(): number
}

/** The maximum number of waiting requests. */
const WAITING_MAX = 1000
/** The slots that only organizations with fewer than two get. */
const RESERVED_COUNT = 2
// Short reads share connections, up to 16 of them. With one place for each connection, they would hardly ever do.
const SHORT_PER_CONNECTION = 4
const SCAN_SHARE = 0.4
const BULK_SLOTS = 2
// People do not wait for a page for longer; pipelines lose more by an error than by waiting.
const READ_WAIT_MS = 10_000
const WRITE_WAIT_MS = 25_000
// A chunk of an answer that has begun waits as often as it must.
const CHUNK_RETRY_MS = 1000
// A store that fails faster, or answered another request since then, still answers; the requests that wait are then
// tried one by one.
const OUTAGE_THRESHOLD_MS = 500
// Most requests get their turn at once.
const TRACED_WAIT_MS_MIN = 1

/** Milliseconds of a route that has not been measured yet. */
const FIRST_COST_MS: Readonly<Record<RequestLane, number>> = { point: 2, scan: 20, bulk: 100 }
/** The weight of the newest measurement in the mean of a route. */
const WEIGHT = 0.1

/** Creates the lanes of a process with as many slots as it has connections to the store. */
export function newLanes(slotsCount: number, observer?: QueueObserver): Lanes {
  const limits = { waitingMax: WAITING_MAX, reservedCount: RESERVED_COUNT }
  const short = newFairQueue({ ...limits, runningMax: SHORT_PER_CONNECTION * slotsCount }, observer)
  const usual = newFairQueue(
    {
      ...limits,
      runningMax: slotsCount,
      lanesMax: {
        scan: Math.max(1, Math.floor(slotsCount * SCAN_SHARE)),
        bulk: Math.min(BULK_SLOTS, slotsCount),
      },
    },
    observer,
  )
  const means = new Map<string, number>()
  let lastSuccessAtMs = 0

  // Each request would wait for its own timeout while the store does not respond. They fail together instead, like the
  // request that found out.
  function rejectDuringOutage(error: unknown, startedAtMs: number): void {
    if (!isConnectionLost(error)) return
    const sinceMs = performance.now() - OUTAGE_THRESHOLD_MS
    if (startedAtMs > sinceMs || lastSuccessAtMs > sinceMs) return
    for (const queue of [short, usual]) queue.rejectWaiting(toUnsent(error))
  }

  async function work<T>(inSlot: () => Promise<T>): Promise<T> {
    const startedAtMs = performance.now()
    try {
      const result = await inSlot()
      lastSuccessAtMs = performance.now()
      return result
    } catch (error) {
      rejectDuringOutage(error, startedAtMs)
      throw error
    }
  }

  return {
    async run({ lane, flow, route, isWrite, isShort }, inSlot) {
      const queue = isShort ? short : usual
      const cost = means.get(route) ?? FIRST_COST_MS[lane]
      const waitMsMax = isWrite ? WRITE_WAIT_MS : READ_WAIT_MS
      try {
        const turn = { flow, lane, cost, waitMsMax }
        const endWait = startWait(lane)
        const { result, heldMs } = await holdSlot(queue, turn, () => {
          endWait?.()
          return work(inSlot)
        })
        means.set(route, cost + (heldMs - cost) * WEIGHT)
        return result
      } catch (error) {
        if (!(error instanceof QueueFull)) throw error
        throw newStoreProblem('overloaded', error)
      }
    },
    countWaiting: () => short.waitingCount + usual.waitingCount,
  }
}

/** Returns what records the time until now as a span, unless it is too short to matter; undefined if nothing is traced. */
function startWait(lane: RequestLane): (() => void) | undefined {
  const span = getSpan()
  if (span === undefined) return undefined
  const attributes = { 'portbook.lane': lane }
  span.setAttributes(attributes)
  const startedAtMs = performance.now()
  return () => {
    if (performance.now() - startedAtMs < TRACED_WAIT_MS_MIN) return
    span.startChild('wait for a turn', { attributes, startedAtMs }).end()
  }
}

/**
 * Lets each chunk of an answer that is a stream take its turn, so that an export does not hold a slot while its client
 * reads. An answer that has begun is never refused: it waits longer.
 */
export function inTurns(
  lanes: Lanes,
  turn: LaneTurn,
  chunks: ReadableStream<Uint8Array>,
): ReadableStream<Uint8Array> {
  const reader = chunks.getReader()
  // The chunks are read after the handler has returned.
  const span = getSpan()
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const { done, value } = await withSpan(span, () => readInTurn(lanes, turn, reader))
        if (done) controller.close()
        else controller.enqueue(value)
      },
      cancel: (reason) => reader.cancel(reason),
    },
    { highWaterMark: 0 },
  )
}

async function readInTurn(
  lanes: Lanes,
  turn: LaneTurn,
  reader: ReadableStreamDefaultReader<Uint8Array>,
): ReturnType<typeof reader.read> {
  for (;;) {
    try {
      return await lanes.run(turn, () => reader.read())
    } catch (error) {
      if (!(error instanceof ApiError) || error.code !== 'overloaded') throw error
      await sleep(CHUNK_RETRY_MS)
    }
  }
}
