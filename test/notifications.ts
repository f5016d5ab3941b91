import { sql } from 'kysely'
import { distribute } from '../server/notices/notifications/distribution-service.ts'
import type { FollowedEvent } from '../server/ledger/events/feed-follower.ts'
import { notifyOfEvents } from '../server/notices/notifications/feed-service.ts'
import type {
  NotificationPage,
  ShownNotification,
} from '../server/notices/notifications/notification.ts'
import { readJson } from './answers.ts'
import type { PersonName, World } from './world.ts'

const handled = new WeakMap<World, Set<string>>()

/** Handles the events of an organization that were not handled yet, and finds the recipients of its notifications. */
export async function notifyAll(world: World): Promise<void> {
  await followEvents(world)
  await distribute(world.services)
}

/** Handles the events of an organization that were not handled yet, without finding recipients. */
export async function followEvents(world: World): Promise<void> {
  const seen = handled.get(world) ?? new Set()
  handled.set(world, seen)
  const next = (await listEvents(world)).filter(({ id }) => !seen.has(id))
  for (const { id } of next) seen.add(id)
  await world.services.db
    .transaction()
    .execute((transaction) => notifyOfEvents(transaction, world.organizationId, next))
}

/** Lists all events of an organization, also those that the feed does not show yet, the oldest first. */
export async function listEvents({ organizationId, services }: World): Promise<FollowedEvent[]> {
  const { rows } = await sql<FollowedEvent>`
    select id, type, kind, subject, version, removal, output_port_id as "outputPortId", principal, time,
      details
    from event
    where organization_id = ${organizationId}
    order by epoch, transaction_id, position
  `.execute(services.db)
  return rows
}

/** Lists the notifications of a person, the newest first. */
export async function listNotifications(
  world: World,
  person: PersonName,
  query = '',
): Promise<ShownNotification[]> {
  const path = `/ui/notifications${query}`
  return (await readJson<NotificationPage>(world.asPerson(person, 'GET', path))).notifications
}

/** Lists the titles of the notifications of a person, the newest first. */
export async function listTitles(world: World, person: PersonName): Promise<string[]> {
  return (await listNotifications(world, person)).map(({ title }) => title)
}
