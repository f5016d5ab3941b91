/** Helpers that read the event feed. */

import type { CloudEvent } from '../server/ledger/events/event.ts'
import { readJson } from './answers.ts'
import { expectOk, uniqueId, type World } from './world.ts'

/**
 * Returns every event of an organization so far. It makes a last change to a separate team: once the feed
 * contains this change, it also contains everything before it. Until then it repeats the request, because
 * transactions of other tests on the same server delay the feed.
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
      ...(await readJson<CloudEvent[]>(world.as('Or', 'GET', `/api/events?${query.toString()}`))),
    )
  }
  return events
}

/** Returns the events of one subject so far. */
export async function listEventsOfSubject(
  world: World,
  subject: string,
  options: { include?: 'document' } = {},
): Promise<CloudEvent[]> {
  return (await eventsSoFar(world, options)).filter((event) => event.subject === subject)
}

/** Returns the short form of an event: its name, and the port that it is about. */
export function summarizeEvent({ type, data }: CloudEvent): string {
  const name = type.split('.').at(-1) ?? ''
  return data.outputPortId === undefined ? name : `${name} ${data.outputPortId}`
}
