import { CONTRACT_CHANGES } from '../agreements/occasion-service.ts'
import { startFollowers } from '../ledger/events/follow-service.ts'
import {
  distribute,
  notifyOfExpiries,
  notifyOfRuns,
} from '../notices/notifications/distribution-service.ts'
import { notifyOfEvents } from '../notices/notifications/feed-service.ts'
import { listNotifications, markNotifications } from '../notices/notifications/service.ts'
import type { Caller } from '../requests/access/caller.ts'
import type { Services } from '../requests/http/endpoint.ts'
import type { PastEvent } from './estate.ts'

// The notifications of the demo: its past is followed as it is replayed, so that they are in the order of their occasions.

const DAY_MS = 24 * 60 * 60 * 1000
// A load follows the feed when it asks to, not in intervals.
const POLL_MS = DAY_MS
/** The days before today at whose end the feed is followed. What is older has no order. */
const FOLLOWED_DAYS = 12
/** Notifications of older occasions are marked as read, except breaking changes, which have to be handled first. */
const READ_MS = 4 * DAY_MS

/** Follows the feed while the demo is loaded. */
export interface DemoNotices {
  /** Follows the feed at the end of each of the last days. */
  history: readonly PastEvent[]
  /** Handles all events until now, and marks old notifications of people as read. */
  complete(readers: readonly Caller[]): Promise<void>
  stop(): Promise<void>
}

/** Starts to follow the feed: only later events notify. */
export async function startNotices(services: Services): Promise<DemoNotices> {
  const { db, clock, log } = services
  const followers = [CONTRACT_CHANGES, { name: 'notifications', handle: notifyOfEvents }]
  const following = startFollowers({ db, log, isPaused: () => false }, followers, POLL_MS)
  await following.follow()
  const follow = async (): Promise<void> => {
    await following.follow()
    // Without a mail server: e-mails about the past would be of no use.
    await distribute({ db, clock, log })
  }
  return {
    history: Array.from({ length: FOLLOWED_DAYS }, (_, day) => ({
      ageMs: (day + 1) * DAY_MS,
      replay: follow,
    })),
    async complete(readers) {
      await notifyOfRuns({ db, clock })
      await notifyOfExpiries({ db, clock })
      await follow()
      for (const reader of readers) await markOld(services, reader)
    },
    stop: () => following.stop(),
  }
}

async function markOld(services: Services, reader: Caller): Promise<void> {
  let before: string | undefined
  for (;;) {
    const page = await listNotifications(services.db, reader, { unread: true, before })
    const ids = page.notifications.flatMap(({ id, kind, occurredAt }) =>
      kind !== 'breaking_change' && Date.now() - Date.parse(occurredAt) > READ_MS ? [id] : [],
    )
    if (ids.length > 0) await markNotifications(services, reader, { ids, isRead: true })
    before = page.notifications.at(-1)?.id
    if (!page.hasNext || before === undefined) return
  }
}
