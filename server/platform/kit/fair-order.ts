/**
 * The order in which jobs of several flows are served: start-time fair queueing. Each flow has a virtual start time,
 * which grows by the cost of its jobs, and the flow with the least one is next. So a flow with one job waits for at most
 * one job of each other flow, however many those have sent and however much they cost. Flows are nested: an
 * organization, then its keys and people. The order itself runs nothing and reads no clock.
 */
export class FairOrder<Job> {
  readonly #root: Flow<Job> = newFlow(undefined, '')
  #sequence = 0
  #sweepAt = SWEEP_MIN
  #flowsCount = 0

  /** The number of waiting jobs. */
  get waitingCount(): number {
    return this.#root.waitingCount
  }

  /** The number of flows that are remembered. */
  get flowsCount(): number {
    return this.#flowsCount
  }

  /** Adds a job to its flow, after the jobs that are there. */
  add(job: Job, turn: Turn): Place<Job> {
    const flow = this.#findLeaf(turn.flow)
    const { lane = '', cost = 1 } = turn
    const place: Place<Job> = { job, lane, outer: turn.flow[0] ?? '', cost, flow, sequence: 0 }
    place.sequence = this.#sequence += 1
    const waiting = flow.lanes.get(lane)
    if (waiting === undefined) flow.lanes.set(lane, [place])
    else waiting.push(place)
    for (let own: Flow<Job> | undefined = flow; own !== undefined; own = own.parent) {
      if (own.waitingCount === 0) {
        own.start = Math.max(own.start, own.parent?.now ?? 0)
        own.servedAt = place.sequence
      }
      own.waitingCount += 1
    }
    return place
  }

  /**
   * Takes the next job that may start, and charges its cost to its flow; undefined if none may start. The caller reports
   * the end of each job that it took.
   */
  take(mayStart: MayStart): Place<Job> | undefined {
    const place = findNext(this.#root, mayStart)
    if (place === undefined) return undefined
    this.#remove(place)
    this.#sequence += 1
    for (let own: Flow<Job> | undefined = place.flow; own !== undefined; own = own.parent) {
      own.runningCount += 1
      // A flow that waited for a full lane is not paid back later.
      own.start = Math.max(own.start, own.parent?.now ?? 0)
      if (own.parent !== undefined) own.parent.now = own.start
      own.start += place.cost
      own.servedAt = this.#sequence
    }
    return place
  }

  /** Reports that a job that was taken has ended, and what it really cost. */
  end({ flow, cost }: Place<Job>, actualCost: number): void {
    for (let own: Flow<Job> | undefined = flow; own !== undefined; own = own.parent) {
      own.runningCount -= 1
      own.start += actualCost - cost
    }
    this.#forgetIdle()
  }

  /** Removes a waiting job. Returns false if it is not waiting. */
  remove(place: Place<Job>): boolean {
    const isWaiting = place.flow.lanes.get(place.lane)?.includes(place) === true
    if (isWaiting) {
      this.#remove(place)
      this.#forgetIdle()
    }
    return isWaiting
  }

  /** Finds the newest job of the flow with the most waiting jobs; undefined if none is waiting. */
  findExcess(): Place<Job> | undefined {
    let flow = this.#root
    while (flow.children.size > 0) {
      const longest = findLongest(flow)
      if (longest === undefined) break
      flow = longest
    }
    return findNewest(flow)
  }

  #findLeaf(names: readonly string[]): Flow<Job> {
    let flow = this.#root
    for (const name of names) {
      let next: Flow<Job> | undefined = flow.children.get(name)
      if (next === undefined) {
        next = newFlow(flow, name)
        flow.children.set(name, next)
        this.#flowsCount += 1
      }
      flow = next
    }
    return flow
  }

  #remove(place: Place<Job>): void {
    const { flow, lane } = place
    const waiting = flow.lanes.get(lane) ?? []
    if (waiting.length === 1) flow.lanes.delete(lane)
    else waiting.splice(waiting.indexOf(place), 1)
    for (let own: Flow<Job> | undefined = flow; own !== undefined; own = own.parent) {
      own.waitingCount -= 1
    }
  }

  // Flows that owe nothing are the same as new ones. Looking for them only when their number has doubled keeps the cost
  // of each job constant.
  #forgetIdle(): void {
    const root = this.#root
    if (root.runningCount === 0 && root.waitingCount === 0) {
      root.children.clear()
      root.now = 0
      this.#flowsCount = 0
      return
    }
    if (this.#flowsCount < this.#sweepAt) return
    forgetIdle(root)
    this.#flowsCount = countFlows(root)
    this.#sweepAt = Math.max(SWEEP_MIN, 2 * this.#flowsCount)
  }
}

/** The flow, lane and cost of a job. */
export interface Turn {
  /** The names of the flow, from the outer to the inner, such as an organization and a key. */
  flow: readonly string[]
  /** Jobs of one lane of a flow are served in their order of arrival. */
  lane?: string
  /** The estimated cost; by default all jobs cost the same. */
  cost?: number
}

/** Decides whether a job of an outer flow and a lane may start now. */
type MayStart = (outer: string, lane: string) => boolean

/** A job that was added to an order. */
export interface Place<Job> {
  readonly job: Job
  readonly lane: string
  /** The name of its outer flow. */
  readonly outer: string
  readonly cost: number
  readonly flow: Flow<Job>
  /** The order of arrival. */
  sequence: number
}

interface Flow<Job> {
  readonly parent: Flow<Job> | undefined
  readonly name: string
  readonly children: Map<string, Flow<Job>>
  /** The waiting jobs by lane; a lane without any is absent. */
  readonly lanes: Map<string, Place<Job>[]>
  /** The virtual start time of its next job, among the flows of its parent. */
  start: number
  /** The virtual time of its children. */
  now: number
  /** When it was last served or became active; of equal start times, the earliest is next. */
  servedAt: number
  /** Including those of its children. */
  waitingCount: number
  runningCount: number
}

const SWEEP_MIN = 64

function newFlow<Job>(parent: Flow<Job> | undefined, name: string): Flow<Job> {
  const counts = { start: 0, now: 0, servedAt: 0, waitingCount: 0, runningCount: 0 }
  return { parent, name, children: new Map(), lanes: new Map(), ...counts }
}

function findNext<Job>(
  flow: Flow<Job>,
  mayStart: MayStart,
  outer = flow.name,
): Place<Job> | undefined {
  let next: Place<Job> | undefined
  for (const [lane, [first]] of flow.lanes) {
    if (first === undefined || (next !== undefined && next.sequence < first.sequence)) continue
    if (mayStart(outer, lane)) next = first
  }
  let best: Flow<Job> | undefined
  for (const child of flow.children.values()) {
    if (child.waitingCount === 0 || (best !== undefined && !isBefore(child, best))) continue
    const candidate = findNext(child, mayStart, flow.parent === undefined ? child.name : outer)
    if (candidate === undefined) continue
    best = child
    next = candidate
  }
  return next
}

function isBefore<Job>(one: Flow<Job>, other: Flow<Job>): boolean {
  return one.start === other.start ? one.servedAt < other.servedAt : one.start < other.start
}

function findLongest<Job>(flow: Flow<Job>): Flow<Job> | undefined {
  let longest: Flow<Job> | undefined
  let newest = 0
  for (const child of flow.children.values()) {
    if (child.waitingCount === 0 || child.waitingCount < (longest?.waitingCount ?? 0)) continue
    const sequence = findNewestWithin(child)
    if (child.waitingCount === longest?.waitingCount && sequence < newest) continue
    longest = child
    newest = sequence
  }
  return longest
}

function findNewestWithin<Job>(flow: Flow<Job>): number {
  let newest = findNewest(flow)?.sequence ?? 0
  for (const child of flow.children.values()) newest = Math.max(newest, findNewestWithin(child))
  return newest
}

function findNewest<Job>({ lanes }: Flow<Job>): Place<Job> | undefined {
  let newest: Place<Job> | undefined
  for (const waiting of lanes.values()) {
    const last = waiting.at(-1)
    if (last !== undefined && last.sequence > (newest?.sequence ?? 0)) newest = last
  }
  return newest
}

function countFlows<Job>({ children }: Flow<Job>): number {
  let count = children.size
  for (const child of children.values()) count += countFlows(child)
  return count
}

function forgetIdle<Job>(flow: Flow<Job>): void {
  for (const [name, child] of flow.children) {
    const isIdle = child.waitingCount === 0 && child.runningCount === 0
    if (isIdle && child.start <= flow.now) flow.children.delete(name)
    else forgetIdle(child)
  }
}
