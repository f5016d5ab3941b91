/** Reading the feed of events in tests. */

import type { CloudEvent } from '../server/events/event.ts'
import { jsonOf } from './answers.ts'
import { expectOk, uniqueId, type World } from './world.ts'

/**
 * Every event of an organization so far. A change of a team of its own is made last: when it is in
 * the feed, so is all that came before. Until then the feed is read again, for transactions of
 * other tests on the same server hold it back.
 */
export async function eventsSoFar(
  world: World,
  options: { include?: 'document' } = {},
): Promise<CloudEvent[]> {
  const marker = uniqueId()
  await expectOk(world.as('O', 'PUT', `/api/teams/${marker}`, { body: { id: marker, name: 'M' } }))
  const events: CloudEvent[] = []
  while (!events.some((event) => event.subject === marker)) {
    const query = new URLSearchParams(options)
    const last = events.at(-1)
    if (last !== undefined) query.set('lastEventId', last.id)
    events.push(
      ...(await jsonOf<CloudEvent[]>(world.as('Or', 'GET', `/api/events?${query.toString()}`))),
    )
  }
  return events
}

/** The events of one subject so far. */
export async function eventsOf(
  world: World,
  subject: string,
  options: { include?: 'document' } = {},
): Promise<CloudEvent[]> {
  return (await eventsSoFar(world, options)).filter((event) => event.subject === subject)
}

/** What an event tells in short: its name, and the port that it is about. */
export function shortOf({ type, data }: CloudEvent): string {
  const name = type.split('.').at(-1) ?? ''
  return data.outputPortId === undefined ? name : `${name} ${data.outputPortId}`
}
