import type { Log } from '../../platform/kit/log.ts'
import { workInTurns } from '../../platform/kit/organization-turns.ts'
import { getSpan, traceRoot, type Tracer } from '../../platform/kit/tracing.ts'
import type { WorkObserver } from '../../platform/kit/work-observer.ts'
import type { Database } from '../../platform/tables.ts'
import type { FeedFollower } from './feed-follower.ts'
import {
  advanceCursor,
  findSettledEnd,
  insertFollower,
  listFollowedEvents,
  listOrganizationsBehind,
  lockCursor,
  type SettledEnd,
} from './follow-store.ts'

/** The services for followers of the feed. */
export interface FollowServices {
  db: Database
  log: Log
  observer?: WorkObserver | undefined
  /** Whether the store accepts no writes, or has the schema of another version, whose processes are then responsible. */
  isPaused: () => boolean
  /** Undefined = no traces are recorded. */
  tracer?: Tracer | undefined
}

/** The followers of a process. */
export interface Followers {
  /** Looks for events immediately. Returns when all settled events were handled, here or by another process. */
  follow(): Promise<void>
  stop(): Promise<void>
}

const POLL_MS = 250

/** The maximum number of events of an organization in one transaction. */
const EVENTS_AT_ONCE_MAX = 1000
const ORGANIZATIONS_AT_ONCE_MAX = 1000

const RETRY_MS_MIN = 1000
const RETRY_MS_MAX = 60_000

/**
 * Starts followers of the feed. Every working process does it, and one is enough: the first to look handles the next events
 * of an organization. A follower that fails for an organization is repeated there, with delays that grow to a minute;
 * other organizations and followers do not wait for it.
 */
export function startFollowers(
  services: FollowServices,
  followers: readonly FeedFollower[],
  pollMs = POLL_MS,
  organizationsMax = ORGANIZATIONS_AT_ONCE_MAX,
): Followers {
  const all = followers.map((follower) => new Following(services, follower, organizationsMax))
  const stopping = new AbortController()
  let looking: Promise<void> = Promise.resolve()

  const poll = async (): Promise<void> => {
    const idle = all.filter(({ isBusy }) => !isBusy)
    if (idle.length === 0) return
    const end = await findEnd(services, stopping.signal)
    // A follower that has much to handle does not delay the others.
    if (end !== undefined) for (const one of idle) void one.follow(end, stopping.signal)
  }
  let isLooking = false
  const look = (): void => {
    if (isLooking) return
    isLooking = true
    looking = poll().finally(() => {
      isLooking = false
    })
  }
  const timer = setInterval(look, pollMs)
  look()
  return {
    async follow() {
      const end = await findEnd(services, stopping.signal)
      if (end === undefined) return
      await Promise.all(all.map(async (one) => await one.follow(end, stopping.signal)))
    },
    async stop() {
      stopping.abort()
      clearInterval(timer)
      await looking
      await Promise.all(all.map(async (one) => await one.ended()))
    },
  }
}

/** Finds the end of what is settled; undefined if there is nothing to follow now. */
async function findEnd(
  { db, log, isPaused }: FollowServices,
  stopping: AbortSignal,
): Promise<SettledEnd | undefined> {
  try {
    return stopping.aborted || isPaused() ? undefined : await findSettledEnd(db)
  } catch (error) {
    log.warn({ err: error }, 'the event feed could not be followed')
    return undefined
  }
}

/** The failures of a follower in an organization. */
interface Failures {
  count: number
  retryAtMs: number
}

/** One follower in this process. */
class Following {
  readonly #services: FollowServices
  readonly #follower: FeedFollower
  readonly #organizationsMax: number
  readonly #failures = new Map<string, Failures>()
  #isRecorded = false
  #underway: Promise<void> = Promise.resolve()
  #runCount = 0
  /** The end up to which every organization was handled. */
  #reached: SettledEnd | undefined

  constructor(services: FollowServices, follower: FeedFollower, organizationsMax: number) {
    this.#services = services
    this.#follower = follower
    this.#organizationsMax = organizationsMax
  }

  get isBusy(): boolean {
    return this.#runCount > 0
  }

  /** Waits until every call of `follow` has ended. */
  async ended(): Promise<void> {
    await this.#underway
  }

  /** Handles all events before an end, once earlier calls have ended. A failure is logged. */
  async follow(end: SettledEnd, stopping: AbortSignal): Promise<void> {
    this.#runCount += 1
    this.#underway = this.#underway
      .then(async () => await this.#followTo(end, stopping))
      .catch((error: unknown) => {
        const { name } = this.#follower
        this.#services.log.warn(
          { err: error, follower: name },
          'the event feed could not be followed',
        )
      })
      .finally(() => {
        this.#runCount -= 1
      })
    await this.#underway
  }

  // If no transaction has ended since the last time, there are no events to look for.
  async #followTo(end: SettledEnd, stopping: AbortSignal): Promise<void> {
    if (this.#reached !== undefined && isSameEnd(this.#reached, end)) return
    const { db, isPaused } = this.#services
    this.#isRecorded ||= await insertFollower(db, this.#follower.name)
    if (!this.#isRecorded) return
    let postponed: string[] = []
    // One page of each organization in turn, so that a large change of one does not delay the others.
    const isDone = await workInTurns({
      list: async ({ except, ...page }) => {
        postponed = this.#listPostponed()
        const left = { ...page, except: [...except, ...postponed] }
        return await listOrganizationsBehind(db, this.#follower.name, left)
      },
      work: async (organizationId) => await this.#handleNext(organizationId),
      isStopped: () => stopping.aborted || isPaused(),
      limit: this.#organizationsMax,
    })
    if (isDone && postponed.length === 0) this.#reached = end
  }

  /** Returns false if another process handles the organization, or if the follower failed. */
  async #handleNext(organizationId: string): Promise<boolean> {
    const { db, log, observer, tracer } = this.#services
    const { name } = this.#follower
    try {
      const isDone = await traceRoot(tracer, `follow ${name}`, {}, () =>
        handlePage(db, organizationId, this.#follower),
      )
      this.#failures.delete(organizationId)
      return isDone
    } catch (error) {
      const count = (this.#failures.get(organizationId)?.count ?? 0) + 1
      const delayMs = Math.min(RETRY_MS_MIN * 2 ** (count - 1), RETRY_MS_MAX)
      this.#failures.set(organizationId, { count, retryAtMs: performance.now() + delayMs })
      log.error({ err: error, follower: name, organizationId }, 'a follower of the feed failed')
      observer?.followerFailed(name)
      return false
    }
  }

  #listPostponed(): string[] {
    const nowMs = performance.now()
    return [...this.#failures]
      .filter(([, { retryAtMs }]) => retryAtMs > nowMs)
      .map(([organizationId]) => organizationId)
  }
}

/**
 * Handles the next events of an organization in one transaction with the cursor, so that each event is handled exactly
 * once. Returns false if another process is handling them.
 */
async function handlePage(
  db: Database,
  organizationId: string,
  follower: FeedFollower,
): Promise<boolean> {
  return await db.transaction().execute(async (transaction) => {
    const after = await lockCursor(transaction, organizationId, follower.name)
    if (after === undefined) return false
    const events = await listFollowedEvents(transaction, organizationId, after, EVENTS_AT_ONCE_MAX)
    const last = events.at(-1)
    if (last === undefined) return true
    getSpan()?.setAttributes({ 'portbook.events': events.length })
    await follower.handle(transaction, organizationId, events)
    await advanceCursor(transaction, organizationId, follower.name, last)
    return true
  })
}

function isSameEnd(one: SettledEnd, other: SettledEnd): boolean {
  return one.epoch === other.epoch && one.transactionId === other.transactionId
}
