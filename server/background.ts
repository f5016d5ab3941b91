import { startFollowers, type FollowServices } from './events/follow-service.ts'
import type { FeedFollower } from './events/follower.ts'

/** Every follower of the event feed. */
const FOLLOWERS: readonly FeedFollower[] = []

/** The background work of a process. */
export interface Background {
  stop(): Promise<void>
}

/** Starts what reacts to changes. Every process does it, and one is enough. */
export function startBackground(services: FollowServices): Background {
  return startFollowers(services, FOLLOWERS)
}
